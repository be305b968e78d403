package main

import (
	"github.com/spf13/cobra"

	"dyno/results"
)

func newReport() *cobra.Command {
	var r rendering
	cmd := &cobra.Command{
		Use:   "report FILE",
		Short: "Report on a record",
		Args:  takes(1, "the path of one record"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := r.check(); err != nil {
				return err
			}
			record, err := results.Read(args[0])
			if err != nil {
				return usageError("%s is no record that can be read: %v; records are in results/runs", args[0], err)
			}
			return r.write(cmd.OutOrStdout(), args[0], results.Judge(record))
		},
	}
	r.flags(cmd)
	return cmd
}
