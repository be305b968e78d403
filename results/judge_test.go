package results

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRanks(t *testing.T) {
	j := Judge(sampleRecord(map[string][]float64{
		"slow": {100, 101, 99},
		"even": {200, 200, 200},
		"same": {199, 200, 201},
		"fast": {300, 310, 290},
	}))
	want := []string{"1 fast", "2 even", "2 same", "4 slow"}
	if diff := cmp.Diff(want, ranks(j)); diff != "" {
		t.Error(diff)
	}
	if j.AnyInvalid() || j.Invalid != 0 || j.Notes != nil {
		t.Errorf("%d invalid, notes %q", j.Invalid, j.Notes)
	}
}

// One invalid trial of many takes the rank, and the figures are of the rest.
func TestInvalidTrialTakesTheRank(t *testing.T) {
	record := sampleRecord(map[string][]float64{"a": {100, 100, 100}, "b": {900, 120, 120}})
	edit(record, "b", 1, func(t *Trial) {
		t.Invalid = []Reason{{Code: CodeErrors, Text: "errors 2 % > 0.1 %", Figure: 0.02, Limit: 0.001}}
		fail(t, "reset", 50)
	})
	j := Judge(record)
	if diff := cmp.Diff([]string{"1 a", "0 b"}, ranks(j)); diff != "" {
		t.Error(diff)
	}
	b := j.Comparisons[0].Standings[1]
	if b.Goodput.Median != 120 || b.Valid != 2 || b.Of != 2 || len(b.Trials) != 3 || b.Sick() || !j.AnyInvalid() {
		t.Errorf("%+v, any invalid %t", b, j.AnyInvalid())
	}
	if b.Errors.Failed != 50 {
		t.Errorf("%d failed: those of invalid trials count", b.Errors.Failed)
	}
	want := []Cause{{Code: CodeErrors, Text: "errors 2 % > 0.1 %", Rounds: []int{1}, Trials: 1}}
	if diff := cmp.Diff(want, b.Causes); diff != "" {
		t.Error(diff)
	}
}

// A trial that the machine disturbed says nothing about the target: the rest
// ranks it, if that is more than half and at least two.
func TestDisturbedTrialsAreSetAside(t *testing.T) {
	busy := []Reason{{Code: CodeHost, Text: "busy", Figure: 0.2, Limit: 0.05}, {Code: CodeSteal, Text: "stolen", Figure: 0.1, Limit: 0.02}}
	for _, c := range []struct {
		disturbed []int // rounds of b, of five
		also      *Reason
		want      []string
	}{
		{[]int{2}, nil, []string{"1 b", "2 a"}},
		{[]int{2, 4}, nil, []string{"1 b", "2 a"}},
		{[]int{2, 4, 5}, nil, []string{"1 a", "0 b"}},
		{[]int{2}, &Reason{Code: CodeErrors, Figure: 1}, []string{"1 a", "0 b"}},
	} {
		record := sampleRecord(map[string][]float64{"a": {100, 100, 100, 100, 100}, "b": {120, 120, 120, 120, 120}})
		for _, round := range c.disturbed {
			edit(record, "b", round, func(t *Trial) {
				t.Invalid = busy
				if c.also != nil {
					t.Invalid = append(t.Invalid[:2:2], *c.also)
				}
			})
		}
		j := Judge(record)
		if diff := cmp.Diff(c.want, ranks(j)); diff != "" {
			t.Errorf("rounds %v, also %+v: %s", c.disturbed, c.also, diff)
		}
		for _, s := range j.Comparisons[0].Standings {
			if aside := len(s.Aside) > 0; aside != (s.Target.Name == "b" && s.Rank > 0) {
				t.Errorf("rounds %v: %s has %d causes aside", c.disturbed, s.Target.Name, len(s.Aside))
			}
		}
		if j.Invalid != len(c.disturbed) || !j.AnyInvalid() {
			t.Errorf("%d of the trials are invalid, want %d", j.Invalid, len(c.disturbed))
		}
	}
}

