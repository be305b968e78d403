package report

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dyno/results"
)

// imported is a record of a report that may count, one that is invalid, and one
// that says hardly anything.
func imported() results.Record {
	quantiles := []results.Quantile{{Share: 0.5, US: 0}, {Share: 0.99, US: 9000}}
	return results.Record{
		Run: results.Run{
			ID: "20261201T000000Z-s2", Dyno: "0.1.0", Started: time.Date(2026, 12, 1, 0, 0, 29, 0, time.UTC),
			Scenario: results.Scenario{Name: "s2"},
			Imported: &results.Imported{Hardware: "Xeon X5355 2.66 GHz, 8 GB", Note: "weblog, January 2008"},
			Warnings: []string{"the answers' bodies differ: 21 B good, 276 B bad"},
		},
		Historic: []results.Historic{
			{
				Name: "good", Tool: "ab", Version: "2.0.40-dev", Complete: new(int64(100_000)), Right: new(int64(100_000)), Goodput: new(14578.28),
				Latency: &results.Times{MeanUS: new(694.72), MaxUS: new(12_000.0), Quantiles: quantiles},
				Reading: []string{"100,000 requests over 100 connections, in 6.86 s: 14,578 a second.", "All were right, as far as ab looks: 2xx and 21 B."},
			},
			{
				Name: "bad", Tool: "ab", Version: "2.0.40-dev", Complete: new(int64(10_000)), Right: new(int64(0)), Goodput: new(0.0),
				Reading:  []string{"10,000 requests."},
				Invalid:  []results.Reason{{Code: results.CodeContract, Text: "10,008 of 10,000 answers were not 2xx, each of 276 B"}, {Code: results.CodeErrors, Text: "errors 100 % > 0.1 %: 10,000 of 10,000 requests got no right answer"}},
				Warnings: []string{"it read the bodies of 8 answers more than the 10,000 that it counts: answers after the last one asked for"},
			},
			{Name: "rate", Tool: "wrk", Rate: new(12345.6), Reading: []string{"Requests: 12,346 a second."}, Warnings: []string{"how many answers were right it does not say"}},
		},
		End: &results.End{Status: results.Complete, Trials: 3, Planned: 3},
	}
}

func TestHistoric(t *testing.T) {
	for ending, write := range map[string]writer{".txt": Text, ".md": Markdown, ".xml": JUnit} {
		var b bytes.Buffer
		if err := write(&b, results.Judge(imported()), Options{Paths: []string{"results/runs/20261201T000000Z-s2.jsonl"}}); err != nil {
			t.Fatal(err)
		}
		compareGolden(t, "testdata/historic"+ending, b.Bytes())
	}
}

func TestHistoricHTML(t *testing.T) {
	var page, markdown bytes.Buffer
	if err := errors.Join(HTML(&page, results.Judge(imported()), Options{}), Markdown(&markdown, results.Judge(imported()), Options{})); err != nil {
		t.Fatal(err)
	}
	saysAll(t, "historic", page.Bytes(), markdown.Bytes())
	comparePage(t, "historic", page.Bytes())
}

// In JUnit's words what is invalid fails, and what cannot be judged is skipped.
func TestHistoricJUnit(t *testing.T) {
	var b bytes.Buffer
	if err := JUnit(&b, results.Judge(imported()), Options{}); err != nil {
		t.Fatal(err)
	}
	all, _ := parse(t, b.Bytes())
	if diff := cmp.Diff([]string{"holds report good", "fails report bad", "skips report rate"}, outcomes(all)); diff != "" {
		t.Error(diff)
	}
}

// Beside a run historic figures are told from its own, and change none of them.
func TestBeside(t *testing.T) {
	record, err := results.Read("testdata/valid.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	got := render(t, results.Judge(record), Options{Beside: []results.Judgement{results.Judge(imported())}})
	own := string(render(t, results.Judge(record), Options{}))
	at := strings.Index(own, "\n  Repeat")
	beside, ok := strings.CutPrefix(string(got), own[:at])
	if !ok {
		t.Fatalf("what stands beside changes the report:\n%s", cmp.Diff(own, string(got)))
	}
	compareGolden(t, "testdata/beside.txt", []byte(strings.TrimSuffix(beside, own[at:])))
}

func TestBesideInMarkdown(t *testing.T) {
	record, err := results.Read("testdata/valid.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	write := func(form writer, o Options) string {
		var b strings.Builder
		if err := form(&b, results.Judge(record), o); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	own, with := write(Markdown, Options{}), Options{Beside: []results.Judgement{results.Judge(imported())}}
	at := strings.Index(own, "\n**Repeat**")
	saysAll(t, "beside", []byte(write(HTML, with)), []byte(write(Markdown, with)))
	beside, ok := strings.CutPrefix(write(Markdown, with), own[:at])
	if !ok {
		t.Fatal("what stands beside changes the report")
	}
	compareGolden(t, "testdata/beside.md", []byte(strings.TrimSuffix(beside, own[at:])))
}

// A figure that is not known is a dash, never 0.
func TestHistoricUnknown(t *testing.T) {
	record := imported()
	record.Historic = []results.Historic{{Name: "nothing", Tool: "hey"}, {Name: "times", Tool: "hey", Latency: &results.Times{}}}
	for line := range strings.Lines(string(render(t, results.Judge(record), Options{}))) {
		if strings.HasPrefix(line, "  ?  ") && strings.Contains(line, "0") {
			t.Errorf("a figure from nowhere: %s", line)
		}
	}
}

func TestHistoricWidth(t *testing.T) {
	j := results.Judge(imported())
	for _, columns := range []int{80, 100, 120} {
		for line := range strings.Lines(string(render(t, j, Options{Width: columns}))) {
			if n := width(strings.TrimSuffix(line, "\n")); n > columns {
				t.Errorf("at %d: %d characters in %q", columns, n, line)
			}
		}
	}
	bare, painted := render(t, j, Options{}), render(t, j, Options{Colour: true})
	if diff := cmp.Diff(string(bare), strip(string(painted))); diff != "" || bytes.Equal(bare, painted) {
		t.Errorf("colours change the text, or there are none:\n%s", diff)
	}
}

func TestPrintedMS(t *testing.T) {
	for us, want := range map[float64]string{0: "~0", 9000: "9", 694.72: "0.695", 66_000_000: "66,000", 1_234_567: "1,235", 5.1: "0.0051"} {
		if got := printedMS(&us); got != want {
			t.Errorf("%v µs are %q ms, want %q", us, got, want)
		}
	}
	if got := printedMS(nil); got != none {
		t.Errorf("nothing is %q", got)
	}
}

func render(t *testing.T, j results.Judgement, o Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Text(&b, j, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
