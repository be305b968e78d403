package report

import (
	"fmt"
	"math"
	"strings"
	"time"

	"dyno/results"
	"dyno/results/report/chart"
	"dyno/results/stats"
)

// A quantity is a figure that is drawn, in the unit of the table.
type quantity struct {
	title    string
	by       float64 // from the record's unit to the table's
	estimate func(results.Standing) stats.Estimate
	trial    func(results.Trial) float64
}

// quantities are what targets are known by: how much they serve, how soon, for how
// much, and in how much memory.
func quantities() []quantity {
	return []quantity{
		{"goodput, req/s", 1, func(s results.Standing) stats.Estimate { return s.Goodput }, results.Trial.Goodput},
		{"p99, ms", 1e3, func(s results.Standing) stats.Estimate { return s.P99 }, results.Trial.P99},
		{"server CPU, µs/request", 1e6, func(s results.Standing) stats.Estimate { return s.ServerCPU }, results.Trial.ServerCPU},
		{"memory, peak MiB", 1.0 / (1 << 20), func(s results.Standing) stats.Estimate { return s.PeakBytes }, results.Trial.PeakBytes},
	}
}

// places draws how the targets did, trial by trial.
func (d *document) places(c results.Comparison) {
	rows := chart.Rows{About: "goodput, p99 and server CPU of each target, as in the table"}
	for _, s := range c.Standings {
		rows.Names = append(rows.Names, s.Target.Name)
	}
	drawn := false
	for _, q := range quantities()[:3] {
		panel := chart.Panel{Title: q.title, Write: three}
		for _, s := range c.Standings {
			row := q.row(s)
			panel.Rows, drawn = append(panel.Rows, row), drawn || len(row.Dots) > 0
		}
		rows.Panels = append(rows.Panels, panel)
	}
	if drawn {
		d.figure(rows.SVG(), "Each ring is a trial, the first round's on top; ✗ does not count. The bar is the median, the shade its interval.")
	}
}

func (q quantity) row(s results.Standing) chart.Row {
	e := q.estimate(s)
	row := chart.Row{Mid: math.NaN(), Low: math.NaN(), High: math.NaN(), Words: scaled(e, q.by)}
	if e.Known() {
		row.Mid = e.Median * q.by
	}
	if e.N > 1 {
		row.Low, row.High = e.Low*q.by, e.High*q.by
	}
	for _, t := range s.Trials {
		if v := q.trial(t) * q.by; !math.IsNaN(v) {
			row.Dots = append(row.Dots, chart.Dot{At: v, Off: !t.Counts(), Title: titleOf(t, three(v)+" "+q.title)})
		}
	}
	if row.Off = len(s.Causes) > 0; s.Rank == 0 {
		row.Class = "dim"
	}
	return row
}

// titleOf says which trial a mark is.
func titleOf(t results.Trial, figure string) string {
	text := fmt.Sprintf("%s, round %d: %s", t.Target, t.Round, figure)
	for _, r := range t.Invalid {
		text += "; " + r.Text
	}
	return text
}

// A drawnPair is one whose ratios are drawn.
type drawnPair struct {
	name    string
	pair    results.Pair
	control bool
}

// ratiosOf returns the pairs and controls of a comparison.
func ratiosOf(c results.Comparison) (all []drawnPair) {
	for _, pair := range c.Pairs {
		all = append(all, drawnPair{name: pair.Target + " against " + pair.Against, pair: pair})
	}
	for _, control := range c.Controls {
		all = append(all, drawnPair{name: control.Pair.Against + " against itself", pair: control.Pair, control: true})
	}
	return all
}

// ratios draws how much pairs differ, in what is served and in what it costs.
func (d *document) ratios(pairs []drawnPair, w results.Workload) {
	rows := chart.Rows{About: "ratios of the pairs, as in the table below"}
	figure, _ := served(results.Pair{}, w)
	panels := []chart.Panel{{Title: figure + ", ratio", Ratios: true, Write: three}, {Title: "server CPU a request, ratio", Ratios: true, Write: three}}
	drawn := false
	for _, p := range pairs {
		rows.Names = append(rows.Names, p.name)
		_, first := served(p.pair, w)
		for i, difference := range []results.Difference{first, p.pair.CPU} {
			panels[i].Band = max(panels[i].Band, difference.Floor)
			panels[i].Rows = append(panels[i].Rows, ratioRow(difference, p.control))
			drawn = drawn || difference.Ratio.Known()
		}
	}
	if rows.Panels = panels; drawn {
		d.figure(rows.SVG(), "The bar is the ratio, the shade its interval. Within the grey band two targets differ by no more than one does from itself.")
	}
}

func ratioRow(difference results.Difference, control bool) chart.Row {
	r := difference.Ratio
	row := chart.Row{Mid: math.NaN(), Low: math.NaN(), High: math.NaN(), Class: "dim"}
	if !r.Known() {
		return row
	}
	row.Mid, row.Words = r.Estimate, ratio(r.Estimate)+" ×"
	if r.N > 1 {
		row.Low, row.High = r.Low, r.High
	}
	switch colour(difference.Verdict) {
	case green:
		row.Class = "good"
	case yellow:
		row.Class = "bad"
	}
	if control {
		row.Class = "dim"
	}
	return row
}

// closer draws what a comparison is made of: all latencies, and all trials in the
// order of the run.
func (d *document) closer(c results.Comparison, began time.Time) {
	d.title("Closer")
	d.within("div", "pair", func() {
		d.latencies(c.Standings)
		d.order(c, began)
	})
	d.trials(c)
}

