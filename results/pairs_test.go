package results

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPairings(t *testing.T) {
	run := Run{Targets: []Target{{Name: "again", ControlOf: "a"}, {Name: "a"}, {Name: "b"}, {Name: "c"}}}
	claims := []Claim{{"b", "c", 1.3}, {"c", "a", 0}, {"b", "c", 1.1}}
	for _, c := range []struct {
		claims []Claim
		want   [][2]string
	}{
		{nil, [][2]string{{"b", "a"}, {"c", "a"}}},
		{claims, [][2]string{{"b", "c"}, {"c", "a"}}},
	} {
		run.Claims = c.claims
		if diff := cmp.Diff(c.want, pairings(run)); diff != "" {
			t.Error(diff)
		}
	}
}

// Disturbances that all targets of a round share are in no ratio.
func TestRatiosAreWithinRounds(t *testing.T) {
	p := Judge(sampleRecord(map[string][]float64{
		"a": {100, 200, 50, 400, 25, 100, 800},
		"b": {110, 220, 55, 440, 27.5, 110, 880},
	})).Comparisons[0].Pairs[0]
	if r := p.Goodput.Ratio; !near(r.Estimate, 1.1) || !near(r.Low, 1.1) || !near(r.High, 1.1) || r.N != 7 || p.Rounds != 7 {
		t.Errorf("%+v", p)
	}
	if r := p.CPU.Ratio; !near(r.Estimate, 1/1.1) || r.N != 7 {
		t.Errorf("%+v", r)
	}
	if p.Goodput.Verdict != VerdictFaster || p.CPU.Verdict != VerdictCheaper {
		t.Errorf("goodput %s, CPU %s", p.Goodput.Verdict, p.CPU.Verdict)
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }

func TestAddedTime(t *testing.T) {
	record := sampleRecord(map[string][]float64{"a": {1, 1, 1}, "b": {1, 1, 1}})
	for round, us := range map[int]float64{1: 1850, 2: 1840, 3: 1870} { // a's are 1600
		edit(record, "b", round, func(t *Trial) { t.Load.Latency.MeanUS = us })
	}
	m := Judge(record).Comparisons[0].Pairs[0].MeanTime
	if !near(m.Estimate, 252.5e-6) || !near(m.Low, 240e-6) || !near(m.High, 270e-6) {
		t.Errorf("%+v", m)
	}
}

// A round counts where both trials do.
func TestPairsUseRoundsOfBoth(t *testing.T) {
	record := sampleRecord(map[string][]float64{"a": {100, 7, 100, 100, 100, 100, 100, 100}, "b": {200, 200, 7, 200, 200, 200, 200, 200}})
	disturb := func(t *Trial) { t.Invalid = []Reason{{Code: CodeHost, Text: "busy"}} }
	edit(record, "a", 2, disturb)
	edit(record, "b", 3, disturb)
	p := Judge(record).Comparisons[0].Pairs[0]
	if p.Rounds != 6 || !near(p.Goodput.Ratio.Low, 2) || !near(p.Goodput.Ratio.High, 2) || p.Goodput.Verdict != VerdictFaster {
		t.Errorf("%+v", p)
	}
}

func TestIncomparable(t *testing.T) {
	fail := func(t *Trial) {
		t.Invalid = []Reason{{Code: CodeErrors, Text: "errors"}, {Code: CodeCrash, Text: "crash"}}
	}
	for name, c := range map[string]struct {
		change func(Record)
		want   string
	}{
		"target":   {func(r Record) { edit(r, "b", 2, fail) }, "b (errors, crash)"},
		"baseline": {func(r Record) { edit(r, "a", 2, fail) }, "a (errors, crash)"},
		"unequal":  {func(r Record) { edit(r, "b", 1, func(t *Trial) { t.Contract.BodyBytes++ }) }, "the answers' bodies differ"},
	} {
		record := sampleRecord(map[string][]float64{"a": {1, 1, 1, 1, 1, 1}, "b": {2, 2, 2, 2, 2, 2}})
		c.change(record)
		p := Judge(record).Comparisons[0].Pairs[0]
		if p.Invalid != c.want || p.Goodput.Ratio.Known() || p.Goodput.Verdict != VerdictInvalid || p.CPU.Verdict != VerdictInvalid {
			t.Errorf("%s: %+v, want invalid: %s", name, p, c.want)
		}
	}
}

// Too few rounds say "not enough data", and are no reason against the target.
func TestFewRounds(t *testing.T) {
	for _, goodputs := range []map[string][]float64{
		{"a": {1, 1, 1, 1, 1}, "b": {2, 2, 2, 2, 2}},
		{"a": {1}, "b": {2}},
		{"a": {1, 1}, "b": nil},
	} {
		p := Judge(sampleRecord(goodputs)).Comparisons[0].Pairs[0]
		if p.Goodput.Verdict != VerdictFew || p.Goodput.Needed != 6 || p.Invalid != "" || p.Rounds != len(goodputs["b"]) {
			t.Errorf("%+v", p)
		}
	}
}

func TestUnknownCPU(t *testing.T) {
	record := sampleRecord(map[string][]float64{"a": {1, 1, 1, 1, 1, 1}, "b": {2, 2, 2, 2, 2, 2}})
	for round := range 6 {
		edit(record, "b", round+1, func(t *Trial) { t.Services[0].CPUS = nil })
	}
	p := Judge(record).Comparisons[0].Pairs[0]
	if p.CPU.Verdict != VerdictUnknown || p.Goodput.Verdict != VerdictFaster {
		t.Errorf("CPU %s, goodput %s", p.CPU.Verdict, p.Goodput.Verdict)
	}
}

// The noise floor is the farther end of the control's interval, whichever side
// that is on.
func TestControl(t *testing.T) {
	for _, c := range []struct {
		b    float64
		want Verdict
	}{{103, VerdictNoise}, {97, VerdictNoise}, {104.1, VerdictNoise}, {104.3, VerdictFaster}, {95.9, VerdictSlower}} {
		record := sampleRecord(map[string][]float64{
			"a":    {100, 100, 100, 100, 100, 100},
			"b":    {c.b, c.b, c.b, c.b, c.b, c.b},
			"same": {100, 96, 102, 100, 101, 99},
		})
		record.Run.Targets[2].ControlOf = "a"
		comparison := Judge(record).Comparisons[0]
		p, control := comparison.Pairs[0], comparison.Controls[0]
		if f := p.Goodput.Floor; !near(f, 1/0.96-1) || f != control.Pair.Goodput.Floor || control.Pair.Goodput.Verdict != "" {
			t.Errorf("floor %v, control %+v", f, control.Pair)
		}
		if p.Goodput.Verdict != c.want {
			t.Errorf("%v of 100 is %s, want %s", c.b, p.Goodput.Verdict, c.want)
		}
		if n := len(comparison.Standings); n != 2 || len(comparison.Pairs) != 1 || control.Standing.Rank != 0 {
			t.Errorf("%d standings, %d pairs: a control is none, and has no rank", n, len(comparison.Pairs))
		}
	}
}

// A control that does not count gives no floor, and its trials are invalid ones.
func TestInvalidControl(t *testing.T) {
	record := sampleRecord(map[string][]float64{"a": {1, 1}, "b": {1, 1}, "same": {1, 3}})
	record.Run.Targets[2].ControlOf = "a"
	edit(record, "same", 1, func(t *Trial) { t.Invalid = []Reason{{Code: CodeErrors}} })
	j := Judge(record)
	c := j.Comparisons[0]
	if c.Controls[0].Pair.Invalid != "same (errors)" || c.Pairs[0].Goodput.Floor != 0 || !j.AnyInvalid() {
		t.Errorf("%+v", c)
	}
}
