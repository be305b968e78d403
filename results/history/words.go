package history

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// reading says in sentences what the report says.
func (s *sheet) reading() (sentences []string) {
	if text := s.load(); text != "" {
		sentences = append(sentences, text)
	}
	if text := s.outcome(); text != "" {
		sentences = append(sentences, text)
	}
	if text := s.took(); text != "" {
		sentences = append(sentences, text)
	}
	return sentences
}

// load says what was asked for, and how fast it went.
func (s *sheet) load() string {
	text := "Requests"
	if s.complete != nil {
		text = plural(*s.complete, "request")
	}
	if s.request != "" {
		text += " for " + cutLine(s.request, 120)
	}
	if s.server != "" {
		text += " at " + cutLine(s.server, 60)
	}
	if s.connections != nil {
		text += " over " + plural(*s.connections, "connection")
	}
	switch {
	case s.keepAlive == nil:
	case *s.keepAlive:
		text += ", keep-alive"
	default:
		text += ", one request each"
	}
	if s.elapsed != nil {
		text += ", in " + digits(s.elapsed.value) + " s"
	}
	if s.rate != nil {
		text += ": " + digits(s.rate.value) + " a second"
	}
	return text + "."
}

// outcome says how many answers were right.
func (s *sheet) outcome() string {
	if s.right == nil || s.complete == nil || *s.complete == 0 {
		return ""
	}
	right, done := *s.right, *s.complete
	switch {
	case right == done:
		return "All were right, as far as " + s.tool + " looks: " + s.checked + "."
	case right == 0:
		return "None was right."
	}
	text := count(right) + " were right, as far as " + s.tool + " looks: " + s.checked
	if g := s.goodput(); g != nil {
		text += "; that makes " + digits(*g) + " a second"
	}
	return text + "."
}

// took says how long requests took.
func (s *sheet) took() string {
	l := s.latency
	var parts []string
	if l.mean != nil {
		parts = append(parts, "mean "+l.mean.ms())
	}
	if q := l.quantile(0.5); q != nil {
		parts = append(parts, "median "+q.ms())
	}
	if q := l.quantile(0.99); q != nil {
		parts = append(parts, "99 % within "+q.ms())
	}
	if l.max != nil {
		parts = append(parts, "longest "+l.max.ms())
	}
	if len(parts) == 0 {
		return ""
	}
	return "Time of a request: " + strings.Join(parts, ", ") + "."
}

// ms writes microseconds in milliseconds. What was printed as 0 took some time.
func (n num) ms() string {
	if n.value == 0 {
		return "below " + digits(n.digit/1e3) + " ms"
	}
	return digits(n.value/1e3) + " ms"
}

// count writes n with commas between thousands.
func count(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// digits writes x with three significant digits, or all of its whole part.
func digits(x float64) string {
	if math.Abs(x) >= 1000 {
		return count(int64(math.Round(min(max(x, -most), most))))
	}
	return significant(x)
}

// percent writes a share in percent with three significant digits.
func percent(share float64) string { return significant(100*share) + " %" }

// significant writes x with three significant digits, without an exponent.
func significant(x float64) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 2, 64), 64)
	if err != nil {
		rounded = x
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// plural writes n things.
func plural(n int64, word string) string {
	if n != 1 {
		word += "s"
	}
	return count(n) + " " + word
}

// cutLine writes foreign text on one line, of at most so many characters.
func cutLine(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		if strconv.IsPrint(r) {
			return r
		}
		return '\uFFFD'
	}, strings.Join(strings.Fields(text), " "))
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}

// frequent returns the kinds of failures, the most frequent first.
func frequent(failures map[string]int64) []string {
	return slices.SortedFunc(maps.Keys(failures), func(a, b string) int {
		return cmp.Or(cmp.Compare(failures[b], failures[a]), cmp.Compare(a, b))
	})
}
