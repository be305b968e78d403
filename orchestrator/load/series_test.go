package load

import (
	"net"
	"testing"
	"time"
)

func TestBucketsAreFine(t *testing.T) {
	for d := time.Microsecond; d < time.Hour; d += 1 + d/1000 {
		if off := (middleOf(bucketOf(d)) - d).Abs(); off*64 > d+64*time.Nanosecond {
			t.Fatalf("%v is counted as %v", d, middleOf(bucketOf(d)))
		}
	}
	for _, d := range []time.Duration{-1, 0, 1, 1000 * time.Hour} {
		if i := bucketOf(d); i < 0 || i >= buckets {
			t.Errorf("%v falls in bucket %d of %d", d, i, buckets)
		}
	}
}

func TestTallyQuantiles(t *testing.T) {
	var one, two tally
	for i := range 1000 {
		half := &one
		if i%2 == 1 {
			half = &two
		}
		half.right(time.Duration(i+1) * time.Millisecond)
	}
	one.add(&two)
	for q, want := range map[float64]time.Duration{0.5: 500 * time.Millisecond, 0.99: 990 * time.Millisecond, 1: time.Second} {
		if got := one.quantile(q); (got-want).Abs()*50 > want {
			t.Errorf("quantile %v is %v, want %v", q, got, want)
		}
	}
	if one.ok != 1000 || one.max != time.Second || (&tally{}).quantile(0.99) != 0 {
		t.Errorf("%d right, longest %v; of none %v", one.ok, one.max, (&tally{}).quantile(0.99))
	}
}

// The seconds sum up to the result, on whichever workers it was seen.
func TestSeriesSumsUpToTheResult(t *testing.T) {
	s := serve(t, func(c net.Conn, n int64) bool {
		if n%10 == 0 {
			write(c, 0, []byte("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n"))
			return true
		}
		return steady(c, n)
	})
	cfg := config(s)
	cfg.Connections, cfg.Workers, cfg.Series = 4, 2, 60
	r := run(t, cfg, Phase{Duration: 1200 * time.Millisecond, Rate: 500})
	var sum Second
	for _, s := range r.Series {
		sum = Second{sum.Started + s.Started, sum.OK + s.OK, sum.Failed + s.Failed, 0, 0, max(sum.Max, s.Max)}
		if s.P50 > s.P99 || s.P99 > s.Max || s.OK > 0 && s.P50 == 0 {
			t.Errorf("quantiles %v, %v, longest %v of %d", s.P50, s.P99, s.Max, s.OK)
		}
	}
	want := Second{r.Started, r.Outcomes[OK], r.Outcomes.Failed(), 0, 0, r.Latency.Max()}
	if sum != want || len(r.Series) < 2 || r.Series[0].Started < 400 {
		t.Errorf("%d seconds sum up to %+v, want %+v; the first %+v", len(r.Series), sum, want, r.Series[0])
	}
	cfg.Series = 1
	if r := run(t, cfg, Phase{Duration: 1100 * time.Millisecond, Rate: 100}); len(r.Series) != 1 {
		t.Errorf("%d seconds kept in the room of 1", len(r.Series))
	}
}
