package stats

import (
	"fmt"
	"math"
	"testing"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		xs   []float64
		want float64
	}{
		{nil, math.NaN()},
		{[]float64{3}, 3},
		{[]float64{4, 1}, 2.5},
		{[]float64{9, 1, 5}, 5},
		{[]float64{4, 3, 2, 1}, 2.5},
		{[]float64{math.MaxFloat64, math.MaxFloat64}, math.MaxFloat64},
	} {
		got := Median(c.xs)
		if got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("Median(%v) = %v, want %v", c.xs, got, c.want)
		}
	}
}

func TestMedianLeavesItsInput(t *testing.T) {
	xs := []float64{3, 1, 2}
	Median(xs)
	OfMedian(xs, 0.95)
	if xs[0] != 3 || xs[1] != 1 || xs[2] != 2 {
		t.Errorf("input is now %v", xs)
	}
}

// The ranks and confidences printed in textbooks for the sign test's interval
// of a median (Conover, table of the binomial distribution; Gibbons and
// Chakraborti, Nonparametric Statistical Inference, 5.2).
func TestOfMedianAgainstTables(t *testing.T) {
	for _, c := range []struct {
		n          int
		asked      float64
		low, high  float64 // ranks, since the observations are 1 to n
		confidence float64
	}{
		{6, 0.95, 1, 6, 0.96875},
		{7, 0.95, 1, 7, 0.984375},
		{8, 0.95, 1, 8, 0.9921875},
		{9, 0.95, 2, 8, 0.9609375},
		{10, 0.95, 2, 9, 0.9785},
		{15, 0.95, 4, 12, 0.9648},
		{20, 0.95, 6, 15, 0.9586},
		{25, 0.95, 8, 18, 0.9567},
		{30, 0.95, 10, 21, 0.9572},
		{50, 0.95, 18, 33, 0.9672},
		{100, 0.95, 40, 61, 0.9648},
		{10, 0.99, 1, 10, 0.9980},
		{7, 0.80, 2, 6, 0.875},
	} {
		got := OfMedian(upTo(c.n), c.asked)
		if got.Low != c.low || got.High != c.high || math.Abs(got.Confidence-c.confidence) > 5e-5 {
			t.Errorf("n = %d at %v: [%v, %v] with %.5f, want [%v, %v] with %.5f",
				c.n, c.asked, got.Low, got.High, got.Confidence, c.low, c.high, c.confidence)
		}
	}
}

// The range of n observations holds the median with 1 − 2^(1−n).
func TestOfMedianTooFew(t *testing.T) {
	for n := 1; n < 6; n++ {
		got := OfMedian(upTo(n), 0.95)
		want := Estimate{N: n, Median: float64(n+1) / 2, Low: 1, High: float64(n), Confidence: 1 - math.Exp2(float64(1-n))}
		if got != want {
			t.Errorf("n = %d: %+v, want %+v", n, got, want)
		}
	}
	if got := OfMedian(nil, 0.95); got.Known() {
		t.Errorf("nothing gave %+v", got)
	}
}

// The exact count and the normal approximation meet where n is large, also
// beyond the smallest float that 2^−n can be.
func TestOfMedianLarge(t *testing.T) {
	const n = 5000
	got := OfMedian(upTo(n), 0.95)
	if want := n/2 - 1.96*math.Sqrt(n)/2; math.Abs(got.Low-want) > 2 {
		t.Errorf("lower rank %v, want about %v", got.Low, want)
	}
	if got.Confidence < 0.95 || got.Confidence > 0.951 {
		t.Errorf("confidence %v, want just above 0.95", got.Confidence)
	}
}

// Every interval reaches what was asked, and the next narrower one does not.
func TestOfMedianIsNarrowest(t *testing.T) {
	for n := 6; n <= 60; n++ {
		got := OfMedian(upTo(n), 0.95)
		k := int(got.Low)
		if c := coverage(n, k); math.Abs(c-got.Confidence) > 1e-12 || c < 0.95 {
			t.Errorf("n = %d: says %v, closed form gives %v", n, got.Confidence, c)
		}
		if c := coverage(n, k+1); c >= 0.95 {
			t.Errorf("n = %d: rank %d would do as well, with %v", n, k+1, c)
		}
	}
}

func TestSpread(t *testing.T) {
	for _, c := range []struct {
		e    Estimate
		want float64
	}{
		{Estimate{N: 3, Median: 100, Low: 98, High: 105}, 0.05},
		{Estimate{N: 3, Median: 100, Low: 90, High: 105}, 0.10},
		{Estimate{N: 1, Median: 100, Low: 100, High: 100}, 0},
		{Estimate{N: 3, Median: 0, Low: 0, High: 0}, 0},
		{Estimate{N: 3, Median: 0, Low: 0, High: 1}, math.Inf(1)},
	} {
		if got := c.e.Spread(); math.Abs(got-c.want) > 1e-12 && got != c.want {
			t.Errorf("spread of %+v is %v, want %v", c.e, got, c.want)
		}
	}
}

func ExampleOfMedian() {
	e := OfMedian([]float64{88.9, 87.1, 90.2, 88.0, 91.5, 86.4, 89.3}, 0.95)
	fmt.Printf("%.1f, with %.1f %% between %.1f and %.1f\n", e.Median, 100*e.Confidence, e.Low, e.High)
	// Output: 88.9, with 98.4 % between 86.4 and 91.5
}

func upTo(n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = float64(i + 1)
	}
	return xs
}

// coverage is 1 − 2 Σ C(n,i)/2^n over i < k, by multiplication.
func coverage(n, k int) float64 {
	sum, term := 0.0, math.Exp2(float64(-n))
	for i := range k {
		sum += term
		term *= float64(n-i) / float64(i+1)
	}
	return 1 - 2*sum
}
