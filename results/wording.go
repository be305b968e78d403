package results

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// How figures stand in the text of reasons and doubts.

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
		return count(int64(math.Round(x)))
	}
	return significant(x, 3)
}

// percent writes a share in percent with two significant digits, or all of its
// whole part.
func percent(share float64) string {
	p := 100 * share
	if math.Abs(p) >= 10 {
		return strconv.FormatFloat(p, 'f', 0, 64) + " %"
	}
	return significant(p, 2) + " %"
}

// significant writes x with n significant digits, without an exponent.
func significant(x float64, n int) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', n-1, 64), 64)
	if err != nil {
		rounded = x // infinite
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// plural writes n things; the word ends in s, or in es after another s.
func plural(n int64, word string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(word, "s"):
		word += "es"
	default:
		word += "s"
	}
	return count(n) + " " + word
}

// Lengths, in characters, to which foreign text is cut.
const (
	exampleLength = 120
	textLength    = 400
)

// line writes foreign text on one line, of at most so many characters.
func line(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	text = strings.Map(func(r rune) rune {
		if strconv.IsPrint(r) {
			return r
		}
		return '\uFFFD'
	}, text)
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}

// frequent returns the failures among outcomes, or only those of them that are
// named, the most frequent first.
func frequent(outcomes map[string]int64, only ...string) []string {
	names := slices.Sorted(maps.Keys(outcomes))
	names = slices.DeleteFunc(names, func(name string) bool {
		return name == OutcomeOK || outcomes[name] == 0 || len(only) > 0 && !slices.Contains(only, name)
	})
	slices.SortStableFunc(names, func(a, b string) int { return int(outcomes[b] - outcomes[a]) })
	return names
}

// cpuCount returns the number of CPUs in a cpuset such as "0-2,5", and 0 where
// it is none.
func cpuCount(set string) (n int) {
	for part := range strings.SplitSeq(set, ",") {
		low, high, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if !isRange {
			high = low
		}
		a, errA := strconv.Atoi(low)
		b, errB := strconv.Atoi(high)
		if errA != nil || errB != nil || b < a {
			return 0
		}
		n += b - a + 1
	}
	return n
}
