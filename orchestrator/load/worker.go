package load

import (
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// tick is the longest time between two looks at timeouts and at whether the
	// phase is over.
	tick = 50 * time.Millisecond
	// drainLimit bounds the wait for requests in flight at the end where no
	// timeout does, hastyDrain where the phase was interrupted.
	drainLimit = 10 * time.Second
	hastyDrain = time.Second
)

// A worker drives its own connections on a thread of its own. While a phase runs
// it shares no more with others than an open loop's timetable and the trace.
type worker struct {
	cfg      Config
	clock    clock
	backend  backend
	mix      *mix
	index    int64 // of this worker
	workers  int64 // in all
	window   window
	conns    []conn
	learned  []learned // by part of the mix
	wheel    *wheel    // timeouts of requests, pauses and the ramp of connections
	pool     pool      // in an open loop
	progress progress
	leaving  leaving

	// The phase that runs.
	res      *Result
	status   [1000]int64
	notes    notes
	stop     *stopper
	now      time.Duration // the clock's last reading
	start    time.Duration
	end      time.Duration // no request is started from here on; 0: by count
	stopped  time.Duration // when starting was found over, 0 before
	cut      bool          // it was over before its time: by a verdict, or for want of answers
	drained  time.Duration // when requests in flight are given up
	nextTick time.Duration
	settled  time.Duration // the last outcome
	waiting  time.Duration // the first start since the last whole answer, 0: none
	quota    int64         // requests that may be started
	flying   int           // requests in flight
	leading  bool          // all connections but the first hold back
	table    *timetable    // of an open loop, else nil
	slot     slot          // the next of it, if held
	held     bool
	freed    time.Duration // when the pool was last empty
	event    event
	err      error // a fault of this host, which ends the phase

	closed error // of closing the backend, once the thread has ended
}

// run performs one phase. After an error the result holds what was seen so far.
func (w *worker) run(j job) (*Result, error) {
	before, err := w.begin(j)
	for err == nil && !w.over() {
		if w.now >= w.nextTick {
			w.lookAround()
		}
		if w.table != nil {
			w.release()
		}
		err = w.turn(w.nextWake() - w.now)
	}
	return w.res, errors.Join(err, w.finish(before))
}

// newWorker returns a worker with its connections closed.
func newWorker(cfg Config, m *mix, b backend, index, connections int, c clock) *worker {
	w := &worker{
		cfg:     cfg,
		clock:   c,
		backend: b,
		mix:     m,
		index:   int64(index),
		workers: int64(cfg.workers()),
		window:  newWindow(cfg.Window, b.name()),
		conns:   make([]conn, connections),
		learned: make([]learned, len(m.exchanges)),
		wheel:   newWheel(connections),
		pool:    newPool(connections),
		leaving: leaving{deferred: b.defers(), traced: make([]*conn, 0, connections)},
	}
	for i := range w.conns {
		w.conns[i].id = uint32(i)
		w.conns[i].parser.reset(false)
	}
	return w
}

// begin sets the phase up. Connections that the server closed since the last
// phase are found before any request is started.
func (w *worker) begin(j job) (before effort, err error) {
	w.res, w.status, w.notes = newResult(w.cfg), [1000]int64{}, 0
	w.stop, w.end, w.stopped, w.cut, w.quota, w.err = j.stop, 0, 0, false, 0, nil
	w.table, w.held, w.freed, w.waiting = nil, false, 0, 0
	w.leaving.reset()
	w.now = w.clock.now()
	w.start, w.settled = w.now, w.now
	for found := int64(-1); found != w.backend.spent().wakeups; {
		found = w.backend.spent().wakeups
		if err := w.turn(0); err != nil {
			return before, err
		}
	}
	before = w.backend.spent()
	w.res.UserCPU, w.res.SystemCPU, err = threadCPU()
	w.start, w.end, w.quota, w.leading, w.table = j.start, j.end, j.quota, w.cfg.Lead, j.table
	w.nextTick, w.settled = w.now, w.start
	w.window.begin(w.now)
	w.lineUp(j.ramp)
	return before, err
}

