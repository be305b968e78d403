package results

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dyno/results/gate"
	"dyno/results/stats"
)

// All of a sure interval on one side of the limit decides.
func TestGateDecides(t *testing.T) {
	sure, unsure := 0.96, 0.93
	for _, c := range []struct {
		op         gate.Op
		limit      float64
		low, high  float64
		confidence float64
		floor      float64
		want       Ruling
	}{
		{gate.AtLeast, 95, 96, 104, sure, 0, Holds},
		{gate.AtLeast, 95, 95, 105, sure, 0, Holds},
		{gate.AtLeast, 95, 94, 106, sure, 0, Undecided},
		{gate.AtLeast, 106, 94, 106, sure, 0, Undecided},
		{gate.AtLeast, 107, 94, 106, sure, 0, Fails},
		{gate.More, 95, 95, 105, sure, 0, Undecided},
		{gate.More, 105, 95, 105, sure, 0, Fails},
		{gate.More, 94, 95, 105, sure, 0, Holds},
		{gate.AtMost, 105, 95, 105, sure, 0, Holds},
		{gate.AtMost, 95, 95, 105, sure, 0, Undecided},
		{gate.AtMost, 94, 95, 105, sure, 0, Fails},
		{gate.Less, 105, 95, 105, sure, 0, Undecided},
		{gate.Less, 106, 95, 105, sure, 0, Holds},
		{gate.Less, 95, 95, 105, sure, 0, Fails},
		{gate.Equal, 100, 100, 100, 1, 0, Holds},
		{gate.Equal, 99, 100, 100, 1, 0, Fails},
		{gate.AtLeast, 50, 95, 105, unsure, 0, Fails},  // too few rounds for any gate
		{gate.AtLeast, 95, 96, 104, sure, 0.05, Holds}, // 95 is 1.053 times below
		{gate.AtLeast, 95, 96, 104, sure, 0.06, Undecided},
		{gate.AtLeast, 94, 96, 104, sure, 0.06, Holds},
		{gate.AtLeast, 105, 96, 104, sure, 0.06, Undecided},
		{gate.AtLeast, 107, 96, 104, sure, 0.06, Fails},
	} {
		for _, strict := range []bool{false, true} {
			want := c.want
			if strict && want == Undecided {
				want = Fails
			}
			r := Gated{Ruling: Fails, Floor: c.floor, Found: stats.Estimate{N: 7, Median: 100, Low: c.low, High: c.high, Confidence: c.confidence}}
			r.decide(gate.Gate{Op: c.op, Strict: strict}, c.limit, "6 rounds")
			if r.Ruling != want || want != c.want && r.Why == "" {
				t.Errorf("%+v, strict %t: %s (%s), want %s", c, strict, r.Ruling, r.Why, want)
			}
		}
	}
}

// gated holds a record against gates and returns what came of them.
func gated(t *testing.T, record Record, texts ...string) (all []Gated) {
	t.Helper()
	var gates []gate.Gate
	for _, text := range texts {
		g, err := gate.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		gates = append(gates, g)
	}
	for _, c := range Judge(record, gates...).Comparisons {
		all = append(all, c.Gated...)
	}
	return all
}

// says writes what came of gates in short.
func says(all []Gated) (lines []string) {
	for _, g := range all {
		text := g.Said + ": " + string(g.Ruling)
		if g.Why != "" {
			text += ", " + g.Why
		}
		lines = append(lines, text)
	}
	return lines
}

func expect(t *testing.T, got []Gated, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, says(got)); diff != "" {
		t.Error(diff)
	}
}

// A figure is held against a number, and against another target within the same
// rounds, so that what a round does to both is in no ratio.
func TestGateFigures(t *testing.T) {
	record := sampleRecord(map[string][]float64{
		"a": {100, 200, 50, 400, 25, 100, 800},
		"b": {96, 192, 48, 384, 24, 96, 768},
	})
	got := gated(t, record, "goodput(b) >= 0.95 * baseline", "goodput(b) > 0.97 * goodput(a)", "goodput(a) <= 105% * goodput(b)", "goodput(a) > 20", "goodput(a) > 30")
	expect(t, got,
		"goodput(b) >= 0.95 * baseline: holds",
		"goodput(b) > 0.97 * goodput(a): fails",
		"goodput(a) <= 105% * goodput(b): holds",
		"goodput(a) > 20: holds",
		"goodput(a) > 30: undecided",
	)
	if r := got[0]; !r.Relative || !near(r.Found.Median, 0.96) || !near(r.Found.Low, 0.96) || r.Found.N != 7 {
		t.Errorf("%+v", r)
	}
	if r := got[3]; r.Relative || r.Found.Median != 100 || r.Found.Low != 25 || r.Found.High != 800 {
		t.Errorf("%+v", r)
	}
}

