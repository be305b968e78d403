package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// draws is how often each simulation repeats an experiment. A share of 5 % then
// has a standard error of 0.22 %.
const draws = 10_000

func skipShort(t *testing.T) {
	if testing.Short() {
		t.Skip("simulations take seconds")
	}
}

// skewed are distributions as no round of a benchmark should have them.
func skewed() map[string]func(*rand.Rand) float64 {
	return map[string]func(*rand.Rand) float64{
		"log-normal":  func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64()) },
		"exponential": func(r *rand.Rand) float64 { return r.ExpFloat64() },
	}
}

// An interval holds the true ratio as often as it says, however skewed the rounds
// are and however much they share: both figures of a round are drawn from the
// distribution, one of them is 1.3 times as large, and a disturbance that is
// drawn from it too is in both.
func TestCoverage(t *testing.T) {
	skipShort(t)
	const effect = 1.3
	for name, draw := range skewed() {
		for _, n := range []int{7, 10, 20} {
			random, held := rand.New(rand.NewPCG(4, uint64(n))), 0
			ratio := func() float64 {
				shared := draw(random)
				return effect * (shared * draw(random)) / (shared * draw(random))
			}
			var e Effect
			for range draws {
				e = OfRatio(sample(n, ratio), 0.95)
				if e.Low <= effect && effect <= e.High {
					held++
				}
			}
			got := float64(held) / draws
			t.Logf("%s, n = %d: %.2f %% held the ratio, %.2f %% promised", name, n, 100*got, 100*e.Confidence)
			if got < 0.93 || got > 0.97 || math.Abs(got-e.Confidence) > 0.01 {
				t.Errorf("%s, n = %d: %v, want %v", name, n, got, e.Confidence)
			}
		}
	}
}

// Where the ratios themselves scatter more to one side, since only one target
// has a skewed spread, an interval is about the median of the Walsh averages.
func TestCoverageOfSkewedDifferences(t *testing.T) {
	skipShort(t)
	centres := map[string]float64{
		"exponential": 1.678346990016661 / 2, // the median of the sum of two, x with (1+x)·e^−x = 1/2
		"log-normal":  1.2216,                // of the mean of two, by quadrature
	}
	for name, draw := range skewed() {
		for _, n := range []int{7, 10, 20} {
			random, held := rand.New(rand.NewPCG(5, uint64(n))), 0
			for range draws {
				e := OfDifference(sample(n, func() float64 { return draw(random) }), 0.95)
				if e.Low <= centres[name] && centres[name] <= e.High {
					held++
				}
			}
			got := float64(held) / draws
			t.Logf("%s, n = %d: %.2f %%", name, n, 100*got)
			if got < 0.93 || got > 0.97 {
				t.Errorf("%s, n = %d: %v", name, n, got)
			}
		}
	}
}

// Among targets that are all the same, compared with one of them, one run in
// twenty at most has a difference.
func TestFalseClaims(t *testing.T) {
	skipShort(t)
	for name, draw := range skewed() {
		for _, c := range []struct{ comparisons, n int }{{1, 6}, {1, 20}, {3, 7}, {3, 10}, {12, 9}} {
			random, wrong := rand.New(rand.NewPCG(6, uint64(c.n))), 0
			for range draws {
				round := func() float64 { return math.Log(draw(random)) }
				baseline, ps := sample(c.n, round), make([]float64, c.comparisons)
				for i := range ps {
					ps[i] = signedRank(minus(sample(c.n, round), baseline))
				}
				if slices.Min(Holm(ps)) < 0.05 {
					wrong++
				}
			}
			got := float64(wrong) / draws
			t.Logf("%s, %d comparisons in %d rounds: %.2f %% of the runs claim a difference", name, c.comparisons, c.n, 100*got)
			if got > 0.05 || got == 0 {
				t.Errorf("%s, %d comparisons in %d rounds: %v", name, c.comparisons, c.n, got)
			}
		}
	}
}

func sample(n int, draw func() float64) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = draw()
	}
	return xs
}
