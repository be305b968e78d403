package report

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"dyno/results"
)

// CSV writes every trial of j as a line, for programs that reckon for themselves:
// figures in seconds, bytes and shares, to twelve digits; empty where one is not known. Trials
// that do not count are there too, with the reasons. An imported record has no trials.
// Its errors are those of w.
func CSV(w io.Writer, j results.Judgement, _ Options) error {
	out := csv.NewWriter(w)
	columns := csvColumns()
	var heads []string
	for _, c := range columns {
		heads = append(heads, c.head)
	}
	if err := out.Write(heads); err != nil {
		return err
	}
	for _, c := range j.Comparisons {
		for _, s := range visited(c) {
			for _, t := range s.Trials {
				cells := make([]string, len(columns))
				for i, column := range columns {
					cells[i] = column.cell(made{t, s.Target, c.Workload, j.Run})
				}
				if err := out.Write(cells); err != nil {
					return err
				}
			}
		}
	}
	out.Flush()
	return out.Error()
}

// A made is a trial with all that it was of.
type made struct {
	results.Trial
	target   results.Target
	workload results.Workload
	run      results.Run
}

// digits is how many of a figure are written: more than any is measured with, and
// too few for what binary fractions leave at the end.
const digits = 12

func csvColumns() []column[made] {
	figure := func(of func(results.Trial) float64) func(made) string {
		return func(m made) string {
			if x := of(m.Trial); !math.IsNaN(x) {
				return strconv.FormatFloat(x, 'g', digits, 64)
			}
			return ""
		}
	}
	count := func(of func(*results.Load) int64) func(made) string {
		return func(m made) string {
			if m.Load == nil {
				return ""
			}
			return strconv.FormatInt(of(m.Load), 10)
		}
	}
	return []column[made]{
		{head: "scenario", cell: func(m made) string { return m.run.Scenario.Name }},
		{head: "workload", cell: func(m made) string { return m.workload.Name }},
		{head: "connections", cell: func(m made) string { return strconv.Itoa(m.workload.Connections) }},
		{head: "rate", cell: func(m made) string { // empty for a closed loop
			if m.workload.Rate == 0 {
				return ""
			}
			return strconv.FormatFloat(m.workload.Rate, 'g', -1, 64)
		}},
		{head: "target", cell: func(m made) string { return m.target.Name }},
		{head: "control_of", cell: func(m made) string { return m.target.ControlOf }},
		{head: "stack", cell: func(m made) string { return stackName(results.Stack{Name: m.target.Stack, Params: m.target.Params}) }},
		{head: "visit", cell: func(m made) string { return strconv.Itoa(m.Visit) }},
		{head: "round", cell: func(m made) string { return strconv.Itoa(m.Round) }},
		{head: "started", cell: func(m made) string { return m.Started.UTC().Format(time.RFC3339Nano) }},
		{head: "counts", cell: func(m made) string { return strconv.FormatBool(m.Counts()) }},
		{head: "goodput_per_s", cell: figure(results.Trial.Goodput)},
		{head: "throughput_per_s", cell: figure(results.Trial.Throughput)},
		{head: "requests", cell: count(func(l *results.Load) int64 { return l.Started })},
		{head: "right", cell: count(func(l *results.Load) int64 { return l.OK })},
		{head: "mean_s", cell: figure(results.Trial.MeanLatency)},
		{head: "p50_s", cell: figure(results.Trial.P50)},
		{head: "p90_s", cell: figure(results.Trial.P90)},
		{head: "p99_s", cell: figure(results.Trial.P99)},
		{head: "p999_s", cell: figure(results.Trial.P999)},
		{head: "server_cpu_s_per_request", cell: figure(results.Trial.ServerCPU)},
		{head: "engine_cpu_s_per_request", cell: figure(results.Trial.EngineCPU)},
		{head: "engine_busy", cell: figure(results.Trial.EngineBusy)},
		{head: "peak_bytes", cell: figure(results.Trial.PeakBytes)},
		{head: "startup_s", cell: figure(results.Trial.Startup)},
		{head: "bound_by", cell: func(m made) string { return string(m.Bound) }},
		{head: "invalid", cell: func(m made) string {
			var codes []string
			for _, r := range m.Invalid {
				codes = append(codes, r.Code)
			}
			return strings.Join(codes, " ")
		}},
	}
}
