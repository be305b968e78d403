package load

import "time"

// An open loop starts its requests by a timetable: each worker that has a free
// connection holds one slot of it, and starts that when it is due. While all
// connections are busy slots stay in the timetable, and their times pass.

// free adds an idle connection to the pool. It is there already when the timer of
// the request that it last served ends.
func (w *worker) free(c *conn) {
	if c.pooled {
		return
	}
	c.pooled = true
	if w.pool.empty() {
		w.freed = w.now
	}
	w.pool.put(c.id)
}

// release starts what is due, as long as connections are free. Since a start
// takes its time, the clock is read for each.
func (w *worker) release() {
	for !w.pool.empty() && w.mayStart() && w.hold() && w.due() <= w.now {
		c := &w.conns[w.pool.take()]
		c.pooled = false
		w.startOn(c)
		w.now = w.clock.now()
	}
}

// hold reports whether the worker holds a slot, after taking one if it did not.
func (w *worker) hold() bool {
	if !w.held {
		w.slot, w.held = w.table.take()
		w.checkSold()
	}
	return w.held
}

// checkSold notes that the phase's count is reached, perhaps by other workers.
func (w *worker) checkSold() {
	if !w.held && w.table.sold() {
		w.quota, w.end = 0, 0 // the count came first
	}
}

// due returns the intended start of the slot held.
func (w *worker) due() time.Duration { return w.start + w.slot.at }

// spend gives the slot held to a request, and notes how late it is: by the
// engine's fault, unless it had to wait for a connection.
func (w *worker) spend(c *conn) {
	w.held = false
	c.from = w.due()
	if c.from < w.freed {
		w.res.Queued++
		return
	}
	w.res.Lag.Record(w.now - c.from)
}

// nextWake returns when something is to be done, whatever comes in.
func (w *worker) nextWake() time.Duration {
	if w.table != nil && w.held && !w.pool.empty() {
		return min(w.nextTick, w.due())
	}
	return w.nextTick
}

// offered returns how many slots that were due in the phase the worker took.
func (w *worker) offered() int64 {
	if w.held && w.due() < w.windowEnd() {
		return w.res.Started + 1
	}
	return w.res.Started
}
