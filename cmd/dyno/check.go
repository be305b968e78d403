package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dyno/containers"
	"dyno/orchestrator"
	"dyno/results"
	"dyno/scenarios"
)

func newCheck() *cobra.Command {
	c := checking{seen: map[string]string{}}
	var all bool
	cmd := &cobra.Command{
		Use:   "check SCENARIO…",
		Short: "Check that the stacks of scenarios work: answers, users, crashes, stopping",
		Long: `Boot each target of the scenarios once under each of four small loads (one and
fifty clients, connections kept alive and not) and check that all answers are
right, that no service stayed root's, that nothing crashes, and that every
service ends by its stop signal within ten seconds. What several scenarios share is
checked once.

Exit codes: 0 all work; 1 a fault of dyno or Docker; 2 wrong usage or scenario;
3 a stack does not work.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if all == (len(args) > 0) {
				return usageError("%s takes names or paths of scenarios, or --all", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if all {
				shipped, err := scenarios.List()
				if err != nil {
					return err
				}
				for _, s := range shipped {
					args = append(args, s.Name)
				}
			}
			for _, name := range args {
				if err := c.scenario(cmd, name); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
			if c.failed > 0 {
				return &codedError{exitInvalid, fmt.Sprintf("%d of %s do not work", c.failed, count(c.checked, "target"))}
			}
			return nil
		},
	}
	c.flags(cmd)
	cmd.Flags().BoolVar(&all, "all", false, "check all shipped scenarios")
	cmd.Flags().StringVar(&c.results, "results", filepath.Join("results", "checks"), "folder for the records")
	cmd.Flags().BoolVar(&c.wait, "wait", false, "queue behind another run on this machine")
	return cmd
}

// A checking is a check of several scenarios under way.
type checking struct {
	shelf
	results         string
	wait            bool
	seen            map[string]string // what was checked, to what it came to
	checked, failed int
}

// scenario checks those targets of a scenario that were not yet.
func (c *checking) scenario(cmd *cobra.Command, name string) error {
	p := planning{shelf: c.shelf, overrides: scenarios.Overrides{Check: true}}
	sc, catalog, err := p.scenario(name)
	if err != nil {
		return err
	}
	all := sc.Targets
	sc.Targets = slices.DeleteFunc(slices.Clone(all), func(t scenarios.Target) bool { return c.seen[subject(t)] != "" })
	out := cmd.OutOrStdout()
	fmt.Fprintln(out, sc.Name)
	if len(sc.Targets) > 0 {
		if err := c.run(cmd, sc, catalog); err != nil {
			return err
		}
	}
	for _, t := range all {
		fmt.Fprintf(out, "  %s: %s\n", t.Name, c.seen[subject(t)])
	}
	return nil
}

// subject is what makes two targets one and the same to a check.
func subject(t scenarios.Target) string {
	return fmt.Sprint(t.Stack, t.Params, t.Mix)
}

func (c *checking) run(cmd *cobra.Command, sc scenarios.Scenario, catalog *containers.Catalog) error {
	plan, err := planOf(sc, catalog, 0)
	if err != nil {
		return err
	}
	progress := newProgress(cmd.ErrOrStderr(), plan)
	outcome, err := orchestrator.Run(cmd.Context(), plan, orchestrator.Options{
		Catalog: catalog, Results: c.results, Binary: self, Version: version(),
		Command: commandLine(), Wait: c.wait, Stop: true, Watch: progress.notes,
	})
	progress.close()
	if _, ok := errors.AsType[*orchestrator.NothingError](err); ok {
		for _, t := range sc.Targets {
			c.seen[subject(t)] = "missing: nothing of this scenario can be had here; `dyno list` says why"
		}
		return nil
	}
	if err != nil {
		return err
	}
	if outcome.Status == results.Interrupted {
		return &codedError{code: exitInterrupted}
	}
	record, err := results.Read(outcome.Path)
	if err != nil {
		return err
	}
	for i, t := range sc.Targets {
		said, ok := verdict(record, record.Run.Targets[i], t.MayFail)
		c.seen[subject(t)] = said
		c.checked++
		if !ok {
			c.failed++
		}
	}
	return nil
}

// notBlamed are reasons that are the machine's or this short load's, not a stack's.
var notBlamed = []string{results.CodeFew, results.CodeHost, results.CodeSteal, results.CodeQuota, results.CodeEngine, results.CodeLittle, results.CodeInterrupted}

// verdict says what the trials of a target came to, and whether it works.
func verdict(record results.Record, target results.Target, mayFail string) (said string, ok bool) {
	if target.Missing != "" {
		first, _, _ := strings.Cut(target.Missing, "\n")
		return "missing: " + first, true
	}
	var problems []string // each once, of the first workload that has it
	problem := func(workload, text string) {
		if !slices.ContainsFunc(problems, func(p string) bool { return strings.HasSuffix(p, text) }) {
			problems = append(problems, workload+": "+text)
		}
	}
	var answers []results.Answer
	stop, trials := -1.0, 0 // no service was seen to stop
	for _, t := range record.Trials {
		if t.Target != target.Name {
			continue
		}
		trials++
		if answers == nil && t.Contract != nil {
			answers = append([]results.Answer{*t.Contract}, t.AlsoContract...)
		}
		for _, u := range t.Services {
			if u.StopS != nil {
				stop = max(stop, *u.StopS)
			}
			if u.Rootful() {
				problem(t.Workload, "all processes of "+u.Name+" are root's")
			}
		}
		for _, reason := range t.Invalid {
			if !slices.Contains(notBlamed, reason.Code) {
				problem(t.Workload, reason.Text)
			}
		}
	}
	switch {
	case len(problems) == 0 && (trials < len(record.Run.Workloads) || answers == nil):
		return "FAILS: it was not reached under each load", false
	case len(problems) == 0 && stop < 0:
		return "FAILS: no service was seen to stop when asked to", false
	case len(problems) > 0 && mayFail != "":
		return fmt.Sprintf("fails, as it may (%s): %s", mayFail, problems[0]), true
	case len(problems) > 0:
		return "FAILS: " + strings.Join(problems, "; "), false
	}
	var seen []string
	for _, a := range answers {
		seen = append(seen, fmt.Sprintf("%d, %d bytes after a head of %d", a.Status, a.BodyBytes, a.HeadBytes))
	}
	return fmt.Sprintf("works: %s, stopped in %.1f s", strings.Join(seen, "; "), stop), true
}
