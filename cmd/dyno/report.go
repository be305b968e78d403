package main

import (
	"errors"

	"github.com/spf13/cobra"

	"dyno/results"
	"dyno/results/report"
)

func newReport() *cobra.Command {
	var r rendering
	var demands gating
	var beside []string
	var force bool
	cmd := &cobra.Command{
		Use:   "report FILE…",
		Short: "Report on a record, or on several runs of one scenario together",
		Long: `Report on a record, and hold it against gates. Several records are reported on as
one with the rounds of all, if they are of one scenario, of the same stacks and of
like machines. What dyno import wrote can stand beside a run. Whatever the records say, the exit code is 0, or 4 where a gate
fails.`,
		Args: takesAtLeast(1, "the paths of one record or more"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := r.check(append(beside, args...)...); err != nil {
				return err
			}
			sources, err := readSources(args)
			if err != nil {
				return err
			}
			record, err := results.Merge(recordsOf(sources), force)
			if err != nil {
				return unlike(err)
			}
			others, err := readBeside(record, beside)
			if err != nil {
				return err
			}
			gates, err := demands.on(record)
			if err != nil {
				return err
			}
			judgement := results.Judge(record, gates...)
			if err := r.write(cmd.OutOrStdout(), formsOf(judgement, append(sources, others...), judged(others)...)); err != nil {
				return err
			}
			return failed(report.FailedGates(judgement))
		},
	}
	demands.flags(cmd)
	r.flags(cmd, ofTrials())
	cmd.Flags().StringArrayVar(&beside, "beside", nil, "`FILE` of dyno import, whose figures stand below and are compared with nothing; may be given several times")
	cmd.Flags().BoolVar(&force, "force", false, "report on unlike records together; the report says so")
	return cmd
}

// readBeside reads records that dyno import wrote.
func readBeside(record results.Record, paths []string) (others []source, err error) {
	others, err = readSources(paths)
	if err != nil {
		return nil, err
	}
	for i := range others {
		others[i].side = report.Beside
		switch {
		case others[i].record.Run.Imported == nil:
			return nil, usageError("--beside %s: dyno measured this one; only what dyno import wrote can stand beside", others[i].path)
		case record.Run.Imported != nil:
			return nil, usageError("--beside takes the record of a run, and %s was imported too", record.Run.ID)
		}
	}
	return others, nil
}

func judged(sources []source) (all []results.Judgement) {
	for _, s := range sources {
		all = append(all, results.Judge(s.record))
	}
	return all
}

// unlike says what to do about records that cannot be taken together.
func unlike(err error) error {
	if _, ok := errors.AsType[*results.UnlikeError](err); !ok {
		return usageError("%v", err)
	}
	return usageError("%v\ntake records of one scenario and of like machines (docs/compare.md), or --force it: the report will say so", err)
}
