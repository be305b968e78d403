package results

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// named returns a whole run of that id, with a round for each goodput.
func named(id string, goodputs map[string][]float64) Record {
	r := sampleRecord(goodputs)
	r.Run.ID = id
	for _, rates := range goodputs {
		r.Run.Rounds = len(rates)
	}
	r.End.Planned = len(r.Trials)
	return r
}

// The rounds of each run follow those of the runs before it, so that targets are
// still compared within the rounds in which they were measured together.
func TestMergeKeepsRoundsTogether(t *testing.T) {
	merged, err := Merge([]Record{
		named("r1", map[string][]float64{"a": {100, 200, 300}, "b": {110, 220, 330}}),
		named("r2", map[string][]float64{"a": {10, 20}, "b": {11, 22}}),
		named("r3", map[string][]float64{"a": {1000, 500}, "b": {1100, 550}}),
	}, false)
	if err != nil {
		t.Fatal(err)
	}
	j := Judge(merged)
	p := j.Comparisons[0].Pairs[0]
	if p.Rounds != 7 || !near(p.Goodput.Ratio.Low, 1.1) || !near(p.Goodput.Ratio.High, 1.1) || p.Goodput.Verdict != VerdictFaster {
		t.Errorf("%+v", p)
	}
	if j.Trials != 14 || j.Planned != 14 || j.Run.Rounds != 7 || len(j.Runs) != 3 || len(j.Notes) != 0 || j.Run.Command != nil {
		t.Errorf("%d of %d trials, %d rounds, %d runs, notes %q", j.Trials, j.Planned, j.Run.Rounds, len(j.Runs), j.Notes)
	}
	var rounds, visits []int
	for _, trial := range merged.Trials {
		if trial.Target == "a" {
			rounds = append(rounds, trial.Round)
		}
		visits = append(visits, trial.Visit)
	}
	if !slices.Equal(rounds, []int{1, 2, 3, 4, 5, 6, 7}) || slices.Max(visits) > 14 {
		t.Errorf("rounds %v, visits %v", rounds, visits)
	}
}

func TestMergeOfOne(t *testing.T) {
	one := named("r1", map[string][]float64{"a": {1, 2}})
	merged, err := Merge([]Record{one}, false)
	if diff := cmp.Diff(one, merged); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

// What is to be said of one of the runs is said with its name.
func TestMergeNotes(t *testing.T) {
	rates := map[string][]float64{"a": {1, 2}, "b": {1, 2}}
	killed := named("r2", rates)
	killed.Trials, killed.End, killed.Torn = killed.Trials[:3], nil, true
	early := named("r3", rates)
	early.End = &End{Status: Interrupted, Planned: 9, Trials: 4}
	early.Run.Warnings = []string{"hot"}
	missing := named("r4", map[string][]float64{"a": {1, 2}})
	missing.Run.Targets = append(missing.Run.Targets, Target{Name: "b", Asked: Asked{Status: 200}, Missing: "no source"})
	first := named("r1", rates)
	first.Run.Warnings = []string{"hot", "cold"}
	for _, r := range []*Record{&first, &killed, &early, &missing} {
		r.Run.Warnings = append(r.Run.Warnings, "dusty")
	}
	merged, err := Merge([]Record{missing, first, killed, early}, false)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"r2: the run was killed after 3 of 4 planned trials",
		"r2: the record's last line was cut off and is left out",
		"r3: the run ended early (interrupted) after 4 of 9 planned trials",
	}
	j := Judge(merged)
	if diff := cmp.Diff(want, j.Notes); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"each run: dusty", "r1, r3: hot", "r1: cold"}, j.Run.Warnings); diff != "" {
		t.Error(diff)
	}
	if b := j.Run.Targets[1]; b.Missing != "" || missing.Run.Targets[1].Missing == "" {
		t.Errorf("b is missing though three runs had it, or a record was changed: %+v", b)
	}
}

// The stack of a target that the first run could not have is known from another.
func TestMergeTakesMissingStacks(t *testing.T) {
	rates := map[string][]float64{"a": {1, 2}, "b": {1, 2}}
	both := func(id string) Record {
		r := like(id, rates)
		r.Run.Targets[1].Stack = "python"
		r.Run.Stacks = append(r.Run.Stacks, Stack{Name: "python"})
		return r
	}
	lacking := both("r1")
	lacking.Run.Targets[1].Missing = "no source"
	lacking.Run.Stacks = lacking.Run.Stacks[:1]
	lacking.Trials = slices.DeleteFunc(lacking.Trials, func(t Trial) bool { return t.Target == "b" })
	merged, err := Merge([]Record{lacking, both("r2"), both("r3")}, false)
	if err != nil {
		t.Fatal(err)
	}
	if s := merged.Run.Stacks; len(s) != 2 || s[1].Name != "python" || len(lacking.Run.Stacks) != 1 {
		t.Errorf("%d stacks: %+v", len(s), s)
	}
}

