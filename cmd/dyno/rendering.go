package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dyno/results"
	"dyno/results/report"
)

// A rendering is the flags that decide in which form a report is written, and where.
type rendering struct {
	known  []string // forms that the report has
	format string   // of standard output
	files  []string // that have the report as well
}

// A format is a form's name, and the endings of the files that ask for it by theirs.
type format struct {
	name    string
	endings []string
}

// formats are the forms of a report in the order in which they are told.
func formats() []format {
	return []format{
		{"text", []string{".txt"}},
		{"markdown", []string{".md"}},
		{"html", []string{".html", ".htm"}},
		{"junit", []string{".xml"}},
		{"csv", []string{".csv"}},
		{"benchmark", []string{".bench"}},
	}
}

// ofTrials and ofSides are the forms that reports have: the last two are a line for
// each trial, which a comparison of records and an import have not.
func ofTrials() []string { return namesOf(formats()) }
func ofSides() []string  { return namesOf(formats()[:4]) }

func namesOf(formats []format) (names []string) {
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// flags adds them, for a report that has the forms that are known.
func (r *rendering) flags(cmd *cobra.Command, known []string) {
	r.known = known
	var endings []string
	for _, f := range formats()[:len(known)] {
		endings = append(endings, f.endings[0])
	}
	cmd.Flags().StringVar(&r.format, "format", "text", "form of the report: "+choice(known))
	cmd.Flags().StringArrayVar(&r.files, "out", nil, "write the report to this file as well, in the form of its name's ending ("+strings.Join(endings, ", ")+"), or else in that of --format; may be given several times")
}

// choice writes "a, b or c".
func choice(of []string) string {
	last := len(of) - 1
	return strings.Join(of[:last], ", ") + " or " + of[last]
}

// formOf is the form that a file's name asks for, or the other.
func formOf(file, other string) string {
	for _, f := range formats() {
		if slices.Contains(f.endings, strings.ToLower(filepath.Ext(file))) {
			return f.name
		}
	}
	return other
}

// A form writes a report, and forms are those that a report has, by their names.
type (
	form  func(io.Writer, report.Options) error
	forms map[string]form
)

// formsOf are those of a judgement of records, with imported ones beside it.
func formsOf(j results.Judgement, records []source, beside ...results.Judgement) forms {
	of := func(write func(io.Writer, results.Judgement, report.Options) error) form {
		return func(w io.Writer, o report.Options) error {
			o.Paths, o.Beside, o.Attached = pathsOf(records), beside, attachments(records)
			return write(w, j, o)
		}
	}
	all := forms{"text": of(report.Text), "markdown": of(report.Markdown), "html": of(report.HTML), "junit": of(report.JUnit)}
	if j.Run.Imported == nil {
		all["csv"], all["benchmark"] = of(report.CSV), of(report.Benchmark)
	}
	return all
}

// formsOfContrast are those of records that are held against each other.
func formsOfContrast(c results.Contrast, records []source) forms {
	of := func(write func(io.Writer, results.Contrast, report.Options) error) form {
		return func(w io.Writer, o report.Options) error {
			o.Paths, o.Attached = pathsOf(records), attachments(records)
			return write(w, c, o)
		}
	}
	return forms{"text": of(report.ContrastText), "markdown": of(report.ContrastMarkdown), "html": of(report.ContrastHTML), "junit": of(report.ContrastJUnit)}
}

// check says what is wrong with the flags, before a run is made for a report that
// nobody gets, or a file that is read is written over.
func (r *rendering) check(inputs ...string) error {
	if !slices.Contains(r.known, r.format) {
		return usageError("--format %s: it is %s", r.format, choice(r.known))
	}
	for _, file := range r.files {
		if err := r.checkOut(file, inputs); err != nil {
			return err
		}
	}
	return nil
}

func (r *rendering) checkOut(file string, inputs []string) error {
	if file == "" {
		return usageError("--out takes the path of a file")
	}
	if ext := strings.ToLower(filepath.Ext(file)); slices.Contains([]string{".jsonl", ".toml", ".gz"}, ext) {
		return usageError("--out %s: no report is a %s file", file, ext)
	}
	if form := formOf(file, r.format); !slices.Contains(r.known, form) {
		return usageError("--out %s: this report has no form %s, only %s", file, form, choice(r.known))
	}
	if info, err := os.Stat(filepath.Dir(file)); err != nil || !info.IsDir() {
		return usageError("--out %s: there is no folder %s", file, filepath.Dir(file))
	}
	info, err := os.Stat(file)
	if err != nil {
		return nil
	}
	if info.IsDir() {
		return usageError("--out %s: it is a folder", file)
	}
	for _, input := range inputs {
		if other, err := os.Stat(input); err == nil && os.SameFile(info, other) {
			return usageError("--out %s: it is read, and would be written over; take another name", file)
		}
	}
	return nil
}

// write writes a report.
func (r *rendering) write(w io.Writer, f forms) error {
	asked := []string{r.format}
	for _, file := range r.files {
		asked = append(asked, formOf(file, r.format))
	}
	for _, form := range asked {
		if f[form] == nil {
			return usageError("an imported record has no trials of dyno's, and so no form %s", form)
		}
	}
	width, colour := terminal(w)
	if err := f[r.format](w, report.Options{Width: width, Colour: colour}); err != nil {
		return err
	}
	for _, file := range r.files {
		if err := save(file, f[formOf(file, r.format)]); err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
	}
	return nil
}

// save writes a report to a file, or to what a link is to, which changes only when all
// of it is there.
func save(file string, write form) error {
	info, err := os.Stat(file)
	there := err == nil
	if there && !info.Mode().IsRegular() { // /dev/stderr, say
		out, err := os.OpenFile(file, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(out, report.Options{}), out.Close())
	}
	if there {
		if file, err = filepath.EvalSymlinks(file); err != nil {
			return err
		}
	}
	fresh := file + ".part"
	out, err := os.OpenFile(fresh, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer os.Remove(fresh)
	if there {
		if err := out.Chmod(info.Mode().Perm()); err != nil {
			return errors.Join(err, out.Close())
		}
	}
	if err := errors.Join(write(out, report.Options{}), out.Close()); err != nil {
		return err
	}
	return os.Rename(fresh, file)
}
