package results

import (
	"math"
	"slices"

	"dyno/results/gate"
	"dyno/results/stats"
)

// A Unit is what counts as one observation where two sides are held against each
// other.
type Unit string

// The units.
const (
	UnitRound Unit = "round"
	UnitRun   Unit = "run" // by the median of its rounds
)

// unitOf returns in what two sides are compared so many times. Rounds of one run
// share more than rounds of two, so runs are the right unit; but three on either
// side cannot show anything, since chance alone puts three above three in one of
// ten cases. Where they could, they are it.
func unitOf(a, b *side, comparisons int) Unit {
	if float64(comparisons)*stats.SmallestShiftP(len(a.runs), len(b.runs)) < significance {
		return UnitRun
	}
	return UnitRound
}

// sample returns the figure of each observation that tells it.
func (p place) sample(unit Unit) (values []float64) {
	of := figureOf(p.figure)
	tell := func(values []float64, trials []Trial) []float64 {
		for _, t := range trials {
			if v := of(t); v > 0 && !math.IsInf(v, 0) {
				values = append(values, v)
			}
		}
		return values
	}
	if unit == UnitRound {
		return tell(nil, p.trials())
	}
	for _, run := range p.side.runs {
		if median := stats.Median(tell(nil, p.trialsIn(run))); !math.IsNaN(median) {
			values = append(values, median)
		}
	}
	return values
}

// from returns how many times as large p is as a figure of another side.
func (p place) from(of place, unit Unit) stats.Effect {
	return stats.OfShiftRatio(of.sample(unit), p.sample(unit), confidence)
}

// apart returns how far a ratio to a figure of another side has to be from what it
// is held against to be told from noise: that within either side, and, where
// rounds are the unit, what runs of one side differ by.
func (p place) apart(of place, unit Unit) float64 {
	floor := max(p.noise(), of.noise())
	if unit == UnitRound {
		floor = max(floor, p.spread(), of.spread())
	}
	return floor
}

// spread returns by what share the highest median of a run is above the lowest. Of
// one run it is 0: nothing is known.
func (p place) spread() float64 {
	medians := p.sample(UnitRun)
	if len(medians) < 2 {
		return 0
	}
	return slices.Max(medians)/slices.Min(medians) - 1
}

// shiftOf compares a target with the same one of another side, as far as that goes
// without the other comparisons.
func shiftOf(target string, mine, base Comparison, my, other *side, unit Unit) Pair {
	at := func(f gate.Figure) (p, of place) { return my.place(f, mine, target), other.place(f, base, target) }
	pair := Pair{Target: target, Against: target}
	p, of := at(gate.Goodput)
	if pair.Invalid = p.incomparable(of); pair.Invalid != "" {
		pair.Goodput.Ratio.P, pair.P99.Ratio.P, pair.CPU.Ratio.P = 1, 1, 1
		return pair
	}
	pair.Rounds = min(len(p.trials()), len(of.trials()))
	differ := func(f gate.Figure) Difference {
		p, of := at(f)
		return Difference{Ratio: p.from(of, unit), Floor: p.apart(of, unit)}
	}
	pair.Goodput, pair.CPU = differ(gate.Goodput), differ(gate.CPU)
	if mine.Workload.Rate > 0 {
		pair.P99 = differ(gate.P99)
	}
	p, of = at(gate.Mean)
	pair.MeanTime = stats.OfShift(of.sample(unit), p.sample(unit), confidence)
	return pair
}

// incomparable says why a target cannot be compared with that of another side.
func (p place) incomparable(of place) string {
	if why := of.comparison.incomparable(of.standing, of.standing); why != "" {
		return why + ", in the baseline"
	}
	if why := p.comparison.incomparable(p.standing, p.standing); why != "" {
		return why
	}
	var answers []answer
	for _, q := range []place{of, p} {
		if a, ok := answerOf(q.standing.Target, q.trials()); ok {
			answers = append(answers, a)
		}
	}
	if len(answers) == 2 {
		answers[0].target, answers[1].target = "in the baseline", "now"
	}
	return unequalBodies(answers, p.side.record.Run.Limits.Account)
}
