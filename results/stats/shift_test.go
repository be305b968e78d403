package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The critical values of Mann and Whitney's test that textbooks print (Milton, An
// Extended Table of Critical Values for the Mann-Whitney Statistic, JASA 59, 1964;
// Siegel, Nonparametric Statistics, table K): the largest U that is significant on
// both sides together; −1 where none is.
func TestMannWhitneyAgainstTables(t *testing.T) {
	for size, critical := range map[[2]int][2]int{
		{4, 4}: {0, -1}, {5, 5}: {2, 0}, {6, 6}: {5, 2}, {7, 7}: {8, 4}, {8, 8}: {13, 7}, {9, 9}: {17, 11}, {10, 10}: {23, 16},
		{12, 12}: {37, 27}, {15, 15}: {64, 51}, {20, 20}: {127, 105},
		{2, 8}: {0, -1}, {3, 5}: {0, -1}, {3, 10}: {3, 0}, {4, 5}: {1, -1}, {5, 6}: {3, 1}, {5, 10}: {8, 4}, {7, 15}: {24, 16}, {8, 10}: {17, 11}, {10, 20}: {55, 42}, {12, 18}: {61, 47},
	} {
		for i, alpha := range []float64{0.05, 0.01} {
			for _, nm := range [][2]int{size, {size[1], size[0]}} {
				n, m, u := nm[0], nm[1], critical[i]
				if p := withInversions(n, m, u+1).P; p <= alpha {
					t.Errorf("%d and %d: p of %d is %v, above %v", n, m, u+1, p, alpha)
				}
				if u < 0 {
					continue
				}
				if p := withInversions(n, m, u).P; p > alpha {
					t.Errorf("%d and %d: p of %d is %v, at most %v", n, m, u, p, alpha)
				}
				if k, exact := shiftDepth(n, m, 1-alpha); k != u+1 || exact < 1-alpha {
					t.Errorf("%d and %d at %v: depth %d with %v, want %d", n, m, alpha, k, exact, u+1)
				}
			}
		}
	}
}

// withInversions returns the effect between samples in which so many pairs are the
// other way round.
func withInversions(n, m, u int) Effect {
	xs, ys := upTo(n), make([]float64, m)
	for i := range ys {
		below := min(n, max(0, u)) // of xs, that this one is not above
		u -= below
		ys[i] = float64(n-below) + 0.5 + float64(m-i)/float64(2*m+2)
	}
	return OfShift(xs, ys, 0.95)
}

// Hollander and Wolfe 1973, p. 69: permeability of the chorioamnion, at term and
// after 12 to 26 weeks, with what R's wilcox.test(exact = TRUE, conf.int = TRUE)
// prints.
func TestOfShiftAgainstTextbook(t *testing.T) {
	term := []float64{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46}
	early := []float64{1.15, 0.88, 0.90, 0.74, 1.21}
	got := OfShift(term, early, 0.95)
	want := Effect{N: 5, M: 10, Estimate: -0.305, Low: -0.76, High: 0.15, Confidence: 0.96004, P: 0.25441}
	for what, pair := range map[string][2]float64{
		"estimate": {got.Estimate, want.Estimate}, "low": {got.Low, want.Low}, "high": {got.High, want.High},
		"confidence": {got.Confidence, want.Confidence}, "p": {got.P, want.P},
	} {
		if math.Abs(pair[0]-pair[1]) > 5e-6 {
			t.Errorf("%s is %v, want %v", what, pair[0], pair[1])
		}
	}
	if got.N != want.N || got.M != want.M {
		t.Errorf("of %d and %d, want %d and %d", got.N, got.M, want.N, want.M)
	}
}

