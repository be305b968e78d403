package orchestrator

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dyno/containers"
	"dyno/orchestrator/host"
	"dyno/results"
	"dyno/scenarios"
)

const order = `
about = "in what order things happen"
control = false
rounds = 3
[workload]
connections = 4
requests = 2000
warmup = "50ms"
[[target]]
name = "right"
stack = "nginx-static"
path = "/hello"
expect = { body = "hello dyno world\n" }
[[target]]
name = "wrong"
stack = "nginx-static"
path = "/hello"
expect = { body = "hello dyno world\n", content_type = "text/html" }
`

// Each trial boots, is measured between its marks, and is in the record before
// the next begins; one that fails does not keep the others from their turn, and
// is not waited for again and again.
func TestOrderOfARun(t *testing.T) {
	binary := built(t)
	catalog, err := containers.Open()
	if err != nil {
		t.Fatal(err)
	}
	sc, err := scenarios.Parse("order.toml", []byte(order), catalog)
	if err != nil {
		t.Fatal(err)
	}
	cpus, err := host.Topology()
	if err != nil {
		t.Fatal(err)
	}
	plan, err := NewPlan(sc, catalog, cpus, 3)
	if err != nil {
		t.Fatal(err)
	}
	for i := range plan.Stacks {
		plan.Stacks[i].Ready = 1e9 // of the one that never becomes ready
	}
	folder := t.TempDir()
	var seen, want []string
	written := func() int {
		found, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
		if err != nil || len(found) != 1 {
			t.Fatalf("records %v, %v", found, err)
		}
		record, err := results.Read(found[0])
		if err != nil {
			t.Fatal(err)
		}
		return len(record.Trials)
	}
	outcome, err := Run(t.Context(), plan, Options{
		Catalog: catalog, Results: folder, Binary: binary, Version: "test", Wait: true,
		Watch: func(e Event) {
			switch {
			case e.Begin != nil:
				seen = append(seen, fmt.Sprintf("begin %d, %d written", e.Visit, written()))
			case e.End != nil:
				seen = append(seen, fmt.Sprintf("end %d %s, %d written", e.Visit, e.End.Target, written()))
			}
		},
	})
	if err != nil || outcome.Status != results.Complete {
		t.Fatalf("%+v, %v", outcome, err)
	}
	wrong, n := 0, 0
	for i, v := range plan.Visits {
		target := sc.Targets[v.Target].Name
		if target == "wrong" {
			if wrong++; wrong > hopeless {
				continue
			}
		}
		want = append(want, fmt.Sprintf("begin %d, %d written", i+1, n), fmt.Sprintf("end %d %s, %d written", i+1, target, n+1))
		n++
	}
	if !slices.Equal(seen, want) {
		t.Errorf("seen\n%s\nwant\n%s", strings.Join(seen, "\n"), strings.Join(want, "\n"))
	}
	record, err := results.Read(outcome.Path)
	if err != nil {
		t.Fatal(err)
	}
	for _, trial := range record.Trials {
		checkPhases(t, trial)
	}
}

func checkPhases(t *testing.T, trial results.Trial) {
	t.Helper()
	var marks []string
	for i, r := range trial.Readings {
		if r.Mark != "" {
			marks = append(marks, r.Mark)
		}
		if i > 0 && r.AtS < trial.Readings[i-1].AtS {
			t.Errorf("%s: reading %d is before the one before it", trial.Target, i)
		}
	}
	if trial.Target == "wrong" {
		if trial.Fault == nil || trial.Fault.Phase != "contract" || trial.Load != nil || len(marks) != 0 || len(trial.Invalid) == 0 {
			t.Errorf("the wrong one: fault %+v, load %+v, marks %v, invalid %+v", trial.Fault, trial.Load, marks, trial.Invalid)
		}
		return
	}
	if want := []string{measureBegins, measureEnds}; !slices.Equal(marks, want) {
		t.Errorf("marks %v, want %v", marks, want)
	}
	p := trial.Phases
	if p.BootS <= 0 || p.StartupS <= 0 || p.WarmupS < 0.05 || p.MeasureS <= 0 || p.TakedownS <= 0 || p.TotalS < p.BootS+p.StartupS+p.WarmupS+p.MeasureS+p.TakedownS {
		t.Errorf("phases do not add up: %+v", p)
	}
	if trial.Load.Started != 2000 || trial.Load.OK != 2000 || trial.Warmup.Started == 0 {
		t.Errorf("measured %d, %d right, warm-up %d", trial.Load.Started, trial.Load.OK, trial.Warmup.Started)
	}
	// The window is of the measured requests alone: what came before is not in it.
	before, after := trial.Readings[0], trial.Readings[len(trial.Readings)-1]
	if whole := after.User + after.System + after.SoftIRQ - before.User - before.System - before.SoftIRQ; trial.Services[0].CPUS == nil || *trial.Services[0].CPUS <= 0 || *trial.Services[0].CPUS > whole+0.02 {
		t.Errorf("the service spent %v s of the machine's %v s", trial.Services[0].CPUS, whole)
	}
}
