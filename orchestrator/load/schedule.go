package load

import (
	"math"
	"math/rand/v2"
	"sync"
	"time"
)

// Arrivals is how the intended start times of an open loop are spread.
type Arrivals uint8

const (
	// Constant starts requests at even distances, the first at once.
	Constant Arrivals = iota
	// Poisson starts them independently of each other, as many users do.
	Poisson
)

// String returns the name as it stands in scenarios and reports.
func (a Arrivals) String() string {
	if a == Poisson {
		return "poisson"
	}
	return "constant"
}

// A slot is one request that an open loop is to start.
type slot struct {
	number int64         // from 0
	at     time.Duration // intended start, since that of the phase
}

// A schedule is an endless sequence of slots. It knows no clock.
type schedule struct {
	next     slot
	gap      float64 // mean, in nanoseconds
	arrivals Arrivals
	rng      *rand.Rand
	sum      float64 // of the random gaps, in nanoseconds
}

func newSchedule(rate float64, a Arrivals, seed uint64) *schedule {
	s := &schedule{gap: 1e9 / rate, arrivals: a, rng: rand.New(rand.NewPCG(seed, 0))}
	if a == Poisson {
		s.next.at = s.random()
	}
	return s
}

// advance turns to the next slot. A constant rate is counted from the start, so
// that rounding does not add up.
func (s *schedule) advance() {
	s.next.number++
	if s.arrivals == Poisson {
		s.next.at = s.random()
	} else {
		s.next.at = time.Duration(float64(s.next.number) * s.gap)
	}
}

// random draws the next gap of a Poisson process: exponentially distributed.
func (s *schedule) random() time.Duration {
	s.sum += s.rng.ExpFloat64() * s.gap
	return time.Duration(s.sum)
}

// mostDrawn is how many random slots are drawn only to be counted.
const mostDrawn = 1_000_000

// through returns how many slots are left up to a time, which it included, and
// leaves them behind. Above mostDrawn random ones, it is how many are to be
// expected, from which a draw would differ by 0.1 % or less (its standard
// deviation, the root of the number).
func (s *schedule) through(end time.Duration) int64 {
	first := s.next.number
	if expected := float64(end-s.next.at) / s.gap; s.arrivals == Poisson && expected > mostDrawn {
		s.next.number += 1 + int64(expected)
		s.sum = float64(end) // a Poisson process has no memory
		s.next.at = s.random()
	}
	if s.arrivals == Constant && s.next.at <= end {
		s.next.number = int64(float64(end) / s.gap) // or one less, by rounding
		s.next.at = time.Duration(float64(s.next.number) * s.gap)
	}
	for s.next.at <= end {
		s.advance()
	}
	return s.next.number - first
}

// A timetable hands a phase's schedule out to the workers. A worker takes a slot
// only when it has a connection for it, so that what becomes of a slot does not
// depend on how connections are shared among workers.
type timetable struct {
	mu       sync.Mutex
	schedule *schedule
	left     int64         // slots that may be taken
	end      time.Duration // slots from here on are not taken; 0: no end
}

func newTimetable(ph Phase, seed uint64) *timetable {
	t := &timetable{schedule: newSchedule(ph.Rate, ph.Arrivals, seed), left: ph.Requests, end: ph.Duration}
	if t.left == 0 {
		t.left = math.MaxInt64
	}
	return t
}

// take returns the next slot, false if there is none.
func (t *timetable) take() (s slot, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s = t.schedule.next
	if t.left == 0 || t.end > 0 && s.at >= t.end {
		return slot{}, false
	}
	t.left--
	t.schedule.advance()
	return s, true
}

// sold reports whether the phase's count is reached.
func (t *timetable) sold() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.left == 0
}

// missed returns how many slots of the phase were due by its end, but taken by
// nobody: connections were lacking. A phase by count ends here with its last
// start, up to which the schedule would have gone on.
func (t *timetable) missed(r *Result) int64 {
	end := r.Elapsed
	if t.left == 0 {
		end = r.lastStart
	} else if t.end > 0 {
		end = min(end, t.end-1)
	}
	return t.schedule.through(end)
}
