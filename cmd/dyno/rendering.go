package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"dyno/results"
	"dyno/results/report"
)

// A rendering is the flags that decide in which form a report is written, and where.
type rendering struct {
	format string   // of standard output
	files  []string // that have the report as well
}

func (r *rendering) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&r.format, "format", "text", "form of the report: text, markdown or junit")
	cmd.Flags().StringArrayVar(&r.files, "out", nil, "write the report to this file as well: as Markdown if its name ends in .md, as JUnit if in .xml, else as --format says; may be given several times")
}

// inText is the rendering of a verb that has no such flags.
func inText() rendering { return rendering{format: "text"} }

// A form writes a report; there is one for each format.
type form func(io.Writer, report.Options) error

// forms are those of one report.
type forms struct{ text, markdown, junit form }

func (f forms) named(name string) (form, error) {
	switch name {
	case "text":
		return f.text, nil
	case "markdown":
		return f.markdown, nil
	case "junit":
		return f.junit, nil
	}
	return nil, usageError("--format %s: it is text, markdown or junit", name)
}

// of is the form that a file's name asks for.
func (f forms) of(file, format string) (form, error) {
	switch filepath.Ext(file) {
	case ".md":
		return f.markdown, nil
	case ".xml":
		return f.junit, nil
	}
	return f.named(format)
}

// formsOf are those of a judgement, with imported ones beside it.
func formsOf(j results.Judgement, beside ...results.Judgement) forms {
	of := func(write func(io.Writer, results.Judgement, report.Options) error) form {
		return func(w io.Writer, o report.Options) error {
			o.Beside = beside
			return write(w, j, o)
		}
	}
	return forms{of(report.Text), of(report.Markdown), of(report.JUnit)}
}

// formsOfContrast are those of records that are held against each other.
func formsOfContrast(c results.Contrast) forms {
	of := func(write func(io.Writer, results.Contrast, report.Options) error) form {
		return func(w io.Writer, o report.Options) error { return write(w, c, o) }
	}
	return forms{of(report.ContrastText), of(report.ContrastMarkdown), of(report.ContrastJUnit)}
}

// check says what is wrong with the flags, before a run is made for a report that
// nobody gets.
func (r *rendering) check() error {
	if _, err := (forms{}).named(r.format); err != nil {
		return err
	}
	for _, file := range r.files {
		if info, err := os.Stat(filepath.Dir(file)); err != nil || !info.IsDir() {
			return usageError("--out %s: there is no folder %s", file, filepath.Dir(file))
		}
		if info, err := os.Stat(file); err == nil && info.IsDir() {
			return usageError("--out %s: it is a folder", file)
		}
	}
	return nil
}

// write writes a report on the record at path, or on several.
func (r *rendering) write(w io.Writer, path string, f forms) error {
	write, err := f.named(r.format)
	if err != nil {
		return err
	}
	width, colour := terminal(w)
	if err := write(w, report.Options{Path: path, Width: width, Colour: colour}); err != nil {
		return err
	}
	for _, file := range r.files {
		if err := r.save(file, path, f); err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
	}
	return nil
}

func (r *rendering) save(file, path string, f forms) error {
	write, err := f.of(file, r.format)
	if err != nil {
		return err
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer out.Close()
	if err := write(out, report.Options{Path: path}); err != nil {
		return err
	}
	return out.Close()
}
