package main

import (
	"encoding/json"
	"io"

	"dyno/orchestrator/load"
)

// A jsonTimes is a distribution in seconds; the histogram in HdrHistogram's
// compressed form is in nanoseconds.
type jsonTimes struct {
	Count int64   `json:"count"`
	Min   float64 `json:"min"`
	Mean  float64 `json:"mean"`
	P50   float64 `json:"p50"`
	P90   float64 `json:"p90"`
	P99   float64 `json:"p99"`
	P999  float64 `json:"p99_9"`
	Max   float64 `json:"max"`
	Hdr   string  `json:"hdr"`
}

// timesOf returns nil where nothing was measured.
func timesOf(h *load.Histogram) *jsonTimes {
	if h == nil || h.Count() == 0 {
		return nil
	}
	text, err := h.Encode()
	if err != nil {
		return nil // cannot be: it is written to memory
	}
	q := func(q float64) float64 { return h.Quantile(q).Seconds() }
	return &jsonTimes{h.Count(), h.Min().Seconds(), h.Mean().Seconds(), q(0.5), q(0.9), q(0.99), q(0.999), h.Max().Seconds(), text}
}

// A jsonAsked is what the command line asked for, in its words where it chose.
type jsonAsked struct {
	Connections int     `json:"connections"`
	Requests    int64   `json:"requests"`   // 0: no limit
	Duration    float64 `json:"duration_s"` // 0: no limit
	Rate        float64 `json:"rate"`       // 0: closed loop
	Arrivals    string  `json:"arrivals,omitempty"`
	Ramp        float64 `json:"ramp_s"`
	Timeout     float64 `json:"timeout_s"` // 0: none
	Workers     int     `json:"workers"`
	Backend     string  `json:"backend"`  // "": the best that the kernel allows
	Window      float64 `json:"window_s"` // 0: the default; below 0: never
	Seed        uint64  `json:"seed"`
}

func (p loadPlan) asked() jsonAsked {
	a := jsonAsked{
		Connections: p.cfg.Connections, Requests: p.phase.Requests, Duration: p.phase.Duration.Seconds(), Rate: p.phase.Rate,
		Ramp: max(p.phase.Ramp, p.warmup.Ramp).Seconds(), Timeout: p.cfg.Timeout.Seconds(),
		Workers: p.cfg.Workers, Backend: p.cfg.Backend, Window: p.cfg.Window.Seconds(), Seed: p.cfg.Seed,
	}
	if p.phase.Rate > 0 {
		a.Arrivals = p.phase.Arrivals.String()
	}
	return a
}

// A jsonWarmup is what was sent before measuring.
type jsonWarmup struct {
	Requests int64   `json:"requests"`   // asked for; 0: no limit
	Duration float64 `json:"duration_s"` // asked for, or the cap of one until steady; 0: no limit
	Until    string  `json:"until"`      // "requests", "duration" or "steady"

	Elapsed     float64          `json:"elapsed_s"`
	Started     int64            `json:"started"`
	Failed      int64            `json:"failed"`
	Outcomes    map[string]int64 `json:"outcomes"`
	Steady      bool             `json:"steady"` // reached
	Interrupted bool             `json:"interrupted"`
	GaveUp      bool             `json:"gave_up"`
}

// warmup returns nil where there was none.
func (r loadReport) warmup() *jsonWarmup {
	if r.warm == nil {
		return nil
	}
	p, w := r.plan.warmup, r.warm
	until := "duration"
	switch {
	case p.Steady != (load.Steady{}):
		until = "steady"
	case p.Requests > 0:
		until = "requests"
	}
	return &jsonWarmup{
		p.Requests, p.Duration.Seconds(), until,
		w.Elapsed.Seconds(), w.Started, w.Outcomes.Failed(), named(w.Outcomes), w.Steady, w.Interrupted, w.GaveUp,
	}
}

