package load

import (
	"math"
	"net"
	"testing"
	"time"
)

// Requests that start together are stamped one by one: a reading of the clock
// shared by all would grow old over the burst.
func TestStartsOfABurstAreStampedOneByOne(t *testing.T) {
	mute := func(net.Conn, int64) bool { return true }
	for _, tt := range []struct {
		name     string
		play     func(net.Conn, int64) bool
		requests int64
		change   func(*Config)
	}{
		{"all connections at once", steady, 32, func(*Config) {}},
		{"behind the first", steady, 32, func(c *Config) { c.Lead = true }},
		{"after a timeout of all", mute, 64, func(c *Config) { c.Timeout = 20 * time.Millisecond }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			eachBackend(t, func(t *testing.T, backend string) {
				cfg := configOn(serve(t, tt.play), backend)
				cfg.Connections, cfg.Trace = 32, NewTrace(64)
				tt.change(&cfg)
				run(t, cfg, Phase{Requests: tt.requests})
				starts := map[time.Duration]bool{}
				for _, e := range cfg.Trace.Entries() {
					starts[e.Start] = true
				}
				if int64(len(starts)) != tt.requests {
					t.Errorf("%d requests were started at %d different times", tt.requests, len(starts))
				}
			})
		})
	}
}

// With io_uring requests leave together, with the next wait: until then their
// stamps grow old, and that is the clock's error.
func TestClockErrorCoversTheWayOut(t *testing.T) {
	eachBackend(t, func(t *testing.T, backend string) {
		cfg := configOn(serve(t, steady), backend)
		cfg.Connections, cfg.Trace = clockSample, NewTrace(clockSample)
		e := engine(t, cfg)
		runOn(t, e, Phase{Requests: clockSample}) // opens the connections
		r := runOn(t, e, Phase{Requests: clockSample})
		first, written := time.Duration(math.MaxInt64), map[time.Duration]bool{}
		var last time.Duration
		for _, e := range cfg.Trace.Entries() {
			first, last = min(first, e.Start), max(last, e.Written)
			written[e.Written] = true
		}
		departures, age := clockSample, r.ClockError.Sum()
		if backend == backendUring {
			departures = 1
			if age != last-first {
				t.Errorf("clock error %v, want %v from the first start to the departure", age, last-first)
			}
		}
		if len(written) != departures || r.ClockError.Count() != 1 {
			t.Errorf("requests left at %d times, want %d; %d clock errors, want 1", len(written), departures, r.ClockError.Count())
		}
	})
}
