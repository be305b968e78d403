package load

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// within reports whether got is want to a thousandth.
func within(got, want time.Duration) bool {
	return (got-want).Abs()*1000 <= want
}

func TestHistogramAgainstSortedValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	h, parts := NewHistogram(), [2]*Histogram{NewHistogram(), NewHistogram()}
	var all []time.Duration
	var sum time.Duration
	for i := range 100_000 {
		d := time.Microsecond + time.Duration(rng.ExpFloat64()*float64(time.Millisecond))
		all, sum = append(all, d), sum+d
		h.Record(d)
		parts[i%2].Record(d)
	}
	slices.Sort(all)
	parts[0].Merge(parts[1])
	b, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	var sent Histogram
	if err := json.Unmarshal(b, &sent); err != nil {
		t.Fatal(err)
	}
	for name, h := range map[string]*Histogram{"recorded": h, "merged": parts[0], "sent": &sent} {
		if h.Count() != int64(len(all)) || h.Min() != all[0] || h.Max() != all[len(all)-1] || h.Sum() != sum || h.Mean() != sum/time.Duration(len(all)) {
			t.Errorf("%s: count %d, min %v, max %v, sum %v, mean %v", name, h.Count(), h.Min(), h.Max(), h.Sum(), h.Mean())
		}
		for _, q := range []float64{0.5, 0.9, 0.99, 0.999, 1} {
			if got, want := h.Quantile(q), all[int(q*float64(len(all)))-1]; !within(got, want) {
				t.Errorf("%s: quantile %v is %v, want %v", name, q, got, want)
			}
		}
	}
}

func TestHistogramAtItsLimits(t *testing.T) {
	h := NewHistogram()
	if h.Min() != 0 || h.Max() != 0 || h.Mean() != 0 || h.Quantile(0.5) != 0 {
		t.Errorf("empty: min %v, max %v, mean %v, median %v", h.Min(), h.Max(), h.Mean(), h.Quantile(0.5))
	}
	h.Record(-1)
	h.Record(2 * time.Hour)
	if h.Count() != 2 || h.Min() != 0 || h.Max() != 2*time.Hour || !within(h.Quantile(1), time.Hour) {
		t.Errorf("count %d, min %v, max %v, last %v", h.Count(), h.Min(), h.Max(), h.Quantile(1))
	}
}

func TestHistogramDecode(t *testing.T) {
	h := NewHistogram()
	for _, d := range []time.Duration{time.Millisecond, time.Second} {
		h.Record(d)
	}
	s, err := h.Encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(s)
	if err != nil || got.Count() != 2 || !within(got.Min(), h.Min()) || !within(got.Max(), h.Max()) || !within(got.Sum(), h.Sum()) {
		t.Errorf("error %v, %v to %v", err, got.Min(), got.Max())
	}
	if _, err := Decode(s[:len(s)/2]); err == nil {
		t.Error("half a histogram was decoded")
	}
	var j Histogram
	if err := json.Unmarshal([]byte(`{"hdr":"`+s+`","count":3}`), &j); err == nil {
		t.Error("a count that does not fit was read")
	}
}
