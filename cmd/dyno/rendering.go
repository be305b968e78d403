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

// A form writes a judgement in one of the report's formats.
type form func(io.Writer, results.Judgement, report.Options) error

func formNamed(name string) (form, error) {
	switch name {
	case "text":
		return report.Text, nil
	case "markdown":
		return report.Markdown, nil
	case "junit":
		return report.JUnit, nil
	}
	return nil, usageError("--format %s: it is text, markdown or junit", name)
}

// formOf is the form that a file's name asks for.
func (r *rendering) formOf(file string) (form, error) {
	switch filepath.Ext(file) {
	case ".md":
		return report.Markdown, nil
	case ".xml":
		return report.JUnit, nil
	}
	return formNamed(r.format)
}

// check says what is wrong with the flags, before a run is made for a report that
// nobody gets.
func (r *rendering) check() error {
	if _, err := formNamed(r.format); err != nil {
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

// write writes the report of a judgement whose record is at path.
func (r *rendering) write(w io.Writer, path string, j results.Judgement) error {
	write, err := formNamed(r.format)
	if err != nil {
		return err
	}
	width, colour := terminal(w)
	if err := write(w, j, report.Options{Path: path, Width: width, Colour: colour}); err != nil {
		return err
	}
	for _, file := range r.files {
		if err := r.save(file, path, j); err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
	}
	return nil
}

func (r *rendering) save(file, path string, j results.Judgement) error {
	write, err := r.formOf(file)
	if err != nil {
		return err
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := write(f, j, report.Options{Path: path}); err != nil {
		return err
	}
	return f.Close()
}