// Each figure is that of the trials, in the units of gates.
func TestGateOfEachFigure(t *testing.T) {
	record := sampleRecord(map[string][]float64{"a": {40_000, 40_000, 40_000, 40_000, 40_000, 40_000}})
	for f, want := range map[gate.Figure]float64{
		gate.Goodput: 40_000, gate.Throughput: 40_000, gate.Mean: 1600e-6, gate.P50: 1500e-6, gate.P90: 2000e-6, gate.P99: 3000e-6, gate.P999: 5000e-6,
		gate.CPU: 9.9 / 400_000, gate.Memory: 12 << 20, gate.Startup: 0.08, gate.Errors: 0,
	} {
		g := gate.Gate{Subject: gate.Subject{Figure: f, Target: gate.All, Workload: gate.All}, Op: gate.AtMost, Limit: gate.Limit{Value: want * 1.01}}
		r := Judge(record, g).Comparisons[0].Gated
		if len(r) != 1 || math.Abs(r[0].Found.Median-want) > 1e-9*want || r[0].Ruling != Holds {
			t.Errorf("%s: %+v, want %v", f, r, want)
		}
	}
	if n := len(gate.Figures()); n != 11 {
		t.Errorf("there are %d figures", n)
	}
}

// All targets are those that the run could have, without the one that the limit is
// of, and without controls. A gate about none fails.
func TestGateOnAll(t *testing.T) {
	record := sampleRecord(map[string][]float64{"a": {1, 1, 1, 1, 1, 1}, "b": {2, 2, 2, 2, 2, 2}, "c": nil, "same": {1, 1, 1, 1, 1, 1}})
	record.Run.Targets[2].Missing = "no source"
	record.Run.Targets[3].ControlOf = "a"
	expect(t, gated(t, record, "goodput(*) >= baseline", "errors(*) == 0", "goodput(*) < 3 * goodput(b)", "p99(*) <= 3 * p50(a)", "goodput(same) <= baseline"),
		"goodput(b) >= baseline: holds",
		"errors(b) == 0: holds", "errors(a) == 0: holds",
		"goodput(a) < 3 * goodput(b): holds",
		"p99(b) <= 3 * p50(a): holds", "p99(a) <= 3 * p50(a): holds",
		"goodput(same) <= baseline: holds",
	)
	record.Run.Targets[1].Missing, record.Run.Targets[3].Missing = "no source", "no source"
	expect(t, gated(t, record, "goodput(*) >= baseline", "goodput(b) >= baseline", "goodput(same) >= baseline"),
		"goodput(*) >= baseline: fails, there is no target that it is about",
		"goodput(b) >= baseline: fails, b is missing: no source",
		"goodput(same) >= baseline: fails, same is missing: no source",
	)
}

// What has no rank passes no gate, on either side of it.
func TestGateNeedsARank(t *testing.T) {
	rates := map[string][]float64{"a": {1, 1, 1, 1, 1, 1}, "b": {2, 2, 2, 2, 2, 2}, "c": {3, 3, 3, 3, 3}, "slow": {1}}
	record := sampleRecord(rates)
	edit(record, "b", 2, func(t *Trial) { t.Invalid = []Reason{{Code: CodeErrors, Text: "errors 2 % > 0.1 %"}} })
	expect(t, gated(t, record, "goodput(b) > 1", "errors(b) == 0", "goodput(a) > 0.1 * goodput(b)", "goodput(c) > 1", "goodput(c) > 1 * baseline", "goodput(slow) > 0", "goodput(even) > 0"),
		"goodput(b) > 1: fails, b has no rank: errors 2 % > 0.1 %",
		"errors(b) == 0: fails, b has no rank: errors 2 % > 0.1 %",
		"goodput(a) > 0.1 * goodput(b): fails, b has no rank: errors 2 % > 0.1 %",
		"goodput(c) > 1: fails, 5 of the 6 rounds that a gate needs",
		"goodput(c) > 1 * baseline: fails, 5 of the 6 rounds that a gate needs",
		"goodput(slow) > 0: fails, slow has no rank: one round shows no spread; it takes two for a rank",
		"goodput(even) > 0: fails, the record does not have the target",
	)
	record = sampleRecord(map[string][]float64{"a": rates["a"], "b": rates["b"]})
	edit(record, "b", 1, func(t *Trial) { t.Contract.BodyBytes++ })
	for _, g := range gated(t, record, "goodput(b) > 1", "goodput(b) > baseline") {
		if g.Ruling != Fails || g.Why != "the answers' bodies differ: 21 B a, 22 B b" {
			t.Errorf("%+v", g)
		}
	}
	record = sampleRecord(map[string][]float64{"a": rates["a"]})
	for round := range 6 {
		edit(record, "a", round+1, func(t *Trial) { t.Services[0].CPUS = nil })
	}
	expect(t, gated(t, record, "cpu(a) < 1s"), "cpu(a) < 1s: fails, the figure is not known")
}

