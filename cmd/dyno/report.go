package main

import (
	"io"

	"github.com/spf13/cobra"

	"dyno/results"
	"dyno/results/report"
)

func newReport() *cobra.Command {
	var beside []string
	cmd := &cobra.Command{
		Use:   "report FILE",
		Short: "Report on a record",
		Args:  takes(1, "the path of one record"),
		RunE: func(cmd *cobra.Command, args []string) error {
			record, err := readRecord(args[0])
			if err != nil {
				return err
			}
			others, err := readBeside(record, beside)
			if err != nil {
				return err
			}
			_, err = render(cmd.OutOrStdout(), args[0], record, others...)
			return err
		},
	}
	cmd.Flags().StringArrayVar(&beside, "beside", nil, "`FILE` of dyno import, whose figures stand below and are compared with nothing; may be given several times")
	return cmd
}

func readRecord(path string) (results.Record, error) {
	record, err := results.Read(path)
	if err != nil {
		return record, usageError("%s is no record that can be read: %v; records are in results/runs", path, err)
	}
	return record, nil
}

// readBeside reads and judges records that dyno import wrote.
func readBeside(record results.Record, paths []string) (others []results.Judgement, err error) {
	for _, path := range paths {
		other, err := readRecord(path)
		switch {
		case err != nil:
			return nil, err
		case other.Run.Imported == nil:
			return nil, usageError("--beside %s: dyno measured this one; only what dyno import wrote can stand beside", path)
		case record.Run.Imported != nil:
			return nil, usageError("--beside takes the record of a run, and %s was imported too", record.Run.ID)
		}
		others = append(others, results.Judge(other))
	}
	return others, nil
}

// render judges the record that was read from a path, and writes the report of it,
// with others below.
func render(w io.Writer, path string, record results.Record, beside ...results.Judgement) (results.Judgement, error) {
	judgement := results.Judge(record)
	width, colour := terminal(w)
	return judgement, report.Text(w, judgement, report.Options{Path: path, Width: width, Colour: colour, Beside: beside})
}
