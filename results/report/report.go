// Package report shows judgements.
//
// It is the last step of a figure's way: everything that it prints stands in the
// judgement, and what it decides is units, digits and places. It ranks nothing,
// compares nothing and hides nothing: a figure that is not known is a dash, and
// a target without a rank has its reason on the same page.
package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"dyno/results"
)

// Options say where a report is shown.
type Options struct {
	Width  int                 // of the terminal, in characters; 0: 100. Below 96 tables may lose the columns that matter least. Text alone has it
	Colour bool                // with the terminal's escape sequences. Text alone has them
	Paths  []string            // of the records, to be shown
	Beside []results.Judgement // of imported records, to stand below and be compared with nothing. JUnit, CSV and Benchmark leave them out

	Attached []Attachment // the records themselves, which HTML alone carries
}

// Text writes j for a person at a terminal. Its errors are those of w.
func Text(w io.Writer, j results.Judgement, o Options) error {
	p := newPage(o)
	if j.Run.Imported != nil {
		p.imported(j, o.Paths)
	} else {
		p.heading(j)
		for _, c := range j.Comparisons {
			p.comparison(c, j)
		}
		for _, other := range o.Beside {
			p.beside(other)
		}
		p.footing(j.Runs, o.Paths)
	}
	_, err := io.WriteString(w, p.text.String())
	return err
}

// heading says what was run, where, and what is missing of it.
func (p *page) heading(j results.Judgement) {
	run := j.Run
	p.line(p.paint(bold, run.Scenario.Name))
	p.paragraph("", run.Scenario.About)
	p.line("")
	for _, f := range circumstances(j) {
		p.field(p.paint(f.style, f.label), f.text)
	}
}

// A field is one labelled fact about a run. One without text is left out.
type field struct {
	label, text string
	style       style // of the label
}

// circumstances are what was run, where, and what is missing of it.
func circumstances(j results.Judgement) []field {
	run := j.Run
	fields := []field{
		{label: "After", text: run.Scenario.Source},
		{label: "Machine", text: machine(run.Host)},
		{label: "System", text: system(run.Host, run.Docker)},
		{label: "Asked", text: asked(run.Targets)},
	}
	for _, one := range j.Runs {
		fields = append(fields, field{label: "Run", text: when(one)})
	}
	for _, note := range j.Notes {
		fields = append(fields, field{"Note", note, yellow})
	}
	for _, warning := range run.Warnings {
		fields = append(fields, field{"Warning", warning, yellow})
	}
	return fields
}

func (p *page) comparison(c results.Comparison, j results.Judgement) {
	p.workload(c.Workload)
	p.line("")
	p.standings(c)
	p.differences(c, j)
	p.claims(c, j)
	p.gates(c.Gated)
	p.confounders(c)
	p.warnings(c.Warnings)
}

// workload names a workload, and what it is.
func (p *page) workload(w results.Workload) {
	p.line("")
	p.paragraph("", p.paint(bold, w.Name)+": "+load(w))
}

// standings writes how the targets did, and what does not count, and why.
func (p *page) standings(c results.Comparison) {
	table(p, columns(), c.Standings, rowStyle)
	if text := caption(c.Standings, c.Workload); text != "" {
		p.line("")
		p.paragraph("  ", p.paint(dim, text))
	}
	if text := bounds(c.Standings); text != "" {
		p.paragraph("  ", p.paint(dim, text))
	}
	p.services(c.Standings)
	p.unranked(c)
	p.aside(c)
}

// unranked gives each target that has no rank its reasons.
func (p *page) unranked(c results.Comparison) {
	if c.Unequal == "" && !anyCause(visited(c), against) {
		return
	}
	p.line("")
	p.line(p.paint(red, unranked))
	if c.Unequal != "" {
		p.item("every target", c.Unequal, 0)
	}
	p.causes(visited(c), against)
}

// Headings of the two kinds of causes.
const (
	unranked = "Not ranked"
	setAside = "Set aside, disturbed by the machine"
)

// against and aside are the two kinds of causes.
func against(s results.Standing) []results.Cause { return s.Causes }
func aside(s results.Standing) []results.Cause   { return s.Aside }

// visited returns all standings, those of controls last.
func visited(c results.Comparison) []results.Standing {
	all := slices.Clone(c.Standings)
	for _, control := range c.Controls {
		all = append(all, control.Standing)
	}
	return all
}

// aside says which trials of ranked targets do not count.
func (p *page) aside(c results.Comparison) {
	if !anyCause(visited(c), aside) {
		return
	}
	p.line("")
	p.line(p.paint(yellow, setAside))
	p.causes(visited(c), aside)
}

func anyCause(standings []results.Standing, of func(results.Standing) []results.Cause) bool {
	return slices.ContainsFunc(standings, func(s results.Standing) bool { return len(of(s)) > 0 })
}

// causes lists what each standing has of one kind of causes.
func (p *page) causes(standings []results.Standing, of func(results.Standing) []results.Cause) {
	names := 0
	for _, s := range standings {
		if len(of(s)) > 0 {
			names = max(names, width(s.Target.Name))
		}
	}
	for _, s := range standings {
		name := s.Target.Name
		for _, cause := range of(s) {
			p.item(name, trials(cause, s)+cause.Text, names)
			for _, text := range cause.Log {
				p.quote(2+names+2, text)
			}
			name = "" // the next cause stands below
		}
	}
}

// trials says which trials have a cause: "3 of 7 trials (rounds 2, 5, 6): ".
func trials(cause results.Cause, s results.Standing) string {
	worst := ""
	if cause.Varies {
		worst = ", at worst"
	}
	switch {
	case cause.Trials == 0 || len(s.Trials) == 1:
		return ""
	case cause.Trials == len(s.Trials):
		return fmt.Sprintf("all %d trials%s: ", len(s.Trials), worst)
	}
	rounds := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(cause.Rounds)), ", "), "[]")
	return fmt.Sprintf("%d of %d trials (%s %s)%s: ", cause.Trials, len(s.Trials), word(len(cause.Rounds), "round"), rounds, worst)
}

func warning(w results.Warning) string {
	if len(w.Targets) == 0 {
		return w.Text
	}
	return fmt.Sprintf("%s, %d of %d trials: %s", strings.Join(w.Targets, ", "), w.Trials, w.Of, w.Text)
}

func (p *page) warnings(warnings []results.Warning) {
	if len(warnings) == 0 {
		return
	}
	p.line("")
	p.line(p.paint(yellow, "Warnings"))
	for _, w := range warnings {
		p.hanging("  ", warning(w), 4)
	}
}

// footing says how to run it again, and where all of it is.
func (p *page) footing(runs []results.Run, paths []string) {
	p.line("")
	for _, run := range runs {
		p.field("Repeat", command(run))
	}
	p.records(paths)
}

// records says where the records are.
func (p *page) records(paths []string) {
	p.field(word(len(paths), "Record"), strings.Join(paths, ", "))
}
