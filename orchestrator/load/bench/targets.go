package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"dyno/results/stats"
)

// A target is a figure that a tool of ours means to stay below, keep-alive.
type target struct {
	text  string
	tool  string
	limit float64
	least int // connections from which on it holds
	of    func(c cell, i int) stats.Estimate
}

func targets() []target {
	just := func(x float64) stats.Estimate { return stats.Estimate{Median: x, Low: x, High: x} }
	total := func(c cell, i int) stats.Estimate { return compared(c.spent[i], c.rounds(reference)) }
	user := func(c cell, i int) stats.Estimate {
		return just(mean(c.spent[i], userOf) / mean(c.rounds(reference), userOf))
	}
	calls := func(c cell, i int) stats.Estimate { return just(c.calls[i]) }
	peak := func(c cell, i int) stats.Estimate { return just(median(c.spent[i], peakOf)) }
	return []target{
		{"CPU × wrk", "dyno epoll", 0.90, 1, total},
		{"CPU × wrk", "dyno io_uring", 0.85, 1, total},
		{"CPU × wrk", "dyno io_uring, window", 0.70, 1, total},
		{"user part × wrk", "dyno epoll", 0.30, 1, user},
		{"user part × wrk", "dyno io_uring", 0.30, 1, user},
		{"user part × wrk", "dyno io_uring, window", 0.30, 1, user},
		{"system calls a request", "dyno epoll", 2.2, 8, calls},
		{"system calls a request", "dyno io_uring", 0.25, 16, calls},
		{"system calls a request", "dyno io_uring, window", 0.25, 16, calls},
		{"MiB", "dyno io_uring, window", 32, 1, peak},
	}
}

const reasons = `
*met* and *missed* are said where the whole interval is on one side of the limit.

Why what is missed is missed: nginx answers one request after the other, some 25 µs apart, and a thread that waits on a processor of
its own is awake before the next answer comes. Each answer is then a batch by itself: a wait, a receive and a send with epoll, 3 calls, and one
enter with io_uring. Fewer need a longer wait, which is what the window is; at 2 % of the median latency it has room for one or two answers
more at c = 64, for some more at c = 256, and none at c = 8. Below that lies the price of the send itself, which carries the request through the
loopback to the server's socket, and the wake-up: more than two thirds of all, the same for every tool. Of the user part, half goes
away as soon as batches grow (see one request a connection, or the window at c = 256): what is left of it in a batch of one are cold caches and
the calls themselves.
`

// writeTargets says which targets are met, and by how much others are missed.
func writeTargets(b *strings.Builder, cells []cell) {
	cells = slices.DeleteFunc(slices.Clone(cells), func(c cell) bool { return !c.load.keepAlive })
	b.WriteString("\n## Targets, keep-alive\n\n| figure | tool | at most |")
	for _, c := range cells {
		fmt.Fprintf(b, " c = %d |", c.load.connections)
	}
	b.WriteString("\n|---|---|--:|" + strings.Repeat("--:|", len(cells)) + "\n")
	for _, t := range targets() {
		fmt.Fprintf(b, "| %s | %s | %.4g |", t.text, strings.TrimPrefix(t.tool, "dyno "), t.limit)
		for _, c := range cells {
			fmt.Fprintf(b, " %s |", t.verdict(c))
		}
		b.WriteString("\n")
	}
	b.WriteString(reasons)
}

func (t target) verdict(c cell) string {
	i := slices.IndexFunc(c.tools, func(o tool) bool { return o.name == t.tool })
	if i < 0 || c.load.connections < t.least {
		return ""
	}
	e := t.of(c, i)
	text := fmt.Sprintf("%.2f", e.Median)
	switch above := 100 * (e.Median/t.limit - 1); {
	case math.IsNaN(e.Median):
		return number(e.Median)
	case e.High <= t.limit:
		return text + " met"
	case e.Low <= t.limit:
		return text + " not clear"
	default:
		return fmt.Sprintf("**%s** missed by %.0f %%", text, above)
	}
}
