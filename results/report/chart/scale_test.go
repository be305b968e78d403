package chart

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		values []float64
		log    bool
		width  float64
		want   []float64
	}{
		{values: []float64{89_700, 75_400}, width: 220, want: []float64{0, 20_000, 40_000, 60_000, 80_000}},
		{values: []float64{12.7}, width: 220, want: []float64{0, 5, 10}},
		{values: []float64{-2, 3}, width: 300, want: []float64{-2, -1, 0, 1, 2, 3}},
		{values: []float64{0.5, 2}, log: true, width: 300, want: []float64{0.5, 0.7, 1, 1.5, 2}},
		{values: []float64{1, 1000}, log: true, width: 200, want: []float64{1, 10, 100, 1000}},
		{values: []float64{4.11, 4.19}, log: true, width: 200, want: []float64{4.1, 4.2}}, // nothing rounder
	} {
		got := fit(c.log, c.values, 0, c.width).ticks(leastApart)
		near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
		if !slices.EqualFunc(got, c.want, near) {
			t.Errorf("%v: ticks %v, want %v", c.values, got, c.want)
		}
	}
}

// Whatever the values, all have their place on the scale, and ticks are on it and do
// not meet.
func TestScaleHoldsAll(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		values := make([]float64, 1+random.IntN(5))
		for i := range values {
			values[i] = math.Exp(random.NormFloat64() * 6)
		}
		log, width := random.IntN(2) == 0, 120+random.Float64()*500
		s := fit(log, values, 0, width)
		for _, v := range values {
			if at := s.at(v); at < 0 || at > width || math.IsNaN(at) {
				t.Fatalf("%v, log %t: %v is at %v of %v", values, log, v, at, width)
			}
		}
		ticks := s.ticks(leastApart)
		if len(ticks) < 1 || len(ticks) > 14 {
			t.Fatalf("%v, log %t, %v wide: ticks %v", values, log, width, ticks)
		}
		for i, tick := range ticks {
			if at := s.at(tick); at < -1e-6 || at > width+1e-6 || i > 0 && at-s.at(ticks[i-1]) < leastApart/2 {
				t.Fatalf("%v, log %t: ticks %v at %v", values, log, ticks, at)
			}
		}
	}
}

// Values that are not known take no part, and none at all is no fault.
func TestScaleOfNothing(t *testing.T) {
	for _, log := range []bool{false, true} {
		s := fit(log, []float64{math.NaN(), math.Inf(1)}, 0, 100)
		if at := s.at(1.5); math.IsNaN(at) || len(s.ticks(10)) > 0 || !s.empty {
			t.Errorf("log %t: %+v, 1.5 at %v", log, s, at)
		}
	}
}
