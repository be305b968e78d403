package load

import (
	"math"
	"math/big"
	"sync"
	"testing"
	"time"
)

// A constant rate is exact to the nanosecond however long it goes on.
func TestConstantScheduleDoesNotDrift(t *testing.T) {
	for _, rate := range []float64{0.001, 0.5, 3, 7.3, 1000.0 / 3, 1e6, 1e7} {
		s := newSchedule(rate, Constant, 0)
		for s.next.number < 1_000_000 {
			if n := s.next.number; n%9973 == 0 {
				exact := new(big.Float).Quo(big.NewFloat(float64(n)*1e9), big.NewFloat(rate))
				want, _ := exact.Float64()
				if off := math.Abs(float64(s.next.at) - want); off > 1 {
					t.Fatalf("%v a second: start %d is %v, %v ns off", rate, n, s.next.at, off)
				}
			}
			s.advance()
		}
	}
}

func TestPoissonScheduleHasExponentialGaps(t *testing.T) {
	for _, rate := range []float64{0.5, 1000, 1e6} {
		const n = 200_000
		s := newSchedule(rate, Poisson, 7)
		var last time.Duration
		var sum, squares, products, before float64
		var above int
		for range n {
			gap := (s.next.at - last).Seconds() * rate // mean 1
			if gap < 0 {
				t.Fatalf("start %d is before the one before", s.next.number)
			}
			if gap > 1 {
				above++
			}
			sum, squares, products = sum+gap, squares+gap*gap, products+gap*before
			last, before = s.next.at, gap
			s.advance()
		}
		mean := sum / n
		variance := squares/n - mean*mean
		correlation := (products/n - mean*mean) / variance
		if math.Abs(mean-1) > 0.01 || math.Abs(variance-1) > 0.03 || math.Abs(correlation) > 0.01 {
			t.Errorf("%v a second: mean %v, variance %v of the gaps, both 1; correlation %v, 0", rate, mean, variance, correlation)
		}
		if share := float64(above) / n; math.Abs(share-1/math.E) > 0.005 {
			t.Errorf("%v a second: %v of the gaps are above the mean, want 1/e", rate, share)
		}
	}
}

func TestScheduleThrough(t *testing.T) {
	for _, a := range []Arrivals{Constant, Poisson} {
		for _, rate := range []float64{0.5, 7.3, 1000, 123_456.789} {
			for _, end := range []time.Duration{0, time.Millisecond, 1999 * time.Millisecond, 2 * time.Second, 2*time.Second + 1} {
				counted, walked := newSchedule(rate, a, 3), newSchedule(rate, a, 3)
				var want int64
				for ; walked.next.at <= end; walked.advance() {
					want++
				}
				if got := counted.through(end); got != want || counted.next != walked.next {
					t.Errorf("%v, %v a second: %d starts through %v, then %v; want %d, then %v", a, rate, got, end, counted.next, want, walked.next)
				}
			}
		}
	}
}

// Every slot is handed out once, and the same seed makes the same ones.
func TestTimetableIsSharedWithoutLossOrRepeat(t *testing.T) {
	const n = 10_000
	table := newTimetable(Phase{Requests: n, Rate: 1000, Arrivals: Poisson}, 5)
	var taken [n]time.Duration
	var workers sync.WaitGroup
	for range 3 {
		workers.Go(func() {
			for {
				s, ok := table.take()
				if !ok {
					return
				}
				taken[s.number] += s.at
			}
		})
	}
	workers.Wait()
	if !table.sold() {
		t.Error("the count is not reached")
	}
	for s := newSchedule(1000, Poisson, 5); s.next.number < n; s.advance() {
		if taken[s.next.number] != s.next.at {
			t.Fatalf("slot %d was taken for %v, want once for %v", s.next.number, taken[s.next.number], s.next.at)
		}
	}
	if newSchedule(1000, Poisson, 5).next == newSchedule(1000, Poisson, 6).next {
		t.Error("another seed makes the same schedule")
	}
}

// So many random slots that they are not drawn: their number is what is expected,
// and the schedule goes on behind them.
func TestScheduleThroughVeryMany(t *testing.T) {
	const rate, end = 1e7, 100 * time.Hour
	s := newSchedule(rate, Poisson, 3)
	want := int64(rate * end.Seconds())
	n := s.through(end)
	if n < want-want/1000 || n > want+want/1000 || s.next.number != n || s.next.at <= end {
		t.Errorf("%d starts through %v, want about %d; then %v", n, end, want, s.next)
	}
}
