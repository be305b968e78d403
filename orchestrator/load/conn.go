package load

import (
	"bytes"
	"time"
)

// A connState is what a connection is at.
type connState uint8

const (
	closed  connState = iota // may be opened when it is due
	opening                  // on behalf of a request
	ready                    // connected, no request in flight
	busy                     // a request is in flight
)

// A conn is one connection, reopened as often as needed, and the request in
// flight on it. Times are since the engine's start.
type conn struct {
	id     uint32
	state  connState
	reused bool // has served a request
	pooled bool // in the pool of an open loop
	unsent bool // the request is not written in full
	resent bool // the request was sent before, on another connection

	due   time.Duration // takes no request before
	delay time.Duration // last pause after a failed connect, 0 after a success

	begun   time.Duration // the request was started
	dialed  time.Duration // connect was started
	linked  time.Duration // the connection was there for the request
	wrote   time.Duration // service time counts from here
	from    time.Duration // latency counts from here
	written time.Duration // the request was handed to the system in full, 0 before; for the trace
	first   time.Duration // first byte came, 0 before

	x      *exchange // the request
	got    int64     // bytes received for the request
	parser parser
	body   bodyCheck
}

// inFlight reports whether a request is under way.
func (c *conn) inFlight() bool { return c.state == opening || c.state == busy }

// feed takes what came of an answer, and returns what is behind its end.
func (c *conn) feed(b []byte) (rest []byte) {
	for len(b) > 0 && !c.parser.ended() {
		n, body := c.parser.next(b)
		if len(body) > 0 {
			c.body.write(body)
		}
		b = b[n:]
	}
	return b
}

const (
	firstPause = time.Millisecond
	lastPause  = time.Second
)

// pause holds the connection back after a failed connect: 1 ms, doubled at each
// further failure up to 1 s.
func (c *conn) pause(now time.Duration) {
	c.delay = min(max(2*c.delay, firstPause), lastPause)
	c.due = now + c.delay
}

// A bodyCheck compares a body with what is expected, while it streams.
type bodyCheck struct {
	want   []byte // nil: only the length counts
	length int64  // -1: any
	got    int64
	differ bool
}

func (k *bodyCheck) reset(x *exchange) {
	*k = bodyCheck{want: x.body, length: x.length}
}

func (k *bodyCheck) write(b []byte) {
	at := k.got
	k.got += int64(len(b))
	if k.want == nil || k.differ {
		return
	}
	k.differ = k.got > int64(len(k.want)) || !bytes.Equal(k.want[at:k.got], b)
}

// right reports whether the whole body is as expected.
func (k *bodyCheck) right() bool {
	return !k.differ && (k.length < 0 || k.got == k.length)
}
