package main

import (
	"io"

	"github.com/spf13/cobra"

	"dyno/results"
	"dyno/results/report"
)

func newReport() *cobra.Command {
	return &cobra.Command{
		Use:   "report FILE",
		Short: "Report on a record",
		Args:  takes(1, "the path of one record"),
		RunE: func(cmd *cobra.Command, args []string) error {
			record, err := results.Read(args[0])
			if err != nil {
				return usageError("%s is no record that can be read: %v; records are in results/runs", args[0], err)
			}
			_, err = render(cmd.OutOrStdout(), args[0], record)
			return err
		},
	}
}

// render judges the record that was read from a path, and writes the report of it.
func render(w io.Writer, path string, record results.Record) (results.Judgement, error) {
	judgement := results.Judge(record)
	width, colour := terminal(w)
	return judgement, report.Text(w, judgement, report.Options{Path: path, Width: width, Colour: colour})
}
