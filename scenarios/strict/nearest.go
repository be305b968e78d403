package strict

import "strings"

// Nearest returns the word among allowed that got most likely stands for, and reports whether one is near enough to be worth
// suggesting: at most one edit in three letters. The first of equally near words wins.
func Nearest(got string, allowed []string) (string, bool) {
	limit := max(1, len(got)/3)
	best, found := "", false
	for _, word := range allowed {
		if n := edits(strings.ToLower(got), strings.ToLower(word)); n <= limit {
			best, limit, found = word, n-1, true
		}
	}
	return best, found
}

// edits returns the optimal string alignment distance of a and b: insertions, deletions, substitutions and swaps of neighbours, in
// bytes (Boytsov, "Indexing methods for approximate dictionary searching", 2011, section 2.2).
func edits(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			same := 1
			if a[i] == b[j] {
				same = 0
			}
			row[j+1] = min(last[j]+same, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