// The probabilities are those that counting through all orders gives.
func TestInversionsCountAllOrders(t *testing.T) {
	for n := 1; n <= 7; n++ {
		for m := 1; m <= 7; m++ {
			want, all := make([]float64, n*m+1), 0
			for order := range 1 << (n + m) { // the bits that are set are ys
				u, ys := 0, 0
				for bit := range n + m {
					if order>>bit&1 == 1 {
						ys++
					} else {
						u += ys
					}
				}
				if ys == m {
					want[u]++
					all++
				}
			}
			sum := 0.0
			for u, p := range inversions(n, m, n*m) {
				if sum += want[u]; p != sum/float64(all) {
					t.Fatalf("%d and %d: %v up to %d, want %v", n, m, p, u, sum/float64(all))
				}
			}
		}
	}
}

// Large samples meet the normal approximation.
func TestInversionsOfLargeSamples(t *testing.T) {
	const n, m = 120, 150
	mean, deviation := n*m/2.0, math.Sqrt(n*m*(n+m+1)/12.0)
	shares := inversions(n, m, n*m/2)
	for _, z := range []float64{-3, -2, -1} {
		if got, want := shares[int(mean+z*deviation)], math.Erfc(-z/math.Sqrt2)/2; math.Abs(got/want-1) > 0.04 {
			t.Errorf("%v deviations below the mean: %v, want about %v", z, got, want)
		}
	}
	if k, exact := shiftDepth(n, m, 0.95); math.Abs(float64(k)-(mean-1.96*deviation)) > 5 || exact < 0.95 || exact > 0.9502 {
		t.Errorf("depth %d with %v, want about %v", k, exact, mean-1.96*deviation)
	}
}

// The interval is without 0 exactly where p says so, ties or not.
func TestShiftIntervalAndPAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 0))
	apart, tied := 0, 0
	for range 4000 {
		round := []float64{1e9, 4}[random.IntN(2)] // 4: so coarse that many are equal
		draw := func(by float64) func() float64 {
			return func() float64 { return math.Round(round*(random.NormFloat64()+by)) / round }
		}
		xs, ys := sample(4+random.IntN(8), draw(0)), sample(4+random.IntN(8), draw(0.8))
		e := OfShift(xs, ys, 0.95)
		outside := e.Low > 0 || e.High < 0
		if outside != (e.P <= 0.05) {
			t.Fatalf("%v and %v: interval %v to %v, p %v", xs, ys, e.Low, e.High, e.P)
		}
		if outside {
			apart++
		}
		if round == 4 {
			tied++
		}
	}
	if apart < 400 || apart > 3600 || tied == 0 {
		t.Errorf("%d of 4000 are apart, so that the test says little", apart)
	}
}

// The other way round, a shift is the opposite; the order of a sample and other
// units change nothing, and neither sample is touched.
func TestShiftSymmetryScaleAndOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 0))
	for n := 1; n < 12; n++ {
		xs, ys := sample(n, random.ExpFloat64), sample(1+random.IntN(12), random.ExpFloat64)
		e := OfShiftRatio(xs, ys, 0.95)
		turned := OfShiftRatio(ys, xs, 0.95)
		same(t, "turned", Effect{N: e.N, M: e.M, Estimate: 1 / turned.Estimate, Low: 1 / turned.High, High: 1 / turned.Low, Confidence: turned.Confidence, P: turned.P}, e)
		scale := func(zs []float64) (scaled []float64) {
			for _, z := range zs {
				scaled = append(scaled, 1000*z)
			}
			return scaled
		}
		same(t, "scaled", OfShiftRatio(scale(xs), scale(ys), 0.95), e)
		backwards := slices.Clone(xs)
		slices.Reverse(backwards)
		same(t, "backwards", OfShiftRatio(backwards, ys, 0.95), e)
	}
	xs, ys := []float64{3, 1, 2}, []float64{9, 7, 8}
	OfShift(xs, ys, 0.95)
	if !slices.Equal(xs, []float64{3, 1, 2}) || !slices.Equal(ys, []float64{9, 7, 8}) {
		t.Errorf("the samples are now %v and %v", xs, ys)
	}
}

