package orchestrator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"dyno/containers"
	"dyno/orchestrator/agent"
	"dyno/results"
)

// sysctls are set in each pod's network namespace, the same for all, so that no
// distribution's default decides: a long accept queue, and as many local ports as
// there are, but not those of servers.
func sysctls() map[string]string {
	return map[string]string{
		"net.core.somaxconn":               "4096",
		"net.ipv4.ip_local_port_range":     "1024 65535",
		"net.ipv4.ip_local_reserved_ports": fmt.Sprintf("%d,%d-%d", containers.Port, containers.FirstPort, containers.LastPort),
		"net.ipv4.tcp_tw_reuse":            "1",
	}
}

// Patience with the agent and with Docker.
const (
	agentSilence = 10 * time.Second // beyond what its job allows it; it reports twice a second
	lastWords    = 3 * time.Second  // for the result of a measurement that is cut short
	takedownTime = 30 * time.Second
)

// A trial is one trial under way.
type trial struct {
	*runner
	job    agent.Job
	stack  containers.Stack
	pod    *containers.Pod
	meter  *meter
	record results.Trial
	last   bool // of its target's workloads
	ended  bool // by the end of the run's context
	begin  time.Time
	phase  string // as in results.Fault
}

// trial carries out one visit. The error is a fault of dyno or Docker, or the
// end of ctx; what the server did wrong is in the trial.
func (r *runner) trial(ctx context.Context, number int, v Visit) (results.Trial, error) {
	target, workload := r.plan.Scenario.Targets[v.Target], r.plan.Scenario.Workloads[v.Workload]
	t := &trial{runner: r, stack: r.plan.Stacks[v.Target], begin: time.Now(), phase: "boot"}
	t.last = v.Workload == len(r.plan.Scenario.Workloads)-1
	t.job = jobOf(target, workload, t.stack.Ready, seedOf(r.plan.Seed, v.Round))
	t.record = results.Trial{
		Type: "trial", Round: v.Round, Visit: number, Target: target.Name, Workload: workload.Name(), Started: t.begin.UTC(),
	}
	t.meter = startMeter(t.begin, r.plan.ServerCPUs, r.plan.EngineCPUs, r.remote)
	err := t.boot(ctx, r.images[v.Target])
	if err == nil && t.record.Fault == nil {
		err = t.measure(ctx)
	}
	t.doubt(t.meter.stop(&t.record))
	t.ended = ctx.Err() != nil
	err = errors.Join(err, t.takeDown(context.WithoutCancel(ctx)))
	p := &t.record.Phases
	p.TotalS = time.Since(t.begin).Seconds()
	p.OverheadS = p.TotalS - p.BootS - p.StartupS - p.WarmupS - p.MeasureS
	return t.record, err
}

// boot starts the pod. A service that cannot be started is the trial's fault.
func (t *trial) boot(ctx context.Context, images []containers.Image) (err error) {
	t.pod, err = t.driver.Boot(ctx, containers.PodSpec{
		Stack: t.stack, Images: images, Agent: t.agent, Command: []string{"agent"},
		ServerCPUs: t.run.ServerCPUs, EngineCPUs: t.run.EngineCPUs, Sysctls: sysctls(),
	})
	t.record.Phases.BootS = time.Since(t.begin).Seconds()
	if err == nil {
		t.meter.add(t.pod)
		t.phase = "startup"
		return nil
	}
	t.pod = nil // it is removed
	if start, ok := errors.AsType[*containers.StartError](err); ok && ctx.Err() == nil {
		t.fail(start.Error())
		return nil
	}
	return err
}

// measure hands the job to the agent and follows it to its end.
func (t *trial) measure(ctx context.Context) error {
	watched, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	if err := json.NewEncoder(t.pod.Control).Encode(t.job); err != nil {
		return fmt.Errorf("handing the job to the agent: %w", err)
	}
	events, exited, interrupted := receive(t.pod.Events), t.pod.Exited(watched), ctx.Done()
	silence := time.NewTimer(t.patience())
	defer silence.Stop()
	for {
		select {
		case e := <-events:
			if e.err != nil {
				return t.agentDied(watched, e.err)
			}
			if done, err := t.take(watched, e.Event); done || err != nil {
				return errors.Join(err, ctx.Err())
			}
			if interrupted != nil {
				silence.Reset(t.patience())
			}
		case text := <-exited:
			if t.phase != "measure" {
				t.fail(text)
				return nil
			}
			t.record.Warnings = append(t.record.Warnings, text)
			if err := t.pod.Interrupt(watched); err != nil {
				return err
			}
		case <-interrupted:
			interrupted = nil
			silence.Reset(lastWords)
			if err := t.pod.Interrupt(watched); err != nil || t.phase != "measure" {
				return errors.Join(err, ctx.Err())
			}
		case <-silence.C:
			if ctx.Err() != nil {
				return ctx.Err()
			}
			t.fail(fmt.Sprintf("the load container has said nothing for %v", t.patience()))
			return nil
		}
	}
}

// patience is how long the agent may take to its next event.
func (t *trial) patience() time.Duration {
	switch t.phase {
	case "startup":
		return t.job.Ready + agentSilence
	case "contract":
		return agent.ContractRequests*t.job.Timeout + agentSilence
	case "warmup":
		return t.job.Warmup + t.job.Timeout + agentSilence
	}
	return agentSilence
}

