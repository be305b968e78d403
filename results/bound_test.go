package results

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBoundOf(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Trial, *Run)
		want   Bound
	}{
		"the server's CPU is used up":      {func(*Trial, *Run) {}, BoundServer},
		"just":                             {func(t *Trial, _ *Run) { t.Services[0].CPUS = new(9.0) }, BoundServer},
		"a tenth of it is left":            {func(t *Trial, _ *Run) { t.Services[0].CPUS = new(8.9) }, BoundNothing},
		"all services count":               {func(t *Trial, _ *Run) { t.Services = []Usage{{CPUS: new(4.5)}, {CPUS: new(4.5)}} }, BoundServer},
		"one CPU of three":                 {func(_ *Trial, r *Run) { r.ServerCPUs = "0,2-3" }, BoundNothing},
		"interrupts took the rest":         {func(t *Trial, _ *Run) { t.Services[0].CPUS, t.Host.ServerIdle = new(7.0), new(0.1) }, BoundServer},
		"idle":                             {func(t *Trial, _ *Run) { t.Services[0].CPUS, t.Host.ServerIdle = new(7.0), new(0.11) }, BoundNothing},
		"services unknown, CPUs used up":   {func(t *Trial, _ *Run) { t.Services, t.Host.ServerIdle = nil, new(0.0) }, BoundServer},
		"services unknown":                 {func(t *Trial, _ *Run) { t.Services = nil }, ""},
		"services unknown, engine used up": {func(t *Trial, _ *Run) { t.Services, t.Load.EngineCPUS = nil, 9 }, BoundEngine},
		"engine unknown":                   {func(t *Trial, _ *Run) { t.Load.EngineCPUS, t.Services[0].CPUS = 0, new(5.0) }, ""},
		"engine unknown, server used up":   {func(t *Trial, _ *Run) { t.Load.EngineCPUS = 0 }, BoundServer},
		"the load engine":                  {func(t *Trial, _ *Run) { t.Load.EngineCPUS, t.Services[0].CPUS = 9, new(5.0) }, BoundEngine},
		"both":                             {func(t *Trial, _ *Run) { t.Load.EngineCPUS = 9.9 }, BoundServer},
		"two threads of the load engine":   {func(t *Trial, _ *Run) { t.Load.EngineCPUS, t.Load.Workers, t.Services[0].CPUS = 9, 2, new(5.0) }, BoundNothing},
		"the load engine, with interrupts": {func(t *Trial, _ *Run) { t.Services[0].CPUS, t.Host.EngineIdle = new(5.0), new(0.1) }, BoundEngine},
		"its one thread has two CPUs": {func(t *Trial, r *Run) {
			r.EngineCPUs, t.Services[0].CPUS, t.Host.EngineIdle = "1-2", new(5.0), new(0.54)
		}, BoundEngine},
		"and does not use one": {func(t *Trial, r *Run) {
			r.EngineCPUs, t.Services[0].CPUS, t.Host.EngineIdle = "1-2", new(5.0), new(0.56)
		}, BoundNothing},
		"shared, the server used more":      {shared(5.2, 4.8), BoundServer},
		"shared, the load engine used more": {shared(4.8, 5.2), BoundEngine},
		"shared, some is left":              {shared(4.0, 4.0), BoundNothing},
		"others took it":                    {func(t *Trial, _ *Run) { t.Services[0].CPUS, t.Host.Other, t.Host.Idle = new(8.0), new(0.19), 0.02 }, BoundHost},
		"others took what was left":         {func(t *Trial, _ *Run) { t.Services[0].CPUS, t.Host.Other, t.Host.Idle = new(8.0), new(0.09), 0.12 }, BoundNothing},
		"the hypervisor took it":            {func(t *Trial, _ *Run) { t.Services[0].CPUS, t.Host.Steal, t.Host.Idle = new(8.0), 0.1, 0.02 }, BoundHost},
		"within the limits":                 {func(t *Trial, _ *Run) { t.Host.Steal, t.Host.Other, t.Host.Idle = 0.02, new(0.06), 0.0 }, BoundServer},
		"the host unknown":                  {func(t *Trial, _ *Run) { t.Host, t.Services[0].CPUS = nil, new(5.0) }, BoundNothing},
		"nothing measured":                  {func(t *Trial, _ *Run) { t.Load, t.Fault = nil, &Fault{"boot", "no such image"} }, ""},
	} {
		trial, run := sampleTrial("a"), sampleRun()
		c.change(&trial, &run)
		if got := BoundOf(trial, run); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// shared lets server and load engine spend so many seconds of ten on one CPU.
func shared(server, engine float64) func(*Trial, *Run) {
	return func(t *Trial, r *Run) {
		r.ServerCPUs, r.EngineCPUs = "0", "0"
		t.Services[0].CPUS, t.Load.EngineCPUS = &server, engine
		t.Host.ServerIdle, t.Host.EngineIdle = new(1-(server+engine)/10), new(1-(server+engine)/10)
	}
}

// A target's bounds are those of the trials that its figures are of.
func TestBoundsAreGathered(t *testing.T) {
	record := sampleRecord(map[string][]float64{"a": {1, 1, 1, 1, 1, 1}, "b": {1, 1}})
	for round, by := range map[int]Bound{1: BoundNothing, 2: BoundServer, 3: BoundServer, 5: BoundHost, 6: BoundEngine} {
		edit(record, "a", round, func(t *Trial) { t.Bound = by })
	}
	edit(record, "a", 5, func(t *Trial) { t.Invalid = []Reason{{Code: CodeHost, Text: "busy"}} })
	standings := Judge(record).Comparisons[0].Standings
	want := []Bounds{{BoundServer, 2}, {BoundNothing, 1}, {BoundEngine, 1}}
	if diff := cmp.Diff(want, standings[0].Bounds); diff != "" || standings[0].Of != 5 {
		t.Errorf("of %d trials:\n%s", standings[0].Of, diff)
	}
	if standings[1].Bounds != nil {
		t.Errorf("a record without bounds has %+v", standings[1].Bounds)
	}
}
