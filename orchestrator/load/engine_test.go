package load

import (
	"context"
	"errors"
	"math"
	"net"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// run performs one phase on a new engine and checks what holds of every result.
func run(t *testing.T, cfg Config, ph Phase) Result {
	t.Helper()
	return runOn(t, engine(t, cfg), ph)
}

func engine(t testing.TB, cfg Config) *Engine {
	t.Helper()
	e, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func runOn(t *testing.T, e *Engine, ph Phase) Result {
	t.Helper()
	r, err := e.Run(context.Background(), ph)
	if err != nil {
		t.Fatal(err)
	}
	checkAccount(t, &r)
	return r
}

func checkAccount(t *testing.T, r *Result) {
	t.Helper()
	if n := r.Outcomes.Sum(); n != r.Started {
		t.Errorf("%d outcomes for %d requests started: %v", n, r.Started, r.Outcomes)
	}
	ok := r.Outcomes[OK]
	if r.Latency.Count() != ok || r.FirstByte.Count() != ok {
		t.Errorf("%d latencies and %d first bytes for %d right answers", r.Latency.Count(), r.FirstByte.Count(), ok)
	}
	served := r.Latency
	if r.Offered > 0 {
		if served = r.Service; served.Count() != ok || served.Sum() > r.Latency.Sum() {
			t.Errorf("%d service times of %d, in all %v, latencies %v", served.Count(), ok, served.Sum(), r.Latency.Sum())
		}
		if n := r.Lag.Count() + r.Queued; n != r.Started || r.Offered < r.Started {
			t.Errorf("offered %d, started %d, of which %d late or queued", r.Offered, r.Started, n)
		}
	}
	if served.Sum() > r.SumLatency && r.LateOK == 0 && !r.Interrupted {
		t.Errorf("latencies sum up to %v, time in flight to %v", served.Sum(), r.SumLatency)
	}
	var parts Outcomes
	for _, p := range r.Parts {
		parts.add(&p)
	}
	if parts != r.Outcomes {
		t.Errorf("the parts' outcomes sum up to %v, not %v", parts, r.Outcomes)
	}
	for o, n := range r.Outcomes {
		if _, told := r.First[Outcome(o)]; n > 0 && Outcome(o) != OK && !told {
			t.Errorf("no words on the first %v", Outcome(o))
		}
	}
}

func TestByCount(t *testing.T) {
	eachBackend(t, func(t *testing.T, backend string) {
		s := serve(t, steady)
		for _, workers := range []int{1, 3} {
			cfg := configOn(s, backend)
			cfg.Connections, cfg.Workers = 10, workers
			r := run(t, cfg, Phase{Requests: 1001})
			if r.Outcomes[OK] != 1001 || r.Drain != 0 || r.LateOK != 0 || r.Connect.Count() != 10 {
				t.Errorf("%d workers: ok %d, drain %v, late %d, connects %d", workers, r.Outcomes[OK], r.Drain, r.LateOK, r.Connect.Count())
			}
			if r.BytesIn != 1001*int64(len(okAnswer)) || r.BytesOut != 1001*int64(len(cfg.Mix[0].Wire())) || r.HeadBytes+r.BodyBytes != r.BytesIn {
				t.Errorf("%d workers: %d B in (head %d, body %d), %d B out", workers, r.BytesIn, r.HeadBytes, r.BodyBytes, r.BytesOut)
			}
			least := int64(2 * 1001) // io_uring sends and receives many with one
			if backend == backendUring {
				least = r.Wakeups
			}
			if r.Syscalls < least || r.Wakeups == 0 || r.Backend != backend {
				t.Errorf("%d workers: %d system calls, %d wake-ups by %q", workers, r.Syscalls, r.Wakeups, r.Backend)
			}
		}
	})
}

func TestIPv6(t *testing.T) {
	eachBackend(t, func(t *testing.T, backend string) {
		l, err := net.Listen("tcp", "[::1]:0")
		if err != nil {
			t.Skip("no IPv6 here: ", err)
		}
		s := serveOn(t, l, steady)
		if r := run(t, configOn(s, backend), Phase{Requests: 3}); r.Outcomes[OK] != 3 {
			t.Errorf("%v: %v", r.Outcomes, r.First)
		}
	})
}

func TestFewerRequestsThanConnections(t *testing.T) {
	eachBackend(t, func(t *testing.T, backend string) {
		s := serve(t, steady)
		cfg := configOn(s, backend)
		cfg.Connections = 10
		if r := run(t, cfg, Phase{Requests: 3}); r.Outcomes[OK] != 3 || r.Connect.Count() != 3 {
			t.Errorf("ok %d on %d connections, want 3 on 3", r.Outcomes[OK], r.Connect.Count())
		}
	})
}

// By duration, what is in flight at the end is awaited, counted, and named late.
func TestByDurationDrains(t *testing.T) {
	eachBackend(t, func(t *testing.T, backend string) {
		release := make(chan bool)
		s := serve(t, func(c net.Conn, n int64) bool {
			if n > 100 {
				<-release
			}
			return steady(c, n)
		})
		cfg := configOn(s, backend)
		cfg.Connections = 5
		e := engine(t, cfg)
		go func() {
			for e.Live().Started < 105 || e.Live().Elapsed < 150*time.Millisecond {
				time.Sleep(time.Millisecond)
			}
			close(release)
		}()
		r := runOn(t, e, Phase{Duration: 100 * time.Millisecond})
		if r.Elapsed != 100*time.Millisecond || r.Drain == 0 {
			t.Errorf("elapsed %v, drain %v", r.Elapsed, r.Drain)
		}
		if r.Started != 105 || r.Outcomes[OK] != 105 || r.LateOK != 5 {
			t.Errorf("started %d, ok %d, late %d; want 105, 105, 5", r.Started, r.Outcomes[OK], r.LateOK)
		}
		if limit := 5 * r.Elapsed; r.SumLatency > limit {
			t.Errorf("5 connections were in flight for %v, above %v", r.SumLatency, limit)
		}
	})
}

func TestContextInterrupts(t *testing.T) {
	eachBackend(t, func(t *testing.T, backend string) {
		s := serve(t, steady)
		e := engine(t, configOn(s, backend))
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			for e.Live().OK < 10 {
				runtime.Gosched()
			}
			cancel()
		}()
		r, err := e.Run(ctx, Phase{Duration: time.Hour})
		if err != nil || !r.Interrupted || r.Outcomes[OK] < 10 || r.Outcomes.Failed() != 0 {
			t.Errorf("error %v, interrupted %v, %v", err, r.Interrupted, r.Outcomes)
		}
		checkAccount(t, &r)
	})
}

func TestUnansweredRequestsAreInFlightAtTheEnd(t *testing.T) {
	eachBackend(t, func(t *testing.T, backend string) {
		s := serve(t, func(net.Conn, int64) bool { return true })
		cfg := configOn(s, backend)
		cfg.Timeout, cfg.Connections = 0, 3
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		r, err := engine(t, cfg).Run(ctx, Phase{Requests: 10})
		if err != nil || r.Outcomes[InFlight] != 3 || r.Started != 3 {
			t.Errorf("error %v, %v of %d started; want 3 in flight", err, r.Outcomes, r.Started)
		}
	})
}

// One processor must do for the engine, the server and those who watch.
func TestOneProcessor(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	s := serve(t, steady)
	if r := run(t, config(s), Phase{Requests: 2000}); r.Outcomes[OK] != 2000 {
		t.Errorf("ok %d, want 2000", r.Outcomes[OK])
	}
}

func TestSlowDrip(t *testing.T) {
	eachBackend(t, func(t *testing.T, backend string) {
		s := serve(t, func(c net.Conn, _ int64) bool {
			head, body, _ := strings.Cut(okAnswer, "hello")
			write(c, 10*time.Millisecond, []byte(head), []byte("h"), []byte("e"), []byte("l"), []byte("l"), []byte("o"+body))
			return true
		})
		r := run(t, configOn(s, backend), Phase{Requests: 2})
		if r.Outcomes[OK] != 2 || r.FirstByte.Sum() >= r.Latency.Sum() {
			t.Errorf("ok %d, first bytes after %v, whole after %v", r.Outcomes[OK], r.FirstByte.Sum(), r.Latency.Sum())
		}
	})
}

func TestLargeRequestAndAnswer(t *testing.T) {
	eachBackend(t, func(t *testing.T, backend string) {
		body := strings.Repeat("0123456789", 1<<17)
		s := serve(t, func(c net.Conn, _ int64) bool {
			write(c, 0, []byte("HTTP/1.1 200 OK\r\nContent-Length: 1310720\r\n\r\n"+body))
			return true
		})
		cfg := configOn(s, backend)
		cfg.Mix[0].Expect.Body = []byte(body)
		cfg.Mix[0].Header = []Field{{"X-Large", body}} // more than a socket takes at once
		r := run(t, cfg, Phase{Requests: 5})
		if r.Outcomes[OK] != 5 || r.BytesOut != 5*int64(len(cfg.Mix[0].Wire())) {
			t.Errorf("%v: %v, %d B out", r.Outcomes, r.First, r.BytesOut)
		}
	})
}

func TestConfigIsChecked(t *testing.T) {
	good := Config{Addr: netip.MustParseAddrPort("127.0.0.1:80"), Mix: make([]Part, 1), Connections: 2}
	for name, change := range map[string]func(*Config){
		"no address":        func(c *Config) { c.Addr = netip.AddrPort{} },
		"no port":           func(c *Config) { c.Addr = netip.AddrPortFrom(c.Addr.Addr(), 0) },
		"no connections":    func(c *Config) { c.Connections = 0 },
		"no request":        func(c *Config) { c.Mix = nil },
		"weight below 0":    func(c *Config) { c.Mix[0].Weight = -1 },
		"weight":            func(c *Config) { c.Mix[0].Weight = maxWeight + 1 },
		"lead of many":      func(c *Config) { c.Lead, c.Workers = true, 2 },
		"series below 0":    func(c *Config) { c.Series = -1 },
		"many workers":      func(c *Config) { c.Workers = 3 },
		"timeout below 0":   func(c *Config) { c.Timeout = -1 },
		"method":            func(c *Config) { c.Mix[0].Method = "G ET" },
		"path":              func(c *Config) { c.Mix[0].Path = "/a b" },
		"header name":       func(c *Config) { c.Mix[0].Header = []Field{{"X Y", "z"}} },
		"header value":      func(c *Config) { c.Mix[0].Header = []Field{{"X", "y\r\nz: 1"}} },
		"host":              func(c *Config) { c.Mix[0].Host = "a\nb" },
		"protocol":          func(c *Config) { c.Mix[0].Proto = 2 },
		"status":            func(c *Config) { c.Mix[0].Expect.Status = 100 },
		"length":            func(c *Config) { c.Mix[0].Expect.Length = -2 },
		"body without HEAD": func(c *Config) { c.Mix[0].Method, c.Mix[0].Expect.Body = "HEAD", []byte("x") },
	} {
		cfg := good
		cfg.Mix = make([]Part, 1)
		change(&cfg)
		if e, err := New(cfg); err == nil {
			e.Close()
			t.Errorf("%s: no error", name)
		} else if !errors.Is(err, ErrUsage) {
			t.Errorf("%s: %v is not the caller's mistake", name, err)
		}
	}
	if e, err := New(good); err != nil {
		t.Error(err)
	} else if _, err := e.Run(context.Background(), Phase{}); !errors.Is(err, ErrUsage) {
		t.Errorf("a phase without an end: error %v", err)
	} else {
		e.Close()
	}
}

// What the first worker found possible holds for all.
func TestOneBackendForAllWorkers(t *testing.T) {
	cfg := configOn(serve(t, steady), backendEpoll)
	cfg.Connections = 2
	e := engine(t, cfg)
	e.cfg.Backend = "" // as if the choice had been left, and io_uring refused
	refused := errors.New("refused")
	e.unable = refused
	if err := e.addWorker(e.workers[0].mix, 1); err != nil {
		t.Fatal(err)
	}
	if name := e.workers[1].backend.name(); name != backendEpoll || e.unable != refused {
		t.Errorf("the second worker is on %s, because %v; want %s, because %v", name, e.unable, backendEpoll, refused)
	}
}

// By count the window ends with the last answer, even if the context ends while
// that is on its way.
func TestInterruptedWhileTheLastAnswersAreOut(t *testing.T) {
	eachBackend(t, func(t *testing.T, backend string) {
		release := make(chan bool)
		s := serve(t, func(c net.Conn, n int64) bool {
			if n > 2 {
				<-release
			}
			return steady(c, n)
		})
		cfg := configOn(s, backend)
		cfg.Connections = 4
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for s.requests.Load() < 6 {
				time.Sleep(time.Millisecond)
			}
			time.Sleep(2 * tick) // the worker sees that all is started
			cancel()
			time.Sleep(2 * tick) // and that it is interrupted
			close(release)
		}()
		r, err := engine(t, cfg).Run(ctx, Phase{Requests: 6})
		if err != nil || !r.Interrupted || r.Outcomes[OK] != 6 || r.LateOK != 0 || r.Drain != 0 {
			t.Errorf("error %v, interrupted %v, %v, late %d, drain %v; want 6 right ones, none late", err, r.Interrupted, r.Outcomes, r.LateOK, r.Drain)
		}
	})
}

// An engine that cannot give back what it holds says so.
func TestCloseReportsItsError(t *testing.T) {
	e, err := New(configOn(serve(t, steady), backendEpoll))
	if err != nil {
		t.Fatal(err)
	}
	p := e.workers[0].backend.(*epoll)
	if err := unix.Close(p.pulse); err != nil {
		t.Fatal(err)
	}
	p.pulse = math.MaxInt32 // no file has that number
	if err := e.Close(); !errors.Is(err, unix.EBADF) {
		t.Errorf("error %v, want %v", err, unix.EBADF)
	}
}
