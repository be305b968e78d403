package main

import (
	"maps"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"dyno/containers"
)

// A shelf is the flags that decide which stacks there are.
type shelf struct {
	folders []string
	inputs  map[string]string
}

func (s *shelf) flags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&s.folders, "stacks", nil, "folder with stacks of your own; may be given several times")
	cmd.Flags().StringToStringVar(&s.inputs, "input", nil, "what a stack needs from you, as NAME=VALUE (or DYNO_NAME in the environment)")
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
	maps.Copy(inputs, s.inputs)
	return catalog, catalog.Give(inputs)
}
