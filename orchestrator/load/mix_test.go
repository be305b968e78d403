package load

import (
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Counts by request do not depend on the number of workers, nor on the loop.
func TestMixIsTheSameOnAnyNumberOfWorkers(t *testing.T) {
	s := serveRequests(t, func(r asked) string {
		switch r.path {
		case "/missing":
			return answerOf(404, "gone")
		case "/wrong":
			return answerOf(200, "hellO")
		}
		return answerOf(200, "hello")
	})
	part := func(path string, weight int) Part {
		return Part{Request: Request{Path: path, KeepAlive: true}, Expect: Expect{Body: []byte("hello")}, Weight: weight}
	}
	const requests = 3000
	var want []Outcomes
	for _, ph := range []Phase{{Requests: requests}, {Requests: requests, Rate: 1e6}} {
		for workers := 1; workers <= 3; workers++ {
			cfg := config(s)
			cfg.Mix = []Part{part("/", 7), part("/missing", 2), part("/wrong", 0)}
			cfg.Connections, cfg.Workers, cfg.Seed = 6, workers, 11
			r := run(t, cfg, ph)
			if want == nil {
				want = r.Parts
				checkShares(t, want, requests)
			}
			if diff := cmp.Diff(want, r.Parts); diff != "" {
				t.Errorf("%d workers, rate %v (-one worker, closed +got):\n%s", workers, ph.Rate, diff)
			}
		}
	}
}

func checkShares(t *testing.T, parts []Outcomes, requests int64) {
	t.Helper()
	for i, weight := range []float64{7, 2, 1} {
		o := []Outcome{OK, UnexpectedStatus, WrongBody}[i]
		n := parts[i][o]
		if n != parts[i].Sum() {
			t.Errorf("part %d: %v, want %v alone", i, parts[i], o)
		}
		share := weight / 10
		if off := math.Abs(float64(n) - share*float64(requests)); off > 4*math.Sqrt(share*(1-share)*float64(requests)) {
			t.Errorf("part %d: %d of %d requests, its weight is %v of 10", i, n, requests, weight)
		}
	}
}

func TestAnotherSeedMixesAnew(t *testing.T) {
	parts := make([]Part, 2)
	one, err := newMix(parts, 1)
	if err != nil {
		t.Fatal(err)
	}
	two, err := newMix(parts, 2)
	if err != nil {
		t.Fatal(err)
	}
	same := 0
	for n := range int64(1000) {
		if one.choose(n).part == two.choose(n).part {
			same++
		}
	}
	if same < 400 || same > 600 {
		t.Errorf("two seeds agree in %d of 1000 draws of two", same)
	}
}

// The server gets each method, version and body as it was meant.
func TestMethodsAndVersionsOnOneConnection(t *testing.T) {
	var mu sync.Mutex
	got := map[asked]int64{}
	s := serveRequests(t, func(r asked) string {
		mu.Lock()
		defer mu.Unlock()
		got[r]++
		if answer := answerOf(200, "got "+r.body); r.method != "HEAD" {
			return answer
		}
		return "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"
	})
	cfg := config(s)
	cfg.Mix = nil
	want := map[asked]int64{}
	var parts []Outcomes
	for _, method := range []string{"GET", "HEAD", "POST"} {
		for _, proto := range []Proto{HTTP11, HTTP10} {
			p := Part{Request: Request{Method: method, Path: "/" + method, Proto: proto, KeepAlive: true}}
			switch method {
			case "POST":
				p.Body = fmt.Appendf(nil, "%05000d", 7)
				fallthrough
			case "GET":
				p.Expect.Body = append([]byte("got "), p.Body...)
			}
			cfg.Mix = append(cfg.Mix, p)
			want[asked{method, p.Path, proto.String(), string(p.Body)}] = 0
		}
	}
	r := run(t, cfg, Phase{Requests: 300})
	for i, p := range cfg.Mix {
		var o Outcomes
		o[OK] = r.Parts[i].Sum()
		parts = append(parts, o)
		want[asked{p.Method, p.Path, p.Proto.String(), string(p.Body)}] = o[OK]
	}
	if diff := cmp.Diff(parts, r.Parts); diff != "" {
		t.Errorf("%v (-all right +got):\n%s", r.First, diff)
	}
	mu.Lock()
	defer mu.Unlock()
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(asked{})); diff != "" {
		t.Errorf("(-sent +received):\n%s", diff)
	}
}
