package main

import (
	"context"
	"flag"
	"fmt"
	"net/netip"
	"os"
	"runtime/debug"
	"time"

	"dyno/orchestrator/load"
)

// engineVerb makes this program a tool among the others.
const engineVerb = "engine"

// runEngine loads a server as the agent does and says how many requests were
// answered rightly.
func runEngine(ctx context.Context, args []string) error {
	debug.SetGCPercent(-1)
	var addr string
	var d time.Duration
	var part load.Part
	part.Expect.Body = []byte(body)
	cfg := load.Config{Timeout: 5 * time.Second}
	flags := flag.NewFlagSet(engineVerb, flag.ContinueOnError)
	flags.StringVar(&addr, "addr", "", "the server")
	flags.StringVar(&cfg.Backend, "backend", "", "epoll or io_uring")
	flags.DurationVar(&cfg.Window, "window", -1, "batch window")
	flags.IntVar(&cfg.Connections, "c", 1, "connections")
	flags.BoolVar(&part.KeepAlive, "k", false, "keep connections alive")
	flags.DurationVar(&d, "d", time.Second, "duration")
	if err := flags.Parse(args); err != nil {
		return err
	}
	cfg.Mix = []load.Part{part}
	var err error
	if cfg.Addr, err = netip.ParseAddrPort(addr); err != nil {
		return fmt.Errorf("reading the server's address: %w", err)
	}
	e, err := load.New(cfg)
	if err != nil {
		return err
	}
	defer e.Close()
	r, err := e.Run(ctx, load.Phase{Duration: d})
	if err != nil {
		return err
	}
	if failed := r.Outcomes.Failed(); failed > 0 {
		return fmt.Errorf("%d of %d requests went wrong: %v", failed, r.Started, r.First)
	}
	fmt.Fprintf(os.Stdout, "%d right, %.3f calls a request, window %v, median %v, p99 %v, clock p99 %v\n",
		r.Outcomes[load.OK], float64(r.Syscalls)/float64(r.Started), r.Window,
		r.Latency.Quantile(0.5), r.Latency.Quantile(0.99), r.ClockError.Quantile(0.99))
	return nil
}
