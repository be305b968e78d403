package load

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// seenRoom is how much of what was received stands in the words on a failure.
const seenRoom = 200

// handle takes one event of the backend.
func (w *worker) handle(ev *event) {
	c := &w.conns[ev.id]
	switch ev.kind {
	case opened:
		w.connected(c)
	case sent:
		c.unsent, c.written = false, w.now
	case unwritten:
		w.notWritten(c, ev.err)
	case received:
		w.receive(c, ev)
	case ended:
		w.closedByServer(c, ev)
	case broken:
		w.broke(c, ev.err)
	}
}

// startOn starts a request on an idle connection.
func (w *worker) startOn(c *conn) {
	if w.quota--; w.quota == 0 {
		w.end = 0 // the count came first
	}
	if w.waiting == 0 {
		w.waiting = w.now
	}
	w.flying++
	w.res.lastStart = w.now - w.start
	if s := w.res.seconds.at(w.now - w.start); s != nil {
		s.started++
	}
	c.x = w.nextExchange()
	w.res.Started++
	c.begun, c.linked, c.wrote, c.from, c.resent = w.now, w.now, w.now, w.now, false
	if w.table != nil {
		w.spend(c)
	}
	if w.cfg.Timeout > 0 && !w.wheel.isSet(c.id) {
		w.arm(c, c.begun+w.cfg.Timeout)
	}
	if c.state == ready {
		w.write(c)
		return
	}
	w.dial(c)
}

func (w *worker) dial(c *conn) {
	c.state, c.reused, c.dialed = opening, false, w.now
	if errno := w.backend.open(c.id); errno != 0 {
		w.notConnected(c, errno)
	}
}

func (w *worker) connected(c *conn) {
	w.res.Connect.Record(w.now - c.dialed)
	c.delay, c.linked = 0, w.now
	if c.x.req.KeepAlive && !c.resent {
		c.wrote = w.now
		if w.table == nil {
			c.from = w.now
		}
	}
	w.write(c)
}

// write sends the request. The answer is read from here on.
func (w *worker) write(c *conn) {
	c.state, c.first, c.written, c.got = busy, 0, 0, 0
	c.parser.reset(c.x.head)
	c.parser.learned = &w.learned[c.x.part]
	c.body.reset(c.x)
	w.sampleClock()
	whole, errno := w.backend.send(c.id, c.x.wire)
	c.unsent = !whole
	switch {
	case errno != 0:
		w.notWritten(c, errno)
	case whole && w.cfg.Trace != nil:
		w.stampWrite(c)
	}
}

// notWritten handles a request that could not be written.
func (w *worker) notWritten(c *conn, errno unix.Errno) {
	if c.state == busy && c.reused && c.first == 0 && (errno == unix.EPIPE || errno == unix.ECONNRESET) {
		w.unanswered(c) // the connection was closed while idle
		return
	}
	w.broke(c, errno)
}

func (w *worker) receive(c *conn, ev *event) {
	w.res.BytesIn += int64(len(ev.data))
	if c.state != busy {
		w.retire(c) // unasked for, such as 408 before an idle close
		return
	}
	c.got += int64(len(ev.data))
	if c.first == 0 {
		c.first = w.now
		if c.reused && ev.data[0] != versionPrefix[0] {
			w.fail(c, ExcessBytes, excess, ev.data)
			return
		}
	}
	rest := c.feed(ev.data)
	if ev.fin {
		c.parser.eof()
	}
	switch p := &c.parser; {
	case p.state == failed:
		w.fail(c, p.fault.outcome(), p.fault, ev.data)
	case p.state == done && len(rest) > 0:
		w.fail(c, ExcessBytes, excess, ev.data)
	case p.state == done:
		w.complete(c, ev)
	case w.leading && p.state > atField:
		w.follow()
	}
}

// complete handles a whole answer and goes on with the connection.
func (w *worker) complete(c *conn, ev *event) {
	p := &c.parser
	w.waiting = 0
	w.status[p.status]++
	w.notes |= c.x.remarks(p)
	w.account(c)
	w.judge(c, ev)
	switch {
	case !c.x.req.KeepAlive || c.unsent:
		w.shut(c)
	case !p.keepAlive() || ev.fin:
		w.retire(c)
	default:
		c.state, c.reused = ready, true
	}
	w.offer(c)
}

