package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"time"

	"dyno/orchestrator/load"
)

// heldRate is the share of the offered requests that a run has to start.
const heldRate = 0.99

// askPatience is how long the answer beforehand may take where requests have no
// timeout.
const askPatience = time.Minute

// A loadReport is all that a report of a load tells.
type loadReport struct {
	plan   loadPlan
	dyno   string
	warm   *load.Result // nil: none
	result load.Result
}

// run carries out a plan, and reports on it however it ends.
func (l *loading) run(ctx context.Context, p loadPlan, stdout, stderr io.Writer) error {
	engine, err := load.New(p.cfg)
	if err != nil {
		return loadError(err)
	}
	defer engine.Close()
	if err := ask(ctx, p); err != nil {
		return err
	}
	report := loadReport{plan: p, dyno: version()}
	fault := report.measure(ctx, engine, stderr)
	if err := l.write(stdout, report); err != nil {
		return errors.Join(fault, err)
	}
	return report.conclude(ctx, fault)
}

// ask sends one request and reports why nothing came back that is HTTP; whether
// the answer is right shows later.
func ask(ctx context.Context, p loadPlan) error {
	patience := p.cfg.Timeout
	if patience == 0 {
		patience = askPatience
	}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := load.Fetch(limited, p.cfg.Addr, p.cfg.Mix[0].Request)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		return usageError("%s: no whole answer within %v", p.url, patience)
	}
	return usageError("%s: %v", p.url, err)
}

// measure runs the phases. The error is a fault of this host; the report then
// holds what was seen before it.
func (r *loadReport) measure(ctx context.Context, engine *load.Engine, stderr io.Writer) error {
	defer tellProgress(stderr, engine)()
	if r.plan.warmup != (load.Phase{}) {
		warm, err := undisturbed(ctx, engine, r.plan.warmup)
		r.warm = &warm
		if err != nil {
			return fmt.Errorf("warming up: %w", err)
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	var err error
	if r.result, err = undisturbed(ctx, engine, r.plan.phase); err != nil {
		return fmt.Errorf("measuring: %w", err)
	}
	return nil
}

// undisturbed runs a phase without the garbage collector, which would take CPU
// time from it.
func undisturbed(ctx context.Context, engine *load.Engine, phase load.Phase) (load.Result, error) {
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	return engine.Run(ctx, phase)
}

// write prints the report and fills the files that were asked for.
func (l *loading) write(w io.Writer, r loadReport) error {
	write := r.text
	if l.json {
		write = r.json
	}
	if err := write(w); err != nil {
		return err
	}
	if err := writeFile(l.csv, r.csv); err != nil {
		return err
	}
	return writeFile(l.hgrm, r.hgrm)
}

// conclude returns the error that the exit code is made of.
func (r *loadReport) conclude(ctx context.Context, fault error) error {
	o := r.result.Outcomes
	switch {
	case fault != nil:
		return loadError(fault)
	case ctx.Err() != nil:
		return &codedError{code: exitInterrupted}
	case o[load.NoLocalPort] > 0:
		return fmt.Errorf("this host had no local port left for %s: use fewer connections or keep them alive", plural(o[load.NoLocalPort], "request"))
	case o.Failed() > 0 || r.result.GaveUp || r.result.Achieved() < heldRate:
		return &codedError{code: exitInvalid}
	}
	return nil
}

// tellProgress shows on a terminal how the phase goes on, until the function
// that it returns is called.
func tellProgress(w io.Writer, engine *load.Engine) (stop func()) {
	if width, _ := terminal(w); width == 0 {
		return func() {}
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(500 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				fmt.Fprint(w, "\r\x1b[K")
				return
			case <-tick.C:
				live := engine.Live()
				fmt.Fprintf(w, "\r\x1b[K%v: %s right, %s failed", live.Elapsed.Round(time.Second), grouped(live.OK), grouped(live.Failed))
			}
		}
	}()
	return func() { close(done); <-ended }
}
