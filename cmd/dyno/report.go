package main

import (
	"github.com/spf13/cobra"

	"dyno/results"
)

func newReport() *cobra.Command {
	var r rendering
	var demands gating
	cmd := &cobra.Command{
		Use:   "report FILE",
		Short: "Report on a record",
		Long: `Report on a record, and hold it against gates. Whatever the record says, the exit
code is 0, or 4 where a gate fails.`,
		Args: takes(1, "the path of one record"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := r.check(); err != nil {
				return err
			}
			record, err := results.Read(args[0])
			if err != nil {
				return usageError("%s is no record that can be read: %v; records are in results/runs", args[0], err)
			}
			gates, err := demands.read(results.CastOf(record.Run))
			if err != nil {
				return err
			}
			judgement := results.Judge(record, gates...)
			if err := r.write(cmd.OutOrStdout(), args[0], judgement); err != nil {
				return err
			}
			return failed(judgement)
		},
	}
	demands.flags(cmd)
	r.flags(cmd)
	return cmd
}
