package load

import (
	"sync/atomic"
	"time"
)

// A Trace is a record of every request of a phase, in the order in which they
// ended. Its room is taken once, about 100 B a request, so that filling it
// allocates nothing; requests beyond it are counted, not kept. A later phase
// overwrites it. It costs a second reading of the clock at each write, or, with
// io_uring, at each wait.
type Trace struct {
	entries []Entry
	ended   atomic.Int64 // may be more than there is room for
}

// NewTrace returns an empty Trace with room for that many requests.
func NewTrace(room int) *Trace {
	return &Trace{entries: make([]Entry, max(room, 0))}
}

// Entries returns what is recorded. No phase that fills t may be running.
func (t *Trace) Entries() []Entry {
	return t.entries[:min(t.ended.Load(), int64(len(t.entries)))]
}

// Dropped returns how many requests ended that t had no room for.
func (t *Trace) Dropped() int64 {
	return max(t.ended.Load()-int64(len(t.entries)), 0)
}

// An Entry is one request in a [Trace]. Times count from the start of the
// phase; 0 is what never came to pass.
type Entry struct {
	Start     time.Duration // before the connect; on a reused connection when the request before ended
	Connected time.Duration // before the first write; equal to Start on a reused connection
	Written   time.Duration // the request had been handed to the system in full; with io_uring, just before
	FirstByte time.Duration // the first bytes of the answer were read
	Done      time.Duration // the request had its outcome

	Received int64 // bytes read, whatever they were
	Head     int64 // of these, whole heads, interim ones included
	Body     int64 // and bodies, without chunk lines

	Status    int // 0: no status line was understood
	Outcome   Outcome
	Reused    bool // the connection had served before, and served this request too
	Resent    bool // sent twice; all times but Start are those of the second attempt
	KeepAlive bool // the head has keep-alive in Connection, or a Keep-Alive field
}

func (t *Trace) reset() { t.ended.Store(0) }

// add records how a request ended on c. It may be called by several workers at
// once.
func (t *Trace) add(c *conn, o Outcome, start, now time.Duration) {
	at := t.ended.Add(1) - 1
	if at >= int64(len(t.entries)) {
		return
	}
	e := &t.entries[at]
	*e = Entry{Start: c.begun - start, Done: now - start, Outcome: o, Reused: c.reused, Resent: c.resent}
	if c.state != busy {
		return
	}
	p := &c.parser
	e.Received, e.Head, e.Body = c.got, p.headBytes, c.body.got
	e.Status, e.KeepAlive = p.status, p.saysOpen || p.saysHow
	e.Connected = c.linked - start
	if c.written > 0 {
		e.Written = c.written - start
	}
	if c.first > 0 {
		e.FirstByte = c.first - start
	}
}