// agentDied says why no further event comes.
func (t *trial) agentDied(ctx context.Context, cause error) error {
	state, err := t.pod.State(ctx, t.pod.Engine)
	if err != nil {
		return errors.Join(cause, err)
	}
	return fmt.Errorf("the load container ended with code %d (out of memory: %t): %w", state.ExitCode, state.OOMKilled, cause)
}

// A received is an event of the agent, or why no further one comes.
type received struct {
	agent.Event
	err error
}

// receive decodes events until the stream ends. Text that is no event is the
// agent's own death cry, and the reason that is given.
func receive(r io.Reader) <-chan received {
	out := make(chan received, 16)
	go func() {
		for decoder := json.NewDecoder(r); ; {
			var e received
			if e.err = decoder.Decode(&e.Event); e.err != nil {
				rest, _ := io.ReadAll(io.LimitReader(io.MultiReader(decoder.Buffered(), r), 4<<10))
				e.err = fmt.Errorf("reading the agent's events: %w: %.2000s", e.err, rest)
				out <- e
				return
			}
			out <- e
		}
	}()
	return out
}

// take puts one event into the trial and reports whether it was the last.
func (t *trial) take(ctx context.Context, e agent.Event) (done bool, err error) {
	p := &t.record.Phases
	switch e.Kind {
	case agent.Ready:
		p.StartupS, t.phase = e.At.Sub(t.lastStart()).Seconds(), "contract"
	case agent.Checked:
		first := answerOf(e.Answers[0])
		t.record.Contract = &first
		for _, a := range e.Answers[1:] {
			t.record.AlsoContract = append(t.record.AlsoContract, answerOf(a))
		}
		p.ContractS, t.phase = e.At.Sub(t.lastStart()).Seconds()-p.StartupS, "warmup"
	case agent.Warmed:
		if e.Load != nil {
			if t.record.Warmup, err = loadOf(*e.Load); err != nil {
				return true, err
			}
			p.WarmupS = t.record.Warmup.ElapsedS
		}
		t.doubt(t.meter.begin(ctx))
		t.phase = "measure"
		_, err := io.WriteString(t.pod.Control, "measure\n")
		return false, err
	case agent.Progress:
		t.options.Watch(Event{Visit: t.record.Visit, Measure: &Measure{e.Done, e.Failed}})
	case agent.Measured:
		t.doubt(t.meter.end(ctx))
		p.MeasureS = t.meter.window().Seconds()
		t.record.Load, err = loadOf(*e.Load)
		return true, err
	case agent.Fault:
		t.phase = e.Phase
		t.fail(e.Text)
		return true, nil
	}
	return false, nil
}

// lastStart is when the last of the pod's services was started.
func (t *trial) lastStart() time.Time { return t.pod.Services[len(t.pod.Services)-1].Started }

// fail says why nothing is measured, in the phase that the trial is in.
func (t *trial) fail(text string) { t.record.Fault = &results.Fault{Phase: t.phase, Text: text} }

// doubt keeps what went wrong beside the measurement, and does not spoil it.
func (t *trial) doubt(err error) {
	if err != nil {
		t.record.Warnings = append(t.record.Warnings, err.Error())
	}
}

// takeDown keeps what the services wrote and how they ended, and removes the pod.
func (t *trial) takeDown(ctx context.Context) error {
	begin := time.Now()
	defer func() { t.record.Phases.TakedownS = time.Since(begin).Seconds() }()
	if t.pod == nil {
		return nil
	}
	t.lookBack(ctx)
	if t.options.Stop && t.last && !t.ended {
		t.stop(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, takedownTime)
	defer cancel()
	return t.pod.Remove(ctx)
}

// lookBack keeps what the services wrote, and how those ended that did.
func (t *trial) lookBack(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, takedownTime)
	defer cancel()
	for i, c := range t.pod.Services {
		state, err := t.pod.State(ctx, c)
		t.doubt(err)
		u := t.usage(c)
		u.OOMKilled = state.OOMKilled
		if err == nil && !state.Running {
			u.ExitCode = &state.ExitCode
		}
		log, err := t.pod.Log(ctx, i)
		t.doubt(err)
		t.record.Logs = append(t.record.Logs, results.Log{Service: c.Name, Tail: log.Tail, Crashes: log.Crashes})
	}
}

// stop ends the services by their stop signals, those in front first.
func (t *trial) stop(ctx context.Context) {
	for i, c := range slices.Backward(t.pod.Services) {
		if u := t.usage(c); u.ExitCode == nil {
			took, err := t.pod.Stop(ctx, i)
			if t.doubt(err); err == nil {
				u.StopS = new(took.Seconds())
			}
		}
	}
}

// usage returns the record's entry of a service, which is without figures where
// nothing was measured.
func (t *trial) usage(c *containers.Container) *results.Usage {
	all := &t.record.Services
	i := slices.IndexFunc(*all, func(u results.Usage) bool { return u.Name == c.Name })
	if i < 0 {
		i = len(*all)
		*all = append(*all, results.Usage{Name: c.Name, Of: c.Of})
	}
	return &(*all)[i]
}
