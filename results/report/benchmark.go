package report

import (
	"fmt"
	"io"
	"math"
	"strings"
	"unicode"

	"dyno/results"
)

// Benchmark writes the trials of j that count in Go's benchmark format
// (golang.org/design/14313-benchmark-format), a line each, so that benchstat and all
// that reads it can take them:
//
//	benchstat -col /target -row /workload FILE
//
// benchstat takes trials for independent samples: it does not know of rounds, and its
// intervals and p are not those of the report. Its errors are those of w.
func Benchmark(w io.Writer, j results.Judgement, _ Options) error {
	var b strings.Builder
	for _, line := range [][2]string{{"goos", "linux"}, {"goarch", goarch(j.Run.Host["arch"])}, {"cpu", textOf(j.Run.Host["cpu.model"])}, {"scenario", j.Run.Scenario.Name}, {"dyno", j.Run.Dyno}} {
		if line[1] != "" {
			fmt.Fprintf(&b, "%s: %s\n", line[0], strings.Join(strings.Fields(line[1]), " "))
		}
	}
	for _, u := range benchmarkUnits() {
		fmt.Fprintf(&b, "Unit %s better=%s\n", u.name, u.better)
	}
	for _, c := range j.Comparisons {
		for _, s := range visited(c) {
			for _, t := range s.Trials {
				if t.Counts() {
					b.WriteString(benchmarkLine(j.Run, c.Workload.Name, t) + "\n")
				}
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// A benchmarkUnit is a figure in Go's benchmark format.
type benchmarkUnit struct {
	name, better string
	of           func(results.Trial) float64
	by           float64 // from the record's unit to its own
}

func benchmarkUnits() []benchmarkUnit {
	return []benchmarkUnit{
		{"req/s", "higher", results.Trial.Goodput, 1},
		{"p50-ns", "lower", results.Trial.P50, 1e9},
		{"p99-ns", "lower", results.Trial.P99, 1e9},
		{"cpu-ns/req", "lower", results.Trial.ServerCPU, 1e9},
		{"peak-bytes", "lower", results.Trial.PeakBytes, 1},
	}
}

// benchmarkLine ends a name in the number of the server's CPUs, as Go's own do: what
// reads the format takes a number behind a dash for it, a target's too if it came last.
func benchmarkLine(run results.Run, workload string, t results.Trial) string {
	line := fmt.Sprintf("Benchmark/scenario=%s/workload=%s/target=%s-%d %d",
		benchmarkName(run.Scenario.Name), benchmarkName(workload), benchmarkName(t.Target), max(run.ServerCPUCount(), 1), t.Load.OK)
	for _, u := range benchmarkUnits() {
		if x := u.of(t) * u.by; !math.IsNaN(x) {
			line += fmt.Sprintf(" %.6g %s", x, u.name)
		}
	}
	return line
}

// benchmarkName is a name in which nothing parts the name of a benchmark, and which
// no other name becomes.
func benchmarkName(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return '·'
		case r == '/':
			return '∕'
		}
		return r
	}, text)
}

// goarch is Go's name for what the kernel calls an architecture.
func goarch(fact any) string {
	switch arch := textOf(fact); arch {
	case "x86_64":
		return "amd64"
	case "aarch64":
		return "arm64"
	default:
		return arch
	}
}

func textOf(fact any) string {
	text, _ := fact.(string)
	return text
}