// Runs of something else are not merged, unless they are forced to, and then the
// record says so.
func TestMergeRefuses(t *testing.T) {
	rates := map[string][]float64{"a": {1, 2}}
	for name, c := range map[string]struct {
		change func(*Record)
		want   string
	}{
		"machine":  {func(r *Record) { r.Run.Host = Facts{"cpu.model": "Z80"} }, "cpu.model: Ryzen / Z80"},
		"package":  {func(r *Record) { r.Run.Stacks[0].Services[0].Packages = map[string]string{"nginx": "1.24"} }, "nginx-lua: package nginx: 1.22 / 1.24"},
		"workload": {func(r *Record) { r.Run.Workloads[0].DurationS = 1 }, "workload w: duration_s: 10 / 1"},
	} {
		a, b := like("r1", rates), like("r2", rates)
		c.change(&b)
		_, err := Merge([]Record{a, b}, false)
		unlike, ok := errors.AsType[*UnlikeError](err)
		if !ok || len(unlike.Unlike) != 1 || err.Error() != "r1 and r2 are unlike:\n  "+c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		merged, err := Merge([]Record{a, b}, true)
		if err != nil || len(merged.Trials) != 4 {
			t.Errorf("%s, forced: %v, %d trials", name, err, len(merged.Trials))
		}
		if want := []string{"forced together: r1 and r2 are unlike: " + c.want}; !slices.Equal(Judge(merged).Notes, want) {
			t.Errorf("%s, forced: notes %q, want %q", name, Judge(merged).Notes, want)
		}
	}
	if _, err := Merge([]Record{like("r1", rates), like("r1", rates)}, true); err == nil || !strings.Contains(err.Error(), "r1 is given twice") {
		t.Errorf("one run twice: %v", err)
	}
}

// A control that only some of the runs had shows the noise of all.
func TestMergeOfControl(t *testing.T) {
	rates := map[string][]float64{"a": {1, 1}, "same": {1, 3}}
	control := named("r2", rates)
	control.Run.Targets[1].ControlOf = "a"
	merged, err := Merge([]Record{named("r1", map[string][]float64{"a": {1, 1}}), control}, false)
	if err != nil {
		t.Fatal(err)
	}
	c := Judge(merged).Comparisons[0]
	if len(c.Controls) != 1 || c.Controls[0].Pair.Rounds != 2 || !near(c.Controls[0].Pair.Goodput.Floor, 2) || len(c.Standings[0].Trials) != 4 {
		t.Errorf("%+v", c.Controls)
	}
}

// A trial of what the first run does not name is left out, where runs are forced
// together.
func TestMergeLeavesOutWhatHasNoName(t *testing.T) {
	merged, err := Merge([]Record{named("r1", map[string][]float64{"a": {1, 2}}), named("r2", map[string][]float64{"a": {1, 2}, "b": {1, 2}})}, true)
	if err != nil || len(merged.Trials) != 4 || len(Judge(merged).Comparisons[0].Standings) != 1 {
		t.Errorf("%v, %d trials", err, len(merged.Trials))
	}
}

// like returns a run with a machine and a stack to it.
func like(id string, goodputs map[string][]float64) Record {
	r := named(id, goodputs)
	for i := range r.Run.Targets {
		if r.Run.Targets[i].ControlOf == "" {
			r.Run.Targets[i].Stack = "nginx-lua"
		}
	}
	r.Run.Host, r.Run.Docker = Facts{"cpu.model": "Ryzen", "cpu.mhz.current": 2300.0}, Facts{"docker.version": "27"}
	r.Run.Workloads = []Workload{{Name: "w", Connections: 64, KeepAlive: true, DurationS: 10}}
	r.Run.Stacks = []Stack{{
		Name: "nginx-lua", Files: []File{{Path: "nginx.conf", SHA256: strings.Repeat("1", 64)}},
		Services: []Service{{Name: "web", Image: "dyno/nginx-lua:1", ImageID: "sha256:1", Packages: map[string]string{"nginx": "1.22"}, Facts: Facts{"version": "1.22 with options"}}},
	}}
	return r
}
