package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"dyno/containers"
	"dyno/orchestrator"
)

func newClean() *cobra.Command {
	var images bool
	cmd := &cobra.Command{
		Use:   "clean",
		Short: "Remove containers that dead runs left behind, and images if asked to",
		Long: `Remove the containers of runs whose process is gone. Those of a run that is
still under way stay, and so does everything that is not dyno's. Of a run in
another container or on another machine only what has stopped is removed.

With --images, the images that dyno built go as well; the next run builds those
that it needs anew. Images that were pulled or are the user's stay.`,
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
			out := cmd.OutOrStdout()
			fmt.Fprintf(out, "removed %s of dead runs\n", count(n, "container"))
			if !images {
				return nil
			}
			lock, err := orchestrator.Acquire(cmd.Context(), orchestrator.LockFile, false, func(orchestrator.Holder) {})
			if err != nil {
				return err // a run needs them
			}
			defer lock.Release()
			n, busy, err := driver.RemoveImages(cmd.Context())
			fmt.Fprintf(out, "removed %s\n", count(n, "image"))
			for _, ref := range busy {
				fmt.Fprintf(out, "kept %s: a container needs it\n", ref)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&images, "images", false, "remove the images that dyno built, too")
	return cmd
}
