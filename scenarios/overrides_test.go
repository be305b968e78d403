package scenarios_test

import (
	"testing"
	"time"

	"dyno/scenarios"

	"github.com/google/go-cmp/cmp"
)

func TestWith(t *testing.T) {
	counted := scenarios.Workload{Connections: 100, Requests: 1_000_000, Warmup: time.Second}
	timed := scenarios.Workload{Connections: 100, Duration: 5 * time.Second, Warmup: 100 * time.Millisecond}
	open := scenarios.Workload{Connections: 100, Rate: 5000, Arrivals: scenarios.Poisson, Duration: time.Minute}
	brief := scenarios.Workload{Connections: 100, Duration: time.Second}
	tests := []struct {
		name       string
		overrides  scenarios.Overrides
		from, want scenarios.Workload
		rounds     int
	}{
		{"nothing", scenarios.Overrides{}, counted, counted, 7},
		{"rounds", scenarios.Overrides{Rounds: 1000}, timed, timed, 1000},
		{"requests for duration", scenarios.Overrides{Requests: 100}, timed, scenarios.Workload{Connections: 100, Requests: 100, Warmup: timed.Warmup}, 7},
		{"duration for requests", scenarios.Overrides{Duration: time.Hour}, counted, scenarios.Workload{Connections: 100, Duration: time.Hour, Warmup: time.Second}, 7},
		{"quick, counted", scenarios.Overrides{Quick: true}, counted, scenarios.Workload{Connections: 100, Duration: 2 * time.Second, Warmup: 500 * time.Millisecond}, 2},
		{"quick, timed", scenarios.Overrides{Quick: true}, timed, scenarios.Workload{Connections: 100, Duration: 2 * time.Second, Warmup: timed.Warmup}, 2},
		{"quick, open loop", scenarios.Overrides{Quick: true}, open, scenarios.Workload{Connections: 100, Rate: 5000, Arrivals: scenarios.Poisson, Duration: 2 * time.Second}, 2},
		{"quick, already", scenarios.Overrides{Quick: true}, brief, brief, 2},
		{"quick, yet asked", scenarios.Overrides{Quick: true, Rounds: 5, Requests: 500}, timed, scenarios.Workload{Connections: 100, Requests: 500, Warmup: timed.Warmup}, 5},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := scenarios.Scenario{Rounds: 7, Workloads: []scenarios.Workload{tt.from}}
			got, err := s.With(tt.overrides)
			if err != nil {
				t.Fatal(err)
			}
			want := scenarios.Scenario{Rounds: tt.rounds, Workloads: []scenarios.Workload{tt.want}}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("scenario (-want +got):\n%s", diff)
			}
			if s.Workloads[0] != tt.from {
				t.Errorf("With changed its receiver to %+v", s.Workloads[0])
			}
		})
	}
}

// A quick run shows that it works, and nothing about noise.
func TestQuickHasNoControl(t *testing.T) {
	s, err := scenarios.Parse("min.toml", []byte(minimal), stacks())
	if err != nil {
		t.Fatal(err)
	}
	quick, err := s.With(scenarios.Overrides{Quick: true})
	if err != nil || len(quick.Targets) != 1 || len(s.Targets) != 2 {
		t.Errorf("%d targets, quick %d, %v; want 2 and 1", len(s.Targets), len(quick.Targets), err)
	}
}

func TestWithErrors(t *testing.T) {
	s := scenarios.Scenario{Rounds: 7, Workloads: []scenarios.Workload{{Connections: 100, Requests: 1000}}}
	tests := []struct {
		overrides scenarios.Overrides
		want      string
	}{
		{scenarios.Overrides{Rounds: -1}, "rounds must be 1 to 1000, not -1"},
		{scenarios.Overrides{Rounds: 1001}, "rounds must be 1 to 1000, not 1001"},
		{scenarios.Overrides{Duration: -1}, "duration must be above 0 and at most 24h0m0s, not -1ns"},
		{scenarios.Overrides{Duration: 25 * time.Hour}, "duration must be above 0 and at most 24h0m0s, not 25h0m0s"},
		{scenarios.Overrides{Requests: 99}, "99 requests are too few for 100 connections"},
		{scenarios.Overrides{Requests: -1}, "-1 requests are too few for 100 connections"},
		{scenarios.Overrides{Requests: 500, Duration: time.Second}, "requests and duration exclude each other"},
	}
	for _, tt := range tests {
		_, err := s.With(tt.overrides)
		if err == nil || err.Error() != tt.want {
			t.Errorf("With(%+v): error %v, want %q", tt.overrides, err, tt.want)
			continue
		}
		wantExit2(t, err)
	}
	s.Workloads[0] = scenarios.Workload{Connections: 100, Rate: 0.5, Duration: time.Second}
	_, err := s.With(scenarios.Overrides{Requests: 500})
	if want := "a load with a rate (c=100 close 0.5/s) ends by its duration, not by a number of requests"; err == nil || err.Error() != want {
		t.Errorf("requests for a rate: error %v, want %q", err, want)
	}
	wantExit2(t, err)
}
