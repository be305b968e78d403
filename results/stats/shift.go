package stats

import (
	"math"
	"math/big"
	"slices"
)

// OfShift estimates by how much ys are shifted from xs, two samples that have
// nothing in common: their Hodges–Lehmann estimate, which is the median of all
// differences of one of ys and one of xs, with the exact p of Mann and Whitney's
// test on both sides (On a Test of Whether One of Two Random Variables Is
// Stochastically Larger Than the Other, Ann. Math. Statist. 18, 1947), and the
// interval that belongs to that test: Hollander, Wolfe and Chicken,
// Nonparametric Statistical Methods, 3rd ed., 4.1 to 4.3.
//
// The interval is the narrowest symmetric one of differences that has at least the
// given confidence. Confidence is then the exact one, which is higher. Where the
// samples are too small for it, such as 3 and 3 for 0.95, the interval is the
// whole range of the differences and Confidence, still exact, is lower. P is
// below 1 − confidence exactly where 0 is outside: differences of 0 count for
// whichever side makes it larger, so that ties never make a shift.
//
// All of it holds for samples of one shape, whatever that is.
func OfShift(xs, ys []float64, confidence float64) Effect {
	n, m := len(xs), len(ys)
	if n == 0 || m == 0 {
		return Effect{P: 1}
	}
	ds := make([]float64, 0, n*m)
	for _, x := range xs {
		for _, y := range ys {
			ds = append(ds, y-x)
		}
	}
	slices.Sort(ds)
	k, exact := shiftDepth(n, m, confidence)
	return Effect{N: min(n, m), M: max(n, m), Estimate: Median(ds), Low: ds[k-1], High: ds[n*m-k], Confidence: exact, P: mannWhitney(ds, n, m)}
}

// OfShiftRatio estimates how many times as large ys are as xs, all above 0, where
// half is as far from 1 as double: [OfShift] of their logarithms.
func OfShiftRatio(xs, ys []float64, confidence float64) Effect {
	e := OfShift(logs(xs), logs(ys), confidence)
	if e.Known() {
		e.Estimate, e.Low, e.High = math.Exp(e.Estimate), math.Exp(e.Low), math.Exp(e.High)
	}
	return e
}

// SmallestShiftP is the p of samples of n and m that do not overlap, below which
// [OfShift] cannot come: 2 by the number of ways to choose n of n + m, and 1 where
// one is empty.
func SmallestShiftP(n, m int) float64 { return min(1, 2*inversions(n, m, 0)[0]) }

// ShiftNeeded returns the fewest observations, as many of both, with which each of
// so many comparisons can come below alpha after [Holm]. Alpha is above 0.
func ShiftNeeded(comparisons int, alpha float64) (n int) {
	for n = 1; float64(comparisons)*SmallestShiftP(n, n) >= alpha; n++ {
	}
	return n
}

// mannWhitney returns how often chance alone would put as few of the n·m
// differences on one side of 0 as ds has there.
func mannWhitney(ds []float64, n, m int) float64 {
	notBelow, notAbove := 0, 0
	for _, d := range ds {
		if d >= 0 {
			notBelow++
		}
		if d <= 0 {
			notAbove++
		}
	}
	few := min(notBelow, notAbove)
	return min(1, 2*inversions(n, m, few)[few])
}

// shiftDepth returns the largest k for which the k-th of n·m differences from
// either end are an interval of that confidence, or 1 where there is none, and
// the confidence that they have.
func shiftDepth(n, m int, confidence float64) (k int, exact float64) {
	for u, tail := range inversions(n, m, n*m/2) {
		if u > 0 && 1-2*tail < confidence {
			break
		}
		k, exact = u+1, max(0, 1-2*tail)
	}
	return k, exact
}

// inversions returns the probabilities that of the n·m pairs of two samples of one
// distribution, without ties, at most 0 to most are in the other order than the
// rest.
//
// It multiplies out the generating function of the numbers of such orders, the
// product of (1 − x^(m+i)) / (1 − x^i) for i from 1 to n (Andrews, The Theory of
// Partitions, theorem 3.1). Its factors have signs, so that floats would lose all
// their digits with a hundred observations: it counts in whole numbers.
func inversions(n, m, most int) []float64 {
	orders := make([]big.Int, most+1)
	orders[0].SetInt64(1)
	for i := 1; i <= n; i++ {
		for u := most; u >= m+i; u-- {
			orders[u].Sub(&orders[u], &orders[u-m-i])
		}
		for u := i; u <= most; u++ {
			orders[u].Add(&orders[u], &orders[u-i])
		}
	}
	all := new(big.Int).Binomial(int64(n+m), int64(n))
	shares, sum := make([]float64, most+1), new(big.Int)
	for u := range orders {
		shares[u], _ = new(big.Rat).SetFrac(sum.Add(sum, &orders[u]), all).Float64()
	}
	return shares
}
