package report

import (
	"fmt"
	"io"
	"strings"

	"dyno/results"
)

// HTML writes j as a page that stands alone and needs nothing from elsewhere: it says
// what [Text] says, draws it, and has what the record knows of stacks and machine
// below. Its errors are those of w.
func HTML(w io.Writer, j results.Judgement, o Options) error {
	d := newDocument(j.Run.Scenario.Name)
	if j.Run.Imported != nil {
		d.imported(j)
	} else {
		d.judged(j)
		for _, other := range o.Beside {
			d.beside(other)
		}
		d.known(j.Run)
	}
	if err := d.footing(j.Runs, o); err != nil {
		return err
	}
	_, err := io.WriteString(w, d.end())
	return err
}

func (d *document) heading(title, about string, fields []field) {
	d.element("h1", "", title)
	if about != "" {
		d.element("p", "", about)
	}
	d.fields(fields)
}

func (d *document) judged(j results.Judgement) {
	d.heading(j.Run.Scenario.Name, j.Run.Scenario.About, circumstances(j))
	d.tally(j)
	d.summary(j)
	d.sweeps(j.Comparisons)
	began := begin(j.Comparisons)
	for _, c := range j.Comparisons {
		d.workload(c.Workload)
		d.standings(c)
		d.differences(c, j)
		d.claims(c, j)
		d.gates(c.Gated)
		d.confounders(c)
		d.warnings(c.Warnings)
		d.closer(c, began)
	}
}

// tally says at a glance what a page amounts to.
func (d *document) tally(j results.Judgement) {
	type one struct {
		text string
		of   style
	}
	all := []one{{fmt.Sprintf("all %s valid", plural(j.Trials, "trial")), green}}
	if j.Invalid > 0 {
		all[0] = one{fmt.Sprintf("%d of %s invalid", j.Invalid, plural(j.Trials, "trial")), yellow}
	}
	said := map[results.Ruling]int{}
	for _, c := range j.Comparisons {
		if c.Unequal != "" {
			all = append(all, one{"unequal answers", red})
		}
		for _, f := range c.Findings {
			said[f.Direction]++
		}
		for _, g := range c.Gated {
			if g.Ruling == results.Fails {
				all = append(all, one{"a gate fails: " + g.Said, red})
			}
		}
	}
	for _, ruling := range []results.Ruling{results.Holds, results.Refuted, results.Undecided} {
		if n := said[ruling]; n > 0 {
			all = append(all, one{string(ruling) + ": " + plural(n, "claim"), rulingStyle(ruling)})
		}
	}
	d.within("ul", "tally", func() {
		for _, o := range all {
			d.element("li", o.of.class(), o.text)
		}
	})
}

// summary says of each pair how it came out under each workload: what is served,
// and what it costs.
func (d *document) summary(j results.Judgement) {
	if len(j.Comparisons) == 0 {
		return
	}
	heads := []cell{{text: "in short"}, {}}
	var rows [][]cell
	for _, pair := range j.Comparisons[0].Pairs {
		figure, _ := served(pair, j.Comparisons[0].Workload)
		rows = append(rows, []cell{{text: pair.Target + " against " + pair.Against}, {text: figure}}, []cell{{}, {text: "server CPU"}})
	}
	for _, c := range j.Comparisons {
		heads = append(heads, cell{text: c.Workload.Name})
		for i, pair := range c.Pairs {
			_, first := served(pair, c.Workload)
			rows[2*i], rows[2*i+1] = append(rows[2*i], inShort(first)), append(rows[2*i+1], inShort(pair.CPU))
		}
	}
	if len(rows) > 0 {
		d.table(heads, rows)
	}
}

// inShort is a ratio and its verdict, without what that hangs on.
func inShort(d results.Difference) cell {
	text := string(d.Verdict)
	if d.Verdict == results.VerdictNoise {
		text = "within the noise"
	}
	if d.Ratio.Known() && d.Verdict != results.VerdictFew {
		text = ratio(d.Ratio.Estimate) + " × " + text
	}
	return cell{text, colour(d.Verdict).class()}
}

func (d *document) workload(w results.Workload) {
	d.element("h2", "", w.Name)
	d.element("p", "", load(w))
}

