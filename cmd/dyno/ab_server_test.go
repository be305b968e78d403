package main

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/textproto"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// A reply is what a scripted server does with one request: it writes text,
// and then keeps the connection, closes it, or resets it.
type reply struct {
	text string
	end  ending
}

type ending int

const (
	closes ending = iota
	keeps
	resets
)

// A script answers the nth request, from 1.
type script func(n int) reply

// A scripted is a server that answers by its script and keeps what it was sent.
type scripted struct {
	addr     string
	script   script
	mu       sync.Mutex
	requests []string // whole, as they came
}

func serveScript(t *testing.T, s script) *scripted {
	t.Helper()
	return serveScriptAt(t, "127.0.0.1:0", s)
}

func serveScriptAt(t *testing.T, addr string, s script) *scripted {
	t.Helper()
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	return serveOn(t, l, s)
}

func serveOn(t *testing.T, l net.Listener, s script) *scripted {
	server := &scripted{addr: l.Addr().String(), script: s}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			serving.Go(func() { server.talk(c.(*net.TCPConn)) })
		}
	})
	t.Cleanup(func() { l.Close(); serving.Wait() })
	return server
}

func (s *scripted) talk(c *net.TCPConn) {
	defer c.Close()
	r := bufio.NewReader(c)
	for {
		request, err := readRequest(r)
		if err != nil {
			return
		}
		a := s.script(s.note(request))
		io.WriteString(c, a.text)
		switch a.end {
		case resets:
			c.SetLinger(0)
			return
		case closes:
			return
		}
	}
}

// note keeps a request and returns its number.
func (s *scripted) note(request string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, request)
	return len(s.requests)
}

// noted returns how many requests came.
func (s *scripted) noted() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}

// forget returns the requests so far and starts to count anew.
func (s *scripted) forget() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	requests := s.requests
	s.requests = nil
	return requests
}

func readRequest(r *bufio.Reader) (string, error) {
	var raw bytes.Buffer
	length := 0
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return "", err
		}
		raw.WriteString(line)
		name, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), ":")
		if textproto.CanonicalMIMEHeaderKey(name) == "Content-Length" {
			length, _ = strconv.Atoi(strings.TrimSpace(value))
		}
		if strings.TrimRight(line, "\r\n") == "" {
			break
		}
	}
	_, err := io.CopyN(&raw, r, int64(length))
	return raw.String(), err
}
