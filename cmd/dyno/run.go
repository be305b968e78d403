package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dyno/containers"
	"dyno/orchestrator"
	"dyno/orchestrator/host"
	"dyno/results"
	"dyno/results/gate"
	"dyno/results/report"
	"dyno/scenarios"
)

// self is this very binary, even if its path has another by now.
const self = "/proc/self/exe"

// idleWaitDefault is how long a run waits for a quiet machine unless asked otherwise.
const idleWaitDefault = 30 * time.Second

// A planning is the flags that decide what a run will do, shared by run and plan.
type planning struct {
	shelf
	overrides scenarios.Overrides
	seed      uint64
}

func (p *planning) flags(cmd *cobra.Command) {
	p.shelf.flags(cmd)
	f := cmd.Flags()
	f.IntVar(&p.overrides.Rounds, "rounds", 0, "visits of each target and workload, instead of the scenario's")
	f.DurationVar(&p.overrides.Duration, "duration", 0, "length of each measurement, instead of the scenario's")
	f.Int64Var(&p.overrides.Requests, "requests", 0, "requests of each measurement, instead of the scenario's")
	f.BoolVar(&p.overrides.Quick, "quick", false, "two rounds of two seconds: to see that it works, not to believe it")
	f.Uint64Var(&p.seed, "seed", 0, "of the order within rounds, and of what is random in a load (default: drawn anew)")
}

// plan reads the scenario and lays out its trials.
func (p *planning) plan(cmd *cobra.Command, name string) (orchestrator.Plan, *containers.Catalog, error) {
	if err := p.above0(cmd); err != nil {
		return orchestrator.Plan{}, nil, err
	}
	sc, catalog, err := p.scenario(name)
	if err != nil {
		return orchestrator.Plan{}, nil, err
	}
	plan, err := planOf(sc, catalog, p.drawnSeed(cmd))
	return plan, catalog, err
}

// above0 refuses an override that is 0, which would silently be none.
func (p *planning) above0(cmd *cobra.Command) error {
	for _, flag := range []string{"rounds", "duration", "requests"} {
		if f := cmd.Flags().Lookup(flag); f != nil && f.Changed && strings.Trim(f.Value.String(), "0s") == "" {
			return usageError("--%s %s: it must be above 0", flag, f.Value)
		}
	}
	return nil
}

// drawnSeed is the seed that was asked for, or one that nobody chose.
func (p *planning) drawnSeed(cmd *cobra.Command) uint64 {
	if cmd.Flags().Changed("seed") {
		return p.seed
	}
	return rand.Uint64N(1 << 32)
}

// scenario reads a scenario, as the flags change it, and the stacks.
func (p *planning) scenario(name string) (sc scenarios.Scenario, catalog *containers.Catalog, err error) {
	if catalog, err = p.open(); err != nil {
		return sc, nil, err
	}
	if sc, err = scenarios.Load(name, catalog); err != nil {
		return sc, nil, err
	}
	sc, err = sc.With(p.overrides)
	return sc, catalog, err
}

// planOf lays a scenario out on this machine.
func planOf(sc scenarios.Scenario, catalog *containers.Catalog, seed uint64) (orchestrator.Plan, error) {
	cpus, err := host.Topology()
	if err != nil {
		return orchestrator.Plan{}, err
	}
	return orchestrator.NewPlan(sc, catalog, cpus, seed)
}

func newRun() *cobra.Command {
	var p planning
	var reports rendering
	var demands gating
	var folder string
	var wait bool
	var idleWait time.Duration
	cmd := &cobra.Command{
		Use:   "run SCENARIO",
		Short: "Run a scenario and report on it",
		Long: `Run a scenario, by its name (see dyno list) or by the path of a file, write
its record, and report on it.

Exit codes: 0 done; 1 a fault of dyno or Docker; 2 wrong usage or scenario;
3 a trial was invalid; 4 a gate fails or a claim of the scenario is refuted;
130 interrupted, with the record kept.`,
		Args: takes(1, "the name or the path of one scenario"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if idleWait < 0 {
				return usageError("--idle-wait %v is below zero; 0 does not wait", idleWait)
			}
			if err := reports.check(args...); err != nil {
				return err
			}
			plan, catalog, err := p.plan(cmd, args[0])
			if err != nil {
				return err
			}
			gates, err := demands.read(results.CastOf(plan.Subject()))
			if err != nil {
				return err
			}
			progress := newProgress(cmd.ErrOrStderr(), plan)
			defer context.AfterFunc(cmd.Context(), func() {
				progress.watch(orchestrator.Event{Note: "interrupted: taking down, keeping what was measured"})
			})()
			outcome, err := orchestrator.Run(cmd.Context(), plan, orchestrator.Options{
				Catalog: catalog, Results: folder, Binary: self, Version: version(),
				Command: commandLine(), Wait: wait, IdleWait: idleWait, Watch: progress.watch,
			})
			progress.close()
			return conclude(cmd.OutOrStdout(), reports, gates, outcome, err)
		},
	}
	p.flags(cmd)
	demands.flags(cmd)
	reports.flags(cmd, ofTrials())
	cmd.Flags().StringVar(&folder, "results", filepath.Join("results", "runs"), "folder for the record")
	cmd.Flags().BoolVar(&wait, "wait", false, "queue behind another run on this machine")
	cmd.Flags().DurationVar(&idleWait, "idle-wait", idleWaitDefault, "longest wait for a quiet machine before the first trial; 0: none")
	return cmd
}

// conclude reports on what was recorded, however the run ended, and returns the
// error that the exit code is made of.
func conclude(w io.Writer, reports rendering, gates []gate.Gate, outcome orchestrator.Outcome, cause error) error {
	if outcome.Path == "" {
		return cause
	}
	sources, err := readSource(outcome.Path)
	if err != nil {
		return errors.Join(cause, err)
	}
	judgement := results.Judge(sources[0].record, gates...)
	err = reports.write(w, formsOf(judgement, sources))
	unmet := report.FailedGates(judgement)
	switch {
	case cause != nil:
		return fmt.Errorf("%w\nwhat was measured is in %s", cause, outcome.Path)
	case err != nil:
		return err
	case outcome.Status == results.Interrupted:
		return &codedError{code: exitInterrupted}
	case len(unmet) > 0:
		return failed(unmet)
	case judgement.AnyInvalid():
		return &codedError{code: exitInvalid}
	case judgement.AnyRefuted():
		return &codedError{code: exitFailed}
	}
	return nil
}
