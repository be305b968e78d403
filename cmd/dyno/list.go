package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"dyno/containers"
	"dyno/scenarios"
)

func newList() *cobra.Command {
	var folders []string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the scenarios and the stacks that they may name",
		Args:  takes(0, "no argument"),
		RunE: func(cmd *cobra.Command, args []string) error {
			catalog, err := containers.Open(folders...)
			if err != nil {
				return err
			}
			shipped, err := scenarios.List()
			if err != nil {
				return err
			}
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 3, ' ', 0)
			fmt.Fprintln(w, "Scenarios (make scenario NAME=…)")
			for _, s := range shipped {
				fmt.Fprintf(w, "  %s\t%s\n", s.Name, s.About)
			}
			fmt.Fprintln(w, "\nStacks")
			for _, name := range catalog.Stacks() {
				stack, _ := catalog.Stack(name)
				fmt.Fprintf(w, "  %s\t%s\n", name, stack.About)
			}
			return w.Flush()
		},
	}
	cmd.Flags().StringArrayVar(&folders, "stacks", nil, "folder with stacks of your own; may be given several times")
	return cmd
}
