package history

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// A num is a figure as it was printed: its value, and what its last digit is
// worth. The true value lies less than that away, cut or rounded.
type num struct{ value, digit float64 }

// most is the largest figure that is taken for one.
const most = 1e15

var decimals = regexp.MustCompile(`^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?`)

// decimal reads a number such as "1,234.56", and returns what stands behind it.
func decimal(text string) (n num, rest string, ok bool) {
	m := decimals.FindStringSubmatch(text)
	if m == nil {
		return num{}, text, false
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(m[0], ",", ""), 64)
	if err != nil || v > most {
		return num{}, text, false
	}
	return num{v, math.Pow10(-len(m[1]))}, text[len(m[0]):], true
}

// figure reads the number that a text begins with; a word may follow.
func figure(text string) *num {
	n, rest, ok := decimal(text)
	if !ok || rest != "" && rest[0] != ' ' {
		return nil
	}
	return &n
}

// whole reads a count, also one that was printed as "5000.00".
func whole(text string) *int64 {
	n := figure(text)
	if n == nil || n.value != math.Trunc(n.value) {
		return nil
	}
	return new(int64(n.value))
}

// duration reads a time with its unit, such as "1.10m", and returns microseconds.
func duration(text string) *num { return scaled(text, timeUnit) }

// seconds reads a time with its unit, and returns seconds.
func seconds(text string) *num { return duration(text).per(1e6) }

// size reads a size with its unit, such as "17.76GB", and returns bytes.
func size(text string) *num { return scaled(text, byteUnit) }

// metric reads a count with its unit, such as "1.2k".
func metric(text string) *num { return scaled(text, metricUnit) }

func scaled(text string, unit func(string) (float64, bool)) *num {
	n, rest, ok := decimal(text)
	if !ok {
		return nil
	}
	by, ok := unit(strings.TrimSpace(rest))
	if !ok || n.value*by > most {
		return nil
	}
	return (&n).by(by)
}

func timeUnit(name string) (us float64, ok bool) {
	switch name {
	case "us", "µs", "μs", "usec", "microsec":
		return 1, true
	case "ms", "msec", "millisec":
		return 1e3, true
	case "s", "sec", "secs", "secs.", "second", "seconds":
		return 1e6, true
	case "m", "min":
		return 60e6, true
	case "h":
		return 3600e6, true
	}
	return 0, false
}

// byteUnit knows multiples of 1024 alone, as all these tools do but old versions
// of ab.
func byteUnit(name string) (bytes float64, ok bool) {
	name = strings.TrimSuffix(strings.TrimSuffix(name, "ytes"), "iB")
	name = strings.TrimSuffix(strings.TrimSuffix(name, "B"), "b")
	at := strings.Index("KMGTP", strings.ToUpper(name))
	switch {
	case name == "":
		return 1, true
	case at < 0 || len(name) != 1:
		return 0, false
	}
	return math.Pow(1024, float64(at+1)), true
}

func metricUnit(name string) (by float64, ok bool) {
	switch name {
	case "":
		return 1, true
	case "k", "K":
		return 1e3, true
	case "M":
		return 1e6, true
	case "G":
		return 1e9, true
	}
	return 0, false
}

// by returns the figure in a smaller unit, and per in a larger one.
func (n *num) by(factor float64) *num {
	if n == nil {
		return nil
	}
	value := n.value * factor
	if n.digit < 1 {
		// By way of whole numbers, since 0.0006 × 1e6 is not quite 600.
		tens := math.Round(1 / n.digit)
		value = math.Round(n.value*tens) * factor / tens
	}
	return &num{value, n.digit * factor}
}

func (n *num) per(divisor float64) *num {
	if n == nil {
		return nil
	}
	return &num{n.value / divisor, n.digit / divisor}
}

func (n *num) float() *float64 {
	if n == nil {
		return nil
	}
	return new(n.value)
}

// count returns the figure as a count where it is one.
func (n *num) count() *int64 {
	if n == nil || n.value != math.Trunc(n.value) {
		return nil
	}
	return new(int64(n.value))
}

// A span is where a true value lies, neither end below 0.
type span struct{ low, high float64 }

func (n num) span() span { return span{max(0, n.value-n.digit), n.value + n.digit} }

func exactly(n int64) span { return span{float64(n), float64(n)} }

// times and over assume that nothing is below 0. What is divided by 0 has no end.
func (s span) times(t span) span { return span{s.low * t.low, s.high * t.high} }

func (s span) over(t span) span {
	if t.low <= 0 {
		return span{0, math.Inf(1)}
	}
	return span{s.low / t.high, s.high / t.low}
}

// meets reports whether both can hold the same value. Some tools reckon with
// single precision.
func (s span) meets(t span) bool {
	const single = 1e-6
	return s.low <= t.high*(1+single) && t.low <= s.high*(1+single)
}
