// Command dyno puts web server stacks on a dynamometer: it boots each stack of a
// scenario in containers, checks its answers, loads it, reads what it spends,
// and says which differences are to be believed.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// The codes that dyno exits with, beside 0. Errors that know theirs say so by a
// method ExitCode() int.
const (
	exitFault       = 1   // of dyno or Docker
	exitUsage       = 2   // wrong command line, scenario or stack
	exitInvalid     = 3   // a trial was invalid
	exitFailed      = 4   // a gate fails, or a claim of the scenario is refuted
	exitInterrupted = 130 // the record is kept, closed as interrupted
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop) // a second signal ends dyno at once; the watchdog takes down what is left
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run carries out one command line and returns its exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	if ctx.Err() != nil && exitCode(err) != exitUsage {
		fmt.Fprintln(stderr, "dyno: interrupted")
		return exitInterrupted
	}
	if text := err.Error(); text != "" {
		fmt.Fprintln(stderr, "dyno:", text)
	}
	return exitCode(err)
}

func exitCode(err error) int {
	if e, ok := errors.AsType[interface {
		error
		ExitCode() int
	}](err); ok {
		return e.ExitCode()
	}
	return exitFault
}

// A codedError is an error with an exit code; one without text says nothing more.
type codedError struct {
	code int
	text string
}

func (e *codedError) Error() string { return e.text }

func (e *codedError) ExitCode() int { return e.code }

func usageError(format string, args ...any) error {
	return &codedError{exitUsage, fmt.Sprintf(format, args...)}
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "dyno",
		Short: "Compare web server stacks: what they serve, what it costs, and how sure that is",
		Long: `dyno puts web server stacks on a dynamometer. A scenario names the stacks to
compare; dyno boots each in containers, checks its answers, loads it from inside
its own network namespace, reads what server, load engine and host spend, takes
everything down, and writes one record with the hardware in it.`,
		Example: `  dyno doctor
  dyno list
  dyno run mruby-vs-lua --quick
  dyno report results/runs/ID.jsonl`,
		Version:       version(),
		SilenceErrors: true, SilenceUsage: true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError("no verb %q; `dyno help` lists them", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageError("%v; `%s --help` lists the flags", err, cmd.CommandPath())
	})
	root.AddCommand(
		newRun(), newPlan(), newReport(), newCompare(), newImport(),
		newCheck(), newSelfTest(), newDoctor(),
		newList(), newStacks(), newImages(), newInit(), newClean(),
		newLoad(), newAB(),
		newVersion(), newAgent(), newWatchdog(),
	)
	return root
}

// takes returns a check of a verb's number of arguments that says what they are.
func takes(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			return usageError("%s takes %s; `%s --help` tells more", cmd.CommandPath(), what, cmd.CommandPath())
		}
		return nil
	}
}

// takesAtLeast is takes for a verb that takes so many arguments or more.
func takesAtLeast(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < n {
			return usageError("%s takes %s; `%s --help` tells more", cmd.CommandPath(), what, cmd.CommandPath())
		}
		return nil
	}
}
