package orchestrator

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dyno/orchestrator/agent"
	"dyno/orchestrator/load"
	"dyno/results"
	"dyno/scenarios"
)

// visited is a target that is asked two things.
func visited() scenarios.Target {
	return scenarios.Target{Name: "site", Stack: "web", Mix: []scenarios.Part{
		{Weight: 3, Request: scenarios.Request{Method: "GET", Path: "/"}, Expect: scenarios.Expect{Status: 200, Body: []byte("hi"), Length: 2, SHA256: "ab", ContentType: "text/plain"}},
		{
			Weight: 1, Request: scenarios.Request{Method: "POST", Path: "/visit", Headers: []scenarios.Header{{Name: "X-A", Value: "1"}}, Body: []byte("a=1")},
			Expect: scenarios.Expect{Status: 201, Length: -1, Varies: true},
		},
	}}
}

// A job has every request with its weight and its contract.
func TestJobOfMix(t *testing.T) {
	w := scenarios.Workload{Connections: 5, KeepAlive: true, Rate: 10, Arrivals: scenarios.Poisson, Duration: time.Second, Warmup: 2 * time.Second, Timeout: 3 * time.Second}
	got := jobOf(visited(), w, 4*time.Second, 7)
	want := agent.Job{
		Port: 8080, Connections: 5, Rate: 10, Arrivals: agent.Poisson, Seed: 7, Duration: time.Second, Warmup: 2 * time.Second, Timeout: 3 * time.Second, Ready: 4 * time.Second,
		Mix: []agent.Part{
			{Weight: 3, Request: agent.Request{Method: "GET", Path: "/", KeepAlive: true}, Contract: agent.Contract{Status: 200, Body: []byte("hi"), Length: new(int64(2)), SHA256: "ab", ContentType: "text/plain"}},
			{
				Weight: 1, Request: agent.Request{Method: "POST", Path: "/visit", Header: []agent.Field{{Name: "X-A", Value: "1"}}, Body: []byte("a=1"), KeepAlive: true},
				Contract: agent.Contract{Status: 201, Varies: true},
			},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("job (-want +got):\n%s", diff)
	}
}

// The record has every request too; a weight is of no meaning to one that is alone, and
// is left out, as in records from before there could be several.
func TestTargetOfMix(t *testing.T) {
	target := visited()
	got := targetOf(target)
	if got.Weight != 3 || got.Line() != "GET /" || *got.Length != 2 || len(got.Also) != 1 {
		t.Errorf("%+v", got)
	}
	if also := got.Also[0]; also.Weight != 1 || also.Line() != "POST /visit" || also.Status != 201 || also.Length != nil || !also.Varies {
		t.Errorf("%+v", also)
	}
	target.Mix = target.Mix[1:]
	if got := targetOf(target); got.Weight != 0 || got.Also != nil || got.Line() != "POST /visit" {
		t.Errorf("alone: %+v", got)
	}
}

// Of several requests the record has what became of each, of one it does not say it twice.
func TestLoadOfMix(t *testing.T) {
	var first, second agent.Outcomes
	first[load.OK], second[load.OK], second[load.WrongBody] = 5, 2, 1
	histogram := load.NewHistogram
	result := agent.Result{Parts: []agent.Outcomes{first, second}, Latency: histogram(), Service: histogram(), FirstByte: histogram(), Connect: histogram(), Lag: histogram(), ClockError: histogram()}
	got, err := loadOf(result)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]map[string]int64{{results.OutcomeOK: 5}, {results.OutcomeOK: 2, results.OutcomeBody: 1}}, got.Parts); diff != "" {
		t.Errorf("parts (-want +got):\n%s", diff)
	}
	result.Parts = result.Parts[:1]
	if got, err := loadOf(result); err != nil || got.Parts != nil {
		t.Errorf("of one request: %v, %v", got.Parts, err)
	}
}

// All targets of a round have one draw, and no two rounds have, of whatever runs.
func TestSeeds(t *testing.T) {
	seen := map[uint64]bool{}
	for run := range uint64(20) {
		for round := 1; round <= 20; round++ {
			seed := seedOf(run, round)
			if seen[seed] || seed != seedOf(run, round) {
				t.Fatalf("round %d of seed %d has the draw of another, or another each time", round, run)
			}
			seen[seed] = true
		}
	}
}
