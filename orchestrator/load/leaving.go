package load

import "time"

// clockSample is how many writes there are to one whose clock error is taken.
const clockSample = 256

// A leaving is what a worker has to know of requests that its backend has taken,
// but hands to the system with the next wait only (io_uring).
type leaving struct {
	deferred bool          // the backend is one of that kind
	first    time.Duration // stamp of the first request taken since the last wait, 0: none
	sampled  bool          // one of them is in the sample of the clock's error
	traced   []*conn       // theirs, if there is a trace
}

// sampleClock takes the clock's error of a write, once in clockSample. Of those
// that leave together, the first has the largest.
func (w *worker) sampleClock() {
	sampled := w.res.Started%clockSample == 0
	if l := &w.leaving; l.deferred {
		if l.first == 0 {
			l.first = w.now
		}
		l.sampled = l.sampled || sampled
	} else if sampled {
		w.res.ClockError.Record(w.clock.now() - w.now)
	}
}

// stampWrite notes for the trace when a request was handed over in full.
func (w *worker) stampWrite(c *conn) {
	if w.leaving.deferred {
		w.leaving.traced = append(w.leaving.traced, c)
		return
	}
	c.written = w.clock.now()
}

// leave is called before each wait: what was deferred leaves with it.
func (w *worker) leave() {
	l := &w.leaving
	if l.sampled || len(l.traced) > 0 {
		now := w.clock.now()
		if l.sampled {
			w.res.ClockError.Record(now - l.first)
		}
		for _, c := range l.traced {
			c.written = now
		}
	}
	l.reset()
}

func (l *leaving) reset() { l.first, l.sampled, l.traced = 0, false, l.traced[:0] }
