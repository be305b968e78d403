package results

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sampleImport is a record of two reports, one of which says nothing but a rate.
func sampleImport() Record {
	run := sampleRun()
	run.Targets, run.Workloads, run.Claims, run.Stacks = nil, nil, nil, nil
	run.Imported = &Imported{Hardware: "Pentium MMX 200 MHz, 256 MB"}
	return Record{
		Run: run,
		Historic: []Historic{
			{
				Type: "historic", Name: "whole", Tool: "ab", Version: "2.3", Complete: new(int64(2000)), Right: new(int64(1500)),
				Goodput: new(750.0), Latency: &Times{MeanUS: new(4000.0), Quantiles: []Quantile{{0.5, 3000}, {0.99, 9000}}},
				Invalid: []Reason{{CodeErrors, "errors 25 % > 0.1 %", 0.25, 0.001}}, Text: "Complete requests: 2000\n",
			},
			{Type: "historic", Name: "rate", Tool: "wrk", Rate: new(12345.6), Warnings: []string{"only a rate"}},
		},
		End: &End{Type: "end", Status: Complete, Trials: 2, Planned: 2},
	}
}

// writeImport writes a record of historic reports, and returns its path.
func writeImport(t *testing.T, r Record) string {
	t.Helper()
	w, err := Create(t.TempDir(), r.Run)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range r.Historic {
		err = errors.Join(err, w.Historic(h))
	}
	if r.End != nil {
		err = errors.Join(err, w.End(*r.End))
	}
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return w.Path()
}

// What was not said stays null.
func TestHistoricRoundTrip(t *testing.T) {
	want := sampleImport()
	path := writeImport(t, want)
	got, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the record came back changed (-written +read):\n%s", diff)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if rate := strings.Split(string(text), "\n")[2]; !strings.Contains(rate, `"right":null`) || !strings.Contains(rate, `"latency":null`) || strings.Contains(rate, ":0,") {
		t.Errorf("a report of a rate alone is written as %s", rate)
	}
}

// A record has what was measured or what was read, never both.
func TestHistoricApart(t *testing.T) {
	imported := sampleImport()
	lines := func(path string) []string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(text)), "\n")
	}
	historic := lines(writeImport(t, imported))
	measured := lines(write(t, sampleRun(), []Trial{sampleTrial("a")}, nil))
	for _, c := range []struct {
		lines []string
		want  string
	}{
		{[]string{measured[0], historic[1]}, `line 2: the historic report "whole" in the record of a run that measured`},
		{[]string{historic[0], measured[1]}, `line 2: trial of target "a", which the run does not name`},
		{[]string{historic[0], historic[1], historic[1]}, `line 3: two historic reports have the name "whole"`},
		{[]string{historic[0], historic[1], historic[3]}, "line 3: the end counts 2 trials, and there are 1"},
	} {
		if _, err := Decode(strings.NewReader(strings.Join(c.lines, "\n") + "\n")); err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}

// Historic reports have no rank, and are compared with nothing.
func TestJudgeImported(t *testing.T) {
	record := sampleImport()
	j := Judge(record)
	if len(j.Comparisons) != 0 || j.Family != 0 || j.Notes != nil {
		t.Errorf("judged as %+v", j)
	}
	if j.Trials != 2 || j.Planned != 2 || j.Invalid != 1 || !j.AnyInvalid() || j.AnyRefuted() {
		t.Errorf("%d of %d, %d invalid", j.Trials, j.Planned, j.Invalid)
	}
	if diff := cmp.Diff(record.Historic, j.Historic); diff != "" {
		t.Errorf("reports (-read +judged):\n%s", diff)
	}
	record.End, record.Torn = nil, true
	want := []string{"the import was killed after 2 reports", "the record's last line was cut off and is left out"}
	if diff := cmp.Diff(want, Judge(record).Notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

func TestHistoricFigures(t *testing.T) {
	all := sampleImport().Historic
	for i, want := range []string{"false 0.25 true 9000 true 0 false", "false 0 false 0 false 0 false"} {
		h := all[i]
		share, okShare := h.ErrorShare()
		p99, ok99 := h.Quantile(0.99)
		p90, ok90 := h.Quantile(0.9)
		if got := fmt.Sprint(h.Counts(), share, okShare, p99, ok99, p90, ok90); got != want {
			t.Errorf("%s: %s, want %s", h.Name, got, want)
		}
	}
	good := Historic{Right: new(int64(5)), Complete: new(int64(0))}
	if share, ok := good.ErrorShare(); ok || math.IsNaN(share) || !good.Counts() {
		t.Errorf("errors of nothing: %v, %t", share, ok)
	}
}
