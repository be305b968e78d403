package scenarios

import (
	"fmt"
	"slices"
	"time"
)

// Overrides are what a run asks for in place of what the scenario says. Zero values change nothing.
type Overrides struct {
	Rounds   int           // 1 to 1000
	Duration time.Duration // ends each workload, in place of a count of requests too; at most 24h
	Requests int64         // ends each workload, in place of a duration too; at least its connections
	Check    bool          // what shows that the stacks work: every target once, alone and crowded, with and without keep-alive, no request failing
	Quick    bool          // enough to see that it works: at most 2 rounds of 2 s after 500 ms of warm-up, no control. What is asked for beside it wins
}

// With returns the scenario with o applied; s stays as it is. An error says which override is out of its range or excludes another.
func (s Scenario) With(o Overrides) (Scenario, error) {
	if o.Rounds < 0 || o.Rounds > maxRounds {
		return Scenario{}, misusef("rounds must be 1 to %d, not %d", maxRounds, o.Rounds)
	}
	if o.Duration < 0 || o.Duration > maxDuration {
		return Scenario{}, misusef("duration must be above 0 and at most %v, not %v", maxDuration, o.Duration)
	}
	if o.Duration != 0 && o.Requests != 0 {
		return Scenario{}, misusef("requests and duration exclude each other")
	}
	if o.Quick {
		s.Rounds = min(s.Rounds, 2)
		s.Targets = slices.DeleteFunc(slices.Clone(s.Targets), func(t Target) bool { return t.ControlOf != "" })
	}
	if o.Rounds > 0 {
		s.Rounds = o.Rounds
	}
	if o.Check {
		return s.check(), nil
	}
	s.Workloads = slices.Clone(s.Workloads)
	for i := range s.Workloads {
		w := &s.Workloads[i]
		if o.Requests != 0 && w.Rate > 0 {
			return Scenario{}, misusef("a load with a rate (%s) ends by its duration, not by a number of requests", w.Name())
		}
		if o.Requests != 0 && o.Requests < int64(w.Connections) {
			return Scenario{}, misusef("%d requests are too few for %d connections", o.Requests, w.Connections)
		}
		w.override(o)
	}
	return s, nil
}

// check returns what shows that the scenario's stacks work.
func (s Scenario) check() Scenario {
	s.Rounds, s.Limits.Errors, s.Claims, s.Workloads = 1, 0, nil, nil
	s.Targets = slices.DeleteFunc(slices.Clone(s.Targets), func(t Target) bool { return t.ControlOf != "" })
	for _, keepAlive := range []bool{false, true} {
		s.Workloads = append(s.Workloads,
			Workload{Connections: 1, KeepAlive: keepAlive, Requests: 200, Timeout: 10 * time.Second},
			Workload{Connections: 50, KeepAlive: keepAlive, Requests: 2000, Timeout: 10 * time.Second})
	}
	return s
}

// override changes w as o asks.
func (w *Workload) override(o Overrides) {
	if o.Quick {
		w.Warmup = min(w.Warmup, 500*time.Millisecond)
	}
	if o.Quick && (w.Requests > 0 || w.Duration > 2*time.Second) {
		w.Requests, w.Duration = 0, 2*time.Second
	}
	switch {
	case o.Requests != 0:
		w.Requests, w.Duration = o.Requests, 0
	case o.Duration != 0:
		w.Requests, w.Duration = 0, o.Duration
	}
}

// A misuse is a mistake in what dyno was asked to do that stands in no file.
type misuse struct{ err error }

func misusef(format string, args ...any) error { return misuse{fmt.Errorf(format, args...)} }

func (m misuse) Error() string { return m.err.Error() }
func (m misuse) Unwrap() error { return m.err }

// ExitCode returns 2, the code of wrong usage.
func (m misuse) ExitCode() int { return 2 }
