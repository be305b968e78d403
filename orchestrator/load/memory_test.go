package load

import (
	"flag"
	"net"
	"runtime"
	"testing"
	"time"
)

var long = flag.Bool("long", false, "run the test of 10 million requests too")

// serveBare is a server that allocates nothing once its connections are made.
func serveBare(t testing.TB) *server {
	answer := []byte(okAnswer)
	return serveTalk(t, func(_ *server, c net.Conn) {
		for buf := make([]byte, 1024); ; {
			if _, err := c.Read(buf); err != nil {
				return
			}
			if _, err := c.Write(answer); err != nil {
				return
			}
		}
	})
}

// grown returns what the process allocates while e runs ph.
func grown(t *testing.T, e *Engine, ph Phase) (objects, bytes uint64) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if r := runOn(t, e, ph); r.Outcomes[OK] != ph.Requests {
		t.Errorf("%v: %v", r.Outcomes, r.First)
	}
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc
}

// A phase's allocations are those of its start and end, in every mode.
func TestMeasuringAllocatesNothing(t *testing.T) {
	s := serveBare(t)
	for _, tt := range []struct {
		name   string
		ph     Phase
		change func(*Config)
	}{
		{"closed loop", Phase{}, func(*Config) {}},
		{"epoll", Phase{}, func(c *Config) { c.Backend = backendEpoll }},
		{"open loop, constant", Phase{Rate: 1e6}, func(*Config) {}},
		{"open loop, poisson", Phase{Rate: 1e6, Arrivals: Poisson}, func(*Config) {}},
		{"open loop, two workers", Phase{Rate: 1e6}, func(c *Config) { c.Workers = 2 }},
		{"mix", Phase{}, func(c *Config) { c.Mix = append(c.Mix, c.Mix[0]) }},
		{"series", Phase{}, func(c *Config) { c.Series = 60 }},
		{"trace", Phase{}, func(c *Config) { c.Trace = NewTrace(31_000) }},
		{"timeouts", Phase{}, func(c *Config) { c.Timeout = 100 * time.Millisecond }},
		{"lead and ramp", Phase{Ramp: 10 * time.Millisecond}, func(c *Config) { c.Lead = true }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cfg := config(s)
			cfg.Connections = 8
			tt.change(&cfg)
			e := engine(t, cfg)
			allocated := func(n int64) uint64 {
				tt.ph.Requests = n
				objects, _ := grown(t, e, tt.ph)
				return objects
			}
			allocated(1000) // connects
			few, many := allocated(1000), allocated(31_000)
			if many > few+100 {
				t.Errorf("30,000 more requests took %d more allocations", many-few)
			}
		})
	}
}

// Memory does not grow with the number of requests.
func TestMemoryIsFlat(t *testing.T) {
	cfg := config(serveBare(t))
	cfg.Connections = 64
	e := engine(t, cfg)
	_, least := grown(t, e, Phase{Requests: 10_000})
	counts := []int64{100_000, 1_000_000}
	if *long {
		counts = append(counts, 10_000_000)
	}
	for _, n := range counts {
		if _, most := grown(t, e, Phase{Requests: n}); most > least+256<<10 {
			t.Errorf("%d requests allocate %d B, 10,000 allocate %d B", n, most, least)
		}
	}
}
