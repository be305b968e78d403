package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"dyno/orchestrator/load"
	"dyno/orchestrator/load/ab"
)

// abUsage leaves out what ab has and dyno refuses.
const abUsage = `Usage: dyno ab [--allow-remote] [options] [http://]hostname[:port]/path
Options are ab's, and may be written together (-kc 10):
    -n requests     Number of requests, 1 without it
    -c concurrency  Number of requests at a time, 1 without it
    -t timelimit    Seconds to spend at most; this implies -n 50000
    -s timeout      Seconds to wait for each answer, 30 without it
    -k              Keep connections alive
    -i              HEAD instead of GET
    -p postfile     POST the file; mind -T
    -u putfile      PUT the file; mind -T
    -m method       Another method
    -T content-type Type of the file sent, 'text/plain' without it
    -C attribute    Cookie, 'name=value'; the last one is sent
    -H attribute    Further header line; may be given several times
    -A attribute    Basic authentication, user:password
    -P attribute    Basic authentication at the proxy, user:password
    -X proxy:port   Proxy
    -l              Bodies may differ in length
    -r              ab would go on after errors of receiving (dyno always does)
    -v verbosity    0 or 1
    -q              No progress
    -d              No table of percentages
    -S              No deviations, medians and warnings
    -w              HTML tables; -x, -y and -z are attributes of table, tr and td
    -e filename     CSV file of the percentages
    -g filename     TSV file of all requests
    -V, -h          Version, this help
Not supported: -b, -B, -v above 1, and https with its -f, -E, -I and -Z.
`

func newAB() *cobra.Command {
	return &cobra.Command{
		Use:   "ab [ab's options] [http://]HOST[:PORT]/PATH",
		Short: "Load a server as ApacheBench does, and report as it does",
		Long: `Load a server with what ApacheBench 2.3 would send, and print its report, so
that an old one can be checked line by line. The true outcomes stand below it.

Exit codes: 0 every answer was right; 1 a fault of dyno or this host; 2 wrong
usage; 3 some were not; 130 interrupted, with the report so far.`,
		DisableFlagParsing: true, // they are ab's
		RunE: func(cmd *cobra.Command, args []string) error {
			remote := false
			for len(args) > 0 && strings.HasPrefix(args[0], "--") && args[0] != "--" {
				switch args[0] {
				case "--help":
					return cmd.Help()
				case "--allow-remote":
					remote = true
				default:
					return usageError("unknown flag: %s; `dyno ab -h` lists ab's", args[0])
				}
				args = args[1:]
			}
			line, err := ab.Parse(args)
			if err != nil {
				return usageError("%v; `dyno ab -h` lists the options", err)
			}
			return runAB(cmd.Context(), line, remote, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
}

func runAB(ctx context.Context, line ab.Command, remote bool, stdout, stderr io.Writer) error {
	if line.Help || line.Version {
		text := abUsage
		if line.Version {
			text = line.Banner()
		}
		_, err := io.WriteString(stdout, text)
		return err
	}
	if err := errors.Join(writable(line.CSV), writable(line.Gnuplot)); err != nil {
		return usageError("%v", err)
	}
	if line.Proxy != "" && !remote { // it would carry the load on
		if _, err := allowed(ctx, line.Target.Host, false); err != nil {
			return err
		}
	}
	host, port := line.Peer()
	addr, err := locate(ctx, host, port, remote)
	if err != nil {
		return err
	}
	cfg, err := line.Config()
	if err != nil {
		return usageError("%v", err)
	}
	cfg.Addr = addr
	engine, err := load.New(cfg)
	if err != nil {
		return loadError(err)
	}
	defer engine.Close()
	fmt.Fprint(stdout, line.Banner(), line.Opening())
	report, fault := measureAB(ctx, line, engine, cfg, stderr)
	if line.Heartbeat() > 0 {
		fmt.Fprintf(stderr, "Finished %d requests\n", report.account.Complete)
	} else {
		fmt.Fprint(stdout, "..done\n")
	}
	if err := report.write(stdout); err != nil {
		return err
	}
	return report.conclude(ctx, fault)
}

// An abReport is all that a report of ab tells.
type abReport struct {
	account ab.Account
	result  load.Result
	asked   bool // one request more asked for the server's name
}

// write writes ab's report, the true outcomes below it, and ab's files.
func (r *abReport) write(w io.Writer) error {
	a := &r.account
	write := a.Text
	if a.Command.HTML {
		write = a.HTML
	}
	if err := write(w); err != nil {
		return err
	}
	if _, err := io.WriteString(w, r.truth()); err != nil {
		return err
	}
	if err := writeFile(a.Command.CSV, a.CSV); err != nil {
		return err
	}
	return writeFile(a.Command.Gnuplot, a.Gnuplot)
}

// conclude returns the error that the exit code is made of.
func (r *abReport) conclude(ctx context.Context, fault error) error {
	switch {
	case fault != nil:
		return loadError(fault)
	case ctx.Err() != nil:
		return &codedError{code: exitInterrupted}
	case r.account.Right < r.result.Started:
		return &codedError{code: exitInvalid}
	}
	return nil
}
