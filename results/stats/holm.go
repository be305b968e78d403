package stats

import (
	"cmp"
	"math"
	"slices"
)

// Holm adjusts the p of several comparisons for their number, in their order:
// whoever calls a difference what is then below alpha is wrong about any of them
// with a probability of at most alpha, however they depend on each other. The
// smallest is multiplied by their number m, the next by m − 1, and so on, and
// none is less than one before it or more than 1 (Holm, A Simple Sequentially
// Rejective Multiple Test Procedure, Scand. J. Statist. 6, 1979).
func Holm(ps []float64) []float64 {
	order := make([]int, len(ps))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(ps[a], ps[b]) })
	adjusted, least := make([]float64, len(ps)), 0.0
	for i, at := range order {
		least = max(least, min(1, ps[at]*float64(len(ps)-i)))
		adjusted[at] = least
	}
	return adjusted
}

// SmallestP is the p of n pairs that all differ to the same side, below which
// [OfDifference] cannot come: 2^(1−n), and 1 where n is 0.
func SmallestP(n int) float64 { return min(1, math.Exp2(float64(1-n))) }

// RoundsNeeded returns the fewest pairs with which each of m comparisons can come
// below alpha after [Holm]: the least n with m·2^(1−n) < alpha. Alpha is above 0.
func RoundsNeeded(m int, alpha float64) (n int) {
	for n = 1; float64(m)*SmallestP(n) >= alpha; n++ {
	}
	return n
}