// latencies draws the quantiles of all latencies.
func (d *document) latencies(standings []results.Standing) {
	lines := chart.Lines{
		About: "latency by percentile, of each target",
		Y:     chart.Axis{Title: "latency, ms", Log: true, Write: three},
		X: chart.Axis{Title: "percentile of the right answers", Log: true, Ticks: []chart.Tick{
			{At: 1, Name: "0"}, {At: 2, Name: "50"}, {At: 10, Name: "90"}, {At: 100, Name: "99"}, {At: 1e3, Name: "99.9"}, {At: 1e4, Name: "99.99"}, {At: 1e5, Name: "99.999"}, {At: 1e6, Name: "99.9999"},
		}},
	}
	drawn := false
	for _, s := range standings {
		series := chart.Series{Name: s.Target.Name, Bare: true}
		for _, q := range s.Latency {
			series.Points = append(series.Points, chart.Point{X: 1 / (1 - q.Share), Y: q.US / 1e3, Low: math.NaN(), High: math.NaN()})
		}
		lines.Series, drawn = append(lines.Series, series), drawn || len(series.Points) > 1
	}
	if drawn {
		d.figure(lines.SVG(), "Latencies of the right answers of all trials that count, together, or of all trials where none does.")
	}
}

// order draws the trials of a workload in the order in which they were made, each by
// its target's median: what drifts in all of them is the machine, in one the server.
func (d *document) order(c results.Comparison, began time.Time) {
	q := quantities()[0]
	if c.Workload.Rate > 0 {
		q = quantities()[1]
	}
	figure, _, _ := strings.Cut(q.title, ",")
	lines := chart.Lines{
		About: figure + " of each trial, in the order of the run",
		X:     chart.Axis{Title: "minutes since the first trial", Write: trimmed},
		Y:     chart.Axis{Title: figure + " by the target's median", Log: true, Write: three},
	}
	drawn := false
	for _, s := range visited(c) {
		series, median := chart.Series{Name: s.Target.Name, Loose: true}, q.estimate(s)
		for _, t := range s.Trials {
			y := math.NaN()
			if v := q.trial(t); median.Known() && median.Median > 0 && v > 0 {
				y, drawn = v/median.Median, true
			}
			series.Points = append(series.Points, chart.Point{
				X: t.Started.Sub(began).Minutes(), Y: y, Low: math.NaN(), High: math.NaN(), Off: !t.Counts(), Title: titleOf(t, three(q.trial(t)*q.by)+" "+q.title),
			})
		}
		lines.Series = append(lines.Series, series)
	}
	if drawn {
		d.figure(lines.SVG(), "Each trial when it was made, controls too; ✗ does not count. What drifts in all targets is the machine.")
	}
}

// begin is when the first trial of a judgement began.
func begin(comparisons []results.Comparison) (first time.Time) {
	for _, c := range comparisons {
		for _, s := range visited(c) {
			for _, t := range s.Trials {
				if first.IsZero() || t.Started.Before(first) {
					first = t.Started
				}
			}
		}
	}
	return first
}

// trimmed writes a tick as it is.
func trimmed(x float64) string { return trim(math.Round(x*1e6) / 1e6) }

// sweeps draws how the targets did over workloads that differ in one number.
func (d *document) sweeps(comparisons []results.Comparison) {
	of, along := sweep(comparisons)
	if len(of) < 2 {
		return
	}
	d.title("Over " + along)
	d.within("div", "pair", func() {
		for _, q := range quantities() {
			d.sweep(q, of, along)
		}
	})
}

// sweep returns the workloads that differ in connections alone, or in their rate, and
// in which of the two.
func sweep(comparisons []results.Comparison) (of []results.Comparison, along string) {
	var alike results.Workload
	for i, c := range comparisons {
		w := c.Workload
		w.Name = ""
		if w.Rate > 0 {
			along, w.Rate = "offered requests a second", 1
		} else {
			along, w.Connections = "connections", 0
		}
		if i > 0 && w != alike {
			return nil, ""
		}
		alike = w
	}
	return comparisons, along
}

func (d *document) sweep(q quantity, of []results.Comparison, along string) {
	lines := chart.Lines{About: q.title + " over " + along, X: chart.Axis{Title: along, Log: true}, Y: chart.Axis{Title: q.title, Write: three}}
	at := map[string]int{}
	for _, c := range of {
		x := float64(c.Workload.Connections)
		if c.Workload.Rate > 0 {
			x = c.Workload.Rate
		}
		lines.X.Ticks = append(lines.X.Ticks, chart.Tick{At: x, Name: trim(x)})
		for _, s := range byName(c, of[0]) {
			i, ok := at[s.Target.Name]
			if !ok {
				i = len(lines.Series)
				at[s.Target.Name], lines.Series = i, append(lines.Series, chart.Series{Name: s.Target.Name})
			}
			row := q.row(s)
			title := fmt.Sprintf("%s, %s: %s %s", s.Target.Name, c.Workload.Name, row.Words, q.title)
			if s.Rank == 0 {
				title += ", not ranked"
			}
			lines.Series[i].Points = append(lines.Series[i].Points, chart.Point{X: x, Y: row.Mid, Low: row.Low, High: row.High, Off: s.Rank == 0, Title: title})
		}
	}
	caption := strings.ToUpper(q.title[:1]) + q.title[1:] + ": medians and their intervals. ✗ has no rank."
	d.figure(lines.SVG(), caption)
}

// byName returns the standings of c in the order of those of first.
func byName(c, first results.Comparison) (all []results.Standing) {
	for _, f := range first.Standings {
		for _, s := range c.Standings {
			if s.Target.Name == f.Target.Name {
				all = append(all, s)
			}
		}
	}
	return all
}
