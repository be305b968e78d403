package report

import (
	"fmt"
	"io"
	"strings"

	"dyno/results"
	"dyno/results/report/chart"
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
		d.element("h2", "", backgroundTitle)
		d.backgrounds(j.Runs)
		d.repeat(j.Runs)
	}
	if err := d.records(o); err != nil {
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
	colours := paletteOf(j.Run.Targets)
	d.heading(j.Run.Scenario.Name, j.Run.Scenario.About, circumstances(j))
	d.tally(tally(j))
	d.summary(j)
	d.sweeps(j.Comparisons, colours)
	for _, c := range j.Comparisons {
		d.workload(c.Workload)
		d.standings(c, colours)
		d.differences(c, j)
		d.claims(c, j)
		d.gates(c.Gated)
		d.confounders(c)
		d.warnings(c.Warnings)
		d.closer(c, colours)
	}
}

// A count is how many there are of a thing, as a tally says it.
type count struct {
	text  string
	style style
}

// tally says at a glance what a judgement amounts to.
func tally(j results.Judgement) (all []count) {
	all = append(all, valid(j))
	claims, sizes := map[results.Ruling]int{}, map[results.Ruling]int{}
	for _, c := range j.Comparisons {
		if c.Unequal != "" {
			all = append(all, count{"unequal answers", red})
		}
		for _, r := range rulings(c.Findings, j.Run.Rounds) {
			if r.of {
				sizes[r.says]++
			} else {
				claims[r.says]++
			}
		}
	}
	over := ""
	if n := len(j.Comparisons); n > 1 {
		over = ", over " + plural(n, "workload")
	}
	all = append(all, ruled("claims", claims, over)...)
	all = append(all, ruled("their sizes", sizes, over)...)
	for _, c := range j.Comparisons {
		all = append(all, failingGates(c.Gated)...)
	}
	return all
}

// valid counts the trials that are.
func valid(j results.Judgement) count {
	switch n := plural(j.Trials, "trial"); {
	case j.Trials == 0:
		return count{"no trials", yellow}
	case j.Invalid == 0:
		return count{"all " + n + " valid", green}
	case j.Invalid == j.Trials:
		return count{"all " + n + " invalid", red}
	default:
		return count{fmt.Sprintf("%d of %s invalid", j.Invalid, n), yellow}
	}
}

// ruled counts what became of sentences.
func ruled(what string, said map[results.Ruling]int, over string) []count {
	var parts []string
	style := green
	for _, ruling := range []results.Ruling{results.Holds, results.Undecided, results.Refuted} {
		n := said[ruling]
		if n == 0 {
			continue
		}
		verb := string(ruling)
		if ruling == results.Holds && n > 1 {
			verb = "hold"
		}
		parts, style = append(parts, fmt.Sprintf("%d %s", n, verb)), rulingStyle(ruling)
	}
	if len(parts) == 0 {
		return nil
	}
	return []count{{what + ": " + strings.Join(parts, ", ") + over, style}}
}

// failingGates names the gates that fail.
func failingGates(gated []results.Gated) (all []count) {
	for _, g := range gated {
		if g.Ruling == results.Fails {
			all = append(all, count{"gate fails: " + g.Said, red})
		}
	}
	return all
}

func (d *document) tally(all []count) {
	d.within("ul", "tally", func() {
		for _, c := range all {
			d.element("li", c.style.class(), c.text)
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

// sweeps draws how the targets did over workloads that differ in one number.
func (d *document) sweeps(comparisons []results.Comparison, colours palette) {
	of, along := sweep(comparisons)
	if len(of) == 0 {
		return
	}
	d.title("Over " + along)
	d.within("div", "pair", func() {
		for _, q := range quantities() {
			d.figure(q.over(of, along, colours).SVG(), q.captionOver())
		}
	})
}

func (d *document) workload(w results.Workload) {
	d.element("h2", "", w.Name)
	d.element("p", "", load(w))
}

func (d *document) standings(c results.Comparison, colours palette) {
	if rows, known := places(c.Standings, colours); known {
		d.figure(rows.SVG(), captionPlaces)
	}
	tabulate(d, columns(), c.Standings, func(s results.Standing) string { return rowStyle(s).class() })
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

func (d *document) ratios(pairs []namedPair, w results.Workload) {
	if rows, caption, known := ratios(pairs, w); known {
		d.figure(rows.SVG(), caption)
	}
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

// closer draws what a comparison is made of: all latencies, and all trials in the
// order of the run.
func (d *document) closer(c results.Comparison, colours palette) {
	tails, slow := tails(c.Standings, colours)
	order, made := order(c, colours)
	if slow || made {
		d.title("Closer")
		d.within("div", "pair", func() {
			d.figureIf(slow, tails, captionTail)
			d.figureIf(made, order, captionOrder)
		})
	}
	d.trials(c)
}

func (d *document) figureIf(known bool, lines chart.Lines, caption string) {
	if known {
		d.figure(lines.SVG(), caption)
	}
}

// repeat says how to run it again.
func (d *document) repeat(runs []results.Run) {
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
}

// records says where the records are, and has them.
func (d *document) records(o Options) error {
	d.fields([]field{{label: word(len(o.Paths), "Record"), text: strings.Join(o.Paths, ", ")}})
	return d.attach(o.Attached)
}
