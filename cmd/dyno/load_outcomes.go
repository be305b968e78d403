package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"dyno/orchestrator/load"
)

// An outcomeRow is how many requests ended in one way.
type outcomeRow struct {
	name   string
	number int64
	words  string // on the first of them; may be empty
}

// failureRows are the failures of a result, with what was seen of the first of
// each kind.
func failureRows(r load.Result) []outcomeRow {
	var rows []outcomeRow
	for o := load.OK + 1; int(o) < len(r.Outcomes); o++ {
		words := strings.TrimLeft(strings.TrimPrefix(r.First[o], o.String()), ":;, ")
		rows = append(rows, outcomeRow{o.String(), r.Outcomes[o], "the first: " + words})
	}
	return rows
}

// reportWidth is that of reports, in characters.
const reportWidth = 100

// writeRows writes those rows that are not zero; the first is written anyway.
func writeRows(w io.Writer, rows []outcomeRow) {
	kept := slices.DeleteFunc(slices.Clone(rows[1:]), func(r outcomeRow) bool { return r.number == 0 })
	alignRows(w, slices.Insert(kept, 0, rows[0]))
}

func alignRows(w io.Writer, rows []outcomeRow) {
	names, numbers := 0, 0
	for _, r := range rows {
		names, numbers = max(names, utf8.RuneCountInString(r.name)), max(numbers, len(grouped(r.number)))
	}
	for _, r := range rows {
		start := fmt.Sprintf("  %-*s  %*s  ", names, r.name, numbers, grouped(r.number))
		for _, line := range wrap(r.words, reportWidth-utf8.RuneCountInString(start)) {
			fmt.Fprintln(w, strings.TrimRight(start+line, " "))
			start = strings.Repeat(" ", utf8.RuneCountInString(start))
		}
	}
}

// wrap breaks text at blanks into lines of at most so many bytes, or of one word.
func wrap(text string, most int) (lines []string) {
	for word := range strings.SplitSeq(text, " ") {
		if last := len(lines) - 1; last >= 0 && len(lines[last])+1+len(word) <= most {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

// statuses writes the statuses that are wanted, as "404: 2, 503: 1".
func statuses(counts map[int]int64, wanted func(int) bool) string {
	var parts []string
	for _, s := range slices.Sorted(maps.Keys(counts)) {
		if wanted(s) {
			parts = append(parts, fmt.Sprintf("%d: %s", s, grouped(counts[s])))
		}
	}
	return strings.Join(parts, ", ")
}

// grouped writes n with commas between thousands.
func grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// plural writes n things.
func plural(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return grouped(n) + " " + noun
}

// loadError grades an error of making an engine or of running it: what is wrong
// with the load is a mistake of the command line, all else a fault of this host.
func loadError(err error) error {
	if errors.Is(err, load.ErrUsage) {
		return usageError("%v", err)
	}
	return err
}
