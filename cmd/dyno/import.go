package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dyno/results"
	"dyno/results/history"
)

// An importing is the flags of one import.
type importing struct {
	name, hardware, note string
	folder               string
	reports              rendering
}

func newImport() *cobra.Command {
	var im importing
	cmd := &cobra.Command{
		Use:   "import FILE…",
		Short: "Read reports of ab, wrk, wrk2, hey and h2load, and judge them by what they say",
		Long: `Read reports that other load generators made elsewhere, whole or in part, as
posts quote them; write a record of them, and say of each what it says, whether
it may count, and what to doubt. A file may hold several, among other text.

Nothing is measured, so nothing is ranked. Hardware, name and note are what you
state. dyno report shows the record again, also beside a run's (--beside).

Exit codes: 0 all may count, or nothing speaks against them; 1 the record cannot
be written; 2 a file holds no report; 3 at least one is invalid.`,
		Example: `  dyno import ab.txt --name mod_mruby-2013 --hardware 'Xeon X5355 2.66 GHz, 8 GB'
  dyno import post/*.txt --note 'copied from the list, January 2013'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError("dyno import takes the paths of files with reports; `dyno import --help` tells more")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := im.reports.check(args...); err != nil {
				return err
			}
			return im.run(cmd.OutOrStdout(), args)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&im.name, "name", "", "what to call these reports (default: the name of the only file, or imported)")
	f.StringVar(&im.hardware, "hardware", "", "the machine that they are from, as far as you know it")
	f.StringVar(&im.note, "note", "", "what else there is to know, such as the source")
	f.StringVar(&im.folder, "results", filepath.Join("results", "runs"), "folder for the record")
	im.reports.flags(cmd, ofSides())
	return cmd
}

func (im importing) run(w io.Writer, files []string) error {
	all, err := readReports(files)
	if err != nil {
		return usageError("%v", err)
	}
	record := im.record(all, files)
	path, err := write(im.folder, record)
	if err != nil {
		return fmt.Errorf("writing the record: %w", err)
	}
	// What is reported is what is in the file.
	sources, err := readSource(path)
	if err != nil {
		return err
	}
	judgement := results.Judge(sources[0].record)
	if err := im.reports.write(w, formsOf(judgement, sources)); err != nil {
		return err
	}
	if judgement.AnyInvalid() {
		return &codedError{code: exitInvalid}
	}
	return nil
}

// readReports reads all files, and gives reports of one name a number.
func readReports(files []string) (all []results.Historic, err error) {
	names := map[string]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("reading a report: %w", err)
		}
		reports, err := history.Read(file, text)
		if err != nil {
			return nil, err
		}
		for _, h := range reports {
			base := h.Name
			for n := 2; names[h.Name] > 0; n++ {
				h.Name = fmt.Sprintf("%s-%d", base, n)
			}
			names[h.Name]++
			all = append(all, h)
		}
	}
	return all, nil
}

// unfit is what has no place in the name of a file.
var unfit = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

func (im importing) record(all []results.Historic, files []string) results.Record {
	started := time.Now().UTC()
	base := "imported"
	if len(files) == 1 {
		base = strings.TrimSuffix(filepath.Base(files[0]), filepath.Ext(files[0]))
	}
	name := cmp.Or(strings.TrimSpace(im.name), base)
	run := results.Run{
		ID:       started.Format("20060102T150405Z") + "-" + cmp.Or(strings.Trim(unfit.ReplaceAllString(name, "-"), "-."), "imported"),
		Dyno:     version(),
		Started:  started,
		Command:  os.Args,
		Scenario: results.Scenario{Name: name},
		Limits:   results.DefaultLimits(),
		Imported: &results.Imported{Hardware: strings.TrimSpace(im.hardware), Note: strings.TrimSpace(im.note)},
		Warnings: history.Unlike(all),
	}
	if run.Imported.Hardware == "" {
		run.Warnings = slices.Insert(run.Warnings, 0, "the machine is not stated (--hardware): figures of an unknown machine say nothing about another")
	}
	return results.Record{Run: run, Historic: all, End: &results.End{
		Finished: started, Status: results.Complete, Trials: len(all), Planned: len(all),
	}}
}

// write writes a record of historic reports, and returns its path. Where there is
// one of that name already, from the same second, it takes another.
func write(folder string, record results.Record) (path string, err error) {
	w, err := results.Create(folder, record.Run)
	for id, n := record.Run.ID, 2; errors.Is(err, fs.ErrExist); n++ {
		record.Run.ID = fmt.Sprintf("%s-%d", id, n)
		w, err = results.Create(folder, record.Run)
	}
	if err != nil {
		return "", err
	}
	for _, h := range record.Historic {
		err = errors.Join(err, w.Historic(h))
	}
	return w.Path(), errors.Join(err, w.End(*record.End), w.Close())
}
