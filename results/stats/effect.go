package stats

import (
	"math"
	"slices"
)

// An Effect is by how much things that were observed differ, in pairs or in two
// samples, and how well that is known.
type Effect struct {
	N          int     // pairs, or observations of the smaller sample; 0: nothing is known
	M          int     // observations of the larger sample; 0: there are pairs
	Estimate   float64 // difference, or ratio
	Low, High  float64 // the interval's ends
	Confidence float64 // that the interval holds the true effect, 0 to 1; with N of 1 it is 0
	P          float64 // how often chance alone would show as much if there were no effect, 0 to 1; with N of 0 it is 1
}

// Known reports whether e is made of anything.
func (e Effect) Known() bool { return e.N > 0 }

// OfDifference estimates the effect that ds, a difference each pair, scatter
// around: their Hodges–Lehmann estimate, which is the median of the means of any
// two of them (the Walsh averages, each with itself too), with Wilcoxon's exact
// signed-rank p, and the interval that belongs to that test.
//
// The interval is the narrowest symmetric one of Walsh averages that has at least
// the given confidence. Confidence is then the exact one, which is higher. Where
// ds are too few for it, fewer than 6 for 0.95, the interval is their whole range
// and Confidence, still exact, is lower. Ties only raise it.
//
// All of it holds for differences that scatter alike to both sides, whatever the
// shape, as those of two quantities do that scatter alike themselves: Hollander,
// Wolfe and Chicken, Nonparametric Statistical Methods, 3rd ed., 3.1 to 3.3.
func OfDifference(ds []float64, confidence float64) Effect {
	n := len(ds)
	if n == 0 {
		return Effect{P: 1}
	}
	w := walshAverages(ds)
	k, exact := depth(n, confidence)
	return Effect{N: n, Estimate: Median(w), Low: w[k-1], High: w[len(w)-k], Confidence: exact, P: signedRank(ds)}
}

// OfRatio estimates the effect that rs, a ratio each pair and all above 0,
// scatter around, where half is as far from 1 as double: [OfDifference] of their
// logarithms. So the ratios the other way round have the reciprocal effect.
func OfRatio(rs []float64, confidence float64) Effect {
	e := OfDifference(logs(rs), confidence)
	if e.Known() {
		e.Estimate, e.Low, e.High = math.Exp(e.Estimate), math.Exp(e.Low), math.Exp(e.High)
	}
	return e
}

func logs(xs []float64) []float64 {
	logs := make([]float64, len(xs))
	for i, x := range xs {
		logs[i] = math.Log(x)
	}
	return logs
}

// walshAverages returns the means of any two of xs, each with itself too, in
// order.
func walshAverages(xs []float64) []float64 {
	averages := make([]float64, 0, len(xs)*(len(xs)+1)/2)
	for i, x := range xs {
		for _, y := range xs[:i+1] {
			averages = append(averages, (x+y)/2)
		}
	}
	slices.Sort(averages)
	return averages
}
