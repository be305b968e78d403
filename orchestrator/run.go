package orchestrator

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"dyno/containers"
	"dyno/results"
)

// Options are how a plan is run.
type Options struct {
	Catalog  *containers.Catalog
	Results  string        // folder of the records; logs of builds go to builds below it
	Binary   string        // dyno's own static binary: agent and watchdog
	Version  string        // dyno's, for the record
	Command  []string      // the command line, for the record
	Wait     bool          // queue behind another run on this machine
	IdleWait time.Duration // longest wait for a quiet machine before the first trial; 0: none
	Stop     bool          // under the last workload, end services by their stop signals instead of killing them, and record how long they take
	Watch    func(Event)
}

// An Event tells whoever watches a run how it goes on. Exactly one field beside Visit is set.
type Event struct {
	Visit   int            // place in the plan, from 1; 0: not about a trial
	Note    string         // what takes long just now
	Begin   *Begin         // a trial begins
	Measure *Measure       // a trial is being measured
	End     *results.Trial // a trial is over and in the record
}

// Begin is a trial that begins.
type Begin struct {
	Visit
	Planned int // trials of the plan, without those of targets that cannot be had
}

// Measure is how far a measurement is.
type Measure struct{ Done, Failed int64 }

// An Outcome is what a run came to.
type Outcome struct {
	Path   string // of the record; empty: none was begun
	Status string // as in results.End
}

// Run carries out a plan and writes its record. Whatever happens, it takes down
// all that it started; should it be killed, a watchdog does. The record's path is
// returned with the error once there is one.
//
// When ctx ends, the trial under way is cut short, and what it measured is kept.
func Run(ctx context.Context, plan Plan, o Options) (out Outcome, err error) {
	// What cannot be had leaves this run's plan and not the caller's.
	plan.Visits, plan.Missing, plan.Warnings = slices.Clone(plan.Visits), slices.Clone(plan.Missing), slices.Clone(plan.Warnings)
	lock, err := Acquire(ctx, LockFile, o.Wait, func(h Holder) { o.Watch(Event{Note: "waiting for run " + h.Run}) })
	if err != nil {
		return out, err
	}
	defer lock.Release()
	started := time.Now().UTC()
	id := started.Format("20060102T150405Z") + "-" + plan.Scenario.Name
	owner, err := containers.Self(id)
	if err != nil {
		return out, err
	}
	if err := lock.Sign(Holder{Run: id, PID: owner.PID, Started: started}); err != nil {
		return out, err
	}
	driver, err := containers.Connect(ctx, o.Catalog, owner, filepath.Join(o.Results, "builds"), func(text string) { o.Watch(Event{Note: text}) })
	if err != nil {
		return out, err
	}
	defer driver.Close()
	dog, err := startWatchdog(o.Binary, id, lock)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, dog.dismiss(ctx.Err() == nil && err == nil)) }()

	r := &runner{plan: plan, options: o, driver: driver, packagesOf: map[string]map[string]string{}, answers: map[string]any{}}
	if err := r.prepare(ctx); err != nil {
		return out, err
	}
	header, err := r.header(ctx, id, started)
	if err != nil {
		return out, err
	}
	switch doubt, err := r.awaitQuiet(ctx); {
	case err != nil:
		return out, err
	case doubt != "":
		header.Warnings = append(header.Warnings, doubt)
	}
	writer, err := results.Create(o.Results, header)
	if err != nil {
		return out, err
	}
	out.Path = writer.Path()
	r.run, r.writer = header, writer
	out.Status, err = r.finish(ctx, r.visitAll(ctx))
	return out, errors.Join(err, writer.Close())
}

// A runner is one run under way.
type runner struct {
	plan       Plan
	options    Options
	driver     *containers.Driver
	agent      containers.Image
	images     [][]containers.Image         // for each of the plan's stacks, of its services
	packagesOf map[string]map[string]string // by the image's id
	answers    map[string]any               // to questions after facts, see facts
	remote     bool                         // the daemon is on another machine, of whose CPUs nothing is known here
	run        results.Run
	writer     *results.Writer
	written    int
}

