package report

import (
	"math"
	"strconv"
	"strings"
)

// none stands where a figure is not known.
const none = "–"

// three writes x with three significant digits, zeros among them, and commas
// between thousands: 88,900, 12.4, 1.20, 0.718.
func three(x float64) string {
	if x == 0 {
		return "0"
	}
	return thousands(rounded(x, 3))
}

// share writes a share in percent, without the sign, with two significant digits
// or all of its whole part. Only what is 0 is "0".
func share(x float64) string {
	p := 100 * x
	switch {
	case p == 0:
		return "0"
	case p < 0.0001:
		return "<0.0001"
	case p >= 10:
		return strconv.FormatFloat(p, 'f', 0, 64)
	}
	return rounded(p, 2)
}

// ratio writes x, which is above 0, with three digits after the point, so that
// what is near 1 can be told from it, or with three significant ones where x is
// far from it.
func ratio(x float64) string {
	if x < 0.1 || x >= 10 {
		return three(x)
	}
	return strconv.FormatFloat(x, 'f', 3, 64)
}

// probability writes p with two significant digits, zeros among them.
func probability(p float64) string {
	switch {
	case p >= 1:
		return "1"
	case p < 0.0001:
		return "<0.0001"
	}
	return rounded(p, 2)
}

// signed writes x with its sign and as many digits after the point as to, which is
// no smaller, needs for three significant ones.
func signed(x, to float64) string {
	if to == 0 {
		return "0"
	}
	text := strconv.FormatFloat(math.Abs(x), 'f', max(0, 2-int(math.Floor(math.Log10(to)))), 64)
	switch {
	case strings.Trim(text, "0.") == "":
		return thousands(text)
	case x < 0:
		return "−" + thousands(text)
	}
	return "+" + thousands(text)
}

// rounded writes x, which is not 0, with n significant digits, zeros among them,
// or all of its whole part.
func rounded(x float64, n int) string {
	r, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', n-1, 64), 64)
	if err != nil || math.IsNaN(r) || math.IsInf(r, 0) {
		return none
	}
	whole := int(math.Floor(math.Log10(math.Abs(r)))) + 1 // digits before the point
	return strconv.FormatFloat(r, 'f', max(0, n-whole), 64)
}

// trim writes x as it is.
func trim(x float64) string { return thousands(strconv.FormatFloat(x, 'f', -1, 64)) }

// plural writes n things.
func plural(n int, noun string) string { return trim(float64(n)) + " " + word(n, noun) }

// word puts a noun into the number that n asks for.
func word(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// thousands puts commas into a number's whole part.
func thousands(number string) string {
	whole, fraction, hasFraction := strings.Cut(number, ".")
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if hasFraction {
		return whole + "." + fraction
	}
	return whole
}
