package load

import (
	"errors"
	"net"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// The server does something wrong with every so many requests, on its own
// count; the engine must come to the same numbers.
func TestInjectedFailuresAreCountedExactly(t *testing.T) {
	eachBackend(t, func(t *testing.T, backend string) {
		const requests, connections = 20_000, 16
		var did [InFlight + 1]atomic.Int64
		s := serve(t, func(c net.Conn, n int64) bool {
			o, answer, more := OK, okAnswer, true
			switch {
			case n%1000 == 0:
				o, answer = WrongBody, strings.Replace(okAnswer, "hello", "hellO", 1)
			case n%997 == 0:
				o, answer, more = Reset, okAnswer[:20], false
			case n%991 == 0:
				o, answer, more = ShortBody, okAnswer[:len(okAnswer)-1], false
			case n%983 == 0:
				o, answer = UnexpectedStatus, strings.Replace(okAnswer, "200", "503", 1)
			case n%977 == 0:
				o, answer, more = ExcessBytes, okAnswer+"!", false
			case n%971 == 0:
				o, answer, more = FramingError, "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", false
			case n%967 == 0:
				o, answer, more = BadHead, "HTTP/1.1 OK\r\n\r\n", false
			}
			did[o].Add(1)
			write(c, 0, []byte(answer))
			if o == Reset {
				reset(c)
			}
			return more
		})
		cfg := configOn(s, backend)
		cfg.Connections = connections
		r := run(t, cfg, Phase{Requests: requests})
		var want Outcomes
		for o := range did {
			want[o] = did[o].Load()
		}
		if diff := cmp.Diff(want, r.Outcomes); diff != "" {
			t.Errorf("%v (-server +engine):\n%s", r.First, diff)
		}
		if n := s.requests.Load(); r.Started != requests || n != requests {
			t.Errorf("started %d, server read %d, want %d", r.Started, n, requests)
		}
		if r.Status[503] != want[UnexpectedStatus] || r.Status[200] != want[OK]+want[WrongBody] {
			t.Errorf("statuses %v do not fit %v", r.Status, want)
		}
	})
}

func TestConnectionCloseIsAPlannedReconnect(t *testing.T) {
	eachBackend(t, func(t *testing.T, backend string) {
		var answered atomic.Int64
		s := serve(t, func(c net.Conn, n int64) bool {
			if answered.Add(1)%100 != 0 {
				return steady(c, n)
			}
			write(c, 0, []byte(strings.Replace(okAnswer, "\r\n", "\r\nConnection: close\r\n", 1)))
			return false
		})
		r := run(t, configOn(s, backend), Phase{Requests: 1000})
		if r.Outcomes[OK] != 1000 || r.Reconnects != 10 || r.Connect.Count() != 10 || r.Resent != 0 {
			t.Errorf("ok %d, reconnects %d, connects %d, resent %d; want 1000, 10, 10, 0", r.Outcomes[OK], r.Reconnects, r.Connect.Count(), r.Resent)
		}
	})
}

func TestOneRequestAConnection(t *testing.T) {
	eachBackend(t, func(t *testing.T, backend string) {
		s := serve(t, func(c net.Conn, _ int64) bool {
			write(c, 0, []byte(okAnswer))
			return false
		})
		cfg := configOn(s, backend)
		cfg.Mix[0].KeepAlive = false
		cfg.Connections = 4
		r := run(t, cfg, Phase{Requests: 500})
		if r.Outcomes[OK] != 500 || r.Connect.Count() != 500 || r.Reconnects != 0 {
			t.Errorf("ok %d, connects %d, reconnects %d; want 500, 500, 0", r.Outcomes[OK], r.Connect.Count(), r.Reconnects)
		}
		if r.Connect.Sum() > r.Latency.Sum() {
			t.Errorf("connects took %v, more than the requests' %v", r.Connect.Sum(), r.Latency.Sum())
		}
	})
}

// A server that reads a request on a used connection and closes it unanswered
// looks just like one that closed as the request went out.
func TestClosedAsTheRequestGoesOut(t *testing.T) {
	eachBackend(t, func(t *testing.T, backend string) {
		for _, tt := range []struct {
			method          string
			ok, resent, eof int64
		}{
			{"GET", 10, 9, 0},
			{"POST", 5, 0, 5},
		} {
			t.Run(tt.method, func(t *testing.T) {
				var served sync.Map
				s := serve(t, func(c net.Conn, n int64) bool {
					if _, used := served.LoadOrStore(c, true); used {
						return false
					}
					return steady(c, n)
				})
				cfg := configOn(s, backend)
				cfg.Mix[0].Method = tt.method
				r := run(t, cfg, Phase{Requests: 10})
				if r.Outcomes[OK] != tt.ok || r.Resent != tt.resent || r.Outcomes[EOFReused] != tt.eof {
					t.Errorf("%s: ok %d, resent %d, eof %d; want %d, %d, %d", tt.method, r.Outcomes[OK], r.Resent, r.Outcomes[EOFReused], tt.ok, tt.resent, tt.eof)
				}
				if n := s.requests.Load(); n != r.Started+r.Resent {
					t.Errorf("server read %d requests; started %d, resent %d", n, r.Started, r.Resent)
				}
			})
		}
	})
}

func TestEOFOnAFreshConnection(t *testing.T) {
	eachBackend(t, func(t *testing.T, backend string) {
		s := serve(t, func(net.Conn, int64) bool { return false })
		r := run(t, configOn(s, backend), Phase{Requests: 20})
		if r.Outcomes[EOFFresh] != 20 || r.Resent != 0 {
			t.Errorf("%v, resent %d; want 20 of %v", r.Outcomes, r.Resent, EOFFresh)
		}
	})
}

func TestClosedWhileIdleBetweenPhases(t *testing.T) {
	eachBackend(t, func(t *testing.T, backend string) {
		s := serve(t, steady)
		cfg := configOn(s, backend)
		cfg.Connections = 300 // more than one batch of events
		e := engine(t, cfg)
		runOn(t, e, Phase{Requests: 600})
		closed := s.closeIdle()
		r := runOn(t, e, Phase{Requests: 600})
		if r.Outcomes[OK] != 600 || r.Reconnects != int64(closed) || r.Resent != 0 {
			t.Errorf("ok %d, reconnects %d, resent %d; want 600, %d, 0", r.Outcomes[OK], r.Reconnects, r.Resent, closed)
		}
		if r.Connect.Count() != int64(closed) {
			t.Errorf("%d connects in the second phase, want %d", r.Connect.Count(), closed)
		}
	})
}

func TestConnectionsOutliveAPhase(t *testing.T) {
	eachBackend(t, func(t *testing.T, backend string) {
		s := serve(t, steady)
		e := engine(t, configOn(s, backend))
		for range 3 {
			runOn(t, e, Phase{Requests: 10})
		}
		if r := runOn(t, e, Phase{Requests: 10}); r.Connect.Count() != 0 {
			t.Errorf("%d connects in a later phase, want none", r.Connect.Count())
		}
	})
}

// Bytes behind an answer that come once the next request is out are counted on
// that one.
func TestLateExcessBytes(t *testing.T) {
	eachBackend(t, func(t *testing.T, backend string) {
		s := serve(t, func(c net.Conn, n int64) bool {
			if n == 2 {
				write(c, 0, []byte("!"))
				return false
			}
			return steady(c, n)
		})
		r := run(t, configOn(s, backend), Phase{Requests: 3})
		if r.Outcomes[OK] != 2 || r.Outcomes[ExcessBytes] != 1 {
			t.Errorf("%v, want 2 right answers and 1 with excess bytes", r.Outcomes)
		}
	})
}

func TestRefusedConnectionsEndTheRun(t *testing.T) {
	eachBackend(t, func(t *testing.T, backend string) {
		s := serve(t, steady)
		s.die()
		cfg := configOn(s, backend)
		cfg.Patience = 200 * time.Millisecond
		cfg.Connections = 4
		r := run(t, cfg, Phase{Requests: 1_000_000})
		if !r.GaveUp || r.Outcomes[ConnectRefused] != r.Started || r.Started < 4 {
			t.Errorf("gave up %v, refused %d of %d", r.GaveUp, r.Outcomes[ConnectRefused], r.Started)
		}
		if r.Started > 4*50 {
			t.Errorf("%d attempts: the connections did not pause", r.Started)
		}
		r = run(t, cfg, Phase{Duration: 20 * time.Millisecond})
		if r.GaveUp || r.Outcomes[ConnectRefused] != r.Started || r.Elapsed != 20*time.Millisecond {
			t.Errorf("by duration: gave up %v after %v, refused %d of %d", r.GaveUp, r.Elapsed, r.Outcomes[ConnectRefused], r.Started)
		}
	})
}

func TestServerDeath(t *testing.T) {
	eachBackend(t, func(t *testing.T, backend string) {
		dead := make(chan bool)
		s := serve(t, func(c net.Conn, n int64) bool {
			if n == 1000 {
				close(dead)
			}
			return steady(c, n)
		})
		go func() { <-dead; s.die() }()
		cfg := configOn(s, backend)
		cfg.Connections, cfg.Patience = 8, 200*time.Millisecond
		r := run(t, cfg, Phase{Requests: 100_000_000})
		if !r.GaveUp || r.Outcomes[ConnectRefused] == 0 || r.Outcomes[OK] < 900 {
			t.Errorf("gave up %v with %v", r.GaveUp, r.Outcomes)
		}
	})
}

func TestNoAnswerTimesOut(t *testing.T) {
	eachBackend(t, func(t *testing.T, backend string) {
		s := serve(t, func(net.Conn, int64) bool { return true })
		cfg := configOn(s, backend)
		cfg.Timeout, cfg.Connections = 20*time.Millisecond, 4
		r := run(t, cfg, Phase{Requests: 8})
		if r.Outcomes[RequestTimeout] != 8 || r.Connect.Count() != 8 {
			t.Errorf("%v after %d connects, want 8 timeouts after 8", r.Outcomes, r.Connect.Count())
		}
	})
}

func TestAcceptQueueFull(t *testing.T) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	if err := unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := unix.Listen(fd, 1); err != nil {
		t.Fatal(err)
	}
	name, err := unix.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	eachBackend(t, func(t *testing.T, backend string) {
		r := run(t, Config{
			Addr:        netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(name.(*unix.SockaddrInet4).Port)),
			Mix:         []Part{{Request: Request{KeepAlive: true}}},
			Backend:     backend,
			Connections: 16,
			Timeout:     200 * time.Millisecond,
		}, Phase{Requests: 16})
		if r.Outcomes[ConnectTimedOut] == 0 || r.Outcomes[ConnectTimedOut]+r.Outcomes[RequestTimeout] != 16 {
			t.Errorf("%v, want connect timeouts, and request timeouts for what the queue held", r.Outcomes)
		}
	})
}

// A lack of file descriptors that shows only while running is an error of the
// run, not an outcome of the server's. With io_uring sockets are none of the
// process's files.
func TestNoFileDescriptorLeft(t *testing.T) {
	s := serve(t, steady)
	cfg := configOn(s, backendEpoll)
	cfg.Connections = 4
	e := engine(t, cfg)
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	defer unix.Setrlimit(unix.RLIMIT_NOFILE, &limit)
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 3, Max: limit.Max}); err != nil {
		t.Fatal(err)
	}
	r, err := e.Run(t.Context(), Phase{Requests: 100})
	if !errors.Is(err, unix.EMFILE) || errors.Is(err, ErrUsage) {
		t.Errorf("error %v, want %v", err, unix.EMFILE)
	}
	checkAccount(t, &r)
}

func TestNoLocalPortIsNotTheServersFault(t *testing.T) {
	cfg := Config{Addr: netip.MustParseAddrPort("127.0.0.1:9"), Mix: []Part{{Request: Request{KeepAlive: true}}}, Connections: 1 << 20}
	if _, err := New(cfg); err == nil || errors.Is(err, ErrUsage) {
		t.Errorf("a million connections: error %v, want a fault of this host", err)
	}
}
