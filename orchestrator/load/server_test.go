package load

import (
	"bufio"
	"net"
	"net/netip"
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
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return serveOn(t, l, play)
}

func serveOn(t testing.TB, l net.Listener, play func(net.Conn, int64) bool) *server {
	s := &server{addr: netip.MustParseAddrPort(l.Addr().String()), listener: l, conns: map[net.Conn]bool{}}
	s.serving.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			s.serving.Go(func() { s.talk(c, play) })
		}
	})
	t.Cleanup(s.die)
	return s
}

func (s *server) talk(c net.Conn, play func(net.Conn, int64) bool) {
	s.mu.Lock()
	s.conns[c] = true
	s.mu.Unlock()
	defer s.hangUp(c)
	r := bufio.NewReader(c)
	for readHead(r) && play(c, s.requests.Add(1)) {
	}
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
		Request:     Request{KeepAlive: true},
		Expect:      Expect{Body: []byte("hello")},
		Connections: 1,
		Timeout:     5 * time.Second,
		Patience:    10 * time.Second,
	}
}
