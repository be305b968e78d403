package main

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dyno/containers"
)

// A shelf is the flags that decide which stacks there are.
type shelf struct {
	folders []string
	inputs  []string // NAME=VALUE
}

func (s *shelf) flags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&s.folders, "stacks", nil, "folder with stacks of your own; may be given several times")
	cmd.Flags().StringArrayVar(&s.inputs, inputFlag, nil, "what a stack needs from you, as NAME=VALUE (or DYNO_NAME in the environment); may be given several times")
}

// open reads the stacks, and gives them what the flags and the environment say.
func (s *shelf) open() (*containers.Catalog, error) {
	catalog, err := containers.Open(s.folders...)
	if err != nil {
		return nil, err
	}
	inputs := map[string]string{}
	for _, name := range catalog.Inputs() {
		if value := os.Getenv("DYNO_" + strings.ToUpper(name)); value != "" {
			inputs[name] = value
		}
	}
	for _, text := range s.inputs {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return nil, usageError("--input %s: say NAME=VALUE", text)
		}
		inputs[name] = value
	}
	return catalog, catalog.Give(inputs)
}

const inputFlag = "input"

// commandLine is this process's, for the record, without the values of inputs: they
// may hold passwords, and a record is meant to be shown.
func commandLine() []string {
	args := slices.Clone(os.Args)
	for i, arg := range args {
		prefix, rest := "", arg
		if inline, ok := strings.CutPrefix(arg, "--"+inputFlag+"="); ok {
			prefix, rest = "--"+inputFlag+"=", inline
		} else if i == 0 || args[i-1] != "--"+inputFlag {
			continue
		}
		name, _, _ := strings.Cut(rest, "=")
		args[i] = prefix + name + "=…"
	}
	return args
}