func TestCausesAreGathered(t *testing.T) {
	record := sampleRecord(map[string][]float64{"a": {1, 1, 1}})
	for round, errors := range map[int]float64{1: 0.01, 2: 0.3, 3: 0.2} {
		edit(record, "a", round, func(t *Trial) {
			t.Invalid = []Reason{{Code: CodeErrors, Text: fmt.Sprintf("share %v", errors), Figure: errors, Limit: 0.001}}
			if round == 3 {
				t.Invalid = append(t.Invalid, Reason{Code: CodeCrash, Text: "crash", Figure: 2}, Reason{Code: CodeCrash, Text: "and again"})
			}
		})
	}
	want := []Cause{
		{Code: CodeErrors, Text: "share 0.3", Varies: true, Rounds: []int{1, 2, 3}, Trials: 3},
		{Code: CodeCrash, Text: "crash", Rounds: []int{3}, Trials: 1},
	}
	s := Judge(record).Comparisons[0].Standings[0]
	if diff := cmp.Diff(want, s.Causes); diff != "" {
		t.Error(diff)
	}
	if !s.Sick() || s.Of != 3 {
		t.Errorf("figures of %d trials, sick %t", s.Of, s.Sick())
	}
}

func TestFault(t *testing.T) {
	record := sampleRecord(map[string][]float64{"a": {1}})
	edit(record, "a", 1, func(t *Trial) {
		t.Load, t.Fault = nil, &Fault{"boot", "exit"}
		t.Invalid = []Reason{{Code: CodeFault, Text: "boot: exit", Figure: 1}}
		t.Logs = []Log{{Service: "web", Tail: "1\n2\n3\n4\n5\n\x1b[31mlast  one\n"}}
	})
	s := Judge(record).Comparisons[0].Standings[0]
	want := []string{"web: 2", "web: 3", "web: 4", "web: 5", "web: \uFFFD[31mlast one"}
	if diff := cmp.Diff(want, s.Causes[0].Log); diff != "" {
		t.Error(diff)
	}
	if s.Goodput.Known() || s.Of != 0 || s.Sick() {
		t.Errorf("a target that never ran has figures: %+v", s.Figures)
	}
	if _, ok := s.Errors.Share(); ok {
		t.Error("a target that never ran has a share of errors")
	}
}

// A trial without figures is never valid, whatever the record says of it.
func TestNothingMeasuredIsNotValid(t *testing.T) {
	record := sampleRecord(map[string][]float64{"a": {1, 1}})
	edit(record, "a", 2, func(t *Trial) { t.Load = nil })
	j := Judge(record)
	if got := ranks(j); got[0] != "0 a" || j.Invalid != 1 || len(j.Comparisons[0].Standings[0].Causes) != 1 {
		t.Errorf("%q, %d invalid", got, j.Invalid)
	}
}

func TestTooFewRounds(t *testing.T) {
	j := Judge(sampleRecord(map[string][]float64{"a": {1}, "b": {2, 2}, "c": nil}))
	if diff := cmp.Diff([]string{"1 b", "0 a", "0 c"}, ranks(j)); diff != "" {
		t.Error(diff)
	}
	s := j.Comparisons[0].Standings
	if s[1].Causes[0].Code != CodeRounds || s[2].Causes[0].Code != CodeUnvisited {
		t.Errorf("causes %+v and %+v", s[1].Causes, s[2].Causes)
	}
}

