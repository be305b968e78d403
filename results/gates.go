package results

import (
	"fmt"
	"math"

	"dyno/results/gate"
	"dyno/results/stats"
)

// A Gated is what came of a gate for one target under one workload.
type Gated struct {
	Said     string      // the gate, as one about this target
	Figure   gate.Figure // that it is about
	Ruling   Ruling      // Holds, Fails or Undecided
	Why      string      // what there is to say beside the figure, such as why there is none; empty: nothing
	Relative bool        // Found is the ratio of the figure to the one that the limit is of
	Found    stats.Estimate
	Errors   *Errors // that Found is the share of; nil: the figure is estimated
	Floor    float64 // share that a ratio has to be off the limit by, to be told from noise; 0: not known, or none is needed
}

// CastOf is whom gates on a run can name.
func CastOf(run Run) gate.Cast {
	cast := gate.Cast{Baseline: baselineOf(run)}
	for _, t := range run.Targets {
		cast.Targets = append(cast.Targets, t.Name)
	}
	for _, w := range run.Workloads {
		cast.Workloads = append(cast.Workloads, w.Name)
	}
	return cast
}

// hold holds the judgement against gates, once all of it but that is known.
func (j *Judgement) hold(record Record, gates []gate.Gate) {
	k := gatekeeper{side: &side{[]Record{record}, record, *j}}
	for i := range j.Comparisons {
		j.Comparisons[i].Gated = k.hold(gates, j.Comparisons[i])
	}
}

// A gatekeeper holds a side against gates.
type gatekeeper struct {
	side *side
	base *side // that the baseline is of; nil: it is a target of the side itself
	unit Unit  // in which the two sides are held against each other
}

// hold holds gates against each target under a workload that they are about. A gate
// that is about none fails: it would otherwise be passed for want of anything that
// could fail it.
func (k gatekeeper) hold(gates []gate.Gate, c Comparison) (all []Gated) {
	for _, g := range gates {
		if !g.About(c.Workload.Name) {
			continue
		}
		places := k.places(g, c)
		for _, p := range places {
			all = append(all, k.rule(g, p))
		}
		if len(places) == 0 {
			all = append(all, Gated{Said: g.For(g.Subject.Target), Figure: g.Subject.Figure, Ruling: Fails, Why: "there is no target that it is about"})
		}
	}
	return all
}

// places returns what a gate is about. All targets are those that could be had, but
// for the figure that the limit is of.
func (k gatekeeper) places(g gate.Gate, c Comparison) (all []place) {
	if g.Subject.Target != gate.All {
		return []place{k.side.place(g.Subject.Figure, c, g.Subject.Target)}
	}
	for _, s := range c.Standings {
		p := place{k.side, g.Subject.Figure, c, s}
		if s.Target.Missing == "" && !(g.Limit.Relative() && k.limitOf(g, p).is(p)) {
			all = append(all, p)
		}
	}
	return all
}

// limitOf returns what the limit of a gate on p is a multiple of.
func (k gatekeeper) limitOf(g gate.Gate, p place) place {
	side, figure, workload, target := k.side, p.figure, p.comparison.Workload.Name, baselineOf(k.side.record.Run)
	switch of := g.Limit.Of; {
	case of != nil:
		figure, target = of.Figure, of.Target
		if of.Workload != gate.All {
			workload = of.Workload
		}
	case k.base != nil:
		side, target = k.base, p.target()
	}
	return side.place(figure, side.comparison(workload), target)
}

// rule holds a gate against one place.
func (k gatekeeper) rule(g gate.Gate, p place) Gated {
	r := Gated{Said: g.For(g.Subject.Target), Figure: p.figure, Ruling: Fails}
	if p.target() != "" {
		r.Said = g.For(p.target())
	}
	if r.Why = p.unfit(); r.Why != "" {
		return r
	}
	limit, of := g.Limit.Value, place{}
	if g.Limit.Relative() {
		of = k.limitOf(g, p)
		if r.Why = of.unfit(); r.Why != "" {
			if of.side != p.side {
				r.Why += ", in the baseline"
			}
			return r
		}
	}
	needed := plural(int64(stats.RoundsNeeded(1, significance)), "round")
	switch {
	case p.figure == gate.Errors:
		r.count(p.standing)
		if g.Limit.Relative() {
			limit *= of.standing.Errors.share()
			r.Why = "the limit is " + percent(limit)
		}
	case g.Limit.Relative() && of.side != p.side:
		r.Relative, r.Found, r.Floor = true, estimateOf(p.from(of, k.unit)), p.apart(of, k.unit)
		needed = plural(int64(stats.ShiftNeeded(1, significance)), string(k.unit)) + " on each side"
	case g.Limit.Relative():
		r.Relative, r.Found, r.Floor = true, estimateOf(p.by(of)), p.floor(of)
	default:
		r.Found = estimate(p.trials(), figureOf(p.figure))
	}
	r.decide(g, limit, needed)
	return r
}

// count takes the share of a target's requests that failed, which is no estimate.
func (r *Gated) count(s Standing) {
	share := s.Errors.share()
	r.Errors, r.Found = &s.Errors, stats.Estimate{N: len(s.Trials), Median: share, Low: share, High: share, Confidence: 1}
}

// share returns the failed requests' share of all; none of none is 0.
func (e Errors) share() float64 {
	share, _ := e.Share()
	return share
}

func estimateOf(e stats.Effect) stats.Estimate {
	return stats.Estimate{N: e.N, Median: e.Estimate, Low: e.Low, High: e.High, Confidence: e.Confidence}
}

// decide applies the rule of docs/gates.md: all of the interval on one side of the
// limit decides, if it is sure enough and the estimate farther off than the noise.
func (r *Gated) decide(g gate.Gate, limit float64, needed string) {
	found := r.Found
	switch {
	case !found.Known():
		r.Why = "the figure is not known"
		return
	case found.Confidence < confidence:
		r.Why = fmt.Sprintf("%d of the %s that a gate needs", found.N, needed)
		return
	case r.Floor > 0 && math.Abs(math.Log(found.Median/limit)) <= math.Log1p(r.Floor):
		r.Ruling, r.Why = Undecided, fmt.Sprintf("the limit is within the noise of ±%s", percent(r.Floor))
	case meets(g.Op, found.Low, limit) && meets(g.Op, found.High, limit):
		r.Ruling = Holds
	case meets(g.Op, found.Low, limit) || meets(g.Op, found.High, limit):
		r.Ruling = Undecided
	}
	if r.Ruling == Undecided && g.Strict {
		r.Ruling = Fails
		if r.Why == "" {
			r.Why = "it is undecided"
		}
	}
}

// meets reports whether x stands to a limit as it should.
func meets(op gate.Op, x, limit float64) bool {
	switch op {
	case gate.Less:
		return x < limit
	case gate.AtMost:
		return x <= limit
	case gate.More:
		return x > limit
	case gate.AtLeast:
		return x >= limit
	}
	return x == limit
}
