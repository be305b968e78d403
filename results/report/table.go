package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"dyno/results"
	"dyno/results/stats"
)

// A column is one figure of every row, always in the same unit, so that tables of
// two reports compare at a glance.
type column[row any] struct {
	head, unit string
	left       bool
	spare      bool // left out where the table is too wide
	cell       func(row) string
}

func columns() []column[results.Standing] {
	return []column[results.Standing]{
		{head: "#", cell: rank},
		{head: "target", left: true, cell: func(s results.Standing) string { return s.Target.Name }},
		{head: "rounds", spare: true, cell: rounds},
		{head: "goodput", unit: "req/s", cell: func(s results.Standing) string { return scaled(s.Goodput, 1) }},
		{cell: func(s results.Standing) string { return spread(s.Goodput) }},
		{head: "p50", unit: "ms", cell: func(s results.Standing) string { return scaled(s.P50, 1e3) }},
		{head: "p99", unit: "ms", cell: func(s results.Standing) string { return scaled(s.P99, 1e3) }},
		{head: "errors", unit: "%", cell: func(s results.Standing) string { return failed(s.Errors) }},
		{head: "server CPU", unit: "µs/request", cell: func(s results.Standing) string { return scaled(s.ServerCPU, 1e6) }},
		{head: "memory", unit: "peak MiB", cell: func(s results.Standing) string { return scaled(s.PeakBytes, 1.0/(1<<20)) }},
		{head: "engine", unit: "% busy", spare: true, cell: func(s results.Standing) string { return busy(s.EngineBusy) }},
	}
}

// rank is a dash where there is none, and a cross where the figures are invalid.
func rank(s results.Standing) string {
	switch {
	case s.Rank > 0:
		return strconv.Itoa(s.Rank)
	case s.Sick():
		return "✗"
	}
	return none
}

// rounds is the number of trials, or of valid ones among them.
func rounds(s results.Standing) string {
	if s.Valid == len(s.Trials) {
		return strconv.Itoa(s.Valid)
	}
	return fmt.Sprintf("%d/%d", s.Valid, len(s.Trials))
}

func scaled(e stats.Estimate, by float64) string {
	if !e.Known() {
		return none
	}
	return three(e.Median * by)
}

func spread(e stats.Estimate) string {
	if e.N < 2 || e.Median == 0 {
		return ""
	}
	return "± " + share(e.Spread()) + " %"
}

func failed(of results.Errors) string {
	errors, ok := of.Share()
	if !ok {
		return none
	}
	return share(errors)
}

func busy(e stats.Estimate) string {
	if !e.Known() {
		return none
	}
	return share(e.Median)
}

// table writes rows, their numbers aligned on the right. Where it is too wide,
// spare columns are left out, the last one first, and then the names are cut.
func table[row any](p *page, columns []column[row], rows []row, styleOf func(row) style) {
	cells, widths := lay(columns, rows)
	for at := len(columns) - 1; at >= 0 && needs(widths) > p.width; at-- {
		if columns[at].spare {
			columns = slices.Delete(columns, at, at+1)
			cells, widths = lay(columns, rows)
		}
	}
	widths[targets] -= max(0, min(total(widths)-p.width, widths[targets]-leastName))
	p.line(p.paint(dim, aligned(columns, cells[0], widths)))
	p.line(p.paint(dim, aligned(columns, cells[1], widths)))
	for i, r := range rows {
		p.line(p.paint(styleOf(r), aligned(columns, cells[2+i], widths)))
	}
}

func rowStyle(s results.Standing) style {
	switch {
	case s.Rank == 1:
		return green
	case s.Rank == 0:
		return dim
	}
	return plain
}

const (
	targets   = 1  // the column of names
	leastName = 12 // to which a name is cut at most
)

// lay returns the cells, two rows of headings first, and the columns' widths.
func lay[row any](columns []column[row], rows []row) (cells [][]string, widths []int) {
	cells, widths = make([][]string, 2+len(rows)), make([]int, len(columns))
	for i, c := range columns {
		cells[0], cells[1] = append(cells[0], c.head), append(cells[1], c.unit)
		for n, r := range rows {
			cells[2+n] = append(cells[2+n], c.cell(r))
		}
		for _, row := range cells {
			widths[i] = max(widths[i], width(row[i]))
		}
	}
	return cells, widths
}

// total is the width of a table, and needs that of one with short names.
func total(widths []int) (sum int) {
	for _, w := range widths {
		sum += 2 + w
	}
	return sum
}

func needs(widths []int) int { return total(widths) - max(0, widths[targets]-leastName) }

// aligned writes the cells of one row.
func aligned[row any](columns []column[row], cells []string, widths []int) string {
	var b strings.Builder
	for i, c := range columns {
		b.WriteString("  ")
		if c.left {
			b.WriteString(pad(cut(cells[i], widths[i]), widths[i]))
		} else {
			b.WriteString(padLeft(cells[i], widths[i]))
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// caption says what the figures are, and how sure their intervals. It is empty
// where there are none.
func caption(standings []results.Standing, w results.Workload) string {
	sure := map[int]float64{} // confidence by the number of rounds
	of, sick := 0, ""
	for _, s := range standings {
		of = max(of, s.Of)
		if s.Goodput.N > 1 {
			sure[s.Goodput.N] = s.Goodput.Confidence
		}
		if s.Sick() {
			sick = " ✗ marks figures of invalid trials."
		}
	}
	text := "Medians of the rounds; ± is the farther end of the exact interval, " + levels(sure) + "."
	switch {
	case of == 0:
		return ""
	case len(sure) == 0:
		text = "Figures of one round, which shows no spread."
	}
	if w.Rate > 0 {
		text += " Latencies count from when a request was to start, and p99 gives the rank: what is served is what was offered."
	}
	return text + sick
}

// levels says how sure intervals are, by the number of rounds.
func levels(sure map[int]float64) string {
	var all []string
	for _, n := range slices.Backward(slices.Sorted(maps.Keys(sure))) {
		all = append(all, fmt.Sprintf("%s %% sure with %d rounds", strconv.FormatFloat(100*sure[n], 'g', 3, 64), n))
	}
	return phrases(all)
}
