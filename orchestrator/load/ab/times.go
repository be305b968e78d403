package ab

import (
	"math"
	"slices"
	"time"

	"dyno/orchestrator/load"
)

// Times are those of one request, in ab's unit and truncation: whole
// microseconds, from time stamps that were cut to whole microseconds.
type Times struct {
	Start   int64 // since the first connect
	Connect int64 // 0 on a reused connection
	Total   int64 // from Start to the end
	Wait    int64 // from the request's end to the answer's first byte; 0 where there was none
}

// Processing is what is left of the total without the connect.
func (t Times) Processing() int64 { return t.Total - t.Connect }

func timesOf(e *load.Entry) Times {
	return Times{
		Start:   e.Start.Microseconds(),
		Connect: between(e.Start, e.Connected),
		Total:   between(e.Start, e.Done),
		Wait:    between(e.Written, e.FirstByte),
	}
}

// between returns the microseconds from one time stamp to a later one, else 0.
func between(from, to time.Duration) int64 {
	return max(to.Microseconds()-from.Microseconds(), 0)
}

// A Spread sums up one kind of times, in microseconds, by ab's definitions.
type Spread struct {
	Min, Mean, Median, Max int64   // Mean is cut to whole microseconds
	Deviation              float64 // of the sample, around Mean; 0 of a single value
}

// spreadOf returns the zero Spread of nothing.
func spreadOf(times []Times, of func(Times) int64) Spread {
	if len(times) == 0 {
		return Spread{}
	}
	values := make([]int64, len(times))
	var sum int64
	for i, t := range times {
		values[i] = of(t)
		sum += values[i]
	}
	slices.Sort(values)
	n := len(values)
	s := Spread{Min: values[0], Mean: sum / int64(n), Median: median(values), Max: values[n-1]}
	if n > 1 {
		var squares float64
		for _, v := range values {
			squares += (float64(v) - float64(s.Mean)) * (float64(v) - float64(s.Mean))
		}
		s.Deviation = math.Sqrt(squares / float64(n-1))
	}
	return s
}

// median is ab's: of an odd number of sorted values above one it is the mean of
// the middle one and the next, of an even number the upper of the middle two.
func median(sorted []int64) int64 {
	n := len(sorted)
	if n > 1 && n%2 == 1 {
		return (sorted[n/2] + sorted[n/2+1]) / 2
	}
	return sorted[n/2]
}

// doubt returns how far mean and median, as printed, are apart: 0 within the
// deviation, 1 within twice of it, else 2.
func (s Spread) doubt() int {
	apart := math.Abs(float64(milliseconds(s.Mean) - milliseconds(s.Median)))
	switch deviation := s.Deviation / 1000; {
	case apart > 2*deviation:
		return 2
	case apart > deviation:
		return 1
	}
	return 0
}

// milliseconds rounds as ab does.
func milliseconds(us int64) int64 { return (us + 500) / 1000 }