// prepare makes sure of all images before the first trial. Targets whose stack
// cannot be had here leave the plan, and the plan says so.
func (r *runner) prepare(ctx context.Context) (err error) {
	if r.agent, err = r.driver.Agent(ctx, r.options.Binary); err != nil {
		return err
	}
	r.images = make([][]containers.Image, len(r.plan.Stacks))
	for i, stack := range r.plan.Stacks {
		if r.plan.Missing[i] != "" {
			continue
		}
		if original := r.plan.original(i); r.plan.Missing[original] != "" {
			r.plan.leaveOut(i, errors.New(r.plan.Missing[original]))
			continue
		}
		r.images[i], err = r.imagesOf(ctx, stack)
		if missing, ok := errors.AsType[*containers.MissingError](err); ok {
			r.plan.leaveOut(i, errors.New(stack.Redact(missing.Error())))
			continue
		}
		if err != nil {
			return err
		}
	}
	if len(r.plan.Visits) == 0 {
		return &NothingError{fmt.Errorf("no target of %s can be had here: %s", r.plan.Scenario.Name, r.plan.Missing[0])}
	}
	return nil
}

// A NothingError is a plan of which no target can be had.
type NothingError struct{ error }

func (r *runner) imagesOf(ctx context.Context, stack containers.Stack) (images []containers.Image, err error) {
	for _, sv := range stack.Services {
		image, err := r.driver.Image(ctx, stack, sv)
		if err != nil {
			return nil, err
		}
		images = append(images, image)
	}
	return images, nil
}

// A cell is a target under a workload, by their indices.
type cell struct{ target, workload int }

// hopeless is after how many trials in a row that measured nothing a cell is
// not visited any more: each may wait half a minute for a server that never comes.
const hopeless = 2

// visitAll carries out the trials. A trial whose server fails is part of the
// record, and the next one follows; only a fault of dyno or Docker ends the run,
// and does not take with it what was measured before.
func (r *runner) visitAll(ctx context.Context) error {
	faults := map[cell]int{} // in a row
	for i, v := range r.plan.Visits {
		if err := ctx.Err(); err != nil {
			return err
		}
		what := cell{v.Target, v.Workload}
		if faults[what] == hopeless {
			continue
		}
		r.options.Watch(Event{Visit: i + 1, Begin: &Begin{v, len(r.plan.Visits)}})
		t, err := r.trial(ctx, i+1, v)
		if t.Load != nil || t.Fault != nil {
			err = errors.Join(r.write(t), err)
		}
		if faults[what]++; t.Fault == nil {
			faults[what] = 0
		}
		if faults[what] == hopeless {
			r.options.Watch(Event{Note: t.Target + " is not tried again under " + t.Workload})
		}
		if err != nil {
			return fmt.Errorf("trial %d (%s, %s, round %d): %w", i+1, t.Target, t.Workload, v.Round, err)
		}
	}
	return nil
}

func (r *runner) write(t results.Trial) error {
	// Neither is null in the record: that there is no reason is known.
	t.Invalid = append([]results.Reason{}, results.Reasons(t, r.run)...)
	t.Warnings = append(append([]string{}, t.Warnings...), results.Doubts(t, r.run)...)
	t.Bound = results.BoundOf(t, r.run)
	if err := r.writer.Trial(t); err != nil {
		return err
	}
	r.written++
	r.options.Watch(Event{Visit: t.Visit, End: &t})
	return nil
}

// finish closes the record with how the run ended.
func (r *runner) finish(ctx context.Context, cause error) (status string, err error) {
	end := results.End{Finished: time.Now().UTC(), Status: results.Complete, Trials: r.written, Planned: len(r.plan.Visits)}
	switch {
	case cause == nil:
	case ctx.Err() != nil && errors.Is(cause, ctx.Err()):
		end.Status, cause = results.Interrupted, nil
	default:
		end.Status, end.Fault = results.Faulted, cause.Error()
	}
	return end.Status, errors.Join(cause, r.writer.End(end))
}
