package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dyno/orchestrator/load"
	"dyno/orchestrator/load/ab"
)

const (
	steadyLimit  = time.Minute            // of a warm-up until steady
	steadyWindow = 500 * time.Millisecond // over which it takes the goodput
	longestCSV   = 3600                   // seconds that have a line of their own
)

// A loading is the flags of one load.
type loading struct {
	connections, workers int
	requests             int64
	duration             time.Duration
	rate                 float64
	poisson              bool
	ramp, timeout        time.Duration
	warmup               string
	backend              string
	window               time.Duration
	seed                 uint64

	method                 string
	headers                []string
	body, bodyFile         string
	http10, noKeepAlive    bool
	status                 int
	expectBody, expectFile string
	expectLength           int64
	also                   []string
	weight                 int

	json, remote bool
	csv, hgrm    string
}

func (l *loading) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.SortFlags = false
	f.IntVarP(&l.connections, "connections", "c", 10, "connections, each with one request at a time")
	f.Int64VarP(&l.requests, "requests", "n", 0, "end after so many")
	f.DurationVarP(&l.duration, "duration", "d", 0, "end after this time (default 10s, without --requests)")
	f.Float64Var(&l.rate, "rate", 0, "start so many requests a second, whatever becomes of them (open loop)")
	f.BoolVar(&l.poisson, "poisson", false, "with --rate: at random times instead of even distances")
	f.DurationVar(&l.ramp, "ramp", 0, "open the connections one after the other over this time")
	f.StringVar(&l.warmup, "warmup", "", "before measuring: a time, a number of requests, or steady")
	f.DurationVar(&l.timeout, "timeout", 10*time.Second, "of one request, its connect included; 0 is none")
	f.IntVar(&l.workers, "workers", 1, "threads")
	f.StringVar(&l.backend, "backend", "", "epoll or io_uring (default io_uring where the kernel lets it)")
	f.DurationVar(&l.window, "window", 0, "of io_uring: gather answers for so long at most (default 50µs); below 0 never")
	f.Uint64Var(&l.seed, "seed", 0, "of the random times")
	f.StringArrayVarP(&l.headers, "header", "H", nil, "`Name: value`; may be given several times")
	f.StringVarP(&l.method, "method", "X", "", "method (default GET, or POST with a body)")
	f.StringVar(&l.body, "body", "", "send this body")
	f.StringVar(&l.bodyFile, "body-file", "", "send the file as body")
	f.BoolVar(&l.http10, "http10", false, "HTTP/1.0 instead of 1.1")
	f.BoolVar(&l.noKeepAlive, "no-keepalive", false, "one request a connection")
	f.IntVar(&l.status, "expect-status", 200, "of a right answer; -1 is any")
	f.StringVar(&l.expectBody, "expect-body", "", "body of a right answer (default any)")
	f.StringVar(&l.expectFile, "expect-body-file", "", "the same, from a file")
	f.Int64Var(&l.expectLength, "expect-length", -1, "length of a right answer's body; -1 is any")
	f.StringArrayVar(&l.also, "also", nil, "`WEIGHT METHOD PATH` of a further request, drawn by weight; may be given several times")
	f.IntVar(&l.weight, "weight", 1, "with --also: of the URL's request")
	f.BoolVar(&l.json, "json", false, "report in JSON")
	f.StringVar(&l.csv, "csv", "", "write the seconds of the run to a file, an hour of them at most")
	f.StringVar(&l.hgrm, "hgrm", "", "write the latencies' percentiles to a file, as HdrHistogram prints them")
	f.BoolVar(&l.remote, "allow-remote", false, allowRemote)
}

func newLoad() *cobra.Command {
	var l loading
	cmd := &cobra.Command{
		Use:   "load URL",
		Short: "Load a server, and report what became of every request",
		Long: `Load a server over the loopback, and report what became of every request, how
long right answers took, and what the load itself did cost.

One request is sent beforehand, to see that the server answers. Without --rate
each connection sends its next request when the last one is answered (closed
loop). With it requests start on time, and latencies count from when they were
meant to start (open loop). --also adds requests, which share all but method,
path, body and the body to expect.

Exit codes: 0 every answer was right; 1 a fault of dyno or this host; 2 wrong
usage, or no answer beforehand; 3 requests failed, or the rate was not held;
130 interrupted, with the report so far.`,
		Example: `  dyno load http://127.0.0.1:8080/ -c 64 -d 10s --warmup 2s
  dyno load http://127.0.0.1:8080/ -c 64 -d 30s --rate 5000 --poisson --hgrm latency.hgrm
  dyno load http://127.0.0.1:8080/ --weight 8 --also '1 GET /about' --also '1 POST /visit' --expect-status -1
  dyno load http://127.0.0.1:8080/form --body 'a=1' -H 'Content-Type: application/x-www-form-urlencoded' -n 1000`,
		Args: takes(1, "one URL"),
	}
	l.flags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if l.requests == 0 && l.duration == 0 {
			l.duration = 10 * time.Second
		}
		plan, err := l.plan(cmd, args[0])
		if err != nil {
			return err
		}
		return l.run(cmd.Context(), plan, cmd.OutOrStdout(), cmd.ErrOrStderr())
	}
	return cmd
}

