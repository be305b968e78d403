package orchestrator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"dyno/containers"
	"dyno/orchestrator/agent"
	"dyno/results"
)

// sysctls are set in each pod's network namespace, the same for all, so that no
// distribution's default decides: a long accept queue, and as many local ports as there are.
func sysctls() map[string]string {
	return map[string]string{
		"net.core.somaxconn":           "4096",
		"net.ipv4.ip_local_port_range": "1024 65535",
		"net.ipv4.tcp_tw_reuse":        "1",
	}
}

// Patience with an agent beside the times that its job gives it.
const (
	agentSlack   = 30 * time.Second // boot of the agent and checks
	lastWords    = 3 * time.Second  // for the result of a measurement that is cut short
	takedownTime = 30 * time.Second
)

// A trial is one trial under way.
type trial struct {
	*runner
	visit  int
	stack  containers.Stack
	pod    *containers.Pod
	meter  *meter
	record results.Trial
	begin  time.Time
}

// trial carries out one visit. The error is a fault of dyno or Docker, or the
// end of ctx; what the server did wrong is in the trial.
func (r *runner) trial(ctx context.Context, number int, v Visit) (results.Trial, error) {
	target, workload := r.plan.Scenario.Targets[v.Target], r.plan.Scenario.Workloads[v.Workload]
	t := &trial{runner: r, visit: number, stack: r.plan.Stacks[v.Target], begin: time.Now()}
	t.record = results.Trial{
		Type: "trial", Round: v.Round, Visit: number, Target: target.Name, Workload: workload.Name(), Started: t.begin.UTC(),
	}
	pod, err := r.driver.Boot(ctx, containers.PodSpec{
		Stack: t.stack, Images: r.images[v.Target], Agent: r.agent, Command: []string{"agent"},
		ServerCPUs: r.run.ServerCPUs, EngineCPUs: r.run.EngineCPUs, Sysctls: sysctls(),
	})
	t.record.Phases.BootS = time.Since(t.begin).Seconds()
	if start, ok := errors.AsType[*containers.StartError](err); ok && ctx.Err() == nil {
		t.fail("boot", start.Error())
		return t.record, nil
	}
	if err != nil {
		return t.record, err
	}
	t.pod = pod
	err = t.measure(ctx, jobOf(target, workload, t.stack.Ready))
	err = errors.Join(err, t.takeDown(context.WithoutCancel(ctx)))
	t.record.Phases.TotalS = time.Since(t.begin).Seconds()
	p := &t.record.Phases
	p.OverheadS = p.TotalS - p.BootS - p.StartupS - p.WarmupS - p.MeasureS
	return t.record, err
}

// measure hands the job to the agent and follows it to its end.
func (t *trial) measure(ctx context.Context, job agent.Job) (err error) {
	t.meter = startMeter(t.begin, t.pod)
	defer func() { err = errors.Join(err, t.meter.stop(&t.record)) }()
	watched, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	if err := json.NewEncoder(t.pod.Control).Encode(job); err != nil {
		return fmt.Errorf("handing the job to the agent: %w", err)
	}
	events := receive(t.pod.Events)
	exited := t.pod.Exited(watched)
	deadline := time.After(job.Ready + job.Warmup + job.Duration + 2*job.Timeout + agentSlack + time.Duration(job.Requests)*time.Millisecond)
	interrupted := ctx.Done()
	for {
		select {
		case e := <-events:
			if done, err := t.take(watched, e); done || err != nil {
				return errors.Join(err, ctx.Err())
			}
		case text := <-exited:
			if t.record.Load == nil && !t.meter.measuring() {
				t.fail("startup", text)
				return nil
			}
			t.record.Warnings = append(t.record.Warnings, text)
		case <-interrupted:
			interrupted, deadline = nil, time.After(lastWords)
			if err := t.pod.Interrupt(watched); err != nil || !t.meter.measuring() {
				return errors.Join(err, ctx.Err())
			}
		case <-deadline:
			if ctx.Err() != nil {
				return ctx.Err()
			}
			t.fail("measure", "the load container fell silent")
			return nil
		}
	}
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
func (t *trial) take(ctx context.Context, e received) (done bool, err error) {
	if e.err != nil {
		return true, e.err
	}
	p := &t.record.Phases
	switch e.Kind {
	case agent.Ready:
		p.StartupS = e.At.Sub(t.lastStart()).Seconds()
	case agent.Checked:
		t.record.Contract = answerOf(*e.Answer)
		p.ContractS = e.At.Sub(t.lastStart()).Seconds() - p.StartupS
	case agent.Warmed:
		if e.Load != nil {
			warm, err := loadOf(*e.Load)
			if err != nil {
				return true, err
			}
			t.record.Warmup, p.WarmupS = warm, warm.ElapsedS
		}
		if err := t.meter.begin(ctx); err != nil {
			return true, err
		}
		_, err := io.WriteString(t.pod.Control, "measure\n")
		return false, err
	case agent.Progress:
		t.options.Watch(Event{Visit: t.visit, Measure: &Measure{e.Done, e.Failed}})
	case agent.Measured:
		if err := t.meter.end(ctx); err != nil {
			return true, err
		}
		t.record.Load, err = loadOf(*e.Load)
		p.MeasureS = t.meter.window().Seconds()
		return true, err
	case agent.Fault:
		t.fail(e.Phase, e.Text)
		return true, nil
	}
	return false, nil
}

// lastStart is when the last of the pod's services was started.
func (t *trial) lastStart() time.Time { return t.pod.Services[len(t.pod.Services)-1].Started }

func (t *trial) fail(phase, text string) { t.record.Fault = &results.Fault{Phase: phase, Text: text} }

// takeDown keeps what the services wrote and how they ended, and removes the pod.
func (t *trial) takeDown(ctx context.Context) error {
	begin := time.Now()
	defer func() { t.record.Phases.TakedownS = time.Since(begin).Seconds() }()
	ctx, cancel := context.WithTimeout(ctx, takedownTime)
	defer cancel()
	var errs []error
	for i, c := range t.pod.Services {
		state, err := t.pod.State(ctx, c)
		errs = append(errs, err)
		if i < len(t.record.Services) {
			u := &t.record.Services[i]
			u.OOMKilled = state.OOMKilled
			if !state.Running && err == nil {
				u.ExitCode = &state.ExitCode
			}
		}
		log, err := t.pod.Log(ctx, i)
		errs = append(errs, err)
		t.record.Logs = append(t.record.Logs, results.Log{Service: c.Name, Tail: log.Tail, Crashes: log.Crashes})
	}
	return errors.Join(append(errs, t.pod.Remove(ctx))...)
}
