package chart

import (
	"math"
	"slices"
)

// A scale maps values from low to high to places from from to to.
type scale struct {
	low, high float64
	log       bool
	empty     bool // nothing is known that it could hold
	from, to  float64
}

func (s scale) at(value float64) float64 {
	low, high := s.low, s.high
	if s.log {
		low, high, value = math.Log(low), math.Log(high), math.Log(value)
	}
	return s.from + (value-low)/(high-low)*(s.to-s.from)
}

// within returns the place of a value, which is an end of the scale for one that
// lies beyond it, and on which side that is: -1, 0 or 1.
func (s scale) within(value float64) (place float64, beyond int) {
	switch {
	case value < s.low:
		return s.from, -1
	case value > s.high:
		return s.to, 1
	}
	return s.at(value), 0
}

// fit returns the scale that holds all values that are known, with some room. One
// without a logarithm begins at 0 if nothing is below.
func fit(log bool, values []float64, from, to float64) scale {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if known(v) && (!log || v > 0) {
			low, high = min(low, v), max(high, v)
		}
	}
	switch {
	case low > high:
		return scale{low: 1, high: 2, log: log, empty: true, from: from, to: to}
	case log:
		room := max(math.Pow(high/low, 0.04), 1.02)
		low, high = low/room, high*room
	default:
		low, high = min(low, 0), max(high*1.04, 0)
	}
	if low == high {
		high = low + 1
	}
	return scale{low: low, high: high, log: log, from: from, to: to}
}

// ticks returns round values on the scale, no two of them nearer to each other than
// apart.
func (s scale) ticks(apart float64) (ticks []float64) {
	if s.empty {
		return nil
	}
	if s.log {
		if ticks = s.rounded(apart); len(ticks) > 1 {
			return ticks
		}
		ticks = nil // too narrow for any that are round: it is nearly even
	}
	span := s.high - s.low
	step := math.Pow(10, math.Floor(math.Log10(span)))
	for _, finer := range []float64{0.1, 0.2, 0.5, 1, 2, 5} {
		if math.Abs(s.to-s.from)*finer*step/span >= apart {
			step *= finer
			break
		}
	}
	for n := math.Ceil(s.low / step); n*step <= s.high; n++ {
		ticks = append(ticks, n*step)
	}
	return ticks
}

// roundness are the parts of a power of ten, the roundest first.
var roundness = [][]float64{{1}, {2, 5}, {1.5, 3, 7}, {1.2, 8, 9}, {1.1, 1.3, 4, 6, 9.5}, {1.05, 1.02, 9.8}}

// rounded takes the roundest values first, and then such as have room between them.
func (s scale) rounded(apart float64) (ticks []float64) {
	for _, parts := range roundness {
		for decade := math.Floor(math.Log10(s.low)); decade <= math.Ceil(math.Log10(s.high)); decade++ {
			for _, part := range parts {
				v := part * math.Pow(10, decade)
				near := func(other float64) bool { return math.Abs(s.at(other)-s.at(v)) < apart }
				if v >= s.low && v <= s.high && !slices.ContainsFunc(ticks, near) {
					ticks = append(ticks, v)
				}
			}
		}
	}
	slices.Sort(ticks)
	return ticks
}
