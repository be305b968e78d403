// Package stats turns a few observations into an estimate that says how well it
// is known.
//
// It assumes little of their distribution: no shape, and not that there is a
// mean. Rounds of a benchmark are few and skewed, and a tail that is not there
// in seven rounds is there in the eighth; so centres are medians, and intervals
// and probabilities are exact counts, never approximations for large numbers. It
// is not for thousands of latencies, which a histogram holds.
package stats

import (
	"math"
	"slices"
)

// An Estimate is a median and how well it is known. The zero Estimate, with N
// of 0, knows nothing.
type Estimate struct {
	N          int     // observations
	Median     float64 // in their unit
	Low, High  float64 // the interval's ends: two of the observations
	Confidence float64 // that the interval holds the true median, 0 to 1; with N of 1 it is 0
}

// Known reports whether e is made of anything.
func (e Estimate) Known() bool { return e.N > 0 }

// Spread is the distance from the median to the farther end of the interval, as
// a share of the median. It is 0 where both are equal, and +Inf where only the
// median is 0.
func (e Estimate) Spread() float64 {
	far := max(e.High-e.Median, e.Median-e.Low)
	if far == 0 {
		return 0
	}
	return far / math.Abs(e.Median)
}

// Median returns the middle of xs, or the mean of the two middle ones, and NaN
// where there is none. It leaves xs as it is.
func Median(xs []float64) float64 {
	n := len(xs)
	if n == 0 {
		return math.NaN()
	}
	s := slices.Sorted(slices.Values(xs))
	return s[(n-1)/2] + (s[n/2]-s[(n-1)/2])/2
}

// OfMedian estimates the median of what xs were drawn from, with the narrowest
// symmetric interval of order statistics that holds it with at least the given
// confidence. Confidence is then the exact one, which is higher. Where xs are too
// few for it, fewer than 6 for 0.95, the interval is their whole range and
// Confidence, still exact, is lower.
//
// The true median lies outside [x(k), x(n+1−k)] when fewer than k of n fair coins
// fall on one side: Conover, Practical Nonparametric Statistics, 3rd ed., 3.2;
// Hahn and Meeker, Statistical Intervals, 5.2. Ties only raise the confidence.
func OfMedian(xs []float64, confidence float64) Estimate {
	n := len(xs)
	if n == 0 {
		return Estimate{}
	}
	s := slices.Sorted(slices.Values(xs))
	k, exact := rank(n, confidence)
	return Estimate{N: n, Median: Median(s), Low: s[k-1], High: s[n-k], Confidence: exact}
}

// rank returns the largest k for which [x(k), x(n+1−k)] reaches the confidence,
// or 1 where none does, and the confidence that it has.
func rank(n int, confidence float64) (k int, exact float64) {
	k = 1
	logTerm := -float64(n) // log2 of the binomial probability of i = 0 of n
	tail := math.Exp2(logTerm)
	exact = 1 - 2*tail
	for i := 1; i < (n+1)/2; i++ {
		logTerm += math.Log2(float64(n-i+1) / float64(i))
		tail += math.Exp2(logTerm)
		if 1-2*tail < confidence {
			break
		}
		k, exact = i+1, 1-2*tail
	}
	return k, exact
}
