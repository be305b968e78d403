package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The critical values of Wilcoxon's test that textbooks print (Wilcoxon and
// Wilcox, Some Rapid Approximate Statistical Procedures, 1964; Conover, table
// A12): the largest sum of ranks that is significant on both sides together.
func TestSignedRankAgainstTables(t *testing.T) {
	for alpha, critical := range map[float64]map[int]int{
		0.05: {6: 0, 7: 2, 8: 3, 9: 5, 10: 8, 11: 10, 12: 13, 13: 17, 14: 21, 15: 25, 16: 29, 17: 34, 18: 40, 19: 46, 20: 52, 25: 89, 30: 137},
		0.01: {8: 0, 9: 1, 10: 3, 11: 5, 12: 7, 13: 9, 14: 12, 15: 15, 16: 19, 17: 23, 18: 27, 19: 32, 20: 37, 25: 68, 30: 109},
	} {
		for n, sum := range critical {
			if p, more := signedRank(withSum(n, sum)), signedRank(withSum(n, sum+1)); p > alpha || more <= alpha {
				t.Errorf("n = %d: p of %d is %v and of %d is %v, want %v between", n, sum, p, sum+1, more, alpha)
			}
			if k, _ := depth(n, 1-alpha); k != sum+1 {
				t.Errorf("n = %d: the interval's ends are at depth %d, want %d", n, k, sum+1)
			}
		}
	}
}

// withSum returns the ranks 1 to n, with signs for which the negative ones have
// that sum.
func withSum(n, sum int) []float64 {
	ds := upTo(n)
	for rank := n; rank > 0; rank-- {
		if rank <= sum {
			ds[rank-1], sum = -ds[rank-1], sum-rank
		}
	}
	return ds
}

// Data of textbooks, with what R's wilcox.test(paired = TRUE, exact = TRUE,
// conf.int = TRUE) and, where there are zeros, exactRankTests print.
func TestOfDifferenceAgainstTextbooks(t *testing.T) {
	for _, c := range []struct {
		name      string
		ds        []float64
		p         float64
		estimate  float64
		low, high float64
	}{
		{
			// Hollander and Wolfe 1973, p. 29: depression before and after.
			"depression", minus([]float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30}, []float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}),
			0.0390625, 0.46, 0.01, 0.786,
		},
		{
			// Darwin 1876: heights of crossed and self-fertilized maize, in eighths of an inch.
			"maize",
			[]float64{49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48},
			0.04126, math.NaN(), math.NaN(), math.NaN(),
		},
		{
			// Student 1908: hours of sleep gained; one zero and two that are equal.
			"sleep",
			[]float64{1.2, 2.4, 1.3, 1.3, 0, 1.0, 1.8, 0.8, 4.6, 1.4},
			0.00390625, math.NaN(), math.NaN(), math.NaN(),
		},
	} {
		got := OfDifference(c.ds, 0.95)
		for what, pair := range map[string][2]float64{
			"p": {got.P, c.p}, "estimate": {got.Estimate, c.estimate}, "low": {got.Low, c.low}, "high": {got.High, c.high},
		} {
			if math.Abs(pair[0]-pair[1]) > 5e-6 {
				t.Errorf("%s: %s is %v, want %v", c.name, what, pair[0], pair[1])
			}
		}
	}
}

func minus(as, bs []float64) []float64 {
	ds := make([]float64, len(as))
	for i := range as {
		ds[i] = as[i] - bs[i]
	}
	return ds
}

// With ties and zeros, p is the share of all choices of signs that give a sum at
// least as extreme.
func TestSignedRankCountsAllSigns(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	for range 300 {
		ds := make([]float64, 1+random.IntN(9))
		for i := range ds {
			ds[i] = float64(random.IntN(9) - 4)
		}
		if got, want := signedRank(ds), shareOfSigns(ds); math.Abs(got-want) > 1e-12 {
			t.Fatalf("p of %v is %v, want %v", ds, got, want)
		}
	}
}

// shareOfSigns counts through all choices of signs, with ranks by the definition.
func shareOfSigns(ds []float64) float64 {
	scores, seen := make([]float64, len(ds)), 0.0
	for i, d := range ds {
		for _, e := range ds {
			switch {
			case d == 0:
			case math.Abs(e) < math.Abs(d):
				scores[i]++
			case math.Abs(e) == math.Abs(d):
				scores[i] += 0.5
			}
		}
		if d != 0 {
			scores[i] += 0.5
		}
		seen += math.Copysign(scores[i], d)
	}
	as, all := 0, 1<<len(ds)
	for signs := range all {
		sum := 0.0
		for i, score := range scores {
			if signs>>i&1 == 1 {
				score = -score
			}
			sum += score
		}
		if math.Abs(sum) >= math.Abs(seen)-1e-9 {
			as++
		}
	}
	return float64(as) / float64(all)
}