// Errors are counted over all trials, also those that the machine disturbed.
func TestGateOnErrors(t *testing.T) {
	record := sampleRecord(map[string][]float64{"a": {100, 100, 100, 100}, "b": {100, 100, 100, 100}})
	edit(record, "a", 1, func(t *Trial) { fail(t, "reset", 2) })
	edit(record, "b", 1, func(t *Trial) { fail(t, "reset", 1) })
	edit(record, "b", 2, func(t *Trial) {
		fail(t, "reset", 3)
		t.Invalid = []Reason{{Code: CodeHost, Text: "busy"}}
	})
	got := gated(t, record, "errors(a) == 0", "errors(a) <= 0.05%", "errors(b) < 0.1%", "errors(b) <= baseline", "errors(b) <= 2 * errors(a)")
	expect(t, got,
		"errors(a) == 0: fails",
		"errors(a) <= 0.05%: holds",
		"errors(b) < 0.1%: fails",
		"errors(b) <= baseline: fails, the limit is 0.05 %",
		"errors(b) <= 2 * errors(a): holds, the limit is 0.1 %",
	)
	if e := got[2].Errors; e == nil || e.Failed != 4 || e.Started != 4000 {
		t.Errorf("%+v", e)
	}
}

// The noise floor is that of the figure in question, and of ratios alone.
func TestGateFloor(t *testing.T) {
	record := sampleRecord(map[string][]float64{"a": {1, 1, 1, 1, 1, 1}, "b": {1, 1, 1, 1, 1, 1}, "same": {1, 1, 1, 1, 1, 1}})
	record.Run.Targets[2].ControlOf = "a"
	edit(record, "same", 4, func(t *Trial) { t.Load.Latency.P99US = 3300 }) // of 3000
	got := gated(t, record, "p99(b) <= 1.09 * baseline", "p99(b) <= 1.11 * baseline", "p99(b) <= 3.1ms", "p50(b) <= 1.01 * baseline", "p99(a) <= 2.1 * p50(a)", "p99(b) <= 2.1 * p50(a)")
	expect(t, got,
		"p99(b) <= 1.09 * baseline: undecided, the limit is within the noise of ±10 %",
		"p99(b) <= 1.11 * baseline: holds",
		"p99(b) <= 3.1ms: holds",
		"p50(b) <= 1.01 * baseline: holds",
		"p99(a) <= 2.1 * p50(a): holds",
		"p99(b) <= 2.1 * p50(a): undecided, the limit is within the noise of ±10 %",
	)
	edit(record, "same", 1, func(t *Trial) { t.Invalid = []Reason{{Code: CodeErrors, Text: "errors"}} })
	expect(t, gated(t, record, "p99(b) <= 1.09 * baseline"), "p99(b) <= 1.09 * baseline: holds")
}

// A gate is about one workload or each, and its limit about the same one or
// another.
func TestGateOnWorkloads(t *testing.T) {
	record := sampleRecord(map[string][]float64{"a": {100, 100, 100, 100, 100, 100}, "b": {100, 100, 100, 100, 100, 100}})
	record.Run.Workloads = append(record.Run.Workloads, Workload{Name: "w2"})
	for _, trial := range slices.Clone(record.Trials) {
		load := *trial.Load
		load.OK, load.Started = load.OK/2, load.Started/2
		trial.Workload, trial.Load = "w2", &load
		record.Trials = append(record.Trials, trial)
	}
	expect(t, gated(t, record, "goodput(a) > 60", "goodput(a, w2) > 60", "goodput(b, w2) >= 0.5 * goodput(a, w)", "goodput(*) >= 0.5 * goodput(a, w)", "goodput(b) >= goodput(a)"),
		"goodput(a) > 60: holds", "goodput(b) >= 0.5 * goodput(a, w): holds", "goodput(b) >= goodput(a): holds",
		"goodput(a) > 60: fails", "goodput(a) > 60: fails", "goodput(b) >= 0.5 * goodput(a, w): holds",
		"goodput(a) >= 0.5 * goodput(a, w): holds", "goodput(b) >= 0.5 * goodput(a, w): holds", "goodput(b) >= goodput(a): holds",
	)
	j := Judge(record)
	if j.Comparisons[0].Gated != nil {
		t.Errorf("gates that nobody asked for: %+v", j.Comparisons[0].Gated)
	}
}

func TestCastOf(t *testing.T) {
	run := Run{Targets: []Target{{Name: "gone", Missing: "no source"}, {Name: "a"}, {Name: "a again", ControlOf: "a"}}, Workloads: []Workload{{Name: "w"}}}
	if diff := cmp.Diff(gate.Cast{Targets: []string{"gone", "a", "a again"}, Baseline: "a", Workloads: []string{"w"}}, CastOf(run)); diff != "" {
		t.Error(diff)
	}
}
