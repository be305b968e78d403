package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// For normal differences the t test's power is in every table, and the signed-rank
// test needs at most 1/0.864 as many pairs whatever the distribution (Hollander,
// Wolfe and Chicken, 3.11), 1/0.955 for this one. With 20 pairs an effect of 0.66
// standard deviations is seen in 80 % by a two-sided t test at 0.05 (Cohen,
// Statistical Power Analysis, table 2.4.1 for one sample: d = 0.66).
func TestVisibleAgainstTheTTest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	ds := make([]float64, 5000)
	for i := range ds {
		ds[i] = random.NormFloat64()
	}
	got := Visible(ds, 20, 0.05, 1)
	if got < 0.62 || got > 0.72 {
		t.Errorf("visible with 20 pairs: %.3f standard deviations, want about 0.66 to 0.68", got)
	}
	if scaled := Visible(scale(ds, 10), 20, 0.05, 1); math.Abs(scaled/got-10) > 1e-6 {
		t.Errorf("ten times the spread makes %.3f of %.3f visible", scaled, got)
	}
	if more := Visible(ds, 40, 0.05, 1); more >= got {
		t.Errorf("with 40 pairs %.3f is visible, with 20 already %.3f", more, got)
	}
}

func scale(xs []float64, by float64) []float64 {
	out := make([]float64, len(xs))
	for i, x := range xs {
		out[i] = by * x
	}
	return out
}

func TestVisibleAtItsEnds(t *testing.T) {
	if v := Visible([]float64{1, 2}, 5, 0.05, 1); !math.IsNaN(v) {
		t.Errorf("with 5 pairs nothing is significant, yet %v is visible", v)
	}
	if v := Visible(nil, 7, 0.05, 1); !math.IsNaN(v) {
		t.Errorf("without differences %v is visible", v)
	}
	if v := Visible([]float64{0, 0}, 7, 0.05, 1); v != 0 {
		t.Errorf("where nothing ever differs %v is visible, want any", v)
	}
}
