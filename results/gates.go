package results

import (
	"fmt"
	"math"
	"slices"

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

// FailedGates counts the gates that fail.
func (j Judgement) FailedGates() (n int) {
	for _, c := range j.Comparisons {
		for _, g := range c.Gated {
			if g.Ruling == Fails {
				n++
			}
		}
	}
	return n
}

// hold holds the judgement against gates, once all of it but that is known.
func (j *Judgement) hold(record Record, gates []gate.Gate) {
	k := gatekeeper{record, *j}
	for i := range j.Comparisons {
		c := &j.Comparisons[i]
		for _, g := range gates {
			if g.About(c.Workload.Name) {
				c.Gated = append(c.Gated, k.hold(g, *c)...)
			}
		}
	}
}

// A gatekeeper holds a record and its judgement against gates.
type gatekeeper struct {
	record    Record
	judgement Judgement
}

// hold holds a gate against each target that it is about. A gate that is about none
// fails: it would otherwise be passed for want of anything that could fail it.
func (k gatekeeper) hold(g gate.Gate, c Comparison) (all []Gated) {
	for _, p := range k.places(g, c) {
		all = append(all, k.rule(g, p))
	}
	if len(all) == 0 {
		all = append(all, Gated{Said: g.For(g.Subject.Target), Figure: g.Subject.Figure, Ruling: Fails, Why: "there is no target that it is about"})
	}
	return all
}

// A place is a figure of a target under a workload.
type place struct {
	record     Record
	figure     gate.Figure
	comparison Comparison
	standing   Standing
}

// place finds a target, or a control. Where there is none of that name, its
// standing is one of nobody.
func (k gatekeeper) place(figure gate.Figure, c Comparison, target string) place {
	p := place{record: k.record, figure: figure, comparison: c}
	for _, s := range c.Standings {
		if s.Target.Name == target {
			p.standing = s
		}
	}
	for _, control := range c.Controls {
		if control.Standing.Target.Name == target {
			p.standing = control.Standing
		}
	}
	return p
}

// places returns what a gate is about. All targets are those that could be had, but
// for the figure that the limit is of.
func (k gatekeeper) places(g gate.Gate, c Comparison) (all []place) {
	if g.Subject.Target != gate.All {
		return []place{k.place(g.Subject.Figure, c, g.Subject.Target)}
	}
	for _, s := range c.Standings {
		p := place{k.record, g.Subject.Figure, c, s}
		if s.Target.Missing == "" && !(g.Limit.Relative() && k.limitOf(g, p).is(p)) {
			all = append(all, p)
		}
	}
	return all
}

// limitOf returns what the limit of a gate on p is a multiple of.
func (k gatekeeper) limitOf(g gate.Gate, p place) place {
	figure, workload, target := p.figure, p.comparison.Workload.Name, baselineOf(k.record.Run)
	if of := g.Limit.Of; of != nil {
		figure, target = of.Figure, of.Target
		if of.Workload != gate.All {
			workload = of.Workload
		}
	}
	for _, c := range k.judgement.Comparisons {
		if c.Workload.Name == workload {
			return k.place(figure, c, target)
		}
	}
	return place{}
}

// is reports whether p and q are one and the same.
func (p place) is(q place) bool { return p.figure == q.figure && p.with(q) && p.target() == q.target() }

// with reports whether p and q are of one workload.
func (p place) with(q place) bool { return p.comparison.Workload.Name == q.comparison.Workload.Name }

func (p place) target() string { return p.standing.Target.Name }

// trials returns those that count.
func (p place) trials() []Trial {
	trials := trialsOf(p.record, p.comparison.Workload.Name, p.target())
	return slices.DeleteFunc(trials, func(t Trial) bool { return !valid(t) })
}

// unfit says why a target has no rank. It is empty for one that has, and for a
// control that nothing speaks against.
func (p place) unfit() string {
	switch {
	case p.target() == "":
		return "the record does not have the target"
	case len(p.standing.Causes) > 0:
		return p.target() + " has no rank: " + p.standing.Causes[0].Text
	}
	return p.comparison.Unequal
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
			return r
		}
	}
	switch {
	case p.figure == gate.Errors:
		r.count(p.standing)
		if g.Limit.Relative() {
			limit *= of.standing.Errors.share()
			r.Why = "the limit is " + percent(limit)
		}
	case g.Limit.Relative():
		r.Relative, r.Found, r.Floor = true, p.by(of), p.floor(of)
	default:
		r.Found = estimate(p.trials(), figureOf(p.figure))
	}
	r.decide(g, limit)
	return r
}

// count takes the share of a target's requests that failed, which is no estimate.
func (r *Gated) count(s Standing) {
	share := s.Errors.share()
	r.Errors, r.Found = &s.Errors, stats.Estimate{N: s.Trials, Median: share, Low: share, High: share, Confidence: 1}
}

// share returns the failed requests' share of all; none of none is 0.
func (e Errors) share() float64 {
	share, _ := e.Share()
	return share
}

// by returns the ratio of p to another figure, within the same rounds.
func (p place) by(of place) stats.Estimate {
	var rs []float64
	for _, t := range matched(p.trials(), of.trials()) {
		if r := figureOf(p.figure)(t[0]) / figureOf(of.figure)(t[1]); r > 0 && !math.IsInf(r, 0) {
			rs = append(rs, r)
		}
	}
	e := stats.OfRatio(rs, confidence)
	return stats.Estimate{N: e.N, Median: e.Estimate, Low: e.Low, High: e.High, Confidence: e.Confidence}
}

// floor returns how far a ratio has to be from what it is held against to be told
// from noise: two figures of one target under one workload are of the same trials.
func (p place) floor(of place) float64 {
	if p.with(of) && p.target() == of.target() {
		return 0
	}
	return max(p.noise(), of.noise())
}

// noise returns how far the controls are from themselves in the figure; see farther.
func (p place) noise() (floor float64) {
	for _, control := range p.comparison.Controls {
		if pair := control.Pair; pair.Invalid == "" {
			of := func(target string) []Trial { return trialsOf(p.record, p.comparison.Workload.Name, target) }
			floor = max(floor, farther(ratio(matched(of(pair.Target), of(pair.Against)), figureOf(p.figure))))
		}
	}
	return floor
}

// figureOf returns what tells a figure of a trial, NaN where it does not. Errors are
// not told by single trials.
func figureOf(f gate.Figure) func(Trial) float64 {
	return map[gate.Figure]func(Trial) float64{
		gate.Goodput:    Trial.Goodput,
		gate.Throughput: Trial.Throughput,
		gate.Mean:       Trial.MeanLatency,
		gate.P50:        Trial.P50,
		gate.P90:        Trial.P90,
		gate.P99:        Trial.P99,
		gate.P999:       Trial.P999,
		gate.CPU:        Trial.ServerCPU,
		gate.Memory:     Trial.PeakBytes,
		gate.Startup:    Trial.Startup,
	}[f]
}

// decide applies the rule of docs/gates.md: all of the interval on one side of the
// limit decides, if it is sure enough and the estimate farther off than the noise.
func (r *Gated) decide(g gate.Gate, limit float64) {
	found := r.Found
	needed := stats.RoundsNeeded(1, significance)
	switch {
	case !found.Known():
		r.Why = "the figure is not known"
		return
	case found.Confidence < confidence:
		r.Why = fmt.Sprintf("%d of the %s that a gate needs", found.N, plural(int64(needed), "round"))
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
