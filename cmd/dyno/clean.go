package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"dyno/containers"
)

func newClean() *cobra.Command {
	return &cobra.Command{
		Use:   "clean",
		Short: "Remove containers that dead runs left behind",
		Long: `Remove the containers of runs whose process is gone. Those of a run that is
still under way stay, and so does everything that is not dyno's. Of a run in
another container or on another machine only what has stopped is removed.`,
		Args: takes(0, "no argument"),
		RunE: func(cmd *cobra.Command, args []string) error {
			driver, err := containers.Connect(cmd.Context(), nil, containers.Owner{}, "", func(string) {})
			if err != nil {
				return err
			}
			defer driver.Close()
			n, err := driver.SweepDead(cmd.Context())
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "removed %s of dead runs\n", count(n, "container"))
			return err
		},
	}
}