// named returns those outcomes that came to pass, by name.
func named(o load.Outcomes) map[string]int64 {
	counts := map[string]int64{}
	for i, n := range o {
		if n > 0 {
			counts[load.Outcome(i).String()] = n
		}
	}
	return counts
}

// A jsonReport is a load for other programs. Times are in seconds, and null is
// what was not measured.
type jsonReport struct {
	Dyno    string `json:"dyno"`
	URL     string `json:"url"`
	Address string `json:"address"`

	Requests []jsonRequest `json:"requests"`

	Asked  jsonAsked   `json:"asked"`
	Warmup *jsonWarmup `json:"warmup"`

	Backend     string  `json:"backend"`
	Fallback    string  `json:"fallback,omitempty"` // why it is not io_uring
	Window      float64 `json:"window_s"`
	Interrupted bool    `json:"interrupted"`
	GaveUp      bool    `json:"gave_up"` // nothing was answered any more

	Elapsed    float64           `json:"elapsed_s"`
	Drain      float64           `json:"drain_s"`
	Goodput    float64           `json:"goodput"` // right answers a second
	Started    int64             `json:"started"`
	Offered    int64             `json:"offered"` // 0: closed loop
	Achieved   float64           `json:"achieved"`
	Queued     int64             `json:"queued"`
	Outcomes   map[string]int64  `json:"outcomes"`
	First      map[string]string `json:"first"`
	Status     map[int]int64     `json:"status"`
	Reconnects int64             `json:"reconnects"`
	Resent     int64             `json:"resent"`
	Notes      []string          `json:"notes"`

	BytesIn   int64 `json:"bytes_in"`
	BytesOut  int64 `json:"bytes_out"`
	HeadBytes int64 `json:"head_bytes"`
	BodyBytes int64 `json:"body_bytes"`

	Latency    *jsonTimes `json:"latency"`
	Service    *jsonTimes `json:"service"` // open loop
	FirstByte  *jsonTimes `json:"first_byte"`
	Connect    *jsonTimes `json:"connect"`
	Lag        *jsonTimes `json:"release_lag"` // open loop
	ClockError *jsonTimes `json:"clock_error"`

	UserCPU   float64 `json:"user_cpu_s"`
	SystemCPU float64 `json:"system_cpu_s"`
	Syscalls  int64   `json:"syscalls"`
	Wakeups   int64   `json:"wakeups"`
}

func (r loadReport) json(w io.Writer) error {
	p, res := r.plan, r.result
	j := jsonReport{
		Dyno: r.dyno, URL: p.url, Address: p.cfg.Addr.String(), Requests: r.jsonRequests(),
		Asked: p.asked(), Warmup: r.warmup(),
		Backend: res.Backend, Fallback: res.Fallback, Window: res.Window.Seconds(), Interrupted: res.Interrupted, GaveUp: res.GaveUp,
		Elapsed: res.Elapsed.Seconds(), Drain: res.Drain.Seconds(), Goodput: r.goodput(),
		Started: res.Started, Offered: res.Offered, Achieved: res.Achieved(), Queued: res.Queued,
		Outcomes: named(res.Outcomes), First: map[string]string{}, Status: res.Status,
		Reconnects: res.Reconnects, Resent: res.Resent, Notes: res.Notes,
		BytesIn: res.BytesIn, BytesOut: res.BytesOut, HeadBytes: res.HeadBytes, BodyBytes: res.BodyBytes,
		Latency: timesOf(res.Latency), FirstByte: timesOf(res.FirstByte), Connect: timesOf(res.Connect), ClockError: timesOf(res.ClockError),
		UserCPU: res.UserCPU.Seconds(), SystemCPU: res.SystemCPU.Seconds(), Syscalls: res.Syscalls, Wakeups: res.Wakeups,
	}
	if p.phase.Rate > 0 {
		j.Service, j.Lag = timesOf(res.Service), timesOf(res.Lag)
	}
	for o, text := range res.First {
		j.First[o.String()] = text
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(j)
}
