package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"dyno/containers"
)

func newImages() *cobra.Command {
	return &cobra.Command{
		Use:   "images",
		Short: "List the images that dyno built, with their sizes",
		Long: `List the images that dyno built. The second size is what the image has
beyond the one that it stands on: about what its removal frees. dyno clean --images
removes all.`,
		Args: takes(0, "no argument"),
		RunE: func(cmd *cobra.Command, args []string) error {
			driver, err := containers.Connect(cmd.Context(), nil, containers.Owner{}, "", func(string) {})
			if err != nil {
				return err
			}
			defer driver.Close()
			kept, err := driver.Kept(cmd.Context())
			if err != nil {
				return err
			}
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 3, ' ', tabwriter.AlignRight)
			fmt.Fprintln(w, "size\tits own\tbuilt\t  image")
			for _, k := range kept {
				name := k.Ref
				if name == "" {
					name = "(a stage of a build)"
				}
				fmt.Fprintf(w, "%s\t%s\t%s\t  %s\n", megabytes(k.Size), megabytes(k.Own), k.Made.Format("2006-01-02 15:04"), name)
			}
			return w.Flush()
		},
	}
}

func megabytes(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) }
