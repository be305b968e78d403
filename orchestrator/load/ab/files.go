package ab

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// CSV writes the file of -e: the time within which each percentage of the
// requests was served.
func (a *Account) CSV(w io.Writer) error {
	var b strings.Builder
	b.WriteString("Percentage served,Time in ms\n")
	sorted := a.sorted()
	for p := 0; p <= 100 && len(sorted) > 0; p++ {
		at := min(int(0.5+float64(len(sorted))*float64(p)/100), len(sorted)-1)
		if p == 0 {
			at = 0
		}
		fmt.Fprintf(&b, "%d,%.3f\n", p, float64(sorted[at].Total)/1000)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Gnuplot writes the file of -g: a line a request, sorted by total time.
func (a *Account) Gnuplot(w io.Writer) error {
	var b strings.Builder
	b.WriteString("starttime\tseconds\tctime\tdtime\tttime\twait\n")
	for _, t := range a.sorted() {
		start := a.Began.Add(time.Duration(t.Start) * time.Microsecond)
		fmt.Fprintf(&b, "%s\t%d\t%d\t%d\t%d\t%d\n", start.Local().Format("Mon Jan 02 15:04:05 2006"), start.Unix(),
			milliseconds(t.Connect), milliseconds(t.Processing()), milliseconds(t.Total), milliseconds(t.Wait))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// sorted returns the times from the shortest total to the longest.
func (a *Account) sorted() []Times {
	return slices.SortedStableFunc(slices.Values(a.Times), func(x, y Times) int { return cmp.Compare(x.Total, y.Total) })
}
