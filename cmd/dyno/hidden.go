package main

import (
	"context"
	"io"

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
			return watch(context.WithoutCancel(cmd.Context()), args[0], cmd.InOrStdin())
		},
	}
}

func watch(ctx context.Context, run string, pipe io.Reader) error {
	driver, err := containers.Connect(ctx, nil, containers.Owner{Run: run}, "", func(string) {})
	if err != nil {
		return err
	}
	defer driver.Close()
	return orchestrator.Watch(ctx, pipe, driver)
}
