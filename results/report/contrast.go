package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"dyno/results"
)

// ContrastText writes c for a person at a terminal. The baseline is A, the others
// are B, C and so on. Its errors are those of w.
func ContrastText(w io.Writer, c results.Contrast, o Options) error {
	p := newPage(o)
	p.line(p.paint(bold, contrastTitle(c)))
	p.paragraph("", c.Base.Run.Scenario.About)
	p.line("")
	for _, f := range contrasted(c) {
		p.field(p.paint(f.style, f.label), f.text)
	}
	for _, w := range workloads(c) {
		p.workload(w)
		for _, s := range sidesUnder(c, w) {
			p.line("")
			p.line(p.paint(bold, s.letter))
			p.standings(s.Comparison)
			p.warnings(s.Warnings)
		}
		for i, v := range c.Versus {
			p.shift(c, v, Letter(i+1), w)
		}
	}
	p.line("")
	p.records(o.Paths)
	_, err := io.WriteString(w, p.text.String())
	return err
}

// Letter is what a side is called; the baseline is that of 0.
func Letter(side int) string {
	if side < 26 {
		return string(rune('A' + side))
	}
	return "Z" + strconv.Itoa(side-25)
}

func contrastTitle(c results.Contrast) string {
	others := Letter(1)
	switch n := len(c.Versus); {
	case n == 2:
		others += " and " + Letter(2)
	case n > 2:
		others += " to " + Letter(n)
	}
	return c.Base.Run.Scenario.Name + ": " + others + " against " + Letter(0)
}

// contrasted is what was compared, what had to be forced, and what to hold of it.
func contrasted(c results.Contrast) (fields []field) {
	for i, v := range c.Versus {
		if len(v.Forced) > 0 {
			fields = append(fields, field{"Forced", Letter(i+1) + " is unlike A in what its figures hang on: " + listing(v.Forced), red})
		}
	}
	run := c.Base.Run
	fields = append(fields, field{label: "After", text: run.Scenario.Source}, field{label: "Machine", text: machine(run.Host)}, field{label: "System", text: system(run.Host, run.Docker)})
	for i, j := range judgements(c) {
		for _, one := range j.Runs {
			fields = append(fields, field{label: Letter(i), text: one.ID + ", " + when(one)})
		}
	}
	for i, v := range c.Versus {
		text := "nothing that the records know of the stacks differs"
		if len(v.Changed) > 0 {
			text = listing(v.Changed)
		}
		fields = append(fields, field{label: "Changed", text: Letter(i+1) + ": " + text})
		if len(v.Differs) > 0 {
			fields = append(fields, field{label: "Differs", text: Letter(i+1) + ": " + listing(v.Differs)})
		}
	}
	for i, v := range c.Versus {
		for _, text := range v.LeftOut {
			fields = append(fields, field{"Left out", Letter(i+1) + ": " + text, yellow})
		}
	}
	for i, v := range c.Versus {
		for _, text := range v.Caveats {
			fields = append(fields, field{"Caveat", Letter(i+1) + ": " + text, yellow})
		}
	}
	fields = append(fields, gathered(c, "Note", func(j results.Judgement) []string { return j.Notes })...)
	return append(fields, gathered(c, "Warning", func(j results.Judgement) []string { return j.Run.Warnings })...)
}

func judgements(c results.Contrast) []results.Judgement {
	all := []results.Judgement{c.Base}
	for _, v := range c.Versus {
		all = append(all, v.Judgement)
	}
	return all
}

// gathered returns each text once, with the sides that have it.
func gathered(c results.Contrast, label string, of func(results.Judgement) []string) (fields []field) {
	var texts []string
	sides := map[string][]string{}
	for i, j := range judgements(c) {
		for _, text := range of(j) {
			if sides[text] == nil {
				texts = append(texts, text)
			}
			sides[text] = append(sides[text], Letter(i))
		}
	}
	for _, text := range texts {
		fields = append(fields, field{label, strings.Join(sides[text], ", ") + ": " + text, yellow})
	}
	return fields
}