// A loadPlan is what a load will do.
type loadPlan struct {
	url    string
	cfg    load.Config
	warmup load.Phase // zero: none
	phase  load.Phase
}

// plan checks the flags and finds the server.
func (l *loading) plan(cmd *cobra.Command, url string) (p loadPlan, err error) {
	target, err := parseURL(url)
	if err == nil {
		err = l.check(cmd)
	}
	if err != nil {
		return p, usageError("%v", err)
	}
	part, err := l.part(cmd, target)
	if err != nil {
		return p, usageError("%v", err)
	}
	parts, err := l.mix(part)
	if err != nil {
		return p, usageError("%v", err)
	}
	p = loadPlan{url: url, phase: load.Phase{Requests: l.requests, Duration: l.duration, Rate: l.rate, Ramp: l.ramp}}
	if l.poisson {
		p.phase.Arrivals = load.Poisson
	}
	if p.warmup, err = l.warm(p.phase); err != nil {
		return p, usageError("%v", err)
	}
	if p.warmup != (load.Phase{}) {
		p.phase.Ramp = 0 // the connections are open then
	} else if l.duration > 0 && l.ramp > l.duration {
		return p, usageError("--ramp %v is longer than the run, %v", l.ramp, l.duration)
	}
	p.cfg = load.Config{
		Mix: parts, Connections: l.connections, Workers: l.workers, Timeout: l.timeout,
		Backend: l.backend, Window: l.window, Seed: l.seed, Series: l.seconds(),
	}
	p.cfg.Addr, err = locate(cmd.Context(), target.Host, target.Port, l.remote)
	return p, err
}

// parseURL reads a URL whose path may be left out.
func parseURL(url string) (ab.Target, error) {
	if rest := strings.TrimPrefix(url, "http://"); rest != "" && !strings.Contains(rest, "/") {
		url += "/"
	}
	return ab.ParseTarget(url)
}

// seconds is how many seconds are kept for the CSV file.
func (l *loading) seconds() int {
	switch {
	case l.csv == "":
		return 0
	case l.duration > 0:
		return int(min((l.duration+time.Second-1)/time.Second, longestCSV))
	}
	return longestCSV
}

// warm returns the phase before phase.
func (l *loading) warm(phase load.Phase) (load.Phase, error) {
	w := phase
	w.Requests, w.Duration = 0, 0
	if n, err := strconv.ParseInt(l.warmup, 10, 64); err == nil && n > 0 {
		w.Requests = n
		return w, nil
	}
	d, err := time.ParseDuration(l.warmup)
	switch {
	case l.warmup == "" || l.warmup == "0":
		return load.Phase{}, nil
	case l.warmup == "steady":
		w.Duration, w.Steady = steadyLimit, load.Steady{Window: steadyWindow}
	case err != nil || d <= 0:
		return w, fmt.Errorf("--warmup %q is neither a time (2s), a number of requests, nor steady", l.warmup)
	default:
		w.Duration = d
	}
	if w.Requests == 0 && w.Ramp > w.Duration {
		return w, fmt.Errorf("--ramp %v is longer than the warm-up, %v", w.Ramp, w.Duration)
	}
	return w, nil
}

// part returns the request and what is right to answer to it.
func (l *loading) part(cmd *cobra.Command, t ab.Target) (load.Part, error) {
	r := load.Request{Method: l.method, Path: t.Path, Host: t.Authority(), Body: []byte(l.body), KeepAlive: !l.noKeepAlive}
	if l.http10 {
		r.Proto = load.HTTP10
	}
	for _, line := range l.headers {
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return load.Part{}, fmt.Errorf("-H %q has no colon: write Name: value", line)
		}
		r.Header = append(r.Header, load.Field{Name: name, Value: strings.TrimSpace(value)})
	}
	var err error
	if l.bodyFile != "" {
		if r.Body, err = os.ReadFile(l.bodyFile); err != nil {
			return load.Part{}, fmt.Errorf("reading the body: %w", err)
		}
	}
	if r.Method == "" && (cmd.Flags().Changed("body") || l.bodyFile != "") {
		r.Method = "POST"
	}
	expect, err := l.expect(cmd)
	return load.Part{Request: r, Expect: expect}, err
}

func (l *loading) expect(cmd *cobra.Command) (e load.Expect, err error) {
	e = load.Expect{Status: l.status, Length: l.expectLength}
	switch {
	case cmd.Flags().Changed("expect-body"):
		e.Body = []byte(l.expectBody)
	case l.expectFile != "":
		if e.Body, err = os.ReadFile(l.expectFile); err != nil {
			return e, fmt.Errorf("reading the body to expect: %w", err)
		}
	}
	return e, nil
}
