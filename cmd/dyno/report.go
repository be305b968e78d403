package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"

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
			if err := r.check(); err != nil {
				return err
			}
			records, err := readAll(args)
			if err != nil {
				return err
			}
			record, err := results.Merge(records, force)
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
			if err := r.write(cmd.OutOrStdout(), args, formsOf(judgement, others...)); err != nil {
				return err
			}
			return failed(report.FailedGates(judgement))
		},
	}
	demands.flags(cmd)
	r.flags(cmd, formsOfARun())
	cmd.Flags().StringArrayVar(&beside, "beside", nil, "`FILE` of dyno import, whose figures stand below and are compared with nothing; may be given several times")
	cmd.Flags().BoolVar(&force, "force", false, "report on unlike records together; the report says so")
	return cmd
}

// readAll reads records, or says which file is none.
func readAll(paths []string) (records []results.Record, err error) {
	for _, path := range paths {
		read, err := readFile(path)
		if err != nil {
			return nil, usageError("%s is no record that can be read: %v; records are in results/runs", path, err)
		}
		records = append(records, read...)
	}
	return records, nil
}

// readFile reads a record, or those that a page carries.
func readFile(path string) ([]results.Record, error) {
	if filepath.Ext(path) != ".html" {
		record, err := results.Read(path)
		return []results.Record{record}, err
	}
	page, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	texts, err := report.Attached(page)
	if err != nil {
		return nil, err
	}
	var records []results.Record
	for _, text := range texts {
		record, err := results.Decode(bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		records = append(records, record)
	}
	return records, nil
}

// readBeside reads and judges records that dyno import wrote.
func readBeside(record results.Record, paths []string) (others []results.Judgement, err error) {
	records, err := readAll(paths)
	if err != nil {
		return nil, err
	}
	for i, other := range records {
		switch {
		case other.Run.Imported == nil:
			return nil, usageError("--beside %s: dyno measured this one; only what dyno import wrote can stand beside", paths[i])
		case record.Run.Imported != nil:
			return nil, usageError("--beside takes the record of a run, and %s was imported too", record.Run.ID)
		}
		others = append(others, results.Judge(other))
	}
	return others, nil
}

// unlike says what to do about records that cannot be taken together.
func unlike(err error) error {
	if _, ok := errors.AsType[*results.UnlikeError](err); !ok {
		return usageError("%v", err)
	}
	return usageError("%v\ntake records of one scenario and of like machines (docs/compare.md), or --force it: the report will say so", err)
}
