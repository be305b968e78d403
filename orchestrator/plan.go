// Package orchestrator runs a scenario: it plans the trials, boots a pod for
// each, has the agent load it, reads what it spends, takes it down and writes
// the record. It judges nothing and renders nothing.
package orchestrator

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"dyno/containers"
	"dyno/orchestrator/host"
	"dyno/results"
	"dyno/scenarios"
)

// A Plan is all that a run is going to do, in order.
type Plan struct {
	Scenario   scenarios.Scenario
	Stacks     []containers.Stack // of the scenario's targets, configured, in their order
	Missing    []string           // for each target, why it cannot be had here and is not visited; empty: it can
	Visits     []Visit
	Seed       uint64
	ServerCPUs []int
	EngineCPUs []int
	Warnings   []string
}

// A Visit is one trial to come.
type Visit struct {
	Round    int // from 1
	Target   int // index into the scenario's targets
	Workload int // index into the scenario's workloads
}

// NewPlan lays out the rounds of a scenario: each visits every target under
// every workload once, in an order drawn from the seed.
func NewPlan(sc scenarios.Scenario, catalog *containers.Catalog, cpus []host.CPU, seed uint64) (Plan, error) {
	p := Plan{Scenario: sc, Seed: seed, Missing: make([]string, len(sc.Targets))}
	if err := p.placeCPUs(cpus); err != nil {
		return Plan{}, err
	}
	for _, t := range sc.Targets {
		stack, ok := catalog.Stack(t.Stack)
		if !ok {
			return Plan{}, fmt.Errorf("planning %s: no stack %s", sc.Name, t.Stack)
		}
		p.Stacks = append(p.Stacks, stack.Configure(t.Params, len(p.ServerCPUs)))
	}
	p.warnOfConnections()
	p.warnOfRounds()
	p.warnOfCount()
	p.warnOfClaims()
	p.drawOrder()
	for i, stack := range p.Stacks {
		if missing := stack.Missing(); missing != nil {
			p.leaveOut(i, missing)
		}
	}
	return p, nil
}

// original returns the target that another one is the control of, or that itself.
func (p *Plan) original(target int) int {
	of := p.Scenario.Targets[target].ControlOf
	if of == "" {
		return target
	}
	return slices.IndexFunc(p.Scenario.Targets, func(t scenarios.Target) bool { return t.Name == of })
}

// leaveOut drops the visits of a target that cannot be had, and says so once.
func (p *Plan) leaveOut(target int, missing error) {
	p.Missing[target] = missing.Error()
	p.Visits = slices.DeleteFunc(p.Visits, func(v Visit) bool { return v.Target == target })
	if t := p.Scenario.Targets[target]; t.ControlOf == "" {
		first, _, _ := strings.Cut(missing.Error(), "\n")
		p.Warnings = append(p.Warnings, fmt.Sprintf("%s is missing: %s", t.Name, first))
	}
}

// placeCPUs divides the machine between services and load engine.
func (p *Plan) placeCPUs(cpus []host.CPU) error {
	if len(cpus) == 0 {
		return fmt.Errorf("planning %s: the machine shows no CPU", p.Scenario.Name)
	}
	if p.Scenario.Isolation == scenarios.Shared {
		for _, c := range cpus {
			p.ServerCPUs = append(p.ServerCPUs, c.ID)
		}
		p.EngineCPUs = p.ServerCPUs
		return nil
	}
	var warning string
	p.ServerCPUs, p.EngineCPUs, warning = host.Split(cpus, engineThreads)
	if warning != "" {
		p.Warnings = append(p.Warnings, warning)
	}
	return nil
}

// engineThreads is how many threads the load engine has, and so how many CPUs it needs.
const engineThreads = 1