func TestShiftOfFew(t *testing.T) {
	for _, e := range []Effect{OfShift(nil, upTo(3), 0.95), OfShift(upTo(3), nil, 0.95), OfShiftRatio(nil, nil, 0.95)} {
		if e.Known() || e.P != 1 {
			t.Errorf("nothing gave %+v", e)
		}
	}
	if got, want := OfShift([]float64{1}, []float64{3}, 0.95), (Effect{N: 1, M: 1, Estimate: 2, Low: 2, High: 2, P: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	got := OfShift([]float64{1, 2, 3}, []float64{11, 12, 13}, 0.95)
	if got.Low != 8 || got.High != 12 || math.Abs(got.P-0.1) > 1e-15 || math.Abs(got.Confidence-0.9) > 1e-15 {
		t.Errorf("3 and 3: %+v, want 8 to 12, 90 %% sure, p 0.1", got)
	}
	equal := OfShift([]float64{5, 5, 5, 5}, []float64{5, 5, 5, 5}, 0.95)
	if equal.P != 1 || equal.Estimate != 0 {
		t.Errorf("no difference at all: %+v", equal)
	}
}

func TestShiftNeeded(t *testing.T) {
	for comparisons, want := range map[int]int{0: 1, 1: 4, 2: 5, 3: 5, 6: 5, 7: 6, 12: 6, 23: 6, 24: 7} {
		n := ShiftNeeded(comparisons, 0.05)
		if n != want {
			t.Errorf("%d comparisons need %d, want %d", comparisons, n, want)
		}
	}
	for _, c := range []struct {
		n, m int
		want float64
	}{{0, 5, 1}, {5, 0, 1}, {1, 1, 1}, {1, 9, 0.2}, {3, 3, 0.1}, {4, 4, 2.0 / 70}, {9, 9, 2.0 / 48620}} {
		if p := SmallestShiftP(c.n, c.m); math.Abs(p-c.want) > 1e-15 {
			t.Errorf("%d and %d: %v, want %v", c.n, c.m, p, c.want)
		}
	}
}

// An interval holds the true ratio as often as it says, whatever the shape of the
// samples and their sizes.
func TestShiftCoverage(t *testing.T) {
	skipShort(t)
	const effect, draws = 1.3, draws / 4 // a share of 5 % then has a standard error of 0.44 %
	for name, draw := range skewed() {
		for _, size := range [][2]int{{4, 4}, {7, 9}, {9, 9}, {6, 20}} {
			random, held, wrong := rand.New(rand.NewPCG(9, uint64(size[1]))), 0, 0
			var e Effect
			for range draws {
				xs, ys := sample(size[0], func() float64 { return draw(random) }), sample(size[1], func() float64 { return effect * draw(random) })
				if e = OfShiftRatio(xs, ys, 0.95); e.Low <= effect && effect <= e.High {
					held++
				}
				if OfShiftRatio(xs, sample(size[1], func() float64 { return draw(random) }), 0.95).P < 0.05 {
					wrong++
				}
			}
			t.Logf("%s, %v: %.2f %% held the ratio, %.2f %% promised; %.2f %% of equal ones differ", name, size, 100*float64(held)/draws, 100*e.Confidence, 100*float64(wrong)/draws)
			if got := float64(held) / draws; math.Abs(got-e.Confidence) > 0.015 {
				t.Errorf("%s, %v: %v, want %v", name, size, got, e.Confidence)
			}
			if got := float64(wrong) / draws; got > 0.065 || got == 0 {
				t.Errorf("%s, %v: %v of equal samples differ", name, size, got)
			}
		}
	}
}

func ExampleOfShiftRatio() {
	before := []float64{81.1, 79.8, 82.0, 80.4, 83.1, 79.2, 81.6}
	after := []float64{88.9, 87.1, 90.2, 88.0, 91.5}
	e := OfShiftRatio(before, after, 0.95)
	fmt.Printf("%.3f times, with %.1f %% between %.3f and %.3f, p %.4f\n", e.Estimate, 100*e.Confidence, e.Low, e.High, e.P)
	// Output: 1.100 times, with 95.2 % between 1.073 and 1.128, p 0.0025
}
