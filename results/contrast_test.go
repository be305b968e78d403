package results

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dyno/results/gate"
)

// contrast compares records, and ends the test where they cannot be.
func contrast(t *testing.T, base []Record, others ...[]Record) Contrast {
	t.Helper()
	c, err := Compare(base, others, false)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Rounds of two runs have nothing in common: what is compared is each with each.
func TestCompareIsOfTwoSamples(t *testing.T) {
	base := like("r1", map[string][]float64{"a": {100, 110, 120, 130, 140}, "b": {10, 11, 12, 13, 14}})
	other := like("r2", map[string][]float64{"a": {280, 260, 240, 220, 200}, "b": {10, 11, 12, 13, 14}})
	c := contrast(t, []Record{base}, []Record{other})
	if c.Family != 2 || len(c.Versus) != 1 || len(c.Versus[0].Shifts) != 1 {
		t.Fatalf("%+v", c)
	}
	v := c.Versus[0]
	a, b := v.Shifts[0].Pairs[0], v.Shifts[0].Pairs[1]
	if r := a.Goodput.Ratio; a.Target != "a" || r.N != 5 || r.M != 5 || !near(r.Estimate, 2) || !near(r.P, 2.0/252) || a.Goodput.Verdict != VerdictFaster {
		t.Errorf("%+v", a)
	}
	if a.CPU.Verdict != VerdictCheaper || !near(a.CPU.Ratio.Estimate, 0.5) || a.Rounds != 5 {
		t.Errorf("%+v", a.CPU)
	}
	if b.Goodput.Verdict != VerdictSame || b.Goodput.Ratio.Estimate != 1 || b.Goodput.Ratio.P != 1 {
		t.Errorf("%+v", b.Goodput)
	}
	if !near(a.Goodput.Holm, 2*a.Goodput.Ratio.P) || v.Unit != UnitRound || !strings.Contains(v.Caveats[0], "one run on each side") {
		t.Errorf("holm %v, unit %s, caveats %q", a.Goodput.Holm, v.Unit, v.Caveats)
	}
	if !strings.Contains(v.Caveats[0], "5 runs on each side would tell") {
		t.Errorf("%q", v.Caveats)
	}
	if v.Forced != nil || v.Differs != nil || v.Changed != nil {
		t.Errorf("forced %v, differs %v, changed %v", v.Forced, v.Differs, v.Changed)
	}
}

// A difference has to be larger than the noise within either side.
func TestCompareNeedsMoreThanTheNoise(t *testing.T) {
	rates := func(a float64, again ...float64) map[string][]float64 {
		return map[string][]float64{"a": {a, a, a, a, a, a}, "same": again}
	}
	control := func(id string, rates map[string][]float64) []Record {
		r := like(id, rates)
		r.Run.Targets[1].ControlOf, r.Run.Targets[1].Stack = "a", "nginx-lua"
		return []Record{r}
	}
	quiet, noisy := []float64{100, 100, 100, 100, 100, 101}, []float64{100, 100, 100, 100, 100, 90}
	for _, c := range []struct {
		base, other []Record
		want        Verdict
		floor       float64
	}{
		{control("r1", rates(100, quiet...)), control("r2", rates(105, 105, 105, 105, 105, 105, 105)), VerdictFaster, 0.01},
		{control("r1", rates(100, noisy...)), control("r2", rates(105, 105, 105, 105, 105, 105, 105)), VerdictNoise, 1/0.9 - 1},
		{control("r1", rates(100, quiet...)), control("r2", rates(105, 105, 105, 105, 105, 105, 105*0.9)), VerdictNoise, 1/0.9 - 1},
	} {
		d := contrast(t, c.base, c.other).Versus[0].Shifts[0].Pairs
		if len(d) != 1 || d[0].Goodput.Verdict != c.want || math.Abs(d[0].Goodput.Floor-c.floor) > 1e-3 {
			t.Errorf("%+v, want %s beyond %v", d, c.want, c.floor)
		}
	}
}

// runs returns runs of one target whose rounds are all alike, but for the run.
func runs(prefix string, medians ...float64) (all []Record) {
	for i, m := range medians {
		all = append(all, like(fmt.Sprintf("%s%d", prefix, i), map[string][]float64{"a": {0.99 * m, m, m, m, 1.01 * m}}))
	}
	return all
}

// What runs of one side differ by is noise to rounds, and the measure once there are
// runs enough.
func TestCompareOfSeveralRuns(t *testing.T) {
	for name, c := range map[string]struct {
		base, other []Record
		unit        Unit
		n, m        int
		want        Verdict
		floor       float64
	}{
		"one each":    {runs("a", 100), runs("b", 110), UnitRound, 5, 5, VerdictFaster, 0},
		"like runs":   {runs("a", 100, 101), runs("b", 110), UnitRound, 5, 10, VerdictFaster, 0.01},
		"unlike runs": {runs("a", 100), runs("b", 105, 118), UnitRound, 5, 10, VerdictNoise, 118.0/105 - 1},
		"three each":  {runs("a", 100, 102, 98), runs("b", 110, 112, 111), UnitRound, 15, 15, VerdictFaster, 102.0/98 - 1},
		"four each":   {runs("a", 100, 120, 98, 101), runs("b", 121, 123, 122, 140), UnitRun, 4, 4, VerdictFaster, 0},
		"overlapping": {runs("a", 100, 120, 98, 101), runs("b", 119, 123, 122, 140), UnitRun, 4, 4, VerdictSame, 0},
	} {
		v := contrast(t, c.base, c.other).Versus[0]
		d := v.Shifts[0].Pairs[0].Goodput
		if v.Unit != c.unit || d.Ratio.N != c.n || d.Ratio.M != c.m || d.Verdict != c.want || !(math.Abs(d.Floor-c.floor) < 1e-9) {
			t.Errorf("%s: by %s, %+v; want by %s, %d and %d, %s beyond %v", name, v.Unit, d, c.unit, c.n, c.m, c.want, c.floor)
		}
	}
	v := contrast(t, runs("a", 100, 120, 98, 101), runs("b", 121, 123, 122, 140)).Versus[0]
	if want := []string{"4 runs against 4 runs: compared are the medians of runs, since rounds of one run are alike in what runs differ in"}; !slices.Equal(v.Caveats, want) {
		t.Errorf("%q", v.Caveats)
	}
	v = contrast(t, runs("a", 100, 101), runs("b", 110)).Versus[0]
	if !strings.HasPrefix(v.Caveats[0], "1 run against 2 runs: too few to compare the medians of runs") {
		t.Errorf("%q", v.Caveats)
	}
}

// All comparisons of all sides and workloads share the risk of a false difference.
func TestCompareFamily(t *testing.T) {
	rates := func(a float64) map[string][]float64 { return map[string][]float64{"a": {a, a, a, a, a}} }
	c := contrast(t, []Record{like("r1", rates(1))}, []Record{like("r2", rates(2))}, []Record{like("r3", rates(2))}, []Record{like("r4", rates(2))})
	for _, v := range c.Versus {
		if d := v.Shifts[0].Pairs[0].Goodput; c.Family != 3 || !near(d.Holm, 3*2.0/252) || d.Verdict != VerdictFaster {
			t.Errorf("family %d: %+v", c.Family, d)
		}
	}
	others := [][]Record{}
	for i := range 7 {
		others = append(others, []Record{like(fmt.Sprint("r", i+2), rates(2))})
	}
	d := contrast(t, []Record{like("r1", rates(1))}, others...).Versus[0].Shifts[0].Pairs[0].Goodput
	if d.Verdict != VerdictFew || d.Needed != 6 {
		t.Errorf("seven comparisons of five rounds: %+v", d)
	}
}

// A target that failed on either side is compared with nothing.
func TestCompareInvalid(t *testing.T) {
	rates := map[string][]float64{"a": {1, 1, 1, 1}, "b": {1, 1, 1, 1}}
	crash := func(trial *Trial) { trial.Invalid = []Reason{{Code: CodeCrash, Text: "crash"}} }
	for name, c := range map[string]struct {
		change func(base, other Record)
		want   string
	}{
		"base":   {func(base, _ Record) { edit(base, "a", 1, crash) }, "a (crash), in the baseline"},
		"other":  {func(_, other Record) { edit(other, "a", 1, crash) }, "a (crash)"},
		"unlike": {func(_, other Record) { edit(other, "b", 1, func(t *Trial) { t.Contract.BodyBytes++ }) }, "the answers' bodies differ"},
		"longer": {func(_, other Record) {
			for _, target := range []string{"a", "b"} {
				for round := range 4 {
					edit(other, target, round+1, func(t *Trial) { t.Contract.BodyBytes++ })
				}
			}
		}, "the answers' bodies differ: 21 B in the baseline, 22 B now"},
	} {
		base, other := like("r1", rates), like("r2", rates)
		c.change(base, other)
		p := contrast(t, []Record{base}, []Record{other}).Versus[0].Shifts[0].Pairs[0]
		if p.Invalid != c.want || p.Goodput.Verdict != VerdictInvalid || p.Goodput.Ratio.Known() || p.Goodput.Holm != 1 {
			t.Errorf("%s: %+v, want %s", name, p, c.want)
		}
	}
}

// Where the load is an open loop, what differs is the tail of the latency, as within
// a run, and what is served is what was offered.
func TestCompareWithARate(t *testing.T) {
	side := func(id string, p99US float64) []Record {
		r := like(id, map[string][]float64{"a": {100, 101, 102, 103, 104}, "b": {100, 101, 102, 103, 104}})
		r.Run.Workloads[0].Rate, r.Run.Workloads[0].Arrivals = 100, "poisson"
		for i := range r.Trials {
			latency := *r.Trials[i].Load.Latency
			latency.P99US = 2000 + float64(r.Trials[i].Round)
			if r.Trials[i].Target == "a" {
				latency.P99US = p99US + float64(r.Trials[i].Round)
			}
			r.Trials[i].Load.Latency = &latency
		}
		return []Record{r}
	}
	pairs := contrast(t, side("r1", 2000), side("r2", 3000)).Versus[0].Shifts[0].Pairs
	if a := pairs[0]; a.P99.Verdict != VerdictSlower || math.Abs(a.P99.Ratio.Estimate-1.5) > 0.01 || a.Goodput.Verdict != VerdictOffered {
		t.Errorf("%+v", a)
	}
	if b := pairs[1]; b.P99.Verdict != VerdictSame || b.Goodput.Verdict != VerdictOffered || !near(pairs[0].P99.Holm, 2*pairs[0].P99.Ratio.P) {
		t.Errorf("%+v", b)
	}
	failed := side("r3", 3000)
	edit(failed[0], "a", 1, func(t *Trial) { t.Invalid = []Reason{{Code: CodeCrash, Text: "crash"}} })
	p := contrast(t, side("r1", 2000), failed).Versus[0].Shifts[0].Pairs[0]
	if p.P99.Verdict != VerdictInvalid || p.Goodput.Verdict != VerdictInvalid || p.P99.Holm != 1 {
		t.Errorf("%+v", p)
	}
}

// A target that one side could not have is compared with nothing, and that is said.
func TestCompareLeavesOutWhatIsMissing(t *testing.T) {
	record := func(id, missing string) []Record {
		r := like(id, map[string][]float64{"a": {1, 1, 1, 1}, "b": {1, 1, 1, 1}})
		if missing != "" {
			r.Run.Targets[1].Missing = missing
			r.Trials = slices.DeleteFunc(r.Trials, func(t Trial) bool { return t.Target == "b" })
		}
		return []Record{r}
	}
	for _, c := range []struct{ base, other, want string }{
		{"", "no source", "b, missing: no source"},
		{"no source", "", "b, missing in the baseline: no source"},
		{"no source", "no source", "b, missing on both sides: no source"},
		{"no source", "no package", "b, missing on both sides: no package; in the baseline: no source"},
	} {
		g, err := gate.Parse("goodput(b) >= 0.5 * baseline")
		if err != nil {
			t.Fatal(err)
		}
		all, err := Compare(record("r1", c.base), [][]Record{record("r2", c.other)}, false, g)
		if err != nil {
			t.Fatal(err)
		}
		v := all.Versus[0]
		if pairs := v.Shifts[0].Pairs; !slices.Equal(v.LeftOut, []string{c.want}) || len(pairs) != 1 || pairs[0].Target != "a" || all.Family != 1 {
			t.Errorf("%q left out, %d pairs; want %q", v.LeftOut, len(pairs), c.want)
		}
		if g := v.Shifts[0].Gated[0]; g.Ruling != Fails || !strings.HasPrefix(g.Why, "b is missing: no ") {
			t.Errorf("the gate on it %s: %s", g.Ruling, g.Why)
		}
	}
	if v := contrast(t, record("r1", ""), record("r2", "")).Versus[0]; v.LeftOut != nil {
		t.Errorf("%q is left out though nothing is missing", v.LeftOut)
	}
}

// What was imported is compared and merged with nothing, by force neither.
func TestImportedIsComparedWithNothing(t *testing.T) {
	run, read := like("r1", map[string][]float64{"a": {1, 1, 1, 1}}), Record{Run: Run{ID: "r2", Imported: &Imported{}}}
	_, errCompare := Compare([]Record{run}, [][]Record{{read}}, true)
	_, errMerge := Merge([]Record{run, read}, true)
	for _, err := range []error{errCompare, errMerge, Measured(run, read)} {
		if err == nil || !strings.HasPrefix(err.Error(), "r2 was imported") {
			t.Errorf("%v", err)
		}
	}
	if err := Measured(run); err != nil {
		t.Error(err)
	}
}

// Unlike records are compared by force alone, and the judgement says so.
func TestCompareRefusesUnlike(t *testing.T) {
	rates := map[string][]float64{"a": {1, 1, 1, 1}}
	base, other := like("r1", rates), like("r2", rates)
	other.Run.Host = Facts{"cpu.model": "Z80"}
	other.Run.Stacks[0].Services[0].Packages = map[string]string{"nginx": "1.24"}
	_, err := Compare([]Record{base}, [][]Record{{other}}, false)
	if unlike, ok := errors.AsType[*UnlikeError](err); !ok || len(unlike.Unlike) != 1 || unlike.A != "r1" || unlike.B != "r2" {
		t.Fatalf("%v", err)
	}
	c, err := Compare([]Record{base}, [][]Record{{other}}, true)
	if err != nil {
		t.Fatal(err)
	}
	v := c.Versus[0]
	if diff := cmp.Diff([]Unlikeness{{"cpu.model", "Ryzen", "Z80"}}, v.Forced); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Unlikeness{{"nginx-lua: package nginx", "1.22", "1.24"}}, v.Changed); diff != "" {
		t.Error(diff)
	}
	for _, records := range [][]Record{{base}, {other, like("r2", rates)}} {
		if _, err := Compare([]Record{base}, [][]Record{records}, true); err == nil || !strings.Contains(err.Error(), "is given twice") {
			t.Errorf("one run twice: %v", err)
		}
	}
	if _, err := Compare([]Record{base}, [][]Record{{like("r3", map[string][]float64{"b": {1}})}}, true); err == nil || !strings.Contains(err.Error(), "r1 and r3 have no target under one workload in common") {
		t.Errorf("nothing in common: %v", err)
	}
	if _, err := Compare([]Record{base, other}, [][]Record{{like("r3", rates)}}, false); err == nil {
		t.Error("unlike runs are merged into one side")
	}
}

