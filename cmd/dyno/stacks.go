package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dyno/containers"
)

func newStacks() *cobra.Command {
	var shelf shelf
	cmd := &cobra.Command{
		Use:   "stacks [STACK…]",
		Short: "Show stacks with their parameters, services, versions and images",
		Long: `Show what each stack is: its parameters (the default first), combinations that it
cannot have, its services, and for each image whether it is built, how large it
is, and which versions it holds of what its recipe asks for. Images depend on
parameters; shown are those of the defaults.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			catalog, err := shelf.open()
			if err != nil {
				return err
			}
			names := args
			if len(names) == 0 {
				names = catalog.Stacks()
			}
			driver, absent := containers.Connect(cmd.Context(), catalog, containers.Owner{}, "", func(string) {})
			if absent == nil {
				defer driver.Close()
			}
			var broken error
			for i, name := range names {
				stack, ok := catalog.Stack(name)
				if !ok && !slices.Contains(catalog.Stacks(), name) {
					return usageError("no stack %s; `dyno list` shows all", name)
				}
				if !ok {
					broken = errors.Join(broken, catalog.Refuse(name, nil))
					continue
				}
				if i > 0 {
					fmt.Fprintln(cmd.OutOrStdout())
				}
				if err := show(cmd.Context(), cmd.OutOrStdout(), driver, stack); err != nil {
					return err
				}
			}
			return errors.Join(absent, broken)
		},
	}
	shelf.flags(cmd)
	return cmd
}

// show describes a stack. Without a driver its images are not known.
func show(ctx context.Context, w io.Writer, driver *containers.Driver, stack containers.Stack) error {
	fmt.Fprintf(w, "%s: %s\n", stack.Name, stack.About)
	if missing := stack.Missing(); missing != nil {
		fmt.Fprintf(w, "  missing here: %v\n", missing)
	}
	if stack.Connections > 0 {
		fmt.Fprintf(w, "  admits %s\n", count(stack.Connections, "connection"))
	}
	for _, name := range slices.Sorted(maps.Keys(stack.Params)) {
		p := stack.Params[name]
		fmt.Fprintf(w, "  %s = %s: %s\n", name, strings.Join(p.Values, " | "), p.About)
	}
	for _, f := range stack.Forbid {
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(f.When)) {
			parts = append(parts, name+" = "+strings.Join(f.When[name], " | "))
		}
		fmt.Fprintf(w, "  never %s: %s\n", strings.Join(parts, " with "), f.Because)
	}
	configured := stack.Configure(nil, 1)
	for _, declared := range stack.Services {
		at := slices.IndexFunc(configured.Services, func(sv containers.Service) bool { return sv.Name == declared.Name || sv.Of == declared.Name })
		sv := configured.Services[at]
		name := declared.Name
		if declared.Replicas > 0 {
			name += fmt.Sprintf(" × %d", declared.Replicas)
		}
		if driver == nil {
			fmt.Fprintf(w, "  service %s\n", name)
			continue
		}
		image, err := driver.Built(ctx, configured, sv)
		if err != nil {
			return err
		}
		if image.ID == "" {
			fmt.Fprintf(w, "  service %s: %s, not built yet\n", name, image.Ref)
			continue
		}
		fmt.Fprintf(w, "  service %s: %s, %s\n", name, image.Ref, megabytes(image.Size))
		if err := versions(ctx, w, driver, image, configured.Installs(sv)); err != nil {
			return err
		}
	}
	return nil
}

// versions writes the versions of some packages of an image, those that it has.
func versions(ctx context.Context, w io.Writer, driver *containers.Driver, image containers.Image, names []string) error {
	packages, err := driver.Packages(ctx, image)
	if err != nil {
		return err
	}
	var found []string
	for _, name := range names {
		if version, ok := packages[name]; ok {
			found = append(found, name+" "+version)
		}
	}
	if len(found) > 0 {
		fmt.Fprintf(w, "    with %s\n", strings.Join(found, ", "))
	}
	return nil
}