// listing lists what differs, the first ones of many.
func listing(all []results.Unlikeness) string {
	const most = 12
	var parts []string
	for _, u := range all[:min(most, len(all))] {
		parts = append(parts, u.String())
	}
	if more := len(all) - most; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, "; ")
}

// workloads returns those of the sides that are compared.
func workloads(c results.Contrast) (all []results.Workload) {
	for _, v := range c.Versus {
		for _, s := range v.Shifts {
			if !slices.ContainsFunc(all, func(w results.Workload) bool { return w.Name == s.Workload.Name }) {
				all = append(all, s.Workload)
			}
		}
	}
	return all
}

// A lettered is how one side did under a workload.
type lettered struct {
	results.Comparison
	letter string
}

func sidesUnder(c results.Contrast, w results.Workload) (all []lettered) {
	for i, j := range judgements(c) {
		for _, comparison := range j.Comparisons {
			if comparison.Workload.Name == w.Name {
				all = append(all, lettered{comparison, Letter(i)})
			}
		}
	}
	return all
}

// shiftUnder returns how a side differs under a workload, and nothing where it does
// not have it.
func shiftUnder(v results.Versus, w results.Workload) results.Shift {
	for _, s := range v.Shifts {
		if s.Workload.Name == w.Name {
			return s
		}
	}
	return results.Shift{}
}

// shift writes how a side differs from the baseline, and what came of the gates.
func (p *page) shift(c results.Contrast, v results.Versus, name string, w results.Workload) {
	s := shiftUnder(v, w)
	lines := shifted(c, v, name, s)
	if len(lines) > 0 {
		p.line("")
		p.line(p.paint(bold, shiftTitle(name)))
		p.findings(lines)
		if text := shiftMethod(c, v, name, s); text != "" {
			p.line("")
			p.paragraph("  ", p.paint(dim, text))
		}
	}
	p.gates(s.Gated)
}

func shiftTitle(name string) string { return "Differences of " + name + " from A" }

// shifted returns the lines of all targets, and of the controls of both sides.
func shifted(c results.Contrast, v results.Versus, name string, s results.Shift) (lines []finding) {
	if len(s.Pairs) == 0 {
		return nil
	}
	for _, pair := range s.Pairs {
		lines = append(lines, findings(pair.Target, pair, s.Workload, extent{unit: v.Unit})...)
	}
	for i, j := range []results.Judgement{c.Base, v.Judgement} {
		side := []string{"A", name}[i]
		for _, comparison := range j.Comparisons {
			if comparison.Workload.Name != s.Workload.Name {
				continue
			}
			for _, control := range comparison.Controls {
				lines = append(lines, noise(control.Pair.Against+" against itself in "+side, control.Pair, s.Workload)...)
			}
		}
	}
	return lines
}

// shiftMethod says how to read the differences. It is empty where none is known.
func shiftMethod(c results.Contrast, v results.Versus, name string, s results.Shift) string {
	var sure []string
	floor := false
	for _, pair := range s.Pairs {
		_, d := served(pair, s.Workload)
		floor = floor || d.Floor > 0
		if r := d.Ratio; r.M > 1 {
			text := fmt.Sprintf("%s %% sure with %d and %d %ss", strconv.FormatFloat(100*r.Confidence, 'g', 3, 64), r.N, r.M, v.Unit)
			if !slices.Contains(sure, text) {
				sure = append(sure, text)
			}
		}
	}
	if len(sure) == 0 {
		return ""
	}
	text := fmt.Sprintf("× is %s by A: the median of the ratios of each %s of the one to each of the other, beside it the exact interval, %s. %s",
		name, v.Unit, phrases(sure), reading(c.Family))
	if !floor {
		return text + ". No control counts, so the noise floor is not known and taken as 0."
	}
	text += ", if it is larger than the noise floor, which is how far the control of either side may be from itself"
	if v.Unit == results.UnitRound && len(c.Base.Runs)+len(v.Judgement.Runs) > 2 {
		text += ", or the runs of one side from each other"
	}
	return text + "."
}
