package report

import (
	"io"

	"dyno/results"
)

// ContrastMarkdown writes c where Markdown is shown as a page; see [Markdown]. Its
// errors are those of w.
func ContrastMarkdown(w io.Writer, c results.Contrast, o Options) error {
	m := &markdown{}
	m.heading(contrastTitle(c), c.Base.Run.Scenario.About, contrasted(c))
	for _, w := range workloads(c) {
		m.workload(w)
		for _, s := range sidesUnder(c, w) {
			m.title(s.letter)
			m.standings(s.Comparison)
			m.warnings(s.Warnings)
		}
		for i, v := range c.Versus {
			m.shift(c, v, Letter(i+1), w)
		}
	}
	m.records(o.Paths)
	_, err := io.WriteString(w, m.text.String())
	return err
}

func (m *markdown) shift(c results.Contrast, v results.Versus, name string, w results.Workload) {
	s := shiftUnder(v, w)
	if lines := shifted(c, v, name, s); len(lines) > 0 {
		m.title(shiftTitle(name))
		m.findings("target", lines)
		if text := shiftMethod(c, v, name, s); text != "" {
			m.block(escape(text))
		}
	}
	m.gates(s.Gated)
}
