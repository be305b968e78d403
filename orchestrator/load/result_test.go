package load

import (
	"testing"
	"time"
)

// Of what several workers saw first, the earliest is told.
func TestFirstOfSeveralWorkers(t *testing.T) {
	saw := func(at time.Duration, text string) *Result {
		r := newResult(Config{})
		r.First[Reset], r.firstAt[Reset] = text, at
		return r
	}
	for _, workers := range [][]*Result{
		{saw(1, "early"), saw(2, "late")},
		{saw(2, "late"), saw(1, "early")},
	} {
		total := newResult(Config{})
		for _, r := range workers {
			total.add(r)
		}
		if total.First[Reset] != "early" {
			t.Errorf("told %q", total.First[Reset])
		}
	}
}