// S4's three answers had 23, 23 and 22 bytes.
func TestUnequalAnswers(t *testing.T) {
	record := sampleRecord(map[string][]float64{"lua": {2, 2}, "mruby": {3, 3}, "static": {1, 1}})
	body := func(target string, bytes int64) {
		for round := 1; round <= 2; round++ {
			edit(record, target, round, func(t *Trial) { t.Contract.BodyBytes = bytes })
		}
	}
	body("lua", 23)
	body("mruby", 23)
	body("static", 22)
	j := Judge(record)
	c := j.Comparisons[0]
	if want := "the answers' bodies differ: 23 B lua and mruby, 22 B static"; c.Unequal != want {
		t.Errorf("%q, want %q", c.Unequal, want)
	}
	if diff := cmp.Diff([]string{"0 lua", "0 mruby", "0 static"}, ranks(j)); diff != "" {
		t.Error(diff)
	}
	if !j.AnyInvalid() || j.Invalid != 0 {
		t.Errorf("any %t, %d invalid: each trial is valid by itself, the comparison is not", j.AnyInvalid(), j.Invalid)
	}

	// Once the odd one out has no rank anyway, the others are comparable.
	edit(record, "static", 1, func(t *Trial) { t.Invalid = []Reason{{Code: CodeHost}} })
	if diff := cmp.Diff([]string{"1 mruby", "2 lua", "0 static"}, ranks(Judge(record))); diff != "" {
		t.Error(diff)
	}
}

func TestVaryingAnswers(t *testing.T) {
	record := sampleRecord(map[string][]float64{"a": {1, 1}, "b": {1, 1}})
	record.Run.Targets[1].Varies = true
	set := func(mean int64) {
		for round := 1; round <= 2; round++ {
			edit(record, "b", round, func(t *Trial) { t.Contract.BodyBytes, t.Load.BodyBytes = 5, mean*t.Load.OK/100 })
		}
	}
	if set(2140); Judge(record).Comparisons[0].Unequal != "" {
		t.Error("21.4 B and 21 B are within 2 %")
	}
	if set(2150); Judge(record).Comparisons[0].Unequal == "" {
		t.Error("21.5 B and 21 B are not within 2 %")
	}
}

func TestUnequalHeadsWarn(t *testing.T) {
	record := sampleRecord(map[string][]float64{"a": {1, 1}, "b": {2, 2}})
	edit(record, "b", 1, func(t *Trial) { t.Contract.HeadBytes = 140 })
	want := []Warning{{Text: "the answers' heads differ: 123 B a, 140 B b"}}
	c := Judge(record).Comparisons[0]
	if diff := cmp.Diff(want, c.Warnings); diff != "" || c.Standings[0].Rank != 1 {
		t.Errorf("rank %d\n%s", c.Standings[0].Rank, diff)
	}
}

func TestWarningsAreGathered(t *testing.T) {
	record := sampleRecord(map[string][]float64{"a": {1, 1}, "b": {1, 1}})
	edit(record, "a", 1, func(t *Trial) { t.Warnings = []string{"from 2 to 9 processes", "odd"} })
	edit(record, "a", 2, func(t *Trial) { t.Warnings = []string{"from 2 to 1,008 processes"} })
	edit(record, "b", 2, func(t *Trial) { t.Warnings = []string{"odd"} })
	want := []Warning{
		{Targets: []string{"a"}, Trials: 2, Of: 2, Text: "from 2 to 9 processes"},
		{Targets: []string{"a", "b"}, Trials: 2, Of: 4, Text: "odd"},
	}
	if diff := cmp.Diff(want, Judge(record).Comparisons[0].Warnings); diff != "" {
		t.Error(diff)
	}
}

