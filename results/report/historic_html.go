package report

import (
	"strings"

	"dyno/results"
)

// imported writes a record of reports that were made elsewhere.
func (d *document) imported(j results.Judgement) {
	d.heading(j.Run.Scenario.Name, never, origins(j))
	d.historic(j.Historic)
	for _, h := range j.Historic {
		text, style := worth(h)
		d.element("h2", style.class(), h.Name+": "+text)
		d.element("p", "", strings.Join(h.Reading, " "))
		d.objections(h)
		d.source("The report as it was printed", h.Text)
	}
}

// beside writes the figures of an imported record below those of a run.
func (d *document) beside(j results.Judgement) {
	d.element("h2", "", "Beside: "+j.Run.Scenario.Name)
	d.element("p", "", never)
	d.fields([]field{{label: "Machine", text: stated(j.Run)}})
	d.historic(j.Historic)
	var points []point
	for _, h := range refused(j.Historic) {
		text, _ := worth(h)
		points = append(points, point{name: h.Name, text: text + ": " + h.Invalid[0].Text})
	}
	if len(points) > 0 {
		d.points(points)
	}
}

func (d *document) historic(all []results.Historic) {
	tabulate(d, historicColumns(), all, func(h results.Historic) string {
		if h.Counts() {
			return ""
		}
		return dim.class()
	})
}

// objections lists what speaks against a report, and what to doubt.
func (d *document) objections(h results.Historic) {
	var points []point
	for _, r := range h.Invalid {
		points = append(points, point{name: "invalid", text: r.Text})
	}
	for _, text := range h.Warnings {
		points = append(points, point{name: "doubt", text: text})
	}
	if len(points) > 0 {
		d.points(points)
	}
}
