package main

import (
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

// Forms of a report, in the order in which they are told.
func formsOfARun() []string  { return []string{"text", "markdown", "html", "junit", "csv", "benchmark"} }
func formsOfSides() []string { return []string{"text", "markdown", "html", "junit"} }

// flags adds them, for a report that has the forms that are known.
func (r *rendering) flags(cmd *cobra.Command, known []string) {
	r.known = known
	cmd.Flags().StringVar(&r.format, "format", "text", "form of the report: "+choice(known))
	cmd.Flags().StringArrayVar(&r.files, "out", nil, "write the report to this file as well, in the form of its name's ending ("+strings.Join(endings(known), ", ")+"), or else in that of --format; may be given several times")
}

// choice writes "a, b or c".
func choice(of []string) string {
	last := len(of) - 1
	return strings.Join(of[:last], ", ") + " or " + of[last]
}

// endings are those of the files that ask for one of the forms by their name.
func endings(forms []string) (all []string) {
	for _, ending := range []string{".txt", ".md", ".html", ".xml", ".csv", ".bench"} {
		if slices.Contains(forms, formOf("report"+ending, "")) {
			all = append(all, ending)
		}
	}
	return all
}

// formOf is the form that a file's name asks for, or format.
func formOf(file, format string) string {
	switch filepath.Ext(file) {
	case ".txt":
		return "text"
	case ".md":
		return "markdown"
	case ".html":
		return "html"
	case ".xml":
		return "junit"
	case ".csv":
		return "csv"
	case ".bench":
		return "benchmark"
	}
	return format
}

// inText is the rendering of a verb that has no such flags.
func inText() rendering { return rendering{known: []string{"text"}, format: "text"} }

// A form writes a report, and forms are those that a report has, by their names.
type (
	form  func(io.Writer, report.Options) error
	forms map[string]form
)

// formsOf are those of a judgement, with imported ones beside it.
func formsOf(j results.Judgement, beside ...results.Judgement) forms {
	of := func(write func(io.Writer, results.Judgement, report.Options) error) form {
		return func(w io.Writer, o report.Options) error {
			o.Beside = beside
			return write(w, j, o)
		}
	}
	return forms{
		"text": of(report.Text), "markdown": of(report.Markdown), "html": attaching(of(report.HTML)),
		"junit": of(report.JUnit), "csv": of(report.CSV), "benchmark": of(report.Benchmark),
	}
}

// formsOfContrast are those of records that are held against each other.
func formsOfContrast(c results.Contrast) forms {
	of := func(write func(io.Writer, results.Contrast, report.Options) error) form {
		return func(w io.Writer, o report.Options) error { return write(w, c, o) }
	}
	return forms{"text": of(report.ContrastText), "markdown": of(report.ContrastMarkdown), "html": attaching(of(report.ContrastHTML)), "junit": of(report.ContrastJUnit)}
}

// attaching is write with the records themselves.
func attaching(write form) form {
	return func(w io.Writer, o report.Options) error {
		for _, path := range o.Paths {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			o.Attached = append(o.Attached, report.Attachment{Name: filepath.Base(path), Text: text})
		}
		return write(w, o)
	}
}

// check says what is wrong with the flags, before a run is made for a report that
// nobody gets.
func (r *rendering) check() error {
	if !slices.Contains(r.known, r.format) {
		return usageError("--format %s: it is %s", r.format, choice(r.known))
	}
	for _, file := range r.files {
		if !slices.Contains(r.known, formOf(file, r.format)) {
			return usageError("--out %s: this report has no form %s, only %s", file, formOf(file, r.format), choice(r.known))
		}
		if info, err := os.Stat(filepath.Dir(file)); err != nil || !info.IsDir() {
			return usageError("--out %s: there is no folder %s", file, filepath.Dir(file))
		}
		if info, err := os.Stat(file); err == nil && info.IsDir() {
			return usageError("--out %s: it is a folder", file)
		}
	}
	return nil
}

// write writes a report on the records at paths.
func (r *rendering) write(w io.Writer, paths []string, f forms) error {
	width, colour := terminal(w)
	if err := f[r.format](w, report.Options{Paths: paths, Width: width, Colour: colour}); err != nil {
		return err
	}
	for _, file := range r.files {
		if err := r.save(file, paths, f); err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
	}
	return nil
}

func (r *rendering) save(file string, paths []string, f forms) error {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer out.Close()
	if err := f[formOf(file, r.format)](out, report.Options{Paths: paths}); err != nil {
		return err
	}
	return out.Close()
}
