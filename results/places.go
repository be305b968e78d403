package results

import (
	"math"
	"slices"

	"dyno/results/gate"
	"dyno/results/stats"
)

// A side is what was measured by one run, or by several that were merged, and what
// it amounts to.
type side struct {
	runs      []Record
	record    Record // of all runs
	judgement Judgement
}

// A place is a figure of a target under a workload.
type place struct {
	side       *side
	figure     gate.Figure
	comparison Comparison
	standing   Standing
}

// comparison returns that of a workload, and one of no workload where there is none.
func (s *side) comparison(workload string) Comparison {
	for _, c := range s.judgement.Comparisons {
		if c.Workload.Name == workload {
			return c
		}
	}
	return Comparison{}
}

// place finds a target, or a control. Where there is none of that name, its
// standing is one of nobody.
func (s *side) place(figure gate.Figure, c Comparison, target string) place {
	p := place{side: s, figure: figure, comparison: c}
	for _, standing := range c.Standings {
		if standing.Target.Name == target {
			p.standing = standing
		}
	}
	for _, control := range c.Controls {
		if control.Standing.Target.Name == target {
			p.standing = control.Standing
		}
	}
	for _, t := range s.record.Run.Targets {
		if t.Name == target && t.ControlOf != "" && t.Missing != "" { // which is no control then
			p.standing = stand(t, nil)
		}
	}
	return p
}

// is reports whether p and q are one and the same.
func (p place) is(q place) bool { return p.figure == q.figure && p.with(q) }

// with reports whether p and q are of the same trials.
func (p place) with(q place) bool {
	return p.side == q.side && p.comparison.Workload.Name == q.comparison.Workload.Name && p.target() == q.target()
}

func (p place) target() string { return p.standing.Target.Name }

// trials returns those that count.
func (p place) trials() []Trial { return p.trialsIn(p.side.record) }

// trialsIn returns those of a record that count.
func (p place) trialsIn(record Record) []Trial {
	trials := trialsOf(record, p.comparison.Workload.Name, p.target())
	return slices.DeleteFunc(trials, func(t Trial) bool { return !t.Counts() })
}

// unfit says why a target has no rank. It is empty for one that has, and for a
// control that nothing speaks against.
func (p place) unfit() string {
	switch {
	case p.target() == "":
		return "the record does not have the target"
	case p.standing.Target.Missing != "":
		return p.target() + " is " + p.standing.Causes[0].Text
	case len(p.standing.Causes) > 0:
		return p.target() + " has no rank: " + p.standing.Causes[0].Text
	}
	return p.comparison.Unequal
}

// by returns the ratio of p to another figure of its side, within the same rounds.
func (p place) by(of place) stats.Effect {
	var rs []float64
	for _, t := range matched(p.trials(), of.trials()) {
		if r := figureOf(p.figure)(t[0]) / figureOf(of.figure)(t[1]); r > 0 && !math.IsInf(r, 0) {
			rs = append(rs, r)
		}
	}
	return stats.OfRatio(rs, confidence)
}

// floor returns how far the ratio to another figure of its side has to be from what
// it is held against to be told from noise. Figures of the same trials share it.
func (p place) floor(of place) float64 {
	if p.with(of) {
		return 0
	}
	return max(p.noise(), of.noise())
}

// noise returns how far the controls are from themselves in the figure; see farther.
func (p place) noise() (floor float64) {
	for _, control := range p.comparison.Controls {
		if pair := control.Pair; pair.Invalid == "" {
			of := func(target string) []Trial { return trialsOf(p.side.record, p.comparison.Workload.Name, target) }
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
