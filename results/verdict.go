package results

import (
	"math"
	"slices"

	"dyno/results/stats"
)

// A Verdict says in a word how two targets differ in a figure.
type Verdict string

// The verdicts. A difference is one that is significant after Holm's adjustment
// and larger than the controls' of themselves.
const (
	VerdictFaster  Verdict = "faster"          // in goodput, or latency
	VerdictSlower  Verdict = "slower"          // in goodput, or latency
	VerdictCheaper Verdict = "cheaper"         // in CPU
	VerdictDearer  Verdict = "dearer"          // in CPU
	VerdictSame    Verdict = "no difference"   // that is seen, and by the interval none larger than Within
	VerdictNoise   Verdict = "noise"           // a difference, but no larger than Floor
	VerdictFew     Verdict = "not enough data" // the rounds are too few for any difference to be seen
	VerdictUnknown Verdict = "not known"       // no trial tells the figure
	VerdictOffered Verdict = "as offered"      // goodput under a rate, which is the load's doing
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
	var f family
	for _, c := range j.Comparisons {
		f.take(c.Workload, c.Pairs)
	}
	j.Family = len(f.pairs())
	f.settle(func(comparisons int, _ stats.Effect) int { return stats.RoundsNeeded(comparisons, significance) })
	for i := range j.Comparisons {
		c := &j.Comparisons[i]
		c.Findings = findings(j.Run.Claims, c.Pairs)
	}
}

// A family is the pairs whose comparisons of one figure share the risk of a false
// difference.
type family struct{ closed, open []*Pair } // under workloads without a rate, and with one

func (f *family) take(w Workload, pairs []Pair) {
	loop := &f.closed
	if w.Rate > 0 {
		loop = &f.open
	}
	for i := range pairs {
		*loop = append(*loop, &pairs[i])
	}
}

func (f family) pairs() []*Pair { return slices.Concat(f.closed, f.open) }

// settle gives the pairs their verdicts. How many observations a ratio needs, as one
// of so many comparisons, is for needed to say.
func (f family) settle(needed func(comparisons int, ratio stats.Effect) int) {
	settle(f.closed, func(p *Pair) *Difference { return &p.Goodput }, VerdictFaster, VerdictSlower, needed)
	settle(f.open, func(p *Pair) *Difference { return &p.P99 }, VerdictSlower, VerdictFaster, needed)
	settle(f.pairs(), func(p *Pair) *Difference { return &p.CPU }, VerdictDearer, VerdictCheaper, needed)
	for _, p := range f.open {
		if p.Goodput.Verdict = VerdictOffered; p.Invalid != "" {
			p.Goodput.Verdict = VerdictInvalid
		}
	}
}

func settle(pairs []*Pair, figure func(*Pair) *Difference, more, less Verdict, needed func(int, stats.Effect) int) {
	ps := make([]float64, len(pairs))
	for i, p := range pairs {
		ps[i] = figure(p).Ratio.P
	}
	for i, holm := range stats.Holm(ps) {
		p, d := pairs[i], figure(pairs[i])
		d.Holm, d.Within, d.Needed = holm, farther(d.Ratio), needed(len(pairs), d.Ratio)
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
