package report

import (
	"fmt"

	"dyno/results"
)

// services writes what each service of a target spent, where it has several.
func (p *page) services(standings []results.Standing) {
	rows := serviceRows(standings)
	if len(rows) == 0 {
		return
	}
	rows = append([][4]string{{"", "", "server CPU", "memory"}, {"", "", "µs/request", "peak MiB"}}, rows...)
	var widths [4]int
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], width(cell))
		}
	}
	widths[0] = min(widths[0], max(leastName, p.width-widths[1]-widths[2]-widths[3]-8))
	p.line("")
	p.line(p.paint(bold, "Services"))
	for i, row := range rows {
		style := plain
		if i < 2 {
			style = dim
		}
		text := "  " + pad(cut(row[0], widths[0]), widths[0]) + "  " + pad(row[1], widths[1]) + "  " + padLeft(row[2], widths[2]) + "  " + padLeft(row[3], widths[3])
		p.line(p.paint(style, text))
	}
}

// serviceRows returns target, service, CPU and memory of each service, where a
// target has several.
func serviceRows(standings []results.Standing) (rows [][4]string) {
	for _, s := range standings {
		name := s.Target.Name
		for _, service := range s.Services {
			rows = append(rows, [4]string{name, replicated(service), scaled(service.CPU, 1e6), scaled(service.PeakBytes, 1.0/(1<<20))})
			name = "" // the next service stands below
		}
	}
	return rows
}

// replicated is a service's name with how many containers it is.
func replicated(s results.ServiceFigures) string {
	if s.Replicas == 1 {
		return s.Name
	}
	return fmt.Sprintf("%s × %d", s.Name, s.Replicas)
}
