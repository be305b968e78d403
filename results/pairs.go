package results

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"dyno/results/stats"
)

// A Pair is how one target did against another, in the rounds in which trials of
// both count.
type Pair struct {
	Target   string
	Against  string
	Invalid  string       // why nothing can be said, such as which target has no rank; empty: something can
	Rounds   int          // in which trials of both count
	Goodput  Difference   // with a rate it is no finding: see VerdictOffered
	P99      Difference   // latency, 99th percentile, with a rate; else nothing is known
	CPU      Difference   // seconds that all services spent a request
	MeanTime stats.Effect // mean latency in seconds, Target's less Against's: what it adds to a request. N is 0 where it is not known

	Confounders []Confounder // what else the two differ in, as far as the record knows both; empty: in nothing; nil: one was missing
}

// A Difference is one figure's ratio in a pair, and what follows from it.
type Difference struct {
	Ratio   stats.Effect // Target's by Against's in the same round; N is 0 where nothing can be said
	Holm    float64      // P of Ratio, adjusted for all comparisons of the figure in the run
	Floor   float64      // share by which the controls differ from themselves; 0: no control tells
	Within  float64      // share that the figures differ by at most, if VerdictSame: see there
	Needed  int          // rounds in which a difference can be told, if VerdictFew
	Verdict Verdict      // empty for a control
}

// A Control is a target that the rounds visit a second time under another name.
type Control struct {
	Standing Standing // never ranked
	Pair     Pair     // against the target that it repeats; its Floors are how far it is from that
}

// pairings returns which targets are compared, each with whom: those of the
// run's claims, or, where there are none, each with the first that is not missing.
// Controls are not.
func pairings(run Run) (all [][2]string) {
	for _, c := range run.Claims {
		if p := [2]string{c.Faster, c.Than}; !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	baseline := baselineOf(run)
	for _, t := range run.Targets {
		if t.ControlOf == "" && t.Missing == "" && t.Name != baseline && len(run.Claims) == 0 {
			all = append(all, [2]string{t.Name, baseline})
		}
	}
	return all
}

// baselineOf returns the first target that is not missing, and nothing where all are.
func baselineOf(run Run) string {
	for _, t := range run.Targets {
		if t.ControlOf == "" && t.Missing == "" {
			return t.Name
		}
	}
	return ""
}

// pairUp compares the targets under the comparison's workload, as far as that
// goes without the rest of the run.
func (c *Comparison) pairUp(record Record, standings map[string]Standing) {
	for _, names := range pairings(record.Run) {
		c.Pairs = append(c.Pairs, c.pair(record, standings[names[0]], standings[names[1]]))
	}
	var goodput, p99, cpu float64
	for _, t := range record.Run.Targets {
		if t.ControlOf == "" || t.Missing != "" {
			continue
		}
		p := c.pair(record, standings[t.Name], standings[t.ControlOf])
		p.Goodput.Floor, p.P99.Floor, p.CPU.Floor = farther(p.Goodput.Ratio), farther(p.P99.Ratio), farther(p.CPU.Ratio)
		goodput, p99, cpu = max(goodput, p.Goodput.Floor), max(p99, p.P99.Floor), max(cpu, p.CPU.Floor)
		c.Controls = append(c.Controls, Control{standings[t.Name], p})
	}
	for i := range c.Pairs {
		c.Pairs[i].Goodput.Floor, c.Pairs[i].P99.Floor, c.Pairs[i].CPU.Floor = goodput, p99, cpu
	}
}

func (c *Comparison) pair(record Record, a, b Standing) Pair {
	p := Pair{Target: a.Target.Name, Against: b.Target.Name, Invalid: c.incomparable(a, b)}
	as, bs := trialsOf(record, c.Workload.Name, p.Target), trialsOf(record, c.Workload.Name, p.Against)
	if a.Target.Missing == "" && b.Target.Missing == "" {
		p.Confounders = confounders(record.Run, a.Target, b.Target, as, bs)
	}
	var both [][2]Trial
	if p.Invalid == "" {
		both = matched(as, bs)
	}
	p.Rounds = len(both)
	p.Goodput.Ratio = ratio(both, Trial.Goodput)
	if c.Workload.Rate > 0 {
		p.P99.Ratio = ratio(both, Trial.P99)
	}
	p.CPU.Ratio = ratio(both, Trial.ServerCPU)
	p.MeanTime = difference(both, Trial.MeanLatency)
	return p
}

// incomparable says why two targets cannot be compared. That there are too few
// rounds is no such reason: it says nothing against those that there are.
func (c *Comparison) incomparable(a, b Standing) string {
	for _, s := range []Standing{a, b} {
		var codes []string
		for _, cause := range s.Causes {
			if cause.Code != CodeRounds && cause.Code != CodeUnvisited {
				codes = append(codes, cause.Code)
			}
		}
		if len(codes) > 0 {
			return fmt.Sprintf("%s (%s)", s.Target.Name, strings.Join(codes, ", "))
		}
	}
	if c.Unequal != "" {
		return "the answers' bodies differ"
	}
	return ""
}

// matched returns the trials that count of the same rounds.
func matched(as, bs []Trial) (both [][2]Trial) {
	for _, a := range as {
		at := slices.IndexFunc(bs, func(b Trial) bool { return b.Round == a.Round && b.Counts() })
		if a.Counts() && at >= 0 {
			both = append(both, [2]Trial{a, bs[at]})
		}
	}
	return both
}

// ratio leaves out the rounds in which a trial does not tell the figure.
func ratio(both [][2]Trial, figure func(Trial) float64) stats.Effect {
	return stats.OfRatio(ratios(both, figure), confidence)
}

func ratios(both [][2]Trial, figure func(Trial) float64) (rs []float64) {
	for _, t := range both {
		if r := figure(t[0]) / figure(t[1]); r > 0 && !math.IsInf(r, 0) {
			rs = append(rs, r)
		}
	}
	return rs
}

// difference leaves out the rounds in which a trial does not tell the figure.
func difference(both [][2]Trial, figure func(Trial) float64) stats.Effect {
	var ds []float64
	for _, t := range both {
		if d := figure(t[0]) - figure(t[1]); !math.IsNaN(d) {
			ds = append(ds, d)
		}
	}
	return stats.OfDifference(ds, confidence)
}

// farther returns how far from 1 the farther end of a ratio's interval is, as a
// share: 0.25 is a quarter more, or a fifth less. It is 0 where nothing is known.
func farther(ratio stats.Effect) float64 {
	if !ratio.Known() {
		return 0
	}
	return max(ratio.High, 1/ratio.Low) - 1
}
