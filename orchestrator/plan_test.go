package orchestrator

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"dyno/containers"
	"dyno/orchestrator/host"
	"dyno/scenarios"
)

const twoByTwo = `
about = "two targets, two workloads"
control = false
rounds = 5
[workload]
connections = [8, 2000]
duration = "2s"
warmup = "1s"
[[target]]
name = "lua"
stack = "nginx-lua"
path = "/hello"
expect = { body = "hello dyno world\n" }
[[target]]
name = "static"
stack = "nginx-static"
path = "/hello"
params = { config = "stock" }
expect = { body = "hello dyno world\n" }
`

func plan(t *testing.T, text string, cpus int, seed uint64) Plan {
	t.Helper()
	catalog, err := containers.Open()
	if err != nil {
		t.Fatal(err)
	}
	sc, err := scenarios.Parse("two.toml", []byte(text), catalog)
	if err != nil {
		t.Fatal(err)
	}
	var all []host.CPU
	for i := range cpus {
		all = append(all, host.CPU{ID: i, Core: i, Siblings: []int{i}})
	}
	p, err := NewPlan(sc, catalog, all, seed)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Each round visits everything once, in an order of its own.
func TestRoundsAreInterleaved(t *testing.T) {
	p := plan(t, twoByTwo, 4, 1)
	if len(p.Visits) != 5*4 {
		t.Fatalf("%d visits, want 20", len(p.Visits))
	}
	orders := map[string]bool{}
	for round := 1; round <= 5; round++ {
		var order []string
		for _, v := range p.Visits[(round-1)*4 : round*4] {
			if v.Round != round {
				t.Errorf("round %d stands among those of round %d", v.Round, round)
			}
			order = append(order, fmt.Sprint(v.Target, v.Workload))
		}
		orders[strings.Join(order, ",")] = true
		slices.Sort(order)
		if want := []string{"0 0", "0 1", "1 0", "1 1"}; !slices.Equal(order, want) {
			t.Errorf("round %d visits %v, want %v", round, order, want)
		}
	}
	if len(orders) < 2 {
		t.Error("all rounds have the same order")
	}
}

func TestSeedDecidesTheOrder(t *testing.T) {
	first := plan(t, twoByTwo, 4, 1)
	if again := plan(t, twoByTwo, 4, 1); !slices.Equal(first.Visits, again.Visits) {
		t.Error("the same seed gives another order")
	}
	if other := plan(t, twoByTwo, 4, 2); slices.Equal(first.Visits, other.Visits) {
		t.Error("another seed gives the same order")
	}
}

func TestPlanPlacesAndConfigures(t *testing.T) {
	p := plan(t, twoByTwo, 4, 1)
	if want := []int{0, 1, 2}; !slices.Equal(p.ServerCPUs, want) || !slices.Equal(p.EngineCPUs, []int{3}) {
		t.Errorf("services on %v, engine on %v; want %v and [3]", p.ServerCPUs, p.EngineCPUs, want)
	}
	if c := p.Stacks[1].Services[0].Command; !slices.Contains(c, "/stack/stock.conf") || !slices.Contains(c, "worker_processes 3;") {
		t.Errorf("static is started as %q; want its stock configuration and 3 workers", c)
	}
	shared := plan(t, strings.Replace(twoByTwo, "rounds", "isolation = \"shared\"\nrounds", 1), 4, 1)
	if !slices.Equal(shared.ServerCPUs, shared.EngineCPUs) || len(shared.ServerCPUs) != 4 {
		t.Errorf("shared: services on %v, engine on %v; want all of both", shared.ServerCPUs, shared.EngineCPUs)
	}
}

func TestPlanWarnsOfConnections(t *testing.T) {
	p := plan(t, twoByTwo, 4, 1)
	warned := 0
	for _, w := range p.Warnings {
		if strings.Contains(w, "2000 connections, but") {
			warned++
		}
	}
	if warned != 2 {
		t.Errorf("%d warnings of 2000 connections for two stacks that admit 1000: %q", warned, p.Warnings)
	}
}

// What is to be said of several targets of one stack is said once.
func TestPlanWarnsOfConnectionsOnce(t *testing.T) {
	p := plan(t, strings.Replace(twoByTwo, "nginx-lua", "nginx-static", 1), 4, 1)
	about := func(w string) bool { return strings.Contains(w, "2000 connections") }
	at := slices.IndexFunc(p.Warnings, about)
	if at < 0 || !strings.HasPrefix(p.Warnings[at], "lua, static: 2000 connections") || slices.ContainsFunc(p.Warnings[at+1:], about) {
		t.Errorf("%q, want one warning of lua and static", p.Warnings)
	}
}

// What cannot come to a result is said before it is run.
func TestPlanWarnsOfRates(t *testing.T) {
	const claim = "\n[[claim]]\nfaster = \"lua\"\nthan = \"static\"\n"
	for _, c := range []struct {
		rate, claim string
		want        []string
	}{
		{"rate = 500", "", nil},
		{"rate = 499.5", "", []string{"c=8 keepalive 499.5/s: 999 requests are too few for a valid trial; it takes 1000"}},
		{"rate = 500", claim, []string{"leave rate out"}},
		{"", claim, nil},
	} {
		p := plan(t, strings.Replace(strings.Replace(twoByTwo, "[8, 2000]", "8", 1), "warmup", c.rate+"\nwarmup", 1)+c.claim, 4, 1)
		p.Warnings = slices.DeleteFunc(p.Warnings, func(w string) bool { return strings.Contains(w, "too few rounds") })
		if len(p.Warnings) != len(c.want) || len(c.want) > 0 && !strings.Contains(p.Warnings[0], c.want[0]) {
			t.Errorf("%q, claim %t: %q, want %q", c.rate, c.claim != "", p.Warnings, c.want)
		}
	}
}

func TestEstimateCountsMeasuring(t *testing.T) {
	short := plan(t, twoByTwo, 4, 1).Estimate()
	long := plan(t, strings.Replace(twoByTwo, "2s", "12s", 1), 4, 1).Estimate()
	if long-short != 20*10*time.Second {
		t.Errorf("10 s more of measuring in 20 trials add %v", long-short)
	}
}
