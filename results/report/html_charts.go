package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"dyno/results"
	"dyno/results/report/chart"
	"dyno/results/stats"
)

// A quantity is a figure that is drawn, in the unit of the table.
type quantity struct {
	name, unit string
	by         float64 // from the record's unit to the table's
	estimate   func(results.Standing) stats.Estimate
	trial      func(results.Trial) float64
}

// title is what stands over its axis.
func (q quantity) title() string { return q.name + ", " + q.unit }

// of writes a value of it.
func (q quantity) of(value float64) string { return q.name + " " + three(value) + " " + q.unit }

// quantities are what targets are known by: how much they serve, how soon, for how
// much, and in how much memory.
func quantities() []quantity {
	return []quantity{
		{"goodput", "req/s", 1, func(s results.Standing) stats.Estimate { return s.Goodput }, results.Trial.Goodput},
		{"p99", "ms", 1e3, func(s results.Standing) stats.Estimate { return s.P99 }, results.Trial.P99},
		{"server CPU", "µs/request", 1e6, func(s results.Standing) stats.Estimate { return s.ServerCPU }, results.Trial.ServerCPU},
		{"memory", "peak MiB", 1.0 / (1 << 20), func(s results.Standing) stats.Estimate { return s.PeakBytes }, results.Trial.PeakBytes},
	}
}

// A palette is the numbers of targets, by which they keep their colours down the page.
type palette map[string]int

func paletteOf(targets []results.Target) palette {
	p := palette{}
	for _, t := range targets {
		if _, has := p[t.Name]; !has {
			p[t.Name] = len(p)
		}
	}
	return p
}

// The captions of drawings.
const (
	captionPlaces = "Each ring is a trial, the first round's on top; ✗ does not count, an arrow lies beyond the axis. The bar is the median, the shade its interval."
	captionRatios = "The bar is the ratio, the shade its interval."
	captionBand   = " Within the grey band two targets differ by no more than one does from itself."
	captionTail   = "Latencies of the right answers of all trials that count, together, or of all trials where none does."
	captionOrder  = "Each trial, controls too; ✗ does not count. What drifts in all targets is the machine."
)

// places draws how the targets did, trial by trial.
func places(standings []results.Standing, colours palette) (rows chart.Rows, known bool) {
	rows.About = "goodput, p99 and server CPU of each target, as in the table"
	for _, s := range standings {
		rows.Names = append(rows.Names, s.Target.Name)
	}
	for _, q := range quantities()[:3] {
		panel := chart.Panel{Title: q.title(), Write: three}
		for _, s := range standings {
			row := q.row(s)
			row.Colour = colours[s.Target.Name]
			panel.Rows, known = append(panel.Rows, row), known || len(row.Dots) > 0
		}
		rows.Panels = append(rows.Panels, panel)
	}
	return rows, known
}

func (q quantity) row(s results.Standing) chart.Row {
	e := q.estimate(s)
	row := chart.Row{Mid: math.NaN(), Low: math.NaN(), High: math.NaN(), Words: scaled(e, q.by), Off: len(s.Causes) > 0}
	if e.Known() {
		row.Mid = e.Median * q.by
		row.Title = s.Target.Name + ", median: " + q.of(row.Mid)
	}
	if e.N > 1 {
		row.Low, row.High = e.Low*q.by, e.High*q.by
		row.Title += " (" + three(row.Low) + "–" + three(row.High) + ")"
	}
	for _, t := range s.Trials {
		if v := q.trial(t) * q.by; !math.IsNaN(v) {
			row.Dots = append(row.Dots, chart.Dot{At: v, Off: !t.Counts(), Title: trialTitle(t, q.of(v))})
		}
	}
	if s.Rank == 0 {
		row.Class = "dim"
	}
	return row
}

// trialTitle says which trial a mark is.
func trialTitle(t results.Trial, figure string) string {
	text := fmt.Sprintf("%s, round %d: %s", t.Target, t.Round, figure)
	for _, r := range t.Invalid {
		text += "; " + r.Text
	}
	return text
}

// A namedPair is a pair or a control, as it is called.
type namedPair struct {
	name    string
	pair    results.Pair
	control bool
}

// ratiosOf returns the pairs and controls of a comparison.
func ratiosOf(c results.Comparison) (all []namedPair) {
	for _, pair := range c.Pairs {
		all = append(all, namedPair{name: pair.Target + " against " + pair.Against, pair: pair})
	}
	return append(all, controlsOf(c, "")...)
}

// controlsOf returns the controls of a comparison, of a side where there are several.
func controlsOf(c results.Comparison, of string) (all []namedPair) {
	for _, control := range c.Controls {
		all = append(all, namedPair{control.Pair.Against + " against itself" + of, control.Pair, true})
	}
	return all
}

// ratios draws how much pairs differ, in what is served and in what it costs.
func ratios(pairs []namedPair, w results.Workload) (rows chart.Rows, caption string, known bool) {
	rows.About = "ratios of the pairs, as in the table below"
	figure, _ := served(results.Pair{}, w)
	panels := []chart.Panel{{Title: figure + ", ratio", Ratios: true, Write: three}, {Title: "server CPU a request, ratio", Ratios: true, Write: three}}
	caption = captionRatios
	for _, p := range pairs {
		rows.Names = append(rows.Names, p.name)
		_, first := served(p.pair, w)
		for i, difference := range []results.Difference{first, p.pair.CPU} {
			panels[i].Band = max(panels[i].Band, difference.Floor)
			panels[i].Rows = append(panels[i].Rows, ratioRow(p, difference))
			known = known || difference.Ratio.Known()
		}
	}
	if panels[0].Band > 0 || panels[1].Band > 0 {
		caption += captionBand
	}
	rows.Panels = panels
	return rows, caption, known
}

