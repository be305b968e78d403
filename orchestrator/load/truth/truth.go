// Package truth is a server that knows how long it took for each answer, so that
// a load engine can be held against it.
package truth

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// Body is of every answer.
const Body = "ok\n"

var answer = fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(Body), Body)

// A Server listens on the loopback and answers every request without a body after
// a delay that it draws: 30 ms, and on top of it an exponential one of 20 ms in
// the mean, and once in a hundred 200 ms more. It measures each delay itself.
type Server struct {
	listener net.Listener
	serving  sync.WaitGroup

	mu     sync.Mutex
	random *rand.Rand
	delays []time.Duration
	open   map[net.Conn]bool // nil once closed
}

// Listen starts a server on a free port.
func Listen(seed uint64) (*Server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Server{listener: listener, random: rand.New(rand.NewPCG(seed, 0)), open: map[net.Conn]bool{}}
	s.serving.Go(s.accept)
	return s, nil
}

// Addr is where the server listens.
func (s *Server) Addr() netip.AddrPort { return netip.MustParseAddrPort(s.listener.Addr().String()) }

// Close ends all connections and returns once nothing is served any more.
func (s *Server) Close() error {
	err := s.listener.Close()
	s.mu.Lock()
	for c := range s.open {
		c.Close()
	}
	s.open = nil
	s.mu.Unlock()
	s.serving.Wait()
	return err
}

// Delays returns how long the answers took, from a request's last byte to the
// answer's, after the first so many, in order of length.
func (s *Server) Delays(after int) []time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(slices.Values(s.delays[min(after, len(s.delays)):]))
}

func (s *Server) accept() {
	for {
		c, err := s.listener.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		if s.open == nil {
			c.Close()
		} else {
			s.open[c] = true
			s.serving.Go(func() { s.serve(c) })
		}
		s.mu.Unlock()
	}
}

func (s *Server) serve(c net.Conn) {
	defer func() {
		c.Close()
		s.mu.Lock()
		delete(s.open, c)
		s.mu.Unlock()
	}()
	for r := bufio.NewReader(c); skipHead(r) == nil; {
		start := time.Now()
		time.Sleep(s.draw())
		if _, err := io.WriteString(c, answer); err != nil {
			return
		}
		s.keep(time.Since(start))
	}
}

// skipHead reads up to the empty line that ends a request.
func skipHead(r *bufio.Reader) error {
	for {
		line, err := r.ReadString('\n')
		if err != nil || line == "\r\n" {
			return err
		}
	}
}

func (s *Server) draw() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := 30*time.Millisecond + time.Duration(s.random.ExpFloat64()*float64(20*time.Millisecond))
	if s.random.IntN(100) == 0 {
		d += 200 * time.Millisecond
	}
	return d
}

func (s *Server) keep(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.delays = append(s.delays, d)
}
