package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"dyno/results"
)

// parse reads XML to its end and counts its elements and its failed and skipped cases.
func parse(t *testing.T, text []byte) (all suites, elements map[string]int) {
	t.Helper()
	elements = map[string]int{}
	for d := xml.NewDecoder(bytes.NewReader(text)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("not well-formed: %v\n%s", err, text)
		}
		if start, ok := token.(xml.StartElement); ok {
			elements[start.Name.Local]++
		}
	}
	if err := xml.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all, elements
}

// Each report is well-formed, and what it counts is what it has.
func TestJUnitCounts(t *testing.T) {
	for _, path := range records(t) {
		all, elements := parse(t, rendered(t, path, JUnit, Options{}))
		if all.Tests == 0 || all.Tests != elements["testcase"] || all.Failures != elements["failure"] || all.Skipped != elements["skipped"] {
			t.Errorf("%s: %d tests, %d failures, %d skipped; elements are %v", path, all.Tests, all.Failures, all.Skipped, elements)
		}
		tests, failures, skipped := 0, 0, 0
		for _, s := range all.Suites {
			tests, failures, skipped = tests+s.Tests, failures+s.Failures, skipped+s.Skipped
			if s.Tests != len(s.Cases) {
				t.Errorf("%s: suite %s has %d cases and says %d", path, s.Name, len(s.Cases), s.Tests)
			}
		}
		if tests != all.Tests || failures != all.Failures || skipped != all.Skipped {
			t.Errorf("%s: the suites' sums are not those of all", path)
		}
	}
}

// Text that XML cannot hold, or takes for markup, does not break it.
func TestJUnitHoldsForeignText(t *testing.T) {
	hostile := "a]]>\x00<b>&\"'\x1b[31m\uFFFE\xff"
	j := results.Judgement{Run: results.Run{Scenario: results.Scenario{Name: hostile}}, Comparisons: []results.Comparison{{
		Workload: results.Workload{Name: hostile},
		Standings: []results.Standing{{
			Target: results.Target{Name: hostile}, Trials: make([]results.Trial, 1),
			Causes: []results.Cause{{Code: results.CodeFault, Text: hostile, Trials: 1, Log: []string{hostile}}},
		}},
	}}}
	var b bytes.Buffer
	if err := JUnit(&b, j, Options{}); err != nil {
		t.Fatal(err)
	}
	all, _ := parse(t, b.Bytes())
	failure := all.Suites[0].Cases[0].Failure
	want := "a]]>\uFFFD<b>&\"'\uFFFD[31m\uFFFD\uFFFD"
	if failure == nil || failure.Message != want || strings.Count(failure.Text, want) != 2 {
		t.Errorf("%+v, want %q as its message, and twice in its text", failure, want)
	}
}

// What fails, and what is skipped.
func TestJUnitSaysWhatFails(t *testing.T) {
	for path, want := range map[string][]string{
		"testdata/wrong-answers.jsonl": {"fails target puma on Ruby 2.7", "fails target puma on Ruby 3.1"},
		"testdata/single-round.jsonl":  {"skips target registry", "skips target handler", "skips target registry", "skips target handler"},
		"testdata/interrupted.jsonl":   {"holds target uwsgi", "holds target gunicorn"},
		"testdata/unequal.jsonl":       {"fails target mruby", "fails target lua", "fails target static"},
		"testdata/claims.jsonl": {
			"holds target inline", "holds target static", "holds target file", "holds target inline again",
			"skips claim inline faster than static", "holds claim inline faster than file", "fails claim file faster than static",
		},
	} {
		all, _ := parse(t, rendered(t, path, JUnit, Options{}))
		if got := outcomes(all); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s:\n%s\nwant\n%s", path, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// outcomes says of each case whether it holds, fails or is skipped.
func outcomes(all suites) (lines []string) {
	for _, s := range all.Suites {
		for _, c := range s.Cases {
			says := "holds "
			switch {
			case c.Failure != nil:
				says = "fails "
			case c.Skipped != nil:
				says = "skips "
			}
			lines = append(lines, says+c.Name)
		}
	}
	return lines
}
