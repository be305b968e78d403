package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dyno/results"
	"dyno/results/stats"
)

func TestEscape(t *testing.T) {
	for text, want := range map[string]string{
		"a_b*c `d` [e](f) <g> ~h~ | i & j #1 $k$ l\\m": "a\\_b\\*c \\`d\\` \\[e\\](f) \\<g\\> \\~h\\~ \\| i \\& j \\#1 \\$k\\$ l\\\\m",
		"two\nlines" + joint + "here":                  "two lines here",
		"88,200 ± 5.7 %":                               "88,200 ± 5.7 %",
		"1. not a list":                                "1. not a list",
	} {
		if got := escape(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"1. not a list": `1\. not a list`,
		"12) neither":   `12\) neither`,
		"- nor this":    `\- nor this`,
		"--- rule":      `\--- rule`,
		"+ more":        `\+ more`,
		"# title":       `\# title`,
		"2.5 times":     `2\.5 times`, // shown as it was
		"64 clients":    "64 clients",
	} {
		if got := opening(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func TestCode(t *testing.T) {
	for text, want := range map[string]string{
		"dyno run x":   "`dyno run x`",
		"dyno run '`'": "`` dyno run '`' ``",
		"``":           "``` `` ```",
	} {
		if got := code(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

// Whatever text a record brings along, each row of a table has as many cells as
// its head, and a log ends its fence.
func TestMarkdownHoldsForeignText(t *testing.T) {
	hostile := "x|y\n# z ``` <b>"
	j := results.Judgement{Run: results.Run{Scenario: results.Scenario{Name: hostile, About: hostile}}, Comparisons: []results.Comparison{{
		Workload: results.Workload{Name: hostile},
		Standings: []results.Standing{{
			Target: results.Target{Name: hostile}, Trials: make([]results.Trial, 1),
			Causes: []results.Cause{{Code: results.CodeFault, Text: hostile, Trials: 1, Log: []string{"``` | <i>", "````"}}},
		}},
	}}}
	var b strings.Builder
	if err := Markdown(&b, j, Options{}); err != nil {
		t.Fatal(err)
	}
	cells := 0
	for line := range strings.Lines(b.String()) {
		if !strings.HasPrefix(line, "|") {
			cells = 0
			continue
		}
		n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
		if cells > 0 && n != cells {
			t.Errorf("%d cells under %d: %s", n, cells, line)
		}
		cells = n
	}
	for _, want := range []string{"# x\\|y \\# z \\`\\`\\` \\<b\\>\n", "\n  `````\n  ``` | <i>\n  ````\n  `````\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in:\n%s", want, b.String())
		}
	}
}

// Services stand in a table of their own where a target has several.
func TestMarkdownServices(t *testing.T) {
	known := func(x float64) stats.Estimate { return stats.Estimate{N: 2, Median: x, Low: x, High: x} }
	m := &markdown{}
	m.services([]results.Standing{{Target: results.Target{Name: "balanced"}, Figures: results.Figures{Services: []results.ServiceFigures{
		{Name: "app", Replicas: 2, CPU: known(3e-6), PeakBytes: known(30 << 20)},
		{Name: "proxy", Replicas: 1, CPU: known(4e-6)},
	}}}})
	want := `**Services**

| target | service | server CPU, µs/request | memory, peak MiB |
|:--|:--|--:|--:|
| balanced | app × 2 | 3.00 | 30.0 |
|  | proxy | 4.00 | – |
`
	if diff := cmp.Diff(want, m.text.String()); diff != "" {
		t.Error(diff)
	}
}
