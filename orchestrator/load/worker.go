package load

import (
	"errors"
	"fmt"
	"sync/atomic"
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

// A worker drives its own connections on a thread of its own, and shares
// nothing with other workers while a phase runs.
type worker struct {
	clock    clock
	backend  backend
	exchange *exchange
	timeout  time.Duration // 0: none
	patience time.Duration
	tick     time.Duration
	conns    []conn
	progress progress

	// The phase that runs.
	res      *Result
	status   [1000]int64
	notes    notes
	stop     *atomic.Bool  // the context has ended
	now      time.Duration // the clock's last reading
	start    time.Duration
	end      time.Duration // no request is started from here on; 0: by count
	stopped  time.Duration // when starting was found over, 0 before
	drained  time.Duration // when requests in flight are given up
	nextTick time.Duration
	answered time.Duration // the last whole answer
	quota    int64         // requests that may be started
	flying   int           // requests in flight
	event    event
	err      error // a fault of this host, which ends the phase
}

// run performs one phase. After an error the result holds what was seen so far.
func (w *worker) run(j job) (*Result, error) {
	before, err := w.begin(j)
	for err == nil && !w.over() {
		if w.now >= w.nextTick {
			w.lookAround()
		}
		err = w.turn(w.nextTick - w.now)
	}
	return w.res, errors.Join(err, w.finish(before))
}

// newWorker returns a worker with its connections closed.
func newWorker(cfg Config, x *exchange, b backend, connections int, c clock) *worker {
	w := &worker{
		clock:    c,
		backend:  b,
		exchange: x,
		timeout:  cfg.Timeout,
		patience: cfg.patience(),
		tick:     tick,
		conns:    make([]conn, connections),
	}
	if w.timeout > 0 {
		w.tick = min(tick, max(w.timeout/8, time.Millisecond))
	}
	for i := range w.conns {
		w.conns[i].id = uint32(i)
		w.conns[i].parser.reset(x.head)
	}
	return w
}

// begin sets the phase up. Connections that the server closed since the last
// phase are found before any request is started.
func (w *worker) begin(j job) (before effort, err error) {
	w.res, w.status, w.notes = newResult(), [1000]int64{}, 0
	w.stop, w.end, w.stopped, w.quota, w.err = j.stop, 0, 0, 0, nil
	w.now = w.clock.now()
	w.start, w.answered = w.now, w.now
	for range 1 + len(w.conns)/batchSize {
		if err := w.turn(0); err != nil {
			return before, err
		}
	}
	before = w.backend.spent()
	w.res.UserCPU, w.res.SystemCPU, err = threadCPU()
	w.start, w.end, w.quota = j.start, j.end, j.quota
	w.nextTick = w.now
	return before, err
}

// turn waits for events, for d at most, and handles them. The clock is read
// once an event, behind its read: that costs less than a hundredth of an event
// and leaves no reading to grow old over a batch.
func (w *worker) turn(d time.Duration) error {
	if err := w.backend.wait(d); err != nil {
		return err
	}
	idle := true
	for w.backend.next(&w.event) {
		idle = false
		w.now = w.clock.now()
		w.handle(&w.event)
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

// lookAround does what is due once a tick: it starts requests on connections
// that have none, and ends what takes too long.
func (w *worker) lookAround() {
	w.lookAtEnd()
	w.nextTick = w.now + w.tick
	if w.stopped == 0 && w.end > 0 {
		w.nextTick = min(w.nextTick, w.end)
	}
	giveUp := w.stopped > 0 && w.now >= w.drained
	for i := range w.conns {
		c := &w.conns[i]
		switch {
		case !c.inFlight():
			w.offer(c)
		case giveUp:
			w.abort(c, InFlight, nil, nil)
		case w.timeout > 0 && w.now-c.begun >= w.timeout:
			w.expire(c)
		}
	}
	w.progress.set(w.res)
}

// lookAtEnd notes when no further request may be started.
func (w *worker) lookAtEnd() {
	if w.stop.Load() && !w.res.Interrupted {
		w.res.Interrupted = true
		w.stopStarting(hastyDrain)
	}
	if w.stopped > 0 {
		return
	}
	if w.end == 0 && w.now-w.answered > w.patience {
		w.res.GaveUp = true
	} else if w.mayStart() {
		return
	}
	if w.timeout > 0 {
		w.stopStarting(w.timeout + 2*w.tick) // each request's own timeout comes first
	} else {
		w.stopStarting(drainLimit)
	}
}

func (w *worker) stopStarting(drain time.Duration) {
	if w.stopped == 0 {
		w.stopped = w.now
	}
	w.drained = w.now + drain
}

// windowEnd returns the end of the time in which requests are started, as far
// as it is known.
func (w *worker) windowEnd() time.Duration {
	switch {
	case w.end > 0 && (w.stopped == 0 || w.stopped > w.end):
		return w.end
	case w.end > 0 || w.res.Interrupted || w.res.GaveUp:
		return w.stopped
	}
	return w.now
}

// offer starts a request on an idle connection if one is wanted and it is due.
func (w *worker) offer(c *conn) {
	switch {
	case !w.mayStart():
	case w.now >= c.due:
		w.startOn(c)
	default:
		w.nextTick = min(w.nextTick, c.due)
	}
}

func (w *worker) expire(c *conn) {
	if c.state == opening {
		c.pause(w.now)
		w.abort(c, ConnectTimedOut, nil, nil)
		return
	}
	w.abort(c, RequestTimeout, nil, nil)
	w.again(c)
}

// finish completes the result. Requests are in flight only after an error.
func (w *worker) finish(before effort) error {
	w.quota = 0
	for i := range w.conns {
		if c := &w.conns[i]; c.inFlight() {
			w.abort(c, InFlight, nil, nil)
		}
	}
	r := w.res
	r.Elapsed = w.windowEnd() - w.start
	r.Drain = max(w.now-w.windowEnd(), 0)
	r.Backend = w.backend.name()
	spent := w.backend.spent().minus(before)
	r.Syscalls, r.Wakeups, r.BytesOut = spent.syscalls, spent.wakeups, spent.bytesOut
	for status, n := range w.status {
		if n > 0 {
			r.Status[status] = n
		}
	}
	r.Notes = w.notes.texts()
	w.progress.set(r)
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
