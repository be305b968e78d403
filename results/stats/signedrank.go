package stats

import (
	"cmp"
	"math"
	"slices"
)

// signedRank returns how often chance alone would favour one side as much as ds
// do, if either sign were as likely for each: the two-sided p of Wilcoxon's
// signed-rank test, exact for any number of them and with ties.
//
// Equal distances share the mean of their ranks. Zeros take part in the ranking
// and are then left out, since they favour neither side (Pratt, Remarks on Zeros
// and Ties in the Wilcoxon Signed Rank Procedures, JASA 54, 1959). The
// distribution is that of the ranks at hand, every choice of signs counted. It is
// 1 where nothing differs from 0.
func signedRank(ds []float64) float64 {
	s := slices.SortedFunc(slices.Values(ds), func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	var ranks []int // doubled, so that the mean of two is whole
	var above, all int
	for i, j := 0, 0; i < len(s); i = j {
		for j = i; j < len(s) && math.Abs(s[j]) == math.Abs(s[i]); j++ {
		}
		doubled := i + 1 + j // of the ranks i+1 to j
		for _, d := range s[i:j] {
			if d == 0 {
				continue
			}
			ranks, all = append(ranks, doubled), all+doubled
			if d > 0 {
				above += doubled
			}
		}
	}
	tail := 0.0
	for _, p := range rankSums(ranks, min(above, all-above)) {
		tail += p
	}
	return min(1, 2*tail)
}

// rankSums returns the probabilities of the sums 0 to most, where each rank is
// part of the sum if a fair coin says so. It adds one rank after the other.
func rankSums(ranks []int, most int) []float64 {
	p := make([]float64, most+1)
	p[0] = 1
	for _, r := range ranks {
		for sum := most; sum >= 0; sum-- {
			p[sum] /= 2
			if sum >= r {
				p[sum] += p[sum-r] / 2 // not halved yet: sum falls
			}
		}
	}
	return p
}

// depth returns the largest k for which the k-th Walsh average of n differences
// from either end are an interval of that confidence, or 1 where there is none,
// and the confidence that they have.
func depth(n int, confidence float64) (k int, exact float64) {
	ranks := make([]int, n)
	for i := range ranks {
		ranks[i] = i + 1
	}
	tail := 0.0
	for sum, p := range rankSums(ranks, n*(n+1)/4) {
		tail += p
		if sum > 0 && 1-2*tail < confidence {
			break
		}
		k, exact = sum+1, 1-2*tail
	}
	return k, exact
}
