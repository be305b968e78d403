package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dyno/containers"
)

//go:embed template
var templates embed.FS

var initName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)

func newInit() *cobra.Command {
	return &cobra.Command{
		Use:   "init NAME",
		Short: "Write a scenario and a stack folder for a server of your own",
		Long: `Write NAME.toml, a commented scenario that compares your server with nginx, and
stacks/NAME, a folder with a commented stack.toml and a small server that works,
to be replaced by yours. Nothing that exists is overwritten.`,
		Args: takes(1, "a name for the stack"),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := args[0]
			if !initName.MatchString(name) {
				return usageError("%q is no name of a stack: small letters, digits and dashes", name)
			}
			catalog, err := containers.Open()
			if err != nil {
				return err
			}
			if slices.Contains(append(catalog.Stacks(), "base"), name) {
				return usageError("%s is dyno's own; take another name", name)
			}
			files, err := written(name)
			if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			for _, file := range files {
				fmt.Fprintln(out, "wrote", file)
			}
			fmt.Fprintf(out, `
next: dyno check %[1]s.toml --stacks stacks
      dyno run %[1]s.toml --stacks stacks --quick
`, name)
			return nil
		},
	}
}

// written writes the templates and returns their paths.
func written(name string) (files []string, err error) {
	folder, scenario := filepath.Join("stacks", name), name+".toml"
	for _, path := range []string{folder, scenario} {
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			return nil, usageError("%s exists already", path)
		}
	}
	entries, err := templates.ReadDir("template")
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	for _, e := range entries {
		text, err := templates.ReadFile("template/" + e.Name())
		if err != nil {
			return nil, err
		}
		path := filepath.Join(folder, e.Name())
		if e.Name() == "scenario.toml" {
			path = scenario
		}
		if err := writeNew(path, strings.ReplaceAll(string(text), "{NAME}", name)); err != nil {
			return nil, err
		}
		files = append(files, path)
	}
	return files, nil
}

// writeNew writes a file that does not exist yet.
func writeNew(path, text string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return usageError("%s exists already", path)
	}
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}
