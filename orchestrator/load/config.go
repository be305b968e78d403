package load

import (
	"errors"
	"fmt"
	"net/netip"
	"time"
)

// A Config is fixed for an engine's life.
type Config struct {
	Addr    netip.AddrPort
	Request Request
	Expect  Expect

	Connections int // at least 1

	// Timeout bounds each request, its connect included; 0 is no bound. It is
	// looked at every eighth of it, every 50 ms at most and 1 ms at least.
	Timeout time.Duration

	// Patience ends a phase by count when no whole answer came for so long; 0
	// is 10 s beyond Timeout, 60 s without one.
	Patience time.Duration

	// Workers is the number of threads, each with its share of the connections;
	// 0 is 1, and more than Connections are refused.
	Workers int
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
	case c.Timeout < 0 || c.Patience < 0 || c.Workers < 0:
		return errors.New("timeout, patience and workers must not be below zero")
	}
	return nil
}

// A Phase is one run of an engine: by count or by duration. One of the two is
// above zero, the other zero.
type Phase struct {
	Requests int64         // started in all
	Duration time.Duration // in which requests are started
}

func (p Phase) check() error {
	if p.Requests < 0 || p.Duration < 0 || (p.Requests > 0) == (p.Duration > 0) {
		return errors.New("a phase needs either a number of requests or a duration")
	}
	return nil
}
