package main

import (
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"dyno/scenarios"
)

func newList() *cobra.Command {
	var shelf shelf
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the scenarios and the stacks that they may name",
		Args:  takes(0, "no argument"),
		RunE: func(cmd *cobra.Command, args []string) error {
			catalog, err := shelf.open()
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
				stack, ok := catalog.Stack(name)
				about := stack.About
				switch missing := stack.Missing(); {
				case !ok:
					about = "cannot be used, see below"
				case missing != nil:
					about += "; missing here: " + missing.Error()
				}
				fmt.Fprintf(w, "  %s\t%s\n", name, about)
			}
			return errors.Join(w.Flush(), catalog.Broken())
		},
	}
	shelf.flags(cmd)
	return cmd
}
