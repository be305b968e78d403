package main

import (
	"fmt"
	"io"
	"sync/atomic"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"dyno/orchestrator"
	"dyno/results"
)

// A progress shows people how a run goes on: a bar on a terminal, a line a trial
// elsewhere.
type progress struct {
	plan  orchestrator.Plan
	out   io.Writer
	bars  *mpb.Progress // nil: no terminal
	bar   *mpb.Bar      // of the trials
	now   string        // the trial under way
	state atomic.Value  // string: what is going on, beside the bar, which is drawn by a goroutine of its own
}

func newProgress(w io.Writer, plan orchestrator.Plan) *progress {
	p := &progress{plan: plan, out: w}
	p.state.Store("")
	if width, _ := terminal(w); width > 0 {
		p.bars = mpb.New(mpb.WithOutput(w), mpb.WithWidth(min(width, 60)))
		p.out = p.bars
		p.bar = p.bars.AddBar(int64(len(plan.Visits)), mpb.BarRemoveOnComplete(),
			mpb.PrependDecorators(decor.CountersNoUnit("trial %d of %d ")),
			mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return " " + p.state.Load().(string) })))
	}
	return p
}

// watch takes an event of the run.
func (p *progress) watch(e orchestrator.Event) {
	switch {
	case e.Note != "":
		fmt.Fprintln(p.out, e.Note)
	case e.Begin != nil:
		p.now = p.label(p.plan.Scenario.Targets[e.Begin.Target].Name, p.plan.Scenario.Workloads[e.Begin.Workload].Name())
		p.state.Store(p.now + ": booting")
		if p.bar != nil {
			p.bar.SetTotal(int64(e.Begin.Planned), false)
		}
	case e.Measure != nil:
		p.state.Store(fmt.Sprintf("%s: %d answers, %d failed", p.now, e.Measure.Done, e.Measure.Failed))
	case e.End != nil:
		fmt.Fprintln(p.out, p.line(*e.End))
		if p.bar != nil {
			p.bar.Increment()
		}
	}
}

// notes takes an event of a run whose trials are told of in another way.
func (p *progress) notes(e orchestrator.Event) {
	if e.End == nil {
		p.watch(e)
	} else if p.bar != nil {
		p.bar.Increment()
	}
}

func (p *progress) close() {
	if p.bars != nil {
		p.bar.Abort(true)
		p.bars.Wait()
	}
}

// label names a trial, by its workload too where there are several.
func (p *progress) label(target, workload string) string {
	if len(p.plan.Scenario.Workloads) > 1 {
		return target + ", " + workload
	}
	return target
}

// line sums a trial up.
func (p *progress) line(t results.Trial) string {
	head := fmt.Sprintf("round %d/%d  %-16s", t.Round, p.plan.Scenario.Rounds, p.label(t.Target, t.Workload))
	switch {
	case t.Fault != nil:
		return fmt.Sprintf("%s  nothing measured (%s): %s", head, t.Fault.Phase, t.Fault.Text)
	case len(t.Invalid) > 0:
		return fmt.Sprintf("%s  %8.0f req/s  invalid: %s", head, t.Goodput(), t.Invalid[0].Text)
	}
	return fmt.Sprintf("%s  %8.0f req/s  %6.2f µs of server CPU a request", head, t.Goodput(), t.ServerCPU()*1e6)
}
