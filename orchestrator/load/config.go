package load

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"
)

// ErrUsage is wrapped by every error of [New] and [Engine.Run] that is the
// caller's mistake; all others are faults of this host.
var ErrUsage = errors.New("a load that cannot be")

// A usageError is an ErrUsage that says what is wrong instead.
type usageError struct{ wrong error }

func (e usageError) Error() string   { return e.wrong.Error() }
func (e usageError) Unwrap() []error { return []error{ErrUsage, e.wrong} }

// A Config is fixed for an engine's life.
type Config struct {
	Addr netip.AddrPort

	// Mix is the requests that are sent, one at least: of several, which comes
	// next is drawn by their weights.
	Mix []Part

	Connections int // at least 1

	// Timeout bounds each request, its connect included; 0 is no bound. It ends
	// them 1 ms late at most.
	Timeout time.Duration

	// Patience ends a phase by count when no whole answer came for so long; 0
	// is 10 s beyond Timeout, 60 s without one.
	Patience time.Duration

	// Workers is the number of threads, each with its share of the connections;
	// 0 is 1, and more than Connections are refused.
	Workers int

	// Backend moves the bytes: "epoll", "io_uring", or "", which is io_uring where
	// the kernel allows it and epoll elsewhere; see [Engine.Backend].
	Backend string

	// Window is how long a wait may gather answers at most while the server is
	// saturated, never above 2 % of the median latency: it saves wake-ups, holds
	// back the next requests by as much and adds as much to the clock's error. 0
	// is 50 µs, below 0 is never. Only io_uring has one; see [Result.Window].
	Window time.Duration

	// Lead starts each phase on one connection alone, and the others at its
	// first whole head or failure, as ab does. It is for one worker.
	Lead bool

	// Seed decides the draw from Mix and the gaps of [Poisson] arrivals: the same
	// seed gives every phase the same ones, however many workers there are.
	Seed uint64

	// Series is the number of seconds of each phase, from its first, of which
	// [Result.Series] tells; 0 is none. Each takes 4 KB a worker.
	Series int

	// Trace records every request of the last phase; nil is off.
	Trace *Trace
}

func (c Config) workers() int { return max(c.Workers, 1) }

func (c Config) patience() time.Duration {
	switch {
	case c.Patience > 0:
		return c.Patience
	case c.Timeout > 0:
		return c.Timeout + 10*time.Second
	}
	return time.Minute
}

func (c Config) check() error {
	switch {
	case !c.Addr.IsValid() || c.Addr.Port() == 0:
		return fmt.Errorf("address %s is not complete", c.Addr)
	case c.Connections < 1:
		return fmt.Errorf("%d connections: at least 1 is needed", c.Connections)
	case c.workers() > c.Connections:
		return fmt.Errorf("%d workers for %d connections: give at most as many", c.Workers, c.Connections)
	case c.Lead && c.workers() > 1:
		return fmt.Errorf("%d workers: one connection can lead those of 1 only", c.Workers)
	case !slices.Contains([]string{"", backendEpoll, backendUring}, c.Backend):
		return fmt.Errorf("backend %q is neither %s nor %s", c.Backend, backendEpoll, backendUring)
	case c.Timeout < 0 || c.Patience < 0 || c.Workers < 0 || c.Series < 0:
		return errors.New("timeout, patience, workers and series must not be below zero")
	}
	return nil
}

// A Phase is one run of an engine: by count, by duration, or by both, in which
// case it ends with the first of the two. Zero is no limit; one is needed.
type Phase struct {
	Requests int64         // started in all
	Duration time.Duration // in which requests are started

	// Rate is how many requests a second are meant to start, whatever became of
	// those before (an open loop), 0.001 to 10 million. 0 starts one as another
	// ends (a closed loop).
	Rate     float64
	Arrivals Arrivals // with a Rate

	// Ramp is the time over which connections join, one after the other at even
	// distances; 0 is at once.
	Ramp time.Duration

	// Steady may end the phase early; its zero value never does.
	Steady Steady
}

const (
	slowest = 0.001 // requests a second
	fastest = 1e7
)

func (p Phase) check() error {
	switch {
	case p.Requests < 0 || p.Duration < 0 || p.Requests == 0 && p.Duration == 0:
		return errors.New("a phase needs a number of requests or a duration")
	case p.Rate != 0 && !(p.Rate >= slowest && p.Rate <= fastest):
		return fmt.Errorf("rate of %v requests a second is not within %v and %v", p.Rate, slowest, fastest)
	case p.Arrivals > Poisson:
		return errors.New("arrivals are neither constant nor poisson")
	case p.Ramp < 0:
		return errors.New("ramp must not be below zero")
	}
	return p.Steady.check()
}
