package load

import "time"

const (
	// slotWidth is how late a timer may be found.
	slotWidth = time.Millisecond
	// lap is the number of a wheel's slots, a power of 2. A timer further away
	// than a lap is passed over once a lap.
	lap = 4096
	// nobody ends a list of timers.
	nobody = -1
)

// A wheel holds a timer for each connection: slots of 1 ms, each a list of the
// timers that end in it. To set, drop and find one takes the same time whatever
// their number. It knows no clock.
type wheel struct {
	slots   [lap]int32 // first timer of each list
	timers  []timer
	turned  int64 // the slots up to this one are done
	expired []uint32
}

type timer struct {
	at         time.Duration
	slot       int32 // nobody: not set
	next, prev int32
}

func newWheel(timers int) *wheel {
	w := &wheel{timers: make([]timer, timers), expired: make([]uint32, 0, timers)}
	w.reset(0)
	return w
}

// reset drops all timers.
func (w *wheel) reset(now time.Duration) {
	for i := range w.slots {
		w.slots[i] = nobody
	}
	for i := range w.timers {
		w.timers[i].slot = nobody
	}
	w.turned = int64(now / slotWidth)
}

func (w *wheel) isSet(id uint32) bool { return w.timers[id].slot != nobody }

// set lets the timer end at a time, and forgets when it was to end before.
func (w *wheel) set(id uint32, at time.Duration) {
	w.drop(id)
	n := max(int64((at+slotWidth-1)/slotWidth), w.turned+1)
	s := int32(n & (lap - 1))
	w.timers[id] = timer{at: at, slot: s, next: w.slots[s], prev: nobody}
	if first := w.slots[s]; first != nobody {
		w.timers[first].prev = int32(id)
	}
	w.slots[s] = int32(id)
}

func (w *wheel) drop(id uint32) {
	t := &w.timers[id]
	if t.slot == nobody {
		return
	}
	if t.prev == nobody {
		w.slots[t.slot] = t.next
	} else {
		w.timers[t.prev].next = t.next
	}
	if t.next != nobody {
		w.timers[t.next].prev = t.prev
	}
	t.slot = nobody
}

// turn drops the timers that have ended by now and returns whose they are. The
// list is good until the next call.
func (w *wheel) turn(now time.Duration) []uint32 {
	w.expired = w.expired[:0]
	until := int64(now / slotWidth)
	for n := max(w.turned, until-lap); n < until; n++ {
		for id := w.slots[(n+1)&(lap-1)]; id != nobody; {
			t := &w.timers[id]
			next := t.next
			if t.at <= now {
				w.drop(uint32(id))
				w.expired = append(w.expired, uint32(id))
			}
			id = next
		}
	}
	w.turned = max(w.turned, until)
	return w.expired
}

// next returns when to turn next: limit, or the end of an earlier timer.
func (w *wheel) next(limit time.Duration) time.Duration {
	for n := w.turned + 1; n <= w.turned+lap; n++ {
		at := time.Duration(n) * slotWidth
		if at >= limit {
			break
		}
		if w.slots[n&(lap-1)] != nobody {
			return at
		}
	}
	return limit
}
