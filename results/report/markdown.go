package report

import (
	"io"
	"regexp"
	"strings"

	"dyno/results"
)

// Markdown writes j for where Markdown is shown as a page, such as the summary of
// a job of continuous integration: GitHub's kind of it, with tables. It says what
// [Text] says. Its errors are those of w.
func Markdown(w io.Writer, j results.Judgement, o Options) error {
	m := &markdown{told: told{}}
	if j.Run.Imported != nil {
		m.imported(j, o.Paths)
	} else {
		m.heading(j.Run.Scenario.Name, j.Run.Scenario.About, circumstances(j))
		for _, c := range j.Comparisons {
			m.comparison(c, j)
		}
		for _, other := range o.Beside {
			m.beside(other)
		}
		m.footing(j.Runs, o.Paths)
	}
	_, err := io.WriteString(w, m.text.String())
	return err
}

// A markdown is Markdown in the making: blocks with blank lines between them.
type markdown struct {
	text strings.Builder
	told told
}

// block writes lines that belong together.
func (m *markdown) block(lines ...string) {
	if m.text.Len() > 0 {
		m.text.WriteString("\n")
	}
	for _, line := range lines {
		m.text.WriteString(line + "\n")
	}
}

// title writes the heading of a part.
func (m *markdown) title(text string) { m.block("**" + escape(text) + "**") }

func (m *markdown) heading(title, about string, fields []field) {
	m.block("# " + escape(title))
	m.block(opening(about))
	m.fields(fields)
}

func (m *markdown) fields(fields []field) {
	var lines []string
	for _, f := range fields {
		if f.text != "" {
			lines = append(lines, "- **"+f.label+"** "+escape(f.text))
		}
	}
	if len(lines) > 0 {
		m.block(lines...)
	}
}

func (m *markdown) comparison(c results.Comparison, j results.Judgement) {
	m.workload(c.Workload)
	m.standings(c)
	m.differences(c, j)
	m.claims(c, j)
	m.gates(c.Gated)
	m.confounders(c)
	m.warnings(c.Warnings)
}

// table writes rows under heads; a head that ends in a colon is one of numbers,
// which stand on the right.
func (m *markdown) table(heads []string, rows [][]string) {
	var names, marks []string
	for _, h := range heads {
		name, numbers := strings.CutSuffix(h, ":")
		names = append(names, name)
		if numbers {
			marks = append(marks, "--:")
		} else {
			marks = append(marks, ":--")
		}
	}
	lines := []string{row(names), "|" + strings.Join(marks, "|") + "|"}
	for _, r := range rows {
		lines = append(lines, row(r))
	}
	m.block(lines...)
}

func row(cells []string) string {
	var b strings.Builder
	for _, cell := range cells {
		b.WriteString("| " + escape(cell) + " ")
	}
	return b.String() + "|"
}

func (m *markdown) workload(w results.Workload) {
	m.block("## " + escape(w.Name))
	m.block(escape(load(w)))
}

func (m *markdown) standings(c results.Comparison) {
	grid(m, columns(), c.Standings)
	if text := caption(c.Standings, c.Workload); text != "" {
		m.block(escape(text))
	}
	if text := bounds(c.Standings); text != "" {
		m.block(escape(text))
	}
	m.services(c.Standings)
	m.causes(unranked, c.Unequal, visited(c), against)
	m.causes(setAside, "", visited(c), aside)
}

// grid writes a table of all columns: a page is as wide as it takes.
func grid[of any](m *markdown, columns []column[of], all []of) {
	var heads []string
	rows := make([][]string, len(all))
	for _, c := range columns {
		head := c.head
		if c.unit != "" {
			head += ", " + c.unit
		}
		if !c.left {
			head += ":"
		}
		heads = append(heads, head)
		for i, one := range all {
			rows[i] = append(rows[i], c.cell(one))
		}
	}
	m.table(heads, rows)
}

func (m *markdown) services(standings []results.Standing) {
	rows := serviceRows(standings)
	if len(rows) == 0 {
		return
	}
	var cells [][]string
	for _, r := range rows {
		cells = append(cells, r[:])
	}
	m.title("Services")
	m.table([]string{"target", "service", "server CPU, µs/request:", "memory, peak MiB:"}, cells)
}

