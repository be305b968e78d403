package scenarios

import (
	"slices"
	"time"

	"dyno/scenarios/strict"
)

// What a workload may ask for. Port numbers bound the connections from one address; the histogram of latencies ends at an hour; the
// rates are those that the load engine can time.
const (
	maxConnections = 60_000
	maxDuration    = 24 * time.Hour
	maxWait        = time.Hour
	minRate        = 0.001 // requests a second
	maxRate        = 10_000_000
)

// workloadTable is [workload] as it is written.
type workloadTable struct {
	Connections strict.OneOrMany[int] `toml:"connections,required"`
	KeepAlive   strict.OneOrMany[bool]
	Rate        strict.OneOrMany[float64]
	Arrivals    Arrivals
	Requests    int64
	Duration    time.Duration
	Warmup      time.Duration
	Timeout     time.Duration
}

// workloads spells the lists of w out, connections varying slowest and rates fastest.
func (c *checker) workloads(n *strict.Node, w workloadTable) []Workload {
	distinct(c, n.At("connections"), w.Connections)
	distinct(c, n.At("keepalive"), w.KeepAlive)
	for i, v := range w.Connections {
		within(c, n.At("connections").Item(i), v, 1, maxConnections)
	}
	within(c, n.At("warmup"), w.Warmup, 0, maxWait)
	c.time(n.At("timeout"), w.Timeout, maxWait)
	c.end(n, w)
	c.rate(n, &w)
	var all []Workload
	for _, connections := range w.Connections {
		for _, keepAlive := range w.KeepAlive {
			for _, rate := range w.Rate {
				all = append(all, Workload{
					Connections: connections,
					KeepAlive:   keepAlive,
					Rate:        rate,
					Arrivals:    w.Arrivals,
					Requests:    w.Requests,
					Duration:    w.Duration,
					Warmup:      w.Warmup,
					Timeout:     w.Timeout,
				})
			}
		}
	}
	return all
}

// rate checks when requests start, and settles w for a load without a rate.
func (c *checker) rate(n *strict.Node, w *workloadTable) {
	if !n.Has("rate") {
		if n.Has("arrivals") {
			c.Add(n.At("arrivals").Errorf("only a load with a rate has arrivals"))
		}
		w.Rate, w.Arrivals = []float64{0}, ""
		return
	}
	distinct(c, n.At("rate"), w.Rate)
	for i, v := range w.Rate {
		if !(v >= minRate && v <= maxRate) {
			c.Add(n.At("rate").Item(i).Errorf("must be %v to %d requests a second, not %v", minRate, maxRate, v))
		}
	}
	if w.Arrivals != Poisson && w.Arrivals != Constant {
		c.Add(n.At("arrivals").Errorf("unknown arrivals %q", w.Arrivals).
			Among(string(w.Arrivals), []string{string(Poisson), string(Constant)}))
	}
	if n.Has("requests") {
		c.Add(n.At("requests").Errorf("a load with a rate ends by its duration"))
	}
}

// time reports a time that is not above 0 and at most hi.
func (c *checker) time(n *strict.Node, v, hi time.Duration) {
	if v <= 0 || v > hi {
		c.Add(n.Errorf("must be above 0 and at most %v, not %v", hi, v))
	}
}

// end checks what ends the workload: a count of requests or a time.
func (c *checker) end(n *strict.Node, w workloadTable) {
	switch requests, duration := n.Has("requests"), n.Has("duration"); {
	case requests && duration:
		c.Add(n.At("duration").Errorf("requests and duration exclude each other"))
	case duration:
		c.time(n.At("duration"), w.Duration, maxDuration)
	case !requests:
		c.Add(n.Errorf("one of requests and duration must be there"))
	case w.Requests < 1:
		c.Add(n.At("requests").Errorf("must be at least 1, not %d", w.Requests))
	case len(w.Connections) > 0 && w.Requests < int64(slices.Max(w.Connections)):
		c.Add(n.At("requests").Errorf("%d requests are too few for %d connections", w.Requests, slices.Max(w.Connections)))
	}
}
