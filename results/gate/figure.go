package gate

import (
	"slices"
	"strings"
)

// A Figure is what a gate can be about, by its name.
type Figure string

// The figures. Each is the median of a target's rounds but Errors, which are
// counted over all of them.
const (
	Goodput    Figure = "goodput"    // right answers a second
	Throughput Figure = "throughput" // answers a second, right or not
	Mean       Figure = "mean"       // latency of right answers
	P50        Figure = "p50"
	P90        Figure = "p90"
	P99        Figure = "p99"
	P999       Figure = "p999"
	Errors     Figure = "errors"  // share of the requests that got no right answer
	CPU        Figure = "cpu"     // of all services together, a request
	Memory     Figure = "memory"  // highest of all services together
	Startup    Figure = "startup" // start of the last service to the first right answer
)

// Figures returns all figures, in the order in which to show them.
func Figures() []Figure {
	return []Figure{Goodput, Throughput, Mean, P50, P90, P99, P999, Errors, CPU, Memory, Startup}
}

// A Quantity is what a figure is measured in; two figures can be compared if
// theirs is the same.
type Quantity int

// The quantities, with the units of a Limit's Value.
const (
	Rate  Quantity = iota // a second
	Time                  // seconds
	Share                 // 0 to 1
	Size                  // bytes
)

// Quantity returns what f is measured in.
func (f Figure) Quantity() Quantity {
	switch f {
	case Goodput, Throughput:
		return Rate
	case Errors:
		return Share
	case Memory:
		return Size
	}
	return Time
}

// A unit is a name for a multiple of a quantity, or for a part of it, which is
// divided by: 0.1 % is then the same number as 0.001.
type unit struct {
	name     string
	of, part float64
}

// units returns a quantity's units, the one first that an example is given in.
func (q Quantity) units() []unit {
	switch q {
	case Rate:
		return []unit{{"/s", 1, 1}, {"req/s", 1, 1}, {"", 1, 1}}
	case Share:
		return []unit{{"%", 1, 100}}
	case Size:
		return []unit{{"MiB", 1 << 20, 1}, {"KiB", 1 << 10, 1}, {"GiB", 1 << 30, 1}, {"B", 1, 1}, {"kB", 1e3, 1}, {"MB", 1e6, 1}, {"GB", 1e9, 1}}
	}
	return []unit{{"ms", 1, 1e3}, {"us", 1, 1e6}, {"µs", 1, 1e6}, {"μs", 1, 1e6}, {"ns", 1, 1e9}, {"s", 1, 1}} // both letters that look like µ
}

// value returns a number in a unit as one in q's own. Only 0 needs no unit.
func (q Quantity) value(number float64, name string) (value float64, ok bool) {
	at := slices.IndexFunc(q.units(), func(u unit) bool { return u.name == name })
	switch {
	case at >= 0:
		return number * q.units()[at].of / q.units()[at].part, true
	case name == "" && number == 0:
		return 0, true
	}
	return 0, false
}

// names lists the units that have a name and are no other spelling of another.
func (q Quantity) names() string {
	var names []string
	for _, u := range q.units() {
		if u.name != "" && u.name != "μs" && u.name != "us" {
			names = append(names, u.name)
		}
	}
	return strings.Join(names, ", ")
}
