package load

import (
	"math/bits"
	"time"
)

// A Second is what was seen in one second of a phase: what started in it, and
// what ended in it.
type Second struct {
	Started, OK, Failed int64

	// P50 and P99 are latencies of the right answers, within 1.6 %, and Max is
	// exact; 0 if there is none.
	P50, P99, Max time.Duration
}

const (
	// A bucket is one of bucketsAnOctave even parts of an octave of
	// nanoseconds. The first octave starts at 2^finest (512 ns), and the last ends
	// above an hour.
	bucketBits = 5
	finest     = 9
	octaves    = 33
	buckets    = octaves << bucketBits
)

// A tally is one second on its way, 4.3 KB.
type tally struct {
	started, ok, failed int64
	max                 time.Duration
	counts              [buckets]uint32
}

// A series is the seconds of a phase from its start. Its room is taken before;
// what is beyond is not kept.
type series []tally

// at returns the second of a time since the phase's start, nil if it is not
// kept.
func (s series) at(t time.Duration) *tally {
	if i := uint64(t / time.Second); i < uint64(len(s)) {
		return &s[i]
	}
	return nil
}

// right counts a right answer and its latency.
func (t *tally) right(latency time.Duration) {
	t.ok++
	t.max = max(t.max, latency)
	t.counts[bucketOf(latency)]++
}

func (s series) add(o series) {
	for i := range o {
		s[i].add(&o[i])
	}
}

func (t *tally) add(o *tally) {
	t.started, t.ok, t.failed = t.started+o.started, t.ok+o.ok, t.failed+o.failed
	t.max = max(t.max, o.max)
	for i, n := range o.counts {
		t.counts[i] += n
	}
}

// through returns the seconds up to that of a time.
func (s series) through(end time.Duration) []Second {
	var seconds []Second
	for i := range s[:min(int(end/time.Second)+1, len(s))] {
		t := &s[i]
		seconds = append(seconds, Second{t.started, t.ok, t.failed, t.quantile(0.5), t.quantile(0.99), t.max})
	}
	return seconds
}

func (t *tally) quantile(q float64) time.Duration {
	rank := int64(q * float64(t.ok))
	for i, n := range t.counts {
		if rank -= int64(n); rank < 0 {
			return min(middleOf(i), t.max)
		}
	}
	return t.max
}

func bucketOf(d time.Duration) int {
	v := max(uint64(max(d, 0)), 1<<finest)
	octave := bits.Len64(v) - 1
	i := (octave-finest)<<bucketBits | int(v>>(octave-bucketBits)&(1<<bucketBits-1))
	return min(i, buckets-1)
}

func middleOf(bucket int) time.Duration {
	octave := finest + bucket>>bucketBits
	part := 2*(bucket&(1<<bucketBits-1)) + 1
	return time.Duration(1)<<octave + time.Duration(part)<<(octave-bucketBits-1)
}
