package results

import (
	"math"

	"dyno/results/stats"
)

// A Verdict says in a word how two targets differ in a figure.
type Verdict string

// The verdicts. A difference is one that is significant after Holm's adjustment
// and larger than the controls' of themselves.
const (
	VerdictFaster  Verdict = "faster"          // in goodput
	VerdictSlower  Verdict = "slower"          // in goodput
	VerdictCheaper Verdict = "cheaper"         // in CPU
	VerdictDearer  Verdict = "dearer"          // in CPU
	VerdictSame    Verdict = "no difference"   // that is seen, and by the interval none larger than Within
	VerdictNoise   Verdict = "noise"           // a difference, but no larger than Floor
	VerdictFew     Verdict = "not enough data" // the rounds are too few for any difference to be seen
	VerdictUnknown Verdict = "not known"       // no trial tells the figure
	VerdictInvalid Verdict = "invalid"         // see Pair.Invalid
)

// significance is the probability that is allowed to at least one false
// difference among all comparisons of one figure in a run.
const significance = 1 - confidence

// RoundsNeeded returns the fewest rounds in which run can show all its
// comparisons to differ. It needs the run's Targets, Claims and Workloads.
func RoundsNeeded(run Run) int {
	return stats.RoundsNeeded(len(pairings(run))*len(run.Workloads), significance)
}

// settle gives the pairs their verdicts. The comparisons of a figure are those of
// all workloads together, invalid ones among them: their number does not hang on
// what came out.
func (j *Judgement) settle() {
	var pairs []*Pair
	for _, c := range j.Comparisons {
		for i := range c.Pairs {
			pairs = append(pairs, &c.Pairs[i])
		}
	}
	j.Family = len(pairs)
	needed := stats.RoundsNeeded(len(pairs), significance)
	for _, p := range pairs {
		p.Goodput.Needed, p.CPU.Needed = needed, needed
	}
	settle(pairs)
	for i := range j.Comparisons {
		c := &j.Comparisons[i]
		c.Findings = findings(j.Run.Claims, c.Pairs)
	}
}

// settle gives pairs their verdicts, those of each figure as one family. How many
// observations they need is known by then.
func settle(pairs []*Pair) {
	settleFigure(pairs, func(p *Pair) *Difference { return &p.Goodput }, VerdictFaster, VerdictSlower)
	settleFigure(pairs, func(p *Pair) *Difference { return &p.CPU }, VerdictDearer, VerdictCheaper)
}

func settleFigure(pairs []*Pair, figure func(*Pair) *Difference, more, less Verdict) {
	ps := make([]float64, len(pairs))
	for i, p := range pairs {
		ps[i] = figure(p).Ratio.P
	}
	for i, holm := range stats.Holm(ps) {
		p, d := pairs[i], figure(pairs[i])
		d.Holm, d.Within = holm, farther(d.Ratio)
		switch {
		case p.Invalid != "":
			d.Verdict = VerdictInvalid
		case p.Rounds > 0 && !d.Ratio.Known():
			d.Verdict = VerdictUnknown
		default:
			d.Verdict = d.verdict(more, less)
		}
	}
}

// verdict applies the rules of docs/method.md.
func (d Difference) verdict(more, less Verdict) Verdict {
	switch {
	case d.Holm < significance && math.Abs(math.Log(d.Ratio.Estimate)) <= math.Log1p(d.Floor):
		return VerdictNoise
	case d.Holm < significance && d.Ratio.Estimate > 1:
		return more
	case d.Holm < significance:
		return less
	case d.Ratio.N < d.Needed:
		return VerdictFew
	}
	return VerdictSame
}