// service returns the latencies without the wait for a connection, which an open
// loop alone has.
func (w *worker) service() *Histogram {
	if w.table != nil {
		return w.res.Service
	}
	return w.res.Latency
}

// lineUp offers every connection, each at its time of the ramp. Since a start
// takes its time, the clock is read for each.
func (w *worker) lineUp(ramp time.Duration) {
	w.wheel.reset(w.now)
	w.pool.reset()
	for i := range w.conns {
		c := &w.conns[i]
		c.pooled = false
		before := float64(w.index+w.workers*int64(i)) / float64(w.cfg.Connections)
		c.due = max(c.due, w.start+time.Duration(before*float64(ramp)))
		w.offer(c)
		w.now = w.clock.now()
	}
	w.freed = w.start // what is free now was so from the start
}

// turn waits for events, for d at most, and handles them. The clock is read
// once an event, behind its read: that costs less than a hundredth of an event
// and leaves no reading to grow old over a batch.
func (w *worker) turn(d time.Duration) error {
	w.leave()
	if err := w.backend.wait(d, w.window.gather(w.flying), min(w.window.length, d)); err != nil {
		return err
	}
	idle := true
	for w.backend.next(&w.event) {
		idle = false
		w.now = w.clock.now()
		w.handle(&w.event)
		if w.table != nil {
			w.release()
		}
	}
	if idle {
		w.now = w.clock.now()
	}
	return w.err
}

// mayStart reports whether the phase wants another request.
func (w *worker) mayStart() bool {
	return w.quota > 0 && w.stopped == 0 && (w.end == 0 || w.now < w.end)
}

func (w *worker) over() bool {
	return w.flying == 0 && !w.mayStart()
}

// lookAround does what is due once a tick or by a timer, and sets the next time
// to do so.
func (w *worker) lookAround() {
	w.lookAtEnd()
	w.window.fit(w.now, w.service())
	w.res.Window = max(w.res.Window, w.window.length)
	for _, id := range w.wheel.turn(w.now) {
		w.timeUp(&w.conns[id])
		w.now = w.clock.now() // that may have started a request
	}
	if w.stopped > 0 && w.now >= w.drained {
		w.giveUp()
	}
	w.nextTick = w.now + tick
	switch {
	case w.stopped > 0:
		w.nextTick = min(w.nextTick, w.drained)
	case w.end > 0:
		w.nextTick = min(w.nextTick, w.end)
	}
	w.nextTick = w.wheel.next(w.nextTick)
	w.tellProgress()
}

// timeUp handles the end of a connection's timer. A request's is not moved as
// the next one starts, but here, once a timeout.
func (w *worker) timeUp(c *conn) {
	switch {
	case !c.inFlight():
		w.offer(c)
	case w.now < c.begun+w.cfg.Timeout:
		w.wheel.set(c.id, c.begun+w.cfg.Timeout)
	default:
		w.expire(c)
	}
}

func (w *worker) arm(c *conn, at time.Duration) {
	w.wheel.set(c.id, at)
	w.nextTick = min(w.nextTick, at)
}

func (w *worker) tellProgress() {
	r := w.res
	w.progress.set(stand{r.Started, r.Outcomes[OK], r.Outcomes.Failed(), w.now - w.start})
}

// lookAtEnd notes when no further request may be started.
func (w *worker) lookAtEnd() {
	if w.table != nil {
		w.checkSold()
	}
	said := w.stop.said()
	switch {
	case said == interrupted && !w.res.Interrupted:
		w.res.Interrupted = true
		w.stopStarting(hastyDrain)
	case w.stopped > 0:
	case said == settled:
		w.res.Steady = true
		w.stopStarting(w.drain())
	case w.end == 0 && w.waiting > 0 && w.now-w.waiting > w.cfg.patience():
		w.res.GaveUp = true
		w.stopStarting(w.drain())
	case !w.mayStart():
		w.stopStarting(w.drain())
	}
}

