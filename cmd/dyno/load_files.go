package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"dyno/orchestrator/load"
)

// writable reports why the file at path cannot be written; an empty path can.
func writable(path string) error {
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	return f.Close()
}

// writeFile has write fill the file at path; none if path is empty.
func writeFile(path string, write func(io.Writer) error) error {
	if path == "" {
		return nil
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return f.Close()
}

// csv writes a line a second, and one for what came later: in the drain, or
// beyond the seconds kept. It has no latencies.
func (r loadReport) csv(w io.Writer) error {
	c := csv.NewWriter(w)
	c.Write([]string{"second", "started", "ok", "failed", "p50_ms", "p99_ms", "max_ms"}) // errors show at the end
	whole := func(n int64) string { return strconv.FormatInt(n, 10) }
	ms := func(d time.Duration) string { return strconv.FormatFloat(d.Seconds()*1e3, 'f', 3, 64) }
	for i, s := range r.result.Series {
		c.Write([]string{strconv.Itoa(i), whole(s.Started), whole(s.OK), whole(s.Failed), ms(s.P50), ms(s.P99), ms(s.Max)})
	}
	if l := r.later(); l != (load.Second{}) {
		c.Write([]string{"later", whole(l.Started), whole(l.OK), whole(l.Failed), "", "", ""})
	}
	c.Flush()
	return c.Error()
}

// later is what the seconds of the series leave out.
func (r loadReport) later() load.Second {
	o := r.result.Outcomes
	l := load.Second{Started: r.result.Started, OK: o[load.OK], Failed: o.Failed()}
	for _, s := range r.result.Series {
		l.Started, l.OK, l.Failed = l.Started-s.Started, l.OK-s.OK, l.Failed-s.Failed
	}
	return l
}

// hgrm writes the latencies in milliseconds as HdrHistogram's own tools do.
func (r loadReport) hgrm(w io.Writer) error {
	if r.result.Latency == nil {
		return nil
	}
	text, err := r.result.Latency.Encode()
	if err != nil {
		return err
	}
	h, err := hdrhistogram.Decode([]byte(text))
	if err != nil {
		return fmt.Errorf("decoding the latencies: %w", err)
	}
	_, err = h.PercentilesPrint(w, 5, 1e6)
	return err
}