func TestNotes(t *testing.T) {
	record := sampleRecord(map[string][]float64{"a": {1, 1}})
	for name, c := range map[string]struct {
		change func(*Record)
		want   []string
	}{
		"whole":       {func(*Record) {}, nil},
		"killed":      {func(r *Record) { r.End = nil }, []string{"the run was killed after 2 of 3 planned trials"}},
		"interrupted": {func(r *Record) { r.End.Status, r.End.Planned = "interrupted", 9 }, []string{"the run ended early (interrupted) after 2 of 9 planned trials"}},
		"fault":       {func(r *Record) { r.End.Status, r.End.Fault = "fault", "no\nspace" }, []string{"the run ended early (fault) after 2 of 2 planned trials", "fault: no space"}},
		"short":       {func(r *Record) { r.End.Planned = 3 }, []string{"the run is complete with 2 of 3 planned trials"}},
		"torn":        {func(r *Record) { r.End, r.Torn = nil, true }, []string{"the run was killed after 2 of 3 planned trials", "the record's last line was cut off and is left out"}},
	} {
		r := record
		r.End = new(*record.End)
		c.change(&r)
		if diff := cmp.Diff(c.want, Judge(r).Notes); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestFigures(t *testing.T) {
	trial := sampleTrial("a") // 10 s; 400,000 right answers, of them 64 late
	trial.Load.Workers, trial.Load.EngineCPUS, trial.Load.DrainS = 2, 6, 2
	trial.Services = append(trial.Services, Usage{CPUS: new(2.1), PeakBytes: new(int64(8 << 20))})
	for name, c := range map[string]struct {
		figure func(Trial) float64
		want   float64
	}{
		"goodput":     {Trial.Goodput, 39_993.6},
		"throughput":  {Trial.Throughput, 39_993.6},
		"p50":         {Trial.P50, 0.0015},
		"p99":         {Trial.P99, 0.003},
		"server CPU":  {Trial.ServerCPU, 30e-6},
		"engine CPU":  {Trial.EngineCPU, 15e-6},
		"engine busy": {Trial.EngineBusy, 0.25},
		"peak":        {Trial.PeakBytes, 20 << 20},
		"startup":     {Trial.Startup, 0.08},
	} {
		if got := c.figure(trial); !(math.Abs(got-c.want) <= 1e-9*c.want) {
			t.Errorf("%s is %v, want %v", name, got, c.want)
		}
	}
}

// Wrong answers are throughput, not goodput.
func TestWrongAnswersAreNoGoodput(t *testing.T) {
	trial := sampleTrial("a")
	fail(&trial, OutcomeStatus, 400_000)
	trial.Load.LateOK, trial.Load.Statuses, trial.Load.Latency = 0, map[string]int64{"302": 400_000}, &Distribution{}
	f := figuresOf([]Trial{trial})
	if f.Goodput.Median != 0 || f.Throughput.Median != 40_000 || f.P50.Known() {
		t.Errorf("%+v", f)
	}
}

func TestMissingFiguresAreUnknown(t *testing.T) {
	trial := sampleTrial("a")
	trial.Services[0].PeakBytes, trial.Load.EngineCPUS, trial.Load.Latency, trial.Phases.StartupS = nil, 0, nil, 0
	f := figuresOf([]Trial{trial})
	if f.PeakBytes.Known() || f.EngineCPU.Known() || f.EngineBusy.Known() || f.P99.Known() || f.Startup.Known() {
		t.Errorf("missing, yet known: %+v", f)
	}
	if trial.Services[0].CPUS = nil; figuresOf([]Trial{trial}).ServerCPU.Known() {
		t.Error("a service's CPU is missing, yet the sum is known")
	}
	trial.Load = nil
	if diff := cmp.Diff(Figures{}, figuresOf([]Trial{trial})); diff != "" {
		t.Errorf("nothing measured, yet there are figures: %s", diff)
	}
}

// A service's replicas are one row; all services together are the target's figure.
func TestFiguresOfServices(t *testing.T) {
	trial := sampleTrial("a")
	if figuresOf([]Trial{trial}).Services != nil {
		t.Error("a stack of one service has figures of it apart")
	}
	usage := func(name, of string, cpu float64, peak int64) Usage {
		return Usage{Name: name, Of: of, CPUS: &cpu, PeakBytes: &peak}
	}
	trial.Load.Started = 1000
	trial.Services = []Usage{usage("app-1", "app", 1, 10), usage("app-2", "app", 2, 20), usage("proxy", "", 4, 5)}
	f := figuresOf([]Trial{trial, trial})
	if len(f.Services) != 2 {
		t.Fatalf("%+v, want app and proxy", f.Services)
	}
	for i, want := range []ServiceFigures{{Name: "app", Replicas: 2}, {Name: "proxy", Replicas: 1}} {
		got := f.Services[i]
		cpu, peak := []float64{0.003, 0.004}[i], []float64{30, 5}[i]
		if got.Name != want.Name || got.Replicas != want.Replicas || got.CPU.Median != cpu || got.PeakBytes.Median != peak {
			t.Errorf("%+v, want %s with %d containers, %g s and %g bytes", got, want.Name, want.Replicas, cpu, peak)
		}
	}
	if f.ServerCPU.Median != 0.007 || f.PeakBytes.Median != 35 {
		t.Errorf("all together: %g s, %g bytes", f.ServerCPU.Median, f.PeakBytes.Median)
	}
}

// A target that could not be had is in the report, and in no figure.
func TestMissingTarget(t *testing.T) {
	record := sampleRecord(map[string][]float64{"a": {1, 1, 1}, "b": {2, 2, 2}, "c": {3, 3, 3}})
	record.Run.Targets[0].Missing = "no source"
	record.Trials = slices.DeleteFunc(record.Trials, func(t Trial) bool { return t.Target == "a" })
	record.End.Trials, record.End.Planned = 6, 6
	j := Judge(record)
	c := j.Comparisons[0]
	if want := []string{"1 c", "2 b", "0 a"}; !slices.Equal(ranks(j), want) {
		t.Errorf("ranks %v, want %v", ranks(j), want)
	}
	if causes := c.Standings[2].Causes; len(causes) != 1 || causes[0].Code != CodeMissing || causes[0].Text != "missing: no source" {
		t.Errorf("the missing target: %+v", causes)
	}
	if len(c.Pairs) != 1 || c.Pairs[0].Target != "c" || c.Pairs[0].Against != "b" || j.AnyInvalid() || len(j.Notes) != 0 {
		t.Errorf("pairs %+v, notes %v", c.Pairs, j.Notes)
	}
	record.End = nil
	if j := Judge(record); j.Planned != 6 {
		t.Errorf("%d trials planned, want 6", j.Planned)
	}
}

// sampleRecord is that of a whole run, with one trial for each goodput.
func sampleRecord(goodputs map[string][]float64) Record {
	record := Record{Run: sampleRun()}
	record.Run.Targets, record.Run.Claims, record.Run.Rounds = nil, nil, 3
	for _, name := range []string{"a", "b", "c", "slow", "even", "same", "fast", "lua", "mruby", "static"} {
		rates, ok := goodputs[name]
		if !ok {
			continue
		}
		record.Run.Targets = append(record.Run.Targets, Target{Name: name, Asked: Asked{Status: 200}})
		for n, rate := range rates {
			t := sampleTrial(name)
			t.Round = n + 1
			t.Load.OK, t.Load.LateOK = int64(10*rate), 0
			t.Load.Started = t.Load.OK
			record.Trials = append(record.Trials, t)
		}
	}
	n := len(record.Trials)
	record.End = &End{Type: "end", Status: "complete", Trials: n, Planned: n}
	return record
}

// edit changes the trial of one round.
func edit(record Record, target string, round int, change func(*Trial)) {
	for i := range record.Trials {
		if t := &record.Trials[i]; t.Target == target && t.Round == round {
			change(t)
		}
	}
}

// ranks lists rank and target in the judgement's order.
func ranks(j Judgement) (ranks []string) {
	for _, c := range j.Comparisons {
		for _, s := range c.Standings {
			ranks = append(ranks, strings.Join([]string{fmt.Sprint(s.Rank), s.Target.Name}, " "))
		}
	}
	return ranks
}
