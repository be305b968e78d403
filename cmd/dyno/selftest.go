package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"dyno/orchestrator"
	"dyno/orchestrator/load"
	"dyno/orchestrator/load/truth"
	"dyno/results"
	"dyno/results/report"
	"dyno/scenarios"
)

// What a self-test is made of, unless asked otherwise.
const (
	selfScenario = "mruby-vs-lua"
	selfCopies   = 5
	selfRounds   = 9
	selfDuration = 2 * time.Second
)

func newSelfTest() *cobra.Command {
	p := planning{overrides: scenarios.Overrides{Rounds: selfRounds, Duration: selfDuration}}
	var folder string
	var wait bool
	cmd := &cobra.Command{
		Use:   "selftest [SCENARIO]",
		Short: "See how far this machine and dyno itself can be trusted",
		Long: `Run the first target of a scenario (mruby-vs-lua unless another is named) against
four copies of itself, and tell how often a difference would have been claimed
and how small an effect this machine can show with so many rounds. Then load a
server that knows its own delays, and tell how well the load engine measures them.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := append(args, selfScenario)[0]
			if err := p.above0(cmd); err != nil {
				return err
			}
			sc, catalog, err := p.scenario(name)
			if err != nil {
				return err
			}
			if sc.Workloads[0].Rate > 0 {
				return usageError("%s has a rate: goodput is then what was offered; take a scenario without one", name)
			}
			plan, err := planOf(sc.Copies(selfCopies), catalog, p.drawnSeed(cmd))
			if err != nil {
				return err
			}
			progress := newProgress(cmd.ErrOrStderr(), plan)
			outcome, err := orchestrator.Run(cmd.Context(), plan, orchestrator.Options{
				Catalog: catalog, Results: folder, Binary: self, Version: version(),
				Command: commandLine(), Wait: wait, IdleWait: idleWaitDefault, Watch: progress.watch,
			})
			progress.close()
			if err != nil || outcome.Status == results.Interrupted {
				return conclude(cmd.OutOrStdout(), rendering{format: "text"}, nil, outcome, err)
			}
			record, err := results.Read(outcome.Path)
			if err != nil {
				return err
			}
			engine, err := underLock(cmd.Context(), wait, measureTruth)
			if err != nil {
				return err
			}
			width, colour := terminal(cmd.OutOrStdout())
			return report.SelfTest(cmd.OutOrStdout(), results.TestSelf(record), engine, report.Options{Paths: []string{outcome.Path}, Width: width, Colour: colour})
		},
	}
	p.shelf.flags(cmd)
	f := cmd.Flags()
	f.IntVar(&p.overrides.Rounds, "rounds", selfRounds, "visits of each copy")
	f.DurationVar(&p.overrides.Duration, "duration", selfDuration, "length of each measurement")
	f.Uint64Var(&p.seed, "seed", 0, "of the order within rounds, and of what is random in a load (default: drawn anew)")
	f.StringVar(&folder, "results", filepath.Join("results", "selftests"), "folder for the record")
	f.BoolVar(&wait, "wait", false, "queue behind another run on this machine")
	return cmd
}

// What the load engine is held against: so many requests a second to the server
// that knows its delays, from so many connections.
const (
	truthRequests    = 5000
	truthConnections = 100
	truthRate        = 1000
)

// underLock does something while no run measures on this machine.
func underLock[T any](ctx context.Context, wait bool, do func(context.Context) (T, error)) (result T, err error) {
	lock, err := orchestrator.Acquire(ctx, orchestrator.LockFile, wait, func(orchestrator.Holder) {})
	if err != nil {
		return result, err
	}
	defer lock.Release()
	return do(ctx)
}

// measureTruth loads a server that knows its own delays, and returns quantiles of
// them as both have it.
func measureTruth(ctx context.Context) (all []report.Recovery, err error) {
	server, err := truth.Listen(uint64(time.Now().UnixNano()))
	if err != nil {
		return nil, err
	}
	defer server.Close()
	engine, err := load.New(load.Config{
		Addr:        server.Addr(),
		Mix:         []load.Part{{Request: load.Request{KeepAlive: true}, Expect: load.Expect{Body: []byte(truth.Body)}}},
		Connections: truthConnections, Timeout: 5 * time.Second,
	})
	if err != nil {
		return nil, loadError(err)
	}
	defer engine.Close()
	if _, err := undisturbed(ctx, engine, load.Phase{Requests: truthConnections}); err != nil { // connects
		return nil, loadError(err)
	}
	result, err := undisturbed(ctx, engine, load.Phase{Requests: truthRequests, Rate: truthRate, Arrivals: load.Poisson})
	if err != nil {
		return nil, loadError(err)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if result.Outcomes.Failed() > 0 {
		return nil, fmt.Errorf("loading a server that always answers: %v", result.Outcomes)
	}
	known := server.Delays(truthConnections)
	for _, q := range []float64{0.5, 0.9, 0.99, 0.999} {
		all = append(all, report.Recovery{Share: q, Known: known[int(q*float64(len(known)))-1], Measured: result.Service.Quantile(q)})
	}
	return all, nil
}
