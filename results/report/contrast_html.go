package report

import (
	"io"

	"dyno/results"
)

// ContrastHTML writes c as a page that stands alone; see [HTML]. Its errors are those
// of w.
func ContrastHTML(w io.Writer, c results.Contrast, o Options) error {
	d := newDocument(contrastTitle(c))
	d.heading(contrastTitle(c), c.Base.Run.Scenario.About, contrasted(c))
	for _, w := range workloads(c) {
		d.workload(w)
		for i, v := range c.Versus {
			d.shift(c, v, letter(i+1), w)
		}
		for _, s := range sidesUnder(c, w) {
			d.title(s.letter)
			d.standings(s.Comparison)
			d.warnings(s.Warnings)
		}
	}
	if err := d.records(o); err != nil {
		return err
	}
	_, err := io.WriteString(w, d.end())
	return err
}

func (d *document) shift(c results.Contrast, v results.Versus, name string, w results.Workload) {
	s := shiftUnder(v, w)
	if lines := shifted(c, v, name, s); len(lines) > 0 {
		d.title(shiftTitle(name))
		var pairs []drawnPair
		for _, pair := range s.Pairs {
			pairs = append(pairs, drawnPair{name: pair.Target, pair: pair})
		}
		d.ratios(pairs, w)
		d.findings("target", lines)
		d.note(shiftMethod(c, v, name, s))
	}
	d.gates(s.Gated)
}
