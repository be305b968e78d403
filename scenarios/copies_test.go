package scenarios_test

import (
	"testing"

	"dyno/scenarios"
)

func TestCopies(t *testing.T) {
	s, err := scenarios.Load("mruby-vs-lua", stacks())
	if err != nil {
		t.Fatal(err)
	}
	c := s.Copies(3)
	if len(c.Targets) != 3 || c.Targets[2].Name != "mruby 3" || c.Targets[2].Stack != c.Targets[0].Stack || c.Targets[2].ControlOf != "" {
		t.Errorf("%+v", c.Targets)
	}
	if len(c.Workloads) != 1 || len(c.Claims) != 0 || len(s.Claims) == 0 {
		t.Errorf("%d workloads, %d claims; %d of the scenario's own", len(c.Workloads), len(c.Claims), len(s.Claims))
	}
}