// warnOfConnections names the targets that are configured for fewer than a workload
// has, those of which the same is to be said together.
func (p *Plan) warnOfConnections() {
	var texts []string
	targets := map[string][]string{}
	for i, t := range p.Scenario.Targets {
		limit := p.Stacks[i].Connections
		for _, w := range p.Scenario.Workloads {
			if limit == 0 || w.Connections <= limit || t.ControlOf != "" {
				continue
			}
			text := fmt.Sprintf("%d connections, but %s is configured for %d: expect losses, unless they are the point", w.Connections, t.Stack, limit)
			if !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
			if !slices.Contains(targets[text], t.Name) { // as by another workload of as many
				targets[text] = append(targets[text], t.Name)
			}
		}
	}
	for _, text := range texts {
		p.Warnings = append(p.Warnings, strings.Join(targets[text], ", ")+": "+text)
	}
}

// warnOfCount says so where a workload is over before a trial can be valid.
func (p *Plan) warnOfCount() {
	for _, w := range p.Scenario.Workloads {
		least, requests := p.limits().MinRequests, w.Requests
		if w.Rate > 0 {
			requests = int64(w.Rate * w.Duration.Seconds())
		}
		if requests < least && (w.Requests > 0 || w.Rate > 0) {
			p.Warnings = append(p.Warnings, fmt.Sprintf("%s: %d requests are too few for a valid trial; it takes %d", w.Name(), requests, least))
		}
	}
}

// warnOfClaims says so where no workload could answer the claims: they are of
// goodput, and a rate is the same for all targets. A scenario's workloads all have
// one, or none has.
func (p *Plan) warnOfClaims() {
	if len(p.Scenario.Claims) > 0 && p.Scenario.Workloads[0].Rate > 0 {
		p.Warnings = append(p.Warnings, "claims are about what is served at most, and with a rate all serve what is offered: leave rate out to have them answered")
	}
}

// warnOfRounds says so where no result could be significant.
func (p *Plan) warnOfRounds() {
	if needed := results.RoundsNeeded(p.Subject()); p.Scenario.Rounds < needed {
		p.Warnings = append(p.Warnings, fmt.Sprintf("too few rounds to make a difference significant: %d of %d", p.Scenario.Rounds, needed))
	}
}

// Subject returns what the plan compares, as the record has it: targets, workloads
// and claims, and nothing else of a run.
func (p Plan) Subject() (run results.Run) {
	for i, t := range p.Scenario.Targets {
		target := targetOf(t)
		target.Missing = p.Missing[i]
		run.Targets = append(run.Targets, target)
	}
	for _, w := range p.Scenario.Workloads {
		run.Workloads = append(run.Workloads, workloadOf(w))
	}
	for _, c := range p.Scenario.Claims {
		run.Claims = append(run.Claims, results.Claim(c))
	}
	return run
}

func (p *Plan) drawOrder() {
	random := rand.New(rand.NewPCG(p.Seed, 0))
	for round := 1; round <= p.Scenario.Rounds; round++ {
		first := len(p.Visits)
		for t := range p.Scenario.Targets {
			for w := range p.Scenario.Workloads {
				p.Visits = append(p.Visits, Visit{round, t, w})
			}
		}
		visits := p.Visits[first:]
		random.Shuffle(len(visits), func(i, j int) { visits[i], visits[j] = visits[j], visits[i] })
	}
}

// What a trial is expected to take beside warm-up and measurement, and the rate
// at which a count of requests is expected to be answered: rough, for estimates only.
const (
	expectedBoot = 2500 * time.Millisecond
	expectedRate = 25_000 // requests a second
)

// Estimate is about how long the plan takes once its images are built.
func (p Plan) Estimate() (total time.Duration) {
	for _, v := range p.Visits {
		w := p.Scenario.Workloads[v.Workload]
		total += expectedBoot + w.Warmup + w.Duration
		if w.Requests > 0 {
			total += time.Duration(float64(w.Requests) / expectedRate * float64(time.Second))
		}
	}
	return total
}

// limits are the figures beyond which the plan's trials are invalid.
func (p Plan) limits() results.Limits {
	limits := results.DefaultLimits()
	limits.Errors = p.Scenario.Limits.Errors
	return limits
}
