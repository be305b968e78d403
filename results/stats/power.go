package stats

import (
	"math"
	"math/rand/v2"
)

// Power is how often a difference is to be seen to count as visible.
const Power = 0.8

// powerDraws is how many experiments each share is of: a share of 0.8 has a
// standard error of 0.9 %.
const powerDraws = 2000

// Visible returns the smallest effect that n pairs show in four of five
// experiments ([Power]) by a signed-rank p below significance, where pairs without
// an effect differ as the given ones do: the differences are drawn from these and
// their negatives, with replacement, and the effect is added to each. It is in the
// unit of the differences, 0 or more. It is NaN where no effect, however large, is
// seen so often: for want of differences, or of pairs.
func Visible(differences []float64, n int, significance float64, seed uint64) float64 {
	if len(differences) == 0 || math.Pow(0.5, float64(n-1)) >= significance {
		return math.NaN()
	}
	experiments := drawn(differences, n, seed)
	low, high := 0.0, 0.0
	for _, d := range differences {
		high = max(high, 4*math.Abs(d)) // at which all differences have one sign
	}
	if shown(experiments, low, significance) >= Power || high == 0 {
		return 0
	}
	for range 30 {
		if middle := (low + high) / 2; shown(experiments, middle, significance) >= Power {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// drawn returns experiments without an effect, each of n differences.
func drawn(differences []float64, n int, seed uint64) [][]float64 {
	random := rand.New(rand.NewPCG(seed, uint64(n)))
	experiments := make([][]float64, powerDraws)
	for i := range experiments {
		experiments[i] = make([]float64, n)
		for j := range experiments[i] {
			d := differences[random.IntN(len(differences))]
			if random.IntN(2) == 0 {
				d = -d
			}
			experiments[i][j] = d
		}
	}
	return experiments
}

// shown is the share of experiments in which an effect is significant.
func shown(experiments [][]float64, effect, significance float64) float64 {
	seen := 0
	moved := make([]float64, len(experiments[0]))
	for _, ds := range experiments {
		for i, d := range ds {
			moved[i] = d + effect
		}
		if signedRank(moved) < significance {
			seen++
		}
	}
	return float64(seen) / float64(len(experiments))
}