// judge compares a whole answer with what is expected.
func (w *worker) judge(c *conn, ev *event) {
	switch {
	case c.x.status != anyStatus && c.parser.status != c.x.status:
		w.saw(UnexpectedStatus, nil, ev.data)
		w.settle(c, UnexpectedStatus)
	case !c.body.right():
		w.saw(WrongBody, nil, ev.data)
		w.settle(c, WrongBody)
	default:
		w.res.Latency.Record(w.now - c.from)
		if w.table != nil {
			w.res.Service.Record(w.now - c.wrote)
		}
		w.res.FirstByte.Record(c.first - c.wrote)
		w.settle(c, OK)
	}
}

// closedByServer handles the end of the server's side.
func (w *worker) closedByServer(c *conn, ev *event) {
	switch {
	case c.state != busy:
		w.retire(c)
	case c.first == 0 && c.reused:
		w.unanswered(c)
	case c.first == 0:
		w.fail(c, EOFFresh, nil, nil)
	default:
		ev.data, ev.fin = nil, true
		w.receive(c, ev)
	}
}

// unanswered handles a reused connection that was closed as the request went
// out: the request goes out once more on a new one, if it may.
func (w *worker) unanswered(c *conn) {
	if !c.x.req.idempotent() {
		w.fail(c, EOFReused, nil, nil)
		return
	}
	w.res.Resent++
	c.resent = true
	w.shut(c)
	w.dial(c)
}

func (w *worker) broke(c *conn, errno unix.Errno) {
	switch {
	case c.state == opening:
		w.notConnected(c, errno)
	case c.state != busy:
		w.retire(c)
	case errno == unix.ECONNRESET:
		w.fail(c, Reset, errno, nil)
	case errno == unix.ETIMEDOUT:
		w.fail(c, RequestTimeout, errno, nil)
	default:
		w.fail(c, WriteError, errno, nil)
	}
}

// notConnected handles a failed connect: the connection pauses before the next.
func (w *worker) notConnected(c *conn, errno unix.Errno) {
	o := ConnectRefused
	switch errno {
	case unix.ECONNRESET:
		o = Reset
	case unix.ETIMEDOUT:
		o = ConnectTimedOut
	case unix.EADDRNOTAVAIL:
		o = NoLocalPort
	case unix.EMFILE, unix.ENFILE, unix.ENOBUFS, unix.ENOMEM:
		w.err = fmt.Errorf("opening a socket: %w", errno)
		o = InFlight
	}
	w.abort(c, o, errno, nil)
	w.pause(c)
}

// fail ends a request whose connection cannot be used any more.
func (w *worker) fail(c *conn, o Outcome, why error, seen []byte) {
	w.abort(c, o, why, seen)
	w.offer(c)
}

// abort ends a request that cannot go on and drops its connection.
func (w *worker) abort(c *conn, o Outcome, why error, seen []byte) {
	w.saw(o, why, seen)
	if c.state == busy {
		w.account(c)
	}
	w.settle(c, o)
	w.shut(c)
}

// settle gives a request its outcome.
func (w *worker) settle(c *conn, o Outcome) {
	w.flying--
	w.settled = w.now
	w.res.Outcomes[o]++
	w.res.Parts[c.x.part][o]++
	w.tally(c, o)
	if w.cfg.Trace != nil {
		w.cfg.Trace.add(c, o, w.start, w.now)
	}
	end := w.windowEnd()
	w.res.SumLatency += max(min(w.now, end)-c.begun, 0)
	if o == OK && w.now > end {
		w.res.LateOK++
	}
	if w.leading {
		w.follow()
	}
}

// tally adds a request to the second in which it ended.
func (w *worker) tally(c *conn, o Outcome) {
	switch s := w.res.seconds.at(w.now - w.start); {
	case s == nil:
	case o == OK:
		s.right(w.now - c.from)
	default:
		s.failed++
	}
}

// retire drops a connection that the server closed between requests.
func (w *worker) retire(c *conn) {
	w.res.Reconnects++
	w.shut(c)
}

func (w *worker) shut(c *conn) {
	w.backend.shut(c.id)
	c.state = closed
}

// account adds what was read of an answer to the account of bytes.
func (w *worker) account(c *conn) {
	w.res.HeadBytes += c.parser.headBytes
	w.res.BodyBytes += c.body.got
}

// saw keeps words on the first failure of each kind.
func (w *worker) saw(o Outcome, why error, seen []byte) {
	if _, known := w.res.First[o]; known {
		return
	}
	text := o.String()
	if why != nil {
		text = fmt.Sprintf("%s: %v", text, why)
	}
	if len(seen) > 0 {
		text = fmt.Sprintf("%s; last received %q", text, seen[:min(len(seen), seenRoom)])
	}
	w.res.firstAt[o] = w.now - w.start
	w.res.First[o] = fmt.Sprintf("%s, %v into the phase", text, (w.now - w.start).Round(time.Microsecond))
}
