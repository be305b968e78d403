package stats

import (
	"math"
	"testing"
)

// What R's p.adjust(method = "holm") gives.
func TestHolm(t *testing.T) {
	for _, c := range []struct{ ps, want []float64 }{
		{nil, nil},
		{[]float64{0.02}, []float64{0.02}},
		{[]float64{0.01, 0.02, 0.03, 0.04}, []float64{0.04, 0.06, 0.06, 0.06}},
		{[]float64{0.01, 0.04, 0.03, 0.005}, []float64{0.03, 0.06, 0.06, 0.02}},
		{[]float64{0.6, 1, 0.001}, []float64{1, 1, 0.003}},
		{[]float64{0.02, 0.02, 0.02}, []float64{0.06, 0.06, 0.06}},
	} {
		got := Holm(c.ps)
		if len(got) != len(c.want) {
			t.Fatalf("Holm(%v) = %v, want %v", c.ps, got, c.want)
		}
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 1e-12 {
				t.Errorf("Holm(%v) = %v, want %v", c.ps, got, c.want)
				break
			}
		}
	}
}

func TestRoundsNeeded(t *testing.T) {
	for _, c := range []struct {
		m     int
		alpha float64
		want  int
	}{
		{1, 0.05, 6},
		{2, 0.05, 7},
		{3, 0.05, 7},
		{4, 0.05, 8},
		{6, 0.05, 8},
		{7, 0.05, 9},
		{12, 0.05, 9},
		{13, 0.05, 10},
		{1, 0.01, 8},
		{1, 0.5, 3},
		{0, 0.05, 1},
	} {
		n := RoundsNeeded(c.m, c.alpha)
		if n != c.want {
			t.Errorf("%d comparisons at %v need %d rounds, want %d", c.m, c.alpha, n, c.want)
		}
		if float64(c.m)*OfDifference(upTo(n), 0.95).P >= c.alpha {
			t.Errorf("%d comparisons at %v: %d rounds are not enough", c.m, c.alpha, n)
		}
	}
	if p := SmallestP(0); p != 1 {
		t.Errorf("no pair has a p of %v", p)
	}
}
