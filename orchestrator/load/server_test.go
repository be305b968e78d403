package load

import (
	"bufio"
	"net"
	"net/netip"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A server is a listener that plays answers. Each connection is served by play,
// called once for every request read, with the request's number from 1; it
// reports whether the connection goes on.
type server struct {
	addr     netip.AddrPort
	listener net.Listener
	requests atomic.Int64 // read in full
	mu       sync.Mutex
	conns    map[net.Conn]bool
	serving  sync.WaitGroup
}

func serve(t testing.TB, play func(c net.Conn, request int64) (more bool)) *server {
	t.Helper()
	return serveOn(t, listen(t), play)
}

func listen(t testing.TB) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func serveOn(t testing.TB, l net.Listener, play func(net.Conn, int64) bool) *server {
	return serveTalkOn(t, l, func(s *server, c net.Conn) {
		for r := bufio.NewReader(c); readHead(r) && play(c, s.requests.Add(1)); {
		}
	})
}

func serveTalk(t testing.TB, talk func(*server, net.Conn)) *server {
	t.Helper()
	return serveTalkOn(t, listen(t), talk)
}

func serveTalkOn(t testing.TB, l net.Listener, talk func(*server, net.Conn)) *server {
	s := &server{addr: netip.MustParseAddrPort(l.Addr().String()), listener: l, conns: map[net.Conn]bool{}}
	s.serving.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			s.serving.Go(func() { s.talk(c, talk) })
		}
	})
	t.Cleanup(s.die)
	return s
}

func (s *server) talk(c net.Conn, talk func(*server, net.Conn)) {
	s.mu.Lock()
	s.conns[c] = true
	s.mu.Unlock()
	defer s.hangUp(c)
	talk(s, c)
}

// readHead skips a request without a body.
func readHead(r *bufio.Reader) bool {
	for inLine := false; ; {
		line, err := r.ReadSlice('\n')
		if err != nil && err != bufio.ErrBufferFull {
			return false
		}
		if !inLine && string(line) == "\r\n" {
			return true
		}
		inLine = err != nil
	}
}

func (s *server) hangUp(c net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
	c.Close()
}

// closeIdle closes every connection, and returns their number.
func (s *server) closeIdle() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		c.Close()
	}
	return len(s.conns)
}

// die stops accepting, closes every connection and waits for their ends.
func (s *server) die() {
	s.listener.Close()
	s.closeIdle()
	s.serving.Wait()
}

// write sends the pieces one by one, with a pause between if there is one. Go's
// own sleep would make it a millisecond at least.
func write(c net.Conn, pause time.Duration, pieces ...[]byte) {
	for i, b := range pieces {
		if i > 0 && pause > 0 {
			unix.Nanosleep(&unix.Timespec{Nsec: pause.Nanoseconds()}, nil)
		}
		if _, err := c.Write(b); err != nil {
			return
		}
	}
}

// reset makes the close that follows a reset.
func reset(c net.Conn) { c.(*net.TCPConn).SetLinger(0) }

const okAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

// steady answers every request rightly.
func steady(c net.Conn, _ int64) bool {
	_, err := c.Write([]byte(okAnswer))
	return err == nil
}

// config is a load of one connection on s, with room for changes.
func config(s *server) Config {
	return Config{
		Addr:        s.addr,
		Mix:         []Part{{Request: Request{KeepAlive: true}, Expect: Expect{Body: []byte("hello")}}},
		Connections: 1,
		Timeout:     5 * time.Second,
		Patience:    10 * time.Second,
	}
}

// configOn is config with the choice of a backend.
func configOn(s *server, backend string) Config {
	cfg := config(s)
	cfg.Backend = backend
	return cfg
}

// eachBackend runs a test on every backend that the kernel allows.
func eachBackend(t *testing.T, test func(t *testing.T, backend string)) {
	for _, backend := range []string{backendEpoll, backendUring} {
		t.Run(backend, func(t *testing.T) {
			if backend == backendUring {
				skipWithoutUring(t)
			}
			test(t, backend)
		})
	}
}

func skipWithoutUring(t *testing.T) {
	runtime.LockOSThread() // to which a ring belongs
	defer runtime.UnlockOSThread()
	r, err := newUring(netip.MustParseAddrPort("127.0.0.1:1"), 1)
	if err != nil {
		t.Skip("no io_uring here: ", err)
	}
	if err := r.close(); err != nil {
		t.Fatal(err)
	}
}
