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
	d.tally(contrastTally(c))
	var targets []results.Target
	for _, j := range judgements(c) {
		targets = append(targets, j.Run.Targets...)
	}
	colours := paletteOf(targets)
	for _, w := range workloads(c) {
		d.workload(w)
		for i, v := range c.Versus {
			d.shift(c, v, Letter(i+1), w)
		}
		for _, s := range sidesUnder(c, w) {
			d.title(s.letter)
			d.standings(s.Comparison, colours)
			d.warnings(s.Warnings)
			d.trials(s.Comparison)
		}
	}
	d.element("h2", "", backgroundTitle)
	for i, j := range judgements(c) {
		d.title(Letter(i))
		d.backgrounds(j.Runs)
	}
	if err := d.records(o); err != nil {
		return err
	}
	_, err := io.WriteString(w, d.end())
	return err
}

// contrastTally says at a glance what the sides amount to, and which gates fail.
func contrastTally(c results.Contrast) (all []count) {
	for i, j := range judgements(c) {
		trials := valid(j)
		all = append(all, count{Letter(i) + ": " + trials.text, trials.style})
	}
	for _, v := range c.Versus {
		for _, s := range v.Shifts {
			all = append(all, failingGates(s.Gated)...)
		}
	}
	return all
}

func (d *document) shift(c results.Contrast, v results.Versus, name string, w results.Workload) {
	s := shiftUnder(v, w)
	if lines := shifted(c, v, name, s); len(lines) > 0 {
		d.title(shiftTitle(name))
		var pairs []namedPair
		for _, pair := range s.Pairs {
			pairs = append(pairs, namedPair{name: pair.Target, pair: pair})
		}
		for i, j := range []results.Judgement{c.Base, v.Judgement} {
			for _, comparison := range j.Comparisons {
				if comparison.Workload.Name == w.Name {
					pairs = append(pairs, controlsOf(comparison, " in "+[]string{"A", name}[i])...)
				}
			}
		}
		d.ratios(pairs, w)
		d.findings("target", lines)
		d.note(shiftMethod(c, v, name, s))
	}
	d.gates(s.Gated)
}
