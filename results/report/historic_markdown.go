package report

import (
	"strings"

	"dyno/results"
)

// imported writes a record of reports that were made elsewhere.
func (m *markdown) imported(j results.Judgement, paths []string) {
	m.heading(j.Run.Scenario.Name, never, origins(j))
	grid(m, historicColumns(), j.Historic)
	for _, h := range j.Historic {
		text, _ := worth(h)
		m.block("## " + escape(h.Name+": "+text))
		if len(h.Reading) > 0 {
			m.block(opening(strings.Join(h.Reading, " ")))
		}
		m.objections(h)
	}
	m.footing(nil, paths)
}

// beside writes the figures of an imported record below those of a run.
func (m *markdown) beside(j results.Judgement) {
	m.block("## Beside: " + escape(j.Run.Scenario.Name))
	m.block(opening(never))
	m.fields([]field{{label: "Machine", text: stated(j.Run)}})
	grid(m, historicColumns(), j.Historic)
	var lines []string
	for _, h := range refused(j.Historic) {
		text, _ := worth(h)
		lines = append(lines, "- **"+escape(h.Name)+"** "+escape(text+": "+h.Invalid[0].Text))
	}
	if len(lines) > 0 {
		m.block(lines...)
	}
}

// objections lists what speaks against a report, and what to doubt.
func (m *markdown) objections(h results.Historic) {
	var lines []string
	for _, r := range h.Invalid {
		lines = append(lines, "- **invalid** "+escape(r.Text))
	}
	for _, text := range h.Warnings {
		lines = append(lines, "- **doubt** "+escape(text))
	}
	if len(lines) > 0 {
		m.block(lines...)
	}
}
