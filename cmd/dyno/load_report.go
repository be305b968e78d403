package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"dyno/orchestrator/load"
)

// text writes the report for people.
func (r loadReport) text(w io.Writer) error {
	b := new(strings.Builder)
	fmt.Fprintf(b, "%s\n%s\n\n", r.plan.url, strings.Join(wrap(r.describe(), reportWidth), "\n"))
	if r.result.Started > 0 {
		r.summary(b)
		r.latencies(b)
		r.outcomes(b)
		r.requests(b)
		r.cost(b)
	} else if r.warm != nil && r.warm.Interrupted {
		fmt.Fprintln(b, "Nothing was measured: interrupted while warming up.")
	} else {
		fmt.Fprintln(b, "Nothing was measured.")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// describe says what the load was.
func (r loadReport) describe() string {
	p := r.plan
	request := p.cfg.Mix[0].Request
	what := methodOf(request)
	if n := len(p.cfg.Mix); n > 1 {
		what = fmt.Sprintf("%d requests by weight", n)
	}
	keep := "keep-alive"
	if !request.KeepAlive {
		keep = "one request each"
	}
	loop := "closed loop"
	if p.phase.Rate > 0 {
		loop = fmt.Sprintf("open loop at %s req/s, %s", figure(p.phase.Rate), p.phase.Arrivals)
	}
	text := fmt.Sprintf("%s over %s, %s, %s; %s; %s", what, request.Proto, plural(int64(p.cfg.Connections), "connection"), keep, loop, extent(p.phase))
	if r.warm != nil {
		text += " after a warm-up " + warmed(p.warmup, *r.warm)
	}
	return text
}

// extent says when a phase ends.
func extent(p load.Phase) string {
	switch {
	case p.Requests > 0 && p.Duration > 0:
		return fmt.Sprintf("%s or %s", plural(p.Requests, "request"), span(p.Duration))
	case p.Requests > 0:
		return plural(p.Requests, "request")
	}
	return span(p.Duration)
}

// warmed says what became of a warm-up.
func warmed(p load.Phase, r load.Result) string {
	text := "of " + extent(p)
	if p.Steady != (load.Steady{}) {
		text = fmt.Sprintf("until steady, reached after %s", span(r.Elapsed))
		if !r.Steady {
			text = fmt.Sprintf("until steady, not reached within %s", span(r.Elapsed))
		}
	}
	failed := "none"
	if n := r.Outcomes.Failed(); n > 0 {
		failed = grouped(n)
	}
	return fmt.Sprintf("%s (%s sent, %s failed)", text, grouped(r.Started), failed)
}

// goodput is right answers a second.
func (r loadReport) goodput() float64 {
	if r.result.Elapsed <= 0 {
		return 0
	}
	return float64(r.result.Outcomes[load.OK]-r.result.LateOK) / r.result.Elapsed.Seconds()
}

func (r loadReport) summary(b *strings.Builder) {
	res := r.result
	field(b, "Goodput", figure(r.goodput())+" req/s")
	if failed := res.Outcomes.Failed(); failed > 0 {
		field(b, "Failed", fmt.Sprintf("%s of %s requests, %s %%", grouped(failed), grouped(res.Started), figure(100*float64(failed)/float64(res.Started))))
	} else {
		field(b, "Failed", fmt.Sprintf("none of %s", plural(res.Started, "request")))
	}
	if res.Offered > 0 {
		text := fmt.Sprintf("%s %% of %s req/s offered; %s waited for a free connection", figure(100*res.Achieved()), figure(r.plan.phase.Rate), plural(res.Queued, "request"))
		field(b, "Achieved", text)
	}
	took := span(res.Elapsed)
	if res.Drain >= time.Millisecond {
		took += fmt.Sprintf(", then %s for what was in flight", span(res.Drain))
	}
	field(b, "Took", took)
	field(b, "Bytes", fmt.Sprintf("%s received (%s of heads, %s of bodies), %s sent", size(res.BytesIn), size(res.HeadBytes), size(res.BodyBytes), size(res.BytesOut)))
	for _, doubt := range r.doubts() {
		field(b, "Warning", doubt)
	}
}

// doubts are what a reader must know of the figures.
func (r loadReport) doubts() []string {
	var doubts []string
	res := r.result
	if res.Interrupted {
		doubts = append(doubts, "interrupted")
	}
	if res.GaveUp {
		doubts = append(doubts, "given up, since nothing was answered any more")
	}
	if res.Achieved() < heldRate {
		why := "the load engine itself was late"
		if res.Queued*100 > res.Started {
			why = "connections were lacking"
		}
		doubts = append(doubts, "the rate was not held, since "+why+": these figures are of another load")
	}
	if r.plan.phase.Rate == 0 && r.busy() > 0.95 {
		doubts = append(doubts, "the load engine had no CPU time left: the server may be faster")
	}
	return doubts
}

// latencies is the table of what right answers took.
func (r loadReport) latencies(b *strings.Builder) {
	res := r.result
	rows := []struct {
		name string
		of   *load.Histogram
	}{{"latency", res.Latency}, {"service", res.Service}, {"first byte", res.FirstByte}, {"connect", res.Connect}}
	if r.plan.phase.Rate > 0 {
		rows[0].name = "from the intended start"
		rows[1].name = "from the actual start"
	}
	quantiles := []float64{0.5, 0.75, 0.9, 0.95, 0.99, 0.999}
	lines := [][]string{{"ms", "p50", "p75", "p90", "p95", "p99", "p99.9", "max", "mean", "number"}}
	for _, row := range rows {
		if row.of.Count() == 0 {
			continue
		}
		line := []string{row.name}
		for _, q := range quantiles {
			line = append(line, quantile(row.of, q))
		}
		lines = append(lines, append(line, milliseconds(row.of.Max()), milliseconds(row.of.Mean()), grouped(row.of.Count())))
	}
	if len(lines) > 1 {
		fmt.Fprintln(b)
		table(b, lines)
	}
}

// quantile writes a quantile, or a dash where too few values lie above it to
// tell it from the maximum.
func quantile(h *load.Histogram, q float64) string {
	if float64(h.Count())*(1-q) < 1 {
		return "–"
	}
	return milliseconds(h.Quantile(q))
}

func (r loadReport) outcomes(b *strings.Builder) {
	res := r.result
	fmt.Fprintf(b, "\nOutcomes of %s\n", plural(res.Started, "request"))
	rows := append([]outcomeRow{{load.OK.String(), res.Outcomes[load.OK], ""}}, failureRows(res)...)
	if n := res.Outcomes[load.UnexpectedStatus]; n > 0 {
		wanted := r.plan.cfg.Mix[0].Expect.Status
		row := &rows[load.UnexpectedStatus]
		row.words = statuses(res.Status, func(s int) bool { return s != wanted }) + "; " + row.words
	}
	writeRows(b, rows)
	if res.Resent > 0 {
		fmt.Fprintf(b, "  %s sent twice: the server closed the idle connection before it answered\n", plural(res.Resent, "request"))
	}
	if res.Reconnects > 0 {
		fmt.Fprintf(b, "  %s closed by the server between requests\n", plural(res.Reconnects, "connection"))
	}
	for _, note := range res.Notes {
		fmt.Fprintf(b, "  %s\n", note)
	}
}

// cost says what the load took of the machine, and how exact its clock is.
func (r loadReport) cost(b *strings.Builder) {
	res := r.result
	each := func(d time.Duration) string { return figure(d.Seconds() * 1e6 / float64(res.Started)) }
	fmt.Fprintln(b, "\nLoad engine")
	backend := fmt.Sprintf("%s, %s", res.Backend, plural(int64(r.plan.cfg.Workers), "worker"))
	if res.Window > 0 {
		backend += fmt.Sprintf(", gathering answers for up to %s µs", microseconds(res.Window))
	}
	if res.Fallback != "" {
		backend += "; not io_uring: " + res.Fallback
	}
	field(b, "Backend", backend)
	field(b, "CPU", fmt.Sprintf("%s µs a request: %s user, %s system; %s %% busy", each(res.UserCPU+res.SystemCPU), each(res.UserCPU), each(res.SystemCPU), figure(100*r.busy())))
	field(b, "Calls", fmt.Sprintf("%s system calls a request, %s wake-ups", figure(float64(res.Syscalls)/float64(res.Started)), grouped(res.Wakeups)))
	if res.ClockError.Count() > 0 {
		field(b, "Clock", fmt.Sprintf("%s µs late at p99, %s at most", microseconds(res.ClockError.Quantile(0.99)+res.Window), microseconds(res.ClockError.Max()+res.Window)))
	}
	if res.Lag.Count() > 0 {
		field(b, "Release", fmt.Sprintf("requests started %s µs late at p50, %s at p99, %s at most", microseconds(res.Lag.Quantile(0.5)), microseconds(res.Lag.Quantile(0.99)), microseconds(res.Lag.Max())))
	}
	field(b, "dyno", r.dyno)
}

// busy is the share of the workers' time that was spent on a CPU.
func (r loadReport) busy() float64 {
	res := r.result
	wall := (res.Elapsed + res.Drain).Seconds() * float64(r.plan.cfg.Workers)
	if wall <= 0 {
		return 0
	}
	return (res.UserCPU + res.SystemCPU).Seconds() / wall
}

func field(b *strings.Builder, label, text string) {
	fmt.Fprintf(b, "  %-9s%s\n", label, text)
}

// table writes lines of cells: the first column on the left, numbers on the right.
func table(b *strings.Builder, lines [][]string) {
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, line := range lines {
		fmt.Fprintf(b, "  %-*s", widths[0], line[0]) // both count characters
		for i, cell := range line[1:] {
			fmt.Fprintf(b, "  %*s", widths[i+1], cell)
		}
		fmt.Fprintln(b)
	}
}

// figure writes x with three significant digits, or its whole part rounded to
// three, and commas between thousands.
func figure(x float64) string {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return "0"
	}
	r, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 2, 64), 64)
	digits := 2 - int(math.Floor(math.Log10(math.Abs(r))))
	if digits <= 0 {
		return grouped(int64(r))
	}
	return strconv.FormatFloat(r, 'f', digits, 64)
}

func milliseconds(d time.Duration) string { return figure(d.Seconds() * 1e3) }

func microseconds(d time.Duration) string { return figure(d.Seconds() * 1e6) }

// span writes a time in seconds or below.
func span(d time.Duration) string {
	if d < time.Second {
		return milliseconds(d) + " ms"
	}
	return strconv.FormatFloat(math.Round(d.Seconds()*100)/100, 'f', -1, 64) + " s"
}

// size writes a number of bytes.
func size(n int64) string {
	switch f := float64(n); {
	case f >= 1<<30:
		return figure(f/(1<<30)) + " GiB"
	case f >= 1<<20:
		return figure(f/(1<<20)) + " MiB"
	case f >= 1<<10:
		return figure(f/(1<<10)) + " KiB"
	}
	return plural(n, "byte")
}
