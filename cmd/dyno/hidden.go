package main

import (
	"context"

	"github.com/spf13/cobra"

	"dyno/containers"
	"dyno/orchestrator"
	"dyno/orchestrator/agent"
)

// newAgent is what runs inside the load container.
func newAgent() *cobra.Command {
	return &cobra.Command{
		Use: "agent", Hidden: true, Args: takes(0, "no argument"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return agent.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
}

// newWatchdog is what runs beside a run, and after it.
func newWatchdog() *cobra.Command {
	return &cobra.Command{
		Use: "watchdog RUN", Hidden: true, Args: takes(1, "a run's id"),
		RunE: func(cmd *cobra.Command, args []string) error {
			// A signal to the run's session is not for the watchdog: it ends when its pipe does.
			ctx := context.WithoutCancel(cmd.Context())
			return orchestrator.Watch(ctx, cmd.InOrStdin(), cmd.OutOrStdout(), func(ctx context.Context) (orchestrator.Sweeper, error) {
				return containers.Connect(ctx, nil, containers.Owner{Run: args[0]}, "", func(string) {})
			})
		},
	}
}