// causes lists what all standings have of one kind of causes, and what each has.
func (m *markdown) causes(title, all string, standings []results.Standing, of func(results.Standing) []results.Cause) {
	var lines []string
	if all != "" {
		lines = append(lines, "- **every target** "+escape(all))
	}
	for _, s := range standings {
		for _, cause := range of(s) {
			lines = append(lines, "- **"+escape(s.Target.Name)+"** "+escape(trials(cause, s)+cause.Text))
			lines = append(lines, fenced(cause.Log)...)
		}
	}
	if len(lines) > 0 {
		m.title(title)
		m.block(lines...)
	}
}

// fenced writes foreign lines as they are, as part of a list's point.
func fenced(lines []string) (block []string) {
	if len(lines) == 0 {
		return nil
	}
	fence := fence(strings.Join(lines, "\n"), 3)
	block = append(block, "", "  "+fence)
	for _, line := range lines {
		block = append(block, "  "+line)
	}
	return append(block, "  "+fence)
}

// fence returns backticks, at least so many, that text cannot be mistaken for.
func fence(text string, least int) string {
	fence := strings.Repeat("`", least)
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence
}

func (m *markdown) differences(c results.Comparison, j results.Judgement) {
	lines := differences(c, j.Run.Rounds)
	if len(lines) == 0 {
		return
	}
	m.title("Differences")
	m.findings("pair", lines)
	if text := method(c, j.Family); text != "" {
		m.block(escape(text))
	}
}

func (m *markdown) findings(of string, lines []finding) {
	var rows [][]string
	for _, l := range lines {
		rows = append(rows, []string{l.name, l.figure, l.size, l.interval, l.p, l.words})
	}
	m.table([]string{of, "figure", "size:", "interval", "p", "verdict"}, rows)
}

func (m *markdown) claims(c results.Comparison, j results.Judgement) {
	if len(c.Findings) == 0 {
		return
	}
	m.title(claimsOf(j.Run.Scenario))
	m.rulings("claim", rulings(c.Findings, j.Run.Rounds))
	if text := sizes(c.Findings); text != "" {
		m.block(escape(text))
	}
}

func (m *markdown) gates(gated []results.Gated) {
	if len(gated) == 0 {
		return
	}
	m.title(gatesTitle)
	m.rulings("gate", gateRulings(gated))
	m.block(escape(gatesRule(gated)))
}

func (m *markdown) rulings(what string, all []ruling) {
	var rows [][]string
	for _, r := range all {
		rows = append(rows, []string{r.said, string(r.says), r.found})
	}
	m.table([]string{what, "ruling", "found"}, rows)
}

// confounders writes what else the targets of each pair differ in, folded up: it is
// long, and for whoever doubts the rest.
func (m *markdown) confounders(c results.Comparison) {
	var lines []string
	for _, pair := range confounded(c) {
		name, text := m.told.of(pair)
		lines = append(lines, "- **"+escape(name)+"** "+escape(text))
	}
	if len(lines) > 0 {
		m.block("<details><summary>" + confoundersTitle + "</summary>")
		m.block(lines...)
		m.block("</details>")
	}
}

func (m *markdown) warnings(warnings []results.Warning) {
	if len(warnings) == 0 {
		return
	}
	var lines []string
	for _, w := range warnings {
		lines = append(lines, "- "+opening(warning(w)))
	}
	m.title("Warnings")
	m.block(lines...)
}

func (m *markdown) footing(runs []results.Run, paths []string) {
	for _, run := range runs {
		if text := command(run); text != "" {
			m.block("**Repeat** " + code(text))
		}
	}
	m.records(paths)
}

// records says where the records are.
func (m *markdown) records(paths []string) {
	if len(paths) > 0 {
		m.block("**" + word(len(paths), "Record") + "** " + code(strings.Join(paths, ", ")))
	}
}

// code writes text in which nothing means anything.
func code(text string) string {
	fence := fence(text, 1)
	if len(fence) > 1 {
		return fence + " " + text + " " + fence
	}
	return fence + text + fence
}

// marks are the characters that Markdown may take for more than they are.
var marks = strings.NewReplacer(
	joint, " ", "\n", " ", "\r", " ",
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "|", `\|`, "~", `\~`, "&", `\&`, "#", `\#`, "$", `\$`,
)

// escape makes text mean what it says, wherever it stands but at a line's start.
func escape(text string) string { return marks.Replace(text) }

// start is what makes a list of a line.
var start = regexp.MustCompile(`^(\s*\d*)([-+=.)])`)

// opening is escape for text at a line's start.
func opening(text string) string { return start.ReplaceAllString(escape(text), `$1\$2`) }
