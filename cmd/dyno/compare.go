package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dyno/results"
	"dyno/results/gate"
	"dyno/results/report"
)

func newCompare() *cobra.Command {
	var r rendering
	var demands gating
	var force bool
	cmd := &cobra.Command{
		Use:   "compare BASE OTHER…",
		Short: "Compare records with a baseline",
		Long: `Hold the targets of each record against the same ones of a baseline. Each of BASE
and OTHER is the path of a record, or of several runs of one scenario, joined by
commas: these are taken together.

Records are compared that are of one scenario, one version of dyno and like machines;
docs/compare.md has what has to be alike.

Exit codes: 0 done; 2 wrong usage, or records that are unlike; 4 a gate fails.`,
		Example: `  dyno compare before.jsonl after.jsonl
  dyno compare before1.jsonl,before2.jsonl after1.jsonl,after2.jsonl
  dyno compare before.jsonl after.jsonl --gate 'goodput(*) >= 0.95 * baseline'`,
		Args: takesAtLeast(2, "the path of a baseline, and those of what is compared with it"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var inputs []string
			for _, arg := range args {
				inputs = append(inputs, strings.Split(arg, ",")...)
			}
			if err := r.check(inputs...); err != nil {
				return err
			}
			var sides [][]results.Record
			var all []source
			for i, arg := range args {
				sources, err := readSources(strings.Split(arg, ","))
				if err != nil {
					return err
				}
				for n := range sources {
					sources[n].side = report.Letter(i)
				}
				sides, all = append(sides, recordsOf(sources)), append(all, sources...)
			}
			gates, err := demands.read(castOfAll(sides))
			if err != nil {
				return err
			}
			contrast, err := results.Compare(sides[0], sides[1:], force, gates...)
			if err != nil {
				return unlike(err)
			}
			if err := r.write(cmd.OutOrStdout(), formsOfContrast(contrast, all)); err != nil {
				return err
			}
			return failed(report.FailedContrastGates(contrast))
		},
	}
	demands.flags(cmd)
	r.flags(cmd, ofSides())
	cmd.Flags().BoolVar(&force, "force", false, "compare unlike records; the report says so")
	return cmd
}

// castOfAll is whom gates on several records can name: the targets of any, and the
// workloads of all, since a gate on one that a record does not have would be held
// against nothing. The baseline is no target, but a record.
func castOfAll(sides [][]results.Record) (all gate.Cast) {
	for i, record := range slices.Concat(sides...) {
		cast := results.CastOf(record.Run)
		for _, name := range cast.Targets {
			if !slices.Contains(all.Targets, name) {
				all.Targets = append(all.Targets, name)
			}
		}
		if i == 0 {
			all.Workloads = cast.Workloads
		}
		all.Workloads = slices.DeleteFunc(all.Workloads, func(name string) bool { return !slices.Contains(cast.Workloads, name) })
	}
	return all
}
