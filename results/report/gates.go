package report

import (
	"slices"
	"strings"

	"dyno/results"
	"dyno/results/gate"
)

const gatesTitle = "Gates"

// gates writes what came of the gates.
func (p *page) gates(gated []results.Gated) {
	if len(gated) == 0 {
		return
	}
	p.line("")
	p.line(p.paint(bold, gatesTitle))
	p.rulings(gateRulings(gated))
	p.line("")
	p.paragraph("  ", p.paint(dim, gatesRule(gated)))
}

func gateRulings(gated []results.Gated) (all []ruling) {
	for _, g := range gated {
		all = append(all, ruling{said: g.Said, says: g.Ruling, found: reached(g)})
	}
	return all
}

// reached writes a gate's figure with its interval, and what else there is to say.
func reached(g results.Gated) string {
	write, unit := writing(g)
	text := ""
	if g.Found.Known() {
		text = write(g.Found.Median) + joint + unit
	}
	switch {
	case g.Errors != nil:
		text += " (" + trim(float64(g.Errors.Failed)) + joint + "of" + joint + trim(float64(g.Errors.Started)) + ")"
	case g.Found.N > 1:
		text += " (" + write(g.Found.Low) + "–" + write(g.Found.High) + ")"
	}
	if g.Why == "" {
		return text
	}
	return strings.TrimPrefix(text+": "+g.Why, ": ")
}

// writing returns how a gate's figure is written, and its unit: those of the table.
func writing(g results.Gated) (write func(float64) string, unit string) {
	in := func(by float64) func(float64) string { return func(x float64) string { return three(x * by) } }
	switch {
	case g.Relative:
		return ratio, "×"
	case g.Figure == gate.CPU:
		return in(1e6), "µs"
	}
	switch g.Figure.Quantity() {
	case gate.Rate:
		return in(1), "req/s"
	case gate.Share:
		return share, "%"
	case gate.Size:
		return in(1.0 / (1 << 20)), "MiB"
	}
	return in(1e3), "ms"
}

// gatesRule says how gates are decided.
func gatesRule(gated []results.Gated) string {
	text := "A gate holds if all of the interval is on its side of the limit, fails if all of it is on the other, and is else undecided"
	if slices.ContainsFunc(gated, func(g results.Gated) bool { return g.Floor > 0 }) {
		text += ", as it is where the figure is no farther from the limit than the noise floor"
	}
	return text + "."
}

// FailedGates says of each gate that fails what it came to, for whoever sees no
// report.
func FailedGates(j results.Judgement) (lines []string) {
	for _, c := range j.Comparisons {
		lines = append(lines, failedOf(c.Gated, c.Workload.Name)...)
	}
	return lines
}

// FailedContrastGates is FailedGates of all sides.
func FailedContrastGates(c results.Contrast) (lines []string) {
	for i, v := range c.Versus {
		for _, s := range v.Shifts {
			lines = append(lines, failedOf(s.Gated, s.Workload.Name+" in "+Letter(i+1))...)
		}
	}
	return lines
}

func failedOf(gated []results.Gated, where string) (lines []string) {
	for _, g := range gated {
		if g.Ruling == results.Fails {
			lines = append(lines, bare(g.Said+" fails under "+where+": "+reached(g)))
		}
	}
	return lines
}
