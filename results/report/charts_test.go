package report

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"dyno/results"
	"dyno/results/report/chart"
	"dyno/results/stats"
)

// judgedOf judges a published record, which has two workloads and all its latencies.
func judgedOf(t *testing.T) results.Judgement {
	t.Helper()
	paths, err := filepath.Glob("../published/*-registry-vs-handler.jsonl")
	if err != nil || len(paths) != 1 {
		t.Fatalf("%v, %v", paths, err)
	}
	record, err := results.Read(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	return results.Judge(record)
}

// same reports whether two figures are one, NaN too.
func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// A sweep has a point for each target and workload: the table's figures.
func TestSweepHasTheTablesFigures(t *testing.T) {
	j := judgedOf(t)
	of, along := sweep(j.Comparisons)
	if len(of) != 2 || along != "connections" {
		t.Fatalf("%d workloads along %q", len(of), along)
	}
	lines := quantities()[1].over(of, along, paletteOf(j.Run.Targets))
	if len(lines.Series) != 4 || len(lines.X.Ticks) != 2 || lines.X.Ticks[1].Name != "10" {
		t.Fatalf("%d series, ticks %v", len(lines.Series), lines.X.Ticks)
	}
	for _, series := range lines.Series {
		for i, c := range of {
			at := slices.IndexFunc(c.Standings, func(s results.Standing) bool { return s.Target.Name == series.Name })
			p99, point := c.Standings[at].P99, series.Points[i]
			if !same(point.X, float64(c.Workload.Connections)) || !same(point.Y, p99.Median*1e3) || !same(point.Low, p99.Low*1e3) || !same(point.High, p99.High*1e3) || point.Off {
				t.Errorf("%s under %s: %+v, want %+v", series.Name, c.Workload.Name, point, p99)
			}
		}
	}
}

// Workloads are a sweep if they differ in nothing but connections, or their rate; in
// whatever order the scenario has them they stand by that.
func TestSweep(t *testing.T) {
	comparisons := func(workloads ...results.Workload) (all []results.Comparison) {
		for i, w := range workloads {
			w.Name = fmt.Sprint(i)
			all = append(all, results.Comparison{Workload: w})
		}
		return all
	}
	for name, c := range map[string]struct {
		of    []results.Comparison
		want  []float64
		along string
	}{
		"connections": {comparisons(results.Workload{Connections: 500}, results.Workload{Connections: 50}, results.Workload{Connections: 100}), []float64{50, 100, 500}, "connections"},
		"rates":       {comparisons(results.Workload{Rate: 2, Connections: 9}, results.Workload{Rate: 1, Connections: 9}), []float64{1, 2}, "offered requests a second"},
		"one":         {comparisons(results.Workload{Connections: 500}), nil, ""},
		"keep-alive":  {comparisons(results.Workload{Connections: 5}, results.Workload{Connections: 50, KeepAlive: true}), nil, ""},
		"both kinds":  {comparisons(results.Workload{Connections: 5}, results.Workload{Connections: 50, Rate: 1}), nil, ""},
		"none":        {nil, nil, ""},
	} {
		of, along := sweep(c.of)
		var at []float64
		for _, one := range of {
			at = append(at, swept(one.Workload))
		}
		if !slices.Equal(at, c.want) || along != c.along {
			t.Errorf("%s: %v along %q, want %v along %q", name, at, along, c.want, c.along)
		}
	}
}

// The percentiles drawn are those of the judgement, each where its name says.
func TestTails(t *testing.T) {
	j := judgedOf(t)
	standings := j.Comparisons[1].Standings
	lines, known := tails(standings, paletteOf(j.Run.Targets))
	if !known || len(lines.Series) != len(standings) {
		t.Fatalf("known %t, %d series", known, len(lines.Series))
	}
	for i, s := range standings {
		points := lines.Series[i].Points
		if len(points) != len(s.Latency) || len(points) < 30 {
			t.Fatalf("%s has %d points of %d quantiles", s.Target.Name, len(points), len(s.Latency))
		}
		for n, q := range s.Latency {
			if math.Abs(points[n].X*(1-q.Share)-1) > 1e-9 || points[n].Y != q.US/1e3 {
				t.Errorf("%+v is drawn at %+v", q, points[n])
			}
		}
		// Pooled, they are about the median of the rounds' own.
		at := slices.IndexFunc(lines.X.Ticks, func(tick chart.Tick) bool { return tick.Name == "50" })
		middle := slices.IndexFunc(points, func(p chart.Point) bool { return p.X >= 0.99*lines.X.Ticks[at].At })
		if ratio := points[middle].Y / (s.P50.Median * 1e3); ratio < 0.9 || ratio > 1.1 {
			t.Errorf("%s: half of the answers within %v ms, by the table %v", s.Target.Name, points[middle].Y, s.P50.Median*1e3)
		}
	}
}

// Each trial stands at its place in the run, by its target's median.
func TestOrder(t *testing.T) {
	j := judgedOf(t)
	c := j.Comparisons[0]
	lines, known := order(c, paletteOf(j.Run.Targets))
	if !known || len(lines.Series) != 5 {
		t.Fatalf("known %t, %d series: four targets and the control", known, len(lines.Series))
	}
	for i, s := range visited(c) {
		for n, trial := range s.Trials {
			if p := lines.Series[i].Points[n]; p.X != float64(trial.Visit) || p.Y != trial.Goodput()/s.Goodput.Median || p.Off {
				t.Errorf("%s, visit %d: %+v", s.Target.Name, trial.Visit, p)
			}
		}
	}
}

// A target has one colour, whatever its rank.
func TestColours(t *testing.T) {
	j := judgedOf(t)
	colours := paletteOf(j.Run.Targets)
	for _, c := range j.Comparisons {
		rows, _ := places(c.Standings, colours)
		for i, s := range c.Standings {
			for _, panel := range rows.Panels {
				if got := panel.Rows[i].Colour; j.Run.Targets[got].Name != s.Target.Name {
					t.Errorf("%s has the colour of %s", s.Target.Name, j.Run.Targets[got].Name)
				}
			}
		}
	}
}

// Of ratios the band is spoken of where there is one.
func TestRatiosCaption(t *testing.T) {
	pair := results.Pair{Goodput: results.Difference{Ratio: stats.Effect{N: 7, Estimate: 2, Low: 1, High: 3}}}
	_, without, _ := ratios([]namedPair{{name: "a", pair: pair}}, results.Workload{})
	pair.Goodput.Floor = 0.1
	rows, with, known := ratios([]namedPair{{name: "a", pair: pair}}, results.Workload{})
	if without != captionRatios || with != captionRatios+captionBand || !known || rows.Panels[0].Band != 0.1 {
		t.Errorf("%q, %q, %t, %+v", without, with, known, rows.Panels[0])
	}
}

// The tally counts what became of claims, and of their sizes.
func TestTally(t *testing.T) {
	texts := func(j results.Judgement) (all []string) {
		for _, c := range tally(j) {
			all = append(all, c.text)
		}
		return all
	}
	finding := func(direction, size results.Ruling) results.Finding {
		return results.Finding{Direction: direction, Size: size}
	}
	two := []results.Comparison{
		{Findings: []results.Finding{finding(results.Holds, results.Refuted), finding(results.Holds, "")}},
		{Findings: []results.Finding{finding(results.Undecided, results.Refuted)}, Unequal: "differ"},
	}
	for name, c := range map[string]struct {
		j    results.Judgement
		want []string
		of   style
	}{
		"nothing": {results.Judgement{}, []string{"no trials"}, yellow},
		"valid":   {results.Judgement{Trials: 4}, []string{"all 4 trials valid"}, green},
		"some":    {results.Judgement{Trials: 4, Invalid: 1}, []string{"1 of 4 trials invalid"}, yellow},
		"none":    {results.Judgement{Trials: 4, Invalid: 4}, []string{"all 4 trials invalid"}, red},
		"claims": {
			results.Judgement{Trials: 4, Comparisons: two},
			[]string{"all 4 trials valid", "unequal answers", "claims: 2 hold, 1 undecided, over 2 workloads", "their sizes: 2 refuted, over 2 workloads"},
			green,
		},
		"gates": {
			results.Judgement{Trials: 4, Comparisons: []results.Comparison{{Gated: []results.Gated{{Said: "x > 1", Ruling: results.Fails}, {Said: "y", Ruling: results.Holds}}}}},
			[]string{"all 4 trials valid", "gate fails: x > 1"},
			green,
		},
	} {
		if got := texts(c.j); !slices.Equal(got, c.want) || tally(c.j)[0].style != c.of {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
