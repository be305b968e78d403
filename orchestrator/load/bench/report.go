package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"dyno/results/stats"
)

const introduction = `# What the load engine costs

` + "`make bench-load`" + ` wrote this page. Each tool loads the same nginx (one worker, a static file of %[5]d bytes) over the loopback: nginx
pinned to one processor, the tool to another, %[1]d rounds of %[2]d s in which the tools take turns. CPU time is that of the whole process as
the kernel accounts it, so that start and end of a run count too. The ratio to wrk is of the same round: its median, and the interval of
order statistics that holds the true median with 95 %%. The kernel tells user from system time by its clock's ticks, which is coarse: those
are means over all rounds, and their ratio has no interval. System calls are counted by perf in a run of their own. Memory is the largest
resident size that five looks a second saw.

*window* is the batch window as it is by default: 50 µs at most, 2 %% of the median latency at most, none where that is below 10 µs.
h1load and gcannon, which the engine also means to undercut, are not among Debian's packages, so they are not here. h2load cannot do one
request a connection.

Measured %[3]s in %[4]s.

`

// write writes the page.
func write(w io.Writer, cells []cell, s settings, took time.Duration) error {
	var b strings.Builder
	fmt.Fprintf(&b, introduction, s.rounds, s.seconds, time.Now().UTC().Format("2006-01-02 15:04 UTC"), took.Round(time.Second), len(body))
	writeMachine(&b)
	writeTargets(&b, cells)
	for _, c := range cells {
		c.write(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeMachine(b *strings.Builder) {
	var u unix.Utsname
	if err := unix.Uname(&u); err == nil {
		fmt.Fprintf(b, "Machine: %s, %d processors, Linux %s, %s.\n", processor(), runtime.NumCPU(), unix.ByteSliceToString(u.Release[:]), runtime.Version())
	}
}

// processor returns the model that the kernel names, "unknown" without.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo") // the name is missing then
	for line := range strings.Lines(string(text)) {
		if name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

func (c cell) write(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s\n\n", strings.ToUpper(c.load.String()[:1])+c.load.String()[1:])
	b.WriteString("| tool | CPU µs a request | user | system | × wrk | user × wrk | system calls a request | requests/s | MiB |\n")
	b.WriteString("|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	ref := c.rounds(reference)
	for i, t := range c.tools {
		row := c.spent[i]
		fmt.Fprintf(b, "| %s | %.2f | %.2f | %.2f | %s | %.2f | %s | %.0f | %.1f |\n", t.name,
			median(row, spending.total), mean(row, userOf), mean(row, systemOf),
			interval(row, ref), mean(row, userOf)/mean(ref, userOf),
			number(c.calls[i]), median(row, func(s spending) float64 { return s.rate }), median(row, peakOf))
	}
}

// rounds returns what a tool spent, nil if it was left out.
func (c cell) rounds(name string) []spending {
	for i, t := range c.tools {
		if t.name == name {
			return c.spent[i]
		}
	}
	return nil
}

func userOf(s spending) float64   { return s.user }
func systemOf(s spending) float64 { return s.system }
func peakOf(s spending) float64   { return s.peak }

func median(rounds []spending, figure func(spending) float64) float64 {
	return stats.Median(figures(rounds, figure))
}

func mean(rounds []spending, figure func(spending) float64) float64 {
	var sum float64
	for _, x := range figures(rounds, figure) {
		sum += x
	}
	return sum / float64(len(rounds))
}

func figures(rounds []spending, figure func(spending) float64) (xs []float64) {
	for _, s := range rounds {
		xs = append(xs, figure(s))
	}
	return xs
}

// compared estimates the ratio of the totals of two tools, round by round.
func compared(rounds, ref []spending) stats.Estimate {
	var xs []float64
	for i := range rounds {
		xs = append(xs, rounds[i].total()/ref[i].total())
	}
	return stats.OfMedian(xs, 0.95)
}

func interval(rounds, ref []spending) string {
	e := compared(rounds, ref)
	return fmt.Sprintf("%.2f (%.2f–%.2f)", e.Median, e.Low, e.High)
}

func number(x float64) string {
	if math.IsNaN(x) {
		return "–"
	}
	return fmt.Sprintf("%.3f", x)
}
