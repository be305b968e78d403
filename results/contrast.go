package results

import (
	"fmt"
	"slices"

	"dyno/results/gate"
	"dyno/results/stats"
)

// A Contrast is what records amount to that are held against a baseline: every
// figure and every sentence of a report on it.
type Contrast struct {
	Base   Judgement
	Versus []Versus // the others, in their order
	Family int      // comparisons of one figure, over all sides and workloads, that share the risk of a false difference
}

// A Versus is one side, which is a run or several that were merged, and how it
// differs from the baseline.
type Versus struct {
	Judgement Judgement
	Forced    []Unlikeness // what bears on the figures and differs: it was compared by force
	Differs   []Unlikeness // other facts of the machine that differ
	Changed   []Unlikeness // what differs in the stacks: all that is compared, where nothing else does
	LeftOut   []string     // targets that are compared with nothing, since a side could not have them, and why
	Caveats   []string     // on how sure the differences are
	Unit      Unit         // of the observations
	Shifts    []Shift      // one a workload
}

// A Shift is how the targets did under a workload, each against the same one of the
// baseline.
type Shift struct {
	Workload Workload
	Pairs    []Pair
	Gated    []Gated
}

// Compare holds sides against a baseline, and them against gates. Each is one
// record, or several to be merged. Records that are unlike are an [UnlikeError],
// unless force is set, and then what can be compared by its name is.
func Compare(base []Record, others [][]Record, force bool, gates ...gate.Gate) (Contrast, error) {
	if err := countable(slices.Concat(append([][]Record{base}, others...)...)); err != nil {
		return Contrast{}, err
	}
	baseline, err := sideOf(base, force)
	if err != nil {
		return Contrast{}, err
	}
	c := Contrast{Base: baseline.judgement}
	var sides []*side
	for _, records := range others {
		s, err := sideOf(records, force)
		if err != nil {
			return Contrast{}, err
		}
		v := Versus{Judgement: s.judgement}
		if v.Forced = unlike(baseline.record.Run, s.record.Run); len(v.Forced) > 0 && !force {
			return Contrast{}, &UnlikeError{baseline.record.Run.ID, s.record.Run.ID, v.Forced}
		}
		common := inCommon(baseline, s)
		if len(common) == 0 {
			return Contrast{}, fmt.Errorf("%s and %s have no target under one workload in common", baseline.record.Run.ID, s.record.Run.ID)
		}
		v.Differs, v.Changed = otherwise(baseline.record.Run, s.record.Run), changes(baseline.record.Run, s.record.Run)
		v.LeftOut = leftOut(baseline.record.Run, s.record.Run)
		c.Versus, sides = append(c.Versus, v), append(sides, s)
		c.Family += len(common)
	}
	for i := range c.Versus {
		c.Versus[i].hold(sides[i], baseline, c.Family, gates)
	}
	c.settle()
	return c, nil
}

func sideOf(records []Record, force bool) (*side, error) {
	merged, err := Merge(records, force)
	if err != nil {
		return nil, err
	}
	return &side{records, merged, Judge(merged)}, nil
}

// inCommon returns workload and target of all that two sides have in common, in the
// baseline's order.
func inCommon(base, other *side) (all [][2]string) {
	for _, w := range base.record.Run.Workloads {
		for _, t := range base.record.Run.Targets {
			there := func(o Target) bool { return o.Name == t.Name && o.Missing == "" }
			if t.ControlOf == "" && t.Missing == "" && other.comparison(w.Name).Workload.Name == w.Name && slices.ContainsFunc(other.record.Run.Targets, there) {
				all = append(all, [2]string{w.Name, t.Name})
			}
		}
	}
	return all
}

// leftOut says which targets of both runs at least one could not have.
func leftOut(base, other Run) (all []string) {
	for _, t := range base.Targets {
		at := slices.IndexFunc(other.Targets, func(o Target) bool { return o.Name == t.Name && o.ControlOf == "" })
		if at < 0 || t.ControlOf != "" {
			continue
		}
		switch was, is := t.Missing, other.Targets[at].Missing; {
		case was != "" && is != "" && was != is:
			all = append(all, fmt.Sprintf("%s, missing on both sides: %s; in the baseline: %s", t.Name, line(is, textLength), line(was, textLength)))
		case was != "" && is != "":
			all = append(all, fmt.Sprintf("%s, missing on both sides: %s", t.Name, line(is, textLength)))
		case was != "":
			all = append(all, fmt.Sprintf("%s, missing in the baseline: %s", t.Name, line(was, textLength)))
		case is != "":
			all = append(all, fmt.Sprintf("%s, missing: %s", t.Name, line(is, textLength)))
		}
	}
	return all
}

// hold compares a side with the baseline, as one of so many comparisons.
func (v *Versus) hold(s, base *side, family int, gates []gate.Gate) {
	v.Unit = unitOf(base, s, family)
	v.Caveats = caveats(s, base, v.Unit, family)
	k := gatekeeper{s, base, v.Unit}
	for _, c := range s.judgement.Comparisons {
		shift := Shift{Workload: c.Workload, Gated: k.hold(gates, c)}
		for _, names := range inCommon(base, s) {
			if names[0] == c.Workload.Name {
				shift.Pairs = append(shift.Pairs, shiftOf(names[1], c, base.comparison(names[0]), s, base, v.Unit))
			}
		}
		v.Shifts = append(v.Shifts, shift)
	}
}

// settle gives the pairs their verdicts. The comparisons of a figure are those of
// all sides and workloads together.
func (c *Contrast) settle() {
	var f family
	for _, v := range c.Versus {
		for _, s := range v.Shifts {
			f.take(s.Workload, s.Pairs)
		}
	}
	f.settle(func(comparisons int, ratio stats.Effect) int {
		if float64(comparisons)*stats.SmallestShiftP(ratio.N, ratio.M) < significance {
			return 0 // there are enough, though there may be fewer on one side
		}
		return stats.ShiftNeeded(comparisons, significance)
	})
}

// caveats say what the observations cannot know.
func caveats(s, base *side, unit Unit, family int) (all []string) {
	n, m := len(base.runs), len(s.runs)
	needed := stats.ShiftNeeded(family, significance)
	runs := fmt.Sprintf("%s against %s", plural(int64(m), "run"), plural(int64(n), "run"))
	switch {
	case unit == UnitRun:
		all = append(all, runs+": compared are the medians of runs, since rounds of one run are alike in what runs differ in")
	case n == 1 && m == 1:
		all = append(all, fmt.Sprintf("one run on each side: by how much two runs of the same differ is not known, and what is found may be no more than that; %d runs on each side would tell", needed))
	default:
		all = append(all, fmt.Sprintf("%s: too few to compare the medians of runs, which takes %d on each side; so rounds are compared, and a difference has to be larger than what runs of one side differ by", runs, needed))
	}
	if base.record.Run.fact("cpu.model") == nil && s.record.Run.fact("cpu.model") == nil {
		all = append(all, "neither side knows its CPU, so that they may be of unlike machines")
	}
	return all
}
