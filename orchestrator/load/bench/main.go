// Command bench weighs the load engine against its peers on one machine: how
// much CPU time, how many system calls and how much memory each spends on a
// request, all of them loading the same nginx. It writes docs/bench-load.md.
//
// The client has one processor and nginx another, the tools take turns within
// each round, and ratios to wrk are of one round, so that a slow minute weighs on
// all alike. It is a benchmark: its figures are worth as much as the machine is
// quiet, and nothing fails if they are bad.
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"os/signal"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// settings are what the command line says.
type settings struct {
	rounds      int
	seconds     int
	connections []int
	only        string // tools whose names hold it
	serverCPU   int
	clientCPU   int
	countCalls  bool // false: perf cannot
}

func run(ctx context.Context, args []string) error {
	if len(args) > 0 && args[0] == engineVerb {
		return runEngine(ctx, args[1:])
	}
	var s settings
	var list string
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.IntVar(&s.rounds, "rounds", 10, "alternations of all tools")
	flags.IntVar(&s.seconds, "seconds", 1, "length of one measurement")
	flags.IntVar(&s.serverCPU, "server-cpu", 0, "processor of nginx")
	flags.IntVar(&s.clientCPU, "client-cpu", 1, "processor of the tools")
	flags.StringVar(&s.only, "only", "", "leave out tools whose names do not hold this; wrk stays")
	flags.StringVar(&list, "connections", "8,64,256", "numbers of connections")
	if err := flags.Parse(args); err != nil {
		return err
	}
	for field := range strings.SplitSeq(list, ",") {
		var n int
		if _, err := fmt.Sscan(field, &n); err != nil {
			return fmt.Errorf("reading -connections: %w", err)
		}
		s.connections = append(s.connections, n)
	}
	return measureAll(ctx, s)
}

// measureAll runs the whole table and writes it to the standard output.
func measureAll(ctx context.Context, s settings) error {
	server, err := startNginx(s.serverCPU)
	if err != nil {
		return err
	}
	defer server.stop()
	if err := canCountCalls(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench: going on without system calls:", err)
	} else {
		s.countCalls = true
	}
	began := time.Now()
	var cells []cell
	for _, keepAlive := range []bool{true, false} {
		for _, connections := range s.connections {
			l := task{addr: server.addr, connections: connections, keepAlive: keepAlive, seconds: s.seconds, cpu: s.clientCPU}
			cell, err := measureCell(ctx, l, s)
			if err != nil {
				return err
			}
			cells = append(cells, cell)
		}
	}
	return write(os.Stdout, cells, s, time.Since(began))
}

// A cell is one load under every tool.
type cell struct {
	load  task
	tools []tool
	spent [][]spending // by tool, then round
	calls []float64    // system calls a request, by tool; NaN: unknown
}

func measureCell(ctx context.Context, l task, s settings) (cell, error) {
	c := cell{load: l}
	for _, t := range tools() {
		if t.can(l) && (t.name == reference || strings.Contains(t.name, s.only)) {
			c.tools = append(c.tools, t)
		}
	}
	fmt.Fprintf(os.Stderr, "%s ", l)
	c.spent, c.calls = make([][]spending, len(c.tools)), make([]float64, len(c.tools))
	for round := range s.rounds {
		for i := range c.tools {
			k := (i + round) % len(c.tools) // nobody always follows the same other
			spent, err := c.tools[k].measure(ctx, l)
			if err != nil {
				return c, err
			}
			c.spent[k] = append(c.spent[k], spent)
		}
		fmt.Fprint(os.Stderr, ".")
	}
	fmt.Fprintln(os.Stderr)
	for i, t := range c.tools {
		if c.calls[i] = math.NaN(); !s.countCalls {
			continue
		}
		var err error
		if c.calls[i], err = t.countCalls(ctx, l); err != nil {
			return c, err
		}
	}
	return c, nil
}