// drain returns how long requests in flight are waited for: each one's own
// timeout comes first.
func (w *worker) drain() time.Duration {
	if w.cfg.Timeout > 0 {
		return w.cfg.Timeout + 2*tick
	}
	return drainLimit
}

func (w *worker) stopStarting(drain time.Duration) {
	if w.stopped == 0 {
		w.cut, w.stopped = w.mayStart(), w.now
	}
	w.drained = w.now + drain
}

// windowEnd returns the end of the time in which requests are started, as far
// as it is known.
func (w *worker) windowEnd() time.Duration {
	switch {
	case w.cut:
		return w.stopped
	case w.end > 0:
		return w.end
	}
	return w.settled
}

// offer gives an idle connection to the next request, if one is wanted and the
// connection is due.
func (w *worker) offer(c *conn) {
	switch {
	case !w.mayStart() || w.err != nil || w.leading && c.id > 0:
	case w.now < c.due:
		w.arm(c, c.due)
	case w.table != nil:
		w.free(c)
	default:
		w.startOn(c)
	}
}

// nextExchange returns what the next request sends. Requests are numbered over
// all workers, so that their number does not decide what is sent.
func (w *worker) nextExchange() *exchange {
	if w.table != nil {
		return w.mix.choose(w.slot.number)
	}
	return w.mix.choose(w.res.Started*w.workers + w.index)
}

// follow lets the connections start that held back behind the first. It moves
// the clock's reading on, as lineUp does.
func (w *worker) follow() {
	w.leading = false
	for i := range w.conns {
		if c := &w.conns[i]; !c.inFlight() {
			w.offer(c)
			w.now = w.clock.now()
		}
	}
}

func (w *worker) expire(c *conn) {
	if c.state == opening {
		w.abort(c, ConnectTimedOut, nil, nil)
		w.pause(c)
		return
	}
	w.abort(c, RequestTimeout, nil, nil)
	w.offer(c)
}

// pause holds a connection back after it could not be made.
func (w *worker) pause(c *conn) {
	c.pause(w.now)
	w.offer(c)
}

// giveUp ends all requests in flight.
func (w *worker) giveUp() {
	for i := range w.conns {
		if c := &w.conns[i]; c.inFlight() {
			w.abort(c, InFlight, nil, nil)
		}
	}
}

// finish completes the result. Requests are in flight only after an error.
func (w *worker) finish(before effort) error {
	w.quota = 0
	w.giveUp()
	r := w.res
	if w.table != nil {
		r.Offered = w.offered()
	}
	r.Elapsed = w.windowEnd() - w.start
	r.Drain = max(w.settled-w.windowEnd(), 0)
	r.Backend = w.backend.name()
	spent := w.backend.spent().minus(before)
	r.Syscalls, r.Wakeups, r.BytesOut = spent.syscalls, spent.wakeups, spent.bytesOut
	for status, n := range w.status {
		if n > 0 {
			r.Status[status] = n
		}
	}
	r.Notes = w.notes.texts()
	w.tellProgress()
	user, system, err := threadCPU()
	r.UserCPU, r.SystemCPU = user-r.UserCPU, system-r.SystemCPU
	return err
}

// threadCPU returns the CPU time that the calling thread has taken.
func threadCPU() (user, system time.Duration, err error) {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &u); err != nil {
		return 0, 0, fmt.Errorf("reading the thread's cpu time: %w", err)
	}
	return time.Duration(u.Utime.Nano()), time.Duration(u.Stime.Nano()), nil
}

// A clock reads the time since its epoch.
type clock struct{ epoch time.Time }

func (c clock) now() time.Duration { return time.Since(c.epoch) }
