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
	Width  int                 // of the terminal, in characters; 0: 100. Below 96 tables may lose the columns that matter least
	Colour bool                // with the terminal's escape sequences
	Path   string              // of the record, to be shown; empty: left out
	Beside []results.Judgement // of imported records, to stand below and be compared with nothing
}

// Text writes j for a person at a terminal. Its errors are those of w.
func Text(w io.Writer, j results.Judgement, o Options) error {
	if o.Width == 0 {
		o.Width = 100
	}
	p := &page{width: o.Width, colour: o.Colour, told: map[string]string{}}
	if j.Run.Imported != nil {
		p.imported(j, o.Path)
	} else {
		p.heading(j)
		for _, c := range j.Comparisons {
			p.comparison(c, j)
		}
		for _, other := range o.Beside {
			p.beside(other)
		}
		p.footing(j.Run, o.Path)
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
	if run.Scenario.Source != "" {
		p.field("After", run.Scenario.Source)
	}
	p.field("Machine", machine(run.Host))
	p.field("System", system(run.Host, run.Docker))
	p.field("Run", when(run))
	for _, note := range j.Notes {
		p.field(p.paint(yellow, "Note"), note)
	}
	for _, warning := range run.Warnings {
		p.field(p.paint(yellow, "Warning"), warning)
	}
}

func (p *page) comparison(c results.Comparison, j results.Judgement) {
	p.line("")
	p.paragraph("", p.paint(bold, c.Workload.Name)+": "+load(c.Workload))
	p.line("")
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
	p.differences(c, j)
	p.claims(c, j)
	p.confounders(c)
	p.warnings(c.Warnings)
}

// unranked gives each target that has no rank its reasons.
func (p *page) unranked(c results.Comparison) {
	why := func(s results.Standing) []results.Cause { return s.Causes }
	if c.Unequal == "" && !anyCause(visited(c), why) {
		return
	}
	p.line("")
	p.line(p.paint(red, "Not ranked"))
	if c.Unequal != "" {
		p.item("every target", c.Unequal, 0)
	}
	p.causes(visited(c), why)
}

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
	why := func(s results.Standing) []results.Cause { return s.Aside }
	if !anyCause(visited(c), why) {
		return
	}
	p.line("")
	p.line(p.paint(yellow, "Set aside, disturbed by the machine"))
	p.causes(visited(c), why)
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
	case cause.Trials == 0 || s.Trials == 1:
		return ""
	case cause.Trials == s.Trials:
		return fmt.Sprintf("all %d trials%s: ", s.Trials, worst)
	}
	rounds := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(cause.Rounds)), ", "), "[]")
	return fmt.Sprintf("%d of %d trials (%s %s)%s: ", cause.Trials, s.Trials, word(len(cause.Rounds), "round"), rounds, worst)
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
func (p *page) footing(run results.Run, path string) {
	p.line("")
	if len(run.Command) > 0 {
		p.field("Repeat", command(run))
	}
	if path != "" {
		p.field("Record", path)
	}
}