// In a comparison the baseline of a gate is the same target of the other record.
func TestCompareGates(t *testing.T) {
	var gates []gate.Gate
	for _, text := range []string{"goodput(a) >= 0.95 * baseline", "goodput(*) > 1.05 * baseline", "goodput(b) < 3 * goodput(a)", "errors(*) <= baseline", "goodput(a) > 100", "goodput(c) >= baseline"} {
		g, err := gate.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		gates = append(gates, g)
	}
	base := like("r1", map[string][]float64{"a": {100, 101, 99, 100, 100, 102}, "b": {200, 201, 199, 200, 200, 202}})
	other := like("r2", map[string][]float64{"a": {99, 102, 99, 101, 100, 100}, "b": {220, 221, 219, 220, 220, 221}})
	edit(other, "b", 2, func(t *Trial) { fail(t, "reset", 1) })
	c, err := Compare([]Record{base}, [][]Record{{other}}, false, gates...)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, c.Versus[0].Shifts[0].Gated,
		"goodput(a) >= 0.95 * baseline: holds",
		"goodput(b) > 1.05 * baseline: holds", "goodput(a) > 1.05 * baseline: fails",
		"goodput(b) < 3 * goodput(a): holds",
		"errors(b) <= baseline: fails, the limit is 0 %", "errors(a) <= baseline: holds, the limit is 0 %",
		"goodput(a) > 100: undecided",
		"goodput(c) >= baseline: fails, the record does not have the target",
	)
	few := like("r3", map[string][]float64{"a": {100, 100, 100}, "b": {200, 200, 200}})
	c, err = Compare([]Record{few}, [][]Record{{like("r4", map[string][]float64{"a": {100, 100, 100}, "b": {200, 200, 200}})}}, false, gates[0])
	if err != nil {
		t.Fatal(err)
	}
	expect(t, c.Versus[0].Shifts[0].Gated, "goodput(a) >= 0.95 * baseline: fails, 3 of the 4 rounds on each side that a gate needs")
	edit(few, "a", 1, func(t *Trial) { t.Invalid = []Reason{{Code: CodeCrash, Text: "crash"}} })
	c, err = Compare([]Record{few}, [][]Record{{other}}, false, gates[0])
	if err != nil {
		t.Fatal(err)
	}
	expect(t, c.Versus[0].Shifts[0].Gated, "goodput(a) >= 0.95 * baseline: fails, a has no rank: crash, in the baseline")
}

