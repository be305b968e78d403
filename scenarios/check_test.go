package scenarios_test

import (
	"testing"

	"dyno/scenarios"
)

// A check visits every target once under small loads, with no request failing.
func TestCheck(t *testing.T) {
	s, err := scenarios.Load("mruby-vs-lua", stacks())
	if err == nil {
		s, err = s.With(scenarios.Overrides{Check: true})
	}
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, w := range s.Workloads {
		names = append(names, w.Name())
		if w.Requests == 0 || w.Warmup != 0 {
			t.Errorf("%s: %d requests after %v", w.Name(), w.Requests, w.Warmup)
		}
	}
	if len(names) != 4 || names[3] != "c=50 keepalive" || len(s.Targets) != 3 || s.Rounds != 1 || s.Limits.Errors != 0 || len(s.Claims) != 0 {
		t.Errorf("%v, %d targets, %d rounds, errors up to %g, %d claims", names, len(s.Targets), s.Rounds, s.Limits.Errors, len(s.Claims))
	}
}