func ratioRow(p namedPair, d results.Difference) chart.Row {
	r := d.Ratio
	row := chart.Row{Mid: math.NaN(), Low: math.NaN(), High: math.NaN(), Class: "dim"}
	if !r.Known() {
		return row
	}
	row.Mid, row.Words = r.Estimate, ratio(r.Estimate)+" ×"
	row.Title = p.name + ": " + row.Words
	if r.N > 1 {
		row.Low, row.High = r.Low, r.High
		row.Title += " (" + ratio(r.Low) + "–" + ratio(r.High) + ")"
	}
	switch {
	case p.control:
	case colour(d.Verdict) == green:
		row.Class = "good"
	case colour(d.Verdict) == yellow:
		row.Class = "bad"
	}
	return row
}

// tails draws the quantiles of all latencies.
func tails(standings []results.Standing, colours palette) (lines chart.Lines, known bool) {
	lines = chart.Lines{
		About: "latency by percentile, of each target",
		Y:     chart.Axis{Title: "latency, ms", Log: true, Write: three},
		X: chart.Axis{Title: "percentile of the right answers", Log: true, Ticks: []chart.Tick{
			{At: 1, Name: "0"}, {At: 2, Name: "50"}, {At: 10, Name: "90"}, {At: 100, Name: "99"}, {At: 1e3, Name: "99.9"}, {At: 1e4, Name: "99.99"}, {At: 1e5, Name: "99.999"}, {At: 1e6, Name: "99.9999"},
		}},
	}
	for _, s := range standings {
		series := chart.Series{Name: s.Target.Name, Colour: colours[s.Target.Name], Bare: true}
		for _, q := range s.Latency {
			series.Points = append(series.Points, chart.Point{X: 1 / (1 - q.Share), Y: q.US / 1e3, Low: math.NaN(), High: math.NaN()})
		}
		lines.Series, known = append(lines.Series, series), known || len(series.Points) > 1
	}
	return lines, known
}

// order draws the trials of a workload in the order in which they were made, each by
// its target's median: what drifts in all of them is the machine, in one the server.
func order(c results.Comparison, colours palette) (lines chart.Lines, known bool) {
	q := quantities()[0]
	if c.Workload.Rate > 0 {
		q = quantities()[1]
	}
	lines = chart.Lines{
		About: q.name + " of each trial, in the order of the run",
		X:     chart.Axis{Title: "trials, in the order of the run", Write: three},
		Y:     chart.Axis{Title: q.name + " by the target's median", Log: true, Write: three},
	}
	for _, s := range visited(c) {
		series, median := chart.Series{Name: s.Target.Name, Colour: colours[s.Target.Name], Loose: true}, q.estimate(s)
		for _, t := range s.Trials {
			y := math.NaN()
			if v := q.trial(t); median.Known() && median.Median > 0 && v >= 0 { // nothing at all lies below the axis
				y, known = v/median.Median, true
			}
			series.Points = append(series.Points, chart.Point{
				X: float64(t.Visit), Y: y, Low: math.NaN(), High: math.NaN(), Off: !t.Counts(), Title: trialTitle(t, q.of(q.trial(t)*q.by)),
			})
		}
		lines.Series = append(lines.Series, series)
	}
	return lines, known
}

// sweep returns comparisons by what their workloads differ in, if that is connections
// alone, or their rate, and which of the two; nothing where there is no such thing.
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
	if len(comparisons) < 2 {
		return nil, ""
	}
	of = slices.Clone(comparisons)
	slices.SortStableFunc(of, func(a, b results.Comparison) int { return cmp.Compare(swept(a.Workload), swept(b.Workload)) })
	return of, along
}

// swept is where a workload stands among those of a sweep.
func swept(w results.Workload) float64 {
	if w.Rate > 0 {
		return w.Rate
	}
	return float64(w.Connections)
}

// over draws a quantity of all targets over the workloads of a sweep.
func (q quantity) over(of []results.Comparison, along string, colours palette) chart.Lines {
	lines := chart.Lines{About: q.title() + " over " + along, X: chart.Axis{Title: along, Log: true}, Y: chart.Axis{Title: q.title(), Write: three}}
	at := map[string]int{}
	for _, c := range of {
		x := swept(c.Workload)
		lines.X.Ticks = append(lines.X.Ticks, chart.Tick{At: x, Name: trim(x)})
		for _, s := range c.Standings {
			i, ok := at[s.Target.Name]
			if !ok {
				i = len(lines.Series)
				at[s.Target.Name], lines.Series = i, append(lines.Series, chart.Series{Name: s.Target.Name, Colour: colours[s.Target.Name]})
			}
			row := q.row(s)
			title := c.Workload.Name + ", " + row.Title
			if s.Rank == 0 {
				title += ", not ranked"
			}
			lines.Series[i].Points = append(lines.Series[i].Points, chart.Point{X: x, Y: row.Mid, Low: row.Low, High: row.High, Off: s.Rank == 0, Title: title})
		}
	}
	return lines
}

// captionOver says what a sweep shows.
func (q quantity) captionOver() string {
	return strings.ToUpper(q.title()[:1]) + q.title()[1:] + ": medians and their intervals. ✗ has no rank; an arrow lies beyond the axis."
}