func TestOfDifferenceTooFew(t *testing.T) {
	for n := 1; n < 6; n++ {
		got := OfDifference(upTo(n), 0.95)
		want := Effect{N: n, Estimate: float64(n+1) / 2, Low: 1, High: float64(n), Confidence: 1 - SmallestP(n), P: SmallestP(n)}
		if got != want {
			t.Errorf("n = %d: %+v, want %+v", n, got, want)
		}
	}
	for _, got := range []Effect{OfDifference(nil, 0.95), OfRatio(nil, 0.95)} {
		if got.Known() || got.P != 1 {
			t.Errorf("nothing gave %+v", got)
		}
	}
}

func TestNoDifferenceAtAll(t *testing.T) {
	if got, want := OfRatio([]float64{1, 1, 1, 1, 1, 1, 1}, 0.95), (Effect{N: 7, Estimate: 1, Low: 1, High: 1, Confidence: 1 - 6.0/128, P: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// The interval is without 0 exactly where p says so.
func TestIntervalAndPAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 0))
	apart := 0
	for range 2000 {
		ds := make([]float64, 6+random.IntN(15))
		for i := range ds {
			ds[i] = random.NormFloat64() + 0.5
		}
		e := OfDifference(ds, 0.95)
		if outside := e.Low > 0 || e.High < 0; outside != (e.P <= 0.05) {
			t.Fatalf("%v: interval %v to %v, p %v", ds, e.Low, e.High, e.P)
		} else if outside {
			apart++
		}
	}
	if apart < 200 || apart > 1800 {
		t.Errorf("%d of 2000 are apart, so that the test says little", apart)
	}
}

// The other way round, an effect is the reciprocal; other units and another
// order of the rounds change nothing.
func TestSymmetryScaleAndOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 0))
	for n := 1; n < 25; n++ {
		rs, turned, scaled, mixed := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range rs {
			a, b := math.Exp(random.NormFloat64()), 1+random.ExpFloat64()
			rs[i], turned[i], scaled[i] = a/b, b/a, (1000*a)/(1000*b)
		}
		for i, at := range random.Perm(n) {
			mixed[i] = rs[at]
		}
		e := OfRatio(rs, 0.95)
		other := OfRatio(turned, 0.95)
		same(t, "turned", Effect{N: n, Estimate: 1 / other.Estimate, Low: 1 / other.High, High: 1 / other.Low, Confidence: other.Confidence, P: other.P}, e)
		same(t, "scaled", OfRatio(scaled, 0.95), e)
		same(t, "mixed", OfRatio(mixed, 0.95), e)
	}
}

func same(t *testing.T, what string, got, want Effect) {
	t.Helper()
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Abs(b) }
	if got.N != want.N || !near(got.Estimate, want.Estimate) || !near(got.Low, want.Low) || !near(got.High, want.High) ||
		got.Confidence != want.Confidence || got.P != want.P {
		t.Errorf("n = %d, %s: %+v, want %+v", want.N, what, got, want)
	}
}

func TestEffectLeavesItsInput(t *testing.T) {
	xs := []float64{3, 1, 2}
	OfRatio(xs, 0.95)
	OfDifference(xs, 0.95)
	if !slices.Equal(xs, []float64{3, 1, 2}) {
		t.Errorf("input is now %v", xs)
	}
}

func ExampleOfRatio() {
	lua := []float64{81.1, 79.8, 82.0, 80.4, 83.1, 79.2, 81.6}
	mruby := []float64{88.9, 87.1, 90.2, 88.0, 91.5, 86.4, 89.3}
	var rs []float64
	for round := range lua {
		rs = append(rs, lua[round]/mruby[round])
	}
	e := OfRatio(rs, 0.95)
	fmt.Printf("%.3f times, with %.1f %% between %.3f and %.3f, p %.3f\n", e.Estimate, 100*e.Confidence, e.Low, e.High, e.P)
	// Output: 0.913 times, with 95.3 % between 0.909 and 0.916, p 0.016
}

func BenchmarkOfRatio(b *testing.B) {
	for _, n := range []int{7, 100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			rs := upTo(n)
			for b.Loop() {
				OfRatio(rs, 0.95)
			}
		})
	}
}