// Where runs of one and the same server scatter as much as rounds do, one run a side
// takes that for a difference, and more do not.
func TestCompareOfEqualRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("simulations take seconds")
	}
	const comparisons = 1000 // the standard error of 5 % is then 0.7 %
	random := rand.New(rand.NewPCG(13, 0))
	side := func(prefix string, n int) (all []Record) {
		for i := range n {
			run := math.Exp(0.03 * random.NormFloat64())
			var rates []float64
			for range 7 {
				rates = append(rates, 10_000*run*math.Exp(0.03*random.NormFloat64()))
			}
			all = append(all, like(fmt.Sprint(prefix, i), map[string][]float64{"a": rates}))
		}
		return all
	}
	for _, c := range []struct {
		n    int
		most float64
	}{{1, 0.5}, {2, 0.3}, {3, 0.1}, {4, 0.06}, {6, 0.06}} {
		n, most, wrong := c.n, c.most, 0
		for range comparisons {
			switch contrast(t, side("a", n), side("b", n)).Versus[0].Shifts[0].Pairs[0].Goodput.Verdict {
			case VerdictFaster, VerdictSlower:
				wrong++
			}
		}
		t.Logf("%d a side: %.1f %% of equal sides differ", n, 100*float64(wrong)/comparisons)
		if share := float64(wrong) / comparisons; share > most || n == 1 && share < 0.1 {
			t.Errorf("%d a side: %v of equal sides differ, want at most %v", n, share, most)
		}
	}
}
