package load

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// Ten thousand timers against a map of when they end.
func TestWheelAgainstAMap(t *testing.T) {
	const timers = 10_000
	rng := rand.New(rand.NewPCG(1, 2))
	w := newWheel(timers)
	ends := map[uint32]time.Duration{}
	var now time.Duration
	for range 3000 {
		for range rng.IntN(30) {
			id := uint32(rng.IntN(timers))
			if rng.IntN(4) == 0 {
				w.drop(id)
				delete(ends, id)
				continue
			}
			ends[id] = now + time.Duration(rng.Int64N(int64(3*lap*slotWidth)))
			w.set(id, ends[id])
		}
		wake := w.next(now + tick)
		for id, at := range ends {
			if late := at + slotWidth; late < wake && late > now {
				t.Fatalf("timer %d ends at %v, but the next turn is at %v", id, at, wake)
			}
		}
		now += time.Duration(rng.Int64N(int64(100 * time.Millisecond)))
		for _, id := range w.turn(now) {
			if at, set := ends[id]; !set || at > now {
				t.Fatalf("timer %d ended at %v; set %v for %v", id, now, set, at)
			}
			delete(ends, id)
		}
		for id, at := range ends {
			if at+slotWidth <= now || !w.isSet(id) {
				t.Fatalf("timer %d for %v did not end by %v; set %v", id, at, now, w.isSet(id))
			}
		}
	}
	if len(ends) == 0 {
		t.Error("no timer was left at the end")
	}
	w.reset(now)
	for id := range ends {
		if w.isSet(id) {
			t.Fatalf("timer %d outlived a reset", id)
		}
	}
}

// A wheel that was not turned for more than a lap leaves no timer behind.
func TestWheelAfterALongSleep(t *testing.T) {
	w := newWheel(3)
	w.set(0, time.Millisecond)
	w.set(1, lap*slotWidth+time.Millisecond)
	w.set(2, time.Hour)
	if got := len(w.turn(30 * time.Minute)); got != 2 || !w.isSet(2) {
		t.Errorf("%d timers ended, want 2; the third is set: %v", got, w.isSet(2))
	}
	if got := len(w.turn(2 * time.Hour)); got != 1 {
		t.Errorf("%d timers ended, want 1", got)
	}
}

// What a turn costs does not grow with the timers that do not end in it.
func BenchmarkWheelTurn(b *testing.B) {
	for _, timers := range []int{10, 10_000} {
		b.Run(fmt.Sprintf("timers=%d", timers), func(b *testing.B) {
			w := newWheel(timers)
			for id := range timers {
				w.set(uint32(id), 1000*time.Hour)
			}
			for now := time.Duration(0); b.Loop(); now += slotWidth {
				w.set(0, now)
				w.turn(now + slotWidth)
			}
		})
	}
}