func (d *document) standings(c results.Comparison) {
	d.places(c)
	grown(d, columns(), c.Standings, func(s results.Standing) string { return rowStyle(s).class() })
	d.note(strings.TrimSpace(caption(c.Standings, c.Workload) + " " + bounds(c.Standings)))
	d.services(c.Standings)
	d.causes(unranked, c.Unequal, visited(c), against)
	d.causes(setAside, "", visited(c), aside)
}

func (d *document) services(standings []results.Standing) {
	var rows [][]cell
	for _, r := range serviceRows(standings) {
		rows = append(rows, []cell{{text: r[0]}, {text: r[1]}, {text: r[2]}, {text: r[3]}})
	}
	if len(rows) > 0 {
		d.title("Services")
		d.table([]cell{{text: "target"}, {text: "service"}, {"server CPU, µs/request", "number"}, {"memory, peak MiB", "number"}}, rows)
	}
}

// causes lists what all standings have of one kind of causes, and what each has.
func (d *document) causes(title, all string, standings []results.Standing, of func(results.Standing) []results.Cause) {
	var points []point
	if all != "" {
		points = append(points, point{name: "every target", text: all})
	}
	for _, s := range standings {
		for _, cause := range of(s) {
			points = append(points, point{s.Target.Name, trials(cause, s) + cause.Text, cause.Log})
		}
	}
	if len(points) > 0 {
		d.title(title)
		d.points(points)
	}
}

func (d *document) differences(c results.Comparison, j results.Judgement) {
	lines := differences(c, j.Run.Rounds)
	if len(lines) == 0 {
		return
	}
	d.title("Differences")
	d.ratios(ratiosOf(c), c.Workload)
	d.findings("pair", lines)
	d.note(method(c, j.Family))
}

func (d *document) findings(of string, lines []finding) {
	var rows [][]cell
	for _, l := range lines {
		rows = append(rows, []cell{{text: l.name}, {text: l.figure}, {text: l.size}, {text: l.interval}, {text: l.p}, {l.words, l.style.class()}})
	}
	d.table([]cell{{text: of}, {text: "figure"}, {"size", "number"}, {text: "interval"}, {text: "p"}, {text: "verdict"}}, rows)
}

func (d *document) claims(c results.Comparison, j results.Judgement) {
	if len(c.Findings) == 0 {
		return
	}
	d.title(claimsOf(j.Run.Scenario))
	d.rulings("claim", rulings(c.Findings, j.Run.Rounds))
	d.note(sizes(c.Findings))
}

func (d *document) gates(gated []results.Gated) {
	if len(gated) == 0 {
		return
	}
	d.title(gatesTitle)
	d.rulings("gate", gateRulings(gated))
	d.note(gatesRule(gated))
}

func (d *document) rulings(what string, all []ruling) {
	var rows [][]cell
	for _, r := range all {
		rows = append(rows, []cell{{text: r.said}, {string(r.says), rulingStyle(r.says).class()}, {text: r.found}})
	}
	d.table([]cell{{text: what}, {text: "ruling"}, {text: "found"}}, rows)
}

// confounders writes what else the targets of each pair differ in, folded up: it is
// long, and for whoever doubts the rest.
func (d *document) confounders(c results.Comparison) {
	var points []point
	for _, pair := range confounded(c) {
		name, text := d.told.of(pair)
		points = append(points, point{name: name, text: text})
	}
	if len(points) > 0 {
		d.fold(confoundersTitle, func() { d.points(points) })
	}
}

func (d *document) warnings(warnings []results.Warning) {
	var points []point
	for _, w := range warnings {
		points = append(points, point{text: warning(w)})
	}
	if len(points) > 0 {
		d.title("Warnings")
		d.points(points)
	}
}

// footing says how to run it again, and has all of it.
func (d *document) footing(runs []results.Run, o Options) error {
	var commands []string
	for _, run := range runs {
		if text := command(run); text != "" {
			commands = append(commands, text)
		}
	}
	if len(commands) > 0 {
		d.title("Repeat")
		d.element("pre", "", strings.Join(commands, "\n"))
	}
	return d.records(o)
}

// records says where the records are, and has them.
func (d *document) records(o Options) error {
	d.fields([]field{{label: word(len(o.Paths), "Record"), text: strings.Join(o.Paths, ", ")}})
	return d.attach(o.Attached)
}
