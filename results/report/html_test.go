package report

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dyno/results"
)

// read returns the text of a page, which must be well-formed, tags apart by spaces.
func read(t *testing.T, page []byte) string {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(page))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var b strings.Builder
	depth := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the page is not well-formed: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		case xml.CharData:
			b.WriteString(" " + string(token) + " ")
		}
	}
	if depth != 0 {
		t.Errorf("%d elements are left open", depth)
	}
	return flat(b.String())
}

// flat is text on one line.
func flat(text string) string { return strings.Join(strings.Fields(bare(text)), " ") }

var escaped = regexp.MustCompile(`\\([^a-zA-Z0-9\s])`)

// said returns what Markdown says, piece by piece.
func said(markdown string) (pieces []string) {
	fenced := false
	for line := range strings.Lines(markdown) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
			continue
		}
		if fenced {
			pieces = append(pieces, flat(line))
			continue
		}
		line = strings.ReplaceAll(line, `\|`, "\x00")
		line = strings.TrimLeft(strings.TrimPrefix(line, "- "), "# ")
		for _, part := range []string{"<details>", "</details>", "<summary>", "</summary>", "`"} {
			line = strings.ReplaceAll(line, part, "|")
		}
		for piece := range strings.SplitSeq(strings.ReplaceAll(line, "**", "|"), "|") {
			piece = flat(escaped.ReplaceAllString(strings.ReplaceAll(piece, "\x00", "|"), "$1"))
			if strings.Trim(piece, ":-") != "" {
				pieces = append(pieces, piece)
			}
		}
	}
	return pieces
}

// saysAll holds a page against Markdown that has the same report.
func saysAll(t *testing.T, name string, page, markdown []byte) {
	t.Helper()
	text, pieces := read(t, page), said(string(markdown))
	if len(pieces) < 20 {
		t.Errorf("%s: Markdown has only %d pieces", name, len(pieces))
	}
	for _, piece := range pieces {
		if !strings.Contains(text, piece) {
			t.Errorf("%s: the page does not say %q", name, piece)
		}
	}
}

// A page says all that Markdown says.
func TestHTMLSaysAll(t *testing.T) {
	for _, path := range records(t) {
		saysAll(t, path, rendered(t, path, HTML, Options{}), rendered(t, path, Markdown, Options{}))
	}
}

// A page has the looks that a reader has seen, here without their style sheet: each
// change of them is one of these files, to be looked at in a browser.
func TestGoldenHTML(t *testing.T) {
	for _, name := range []string{"claims", "one-failing", "open-loop"} {
		before, sheet, _ := bytes.Cut(rendered(t, "testdata/"+name+".jsonl", HTML, Options{}), []byte("<style>\n"))
		_, after, found := bytes.Cut(sheet, []byte("</style>\n"))
		if !found {
			t.Fatal("the page has no style sheet")
		}
		compareGolden(t, "testdata/"+name+".html", slices.Concat(before, after))
	}
}

// Whatever text a record brings along, it is text.
func TestHTMLHoldsForeignText(t *testing.T) {
	hostile := `</pre></script><script>alert(1)</script><b onclick="x">&amp;'"`
	j := results.Judgement{Run: results.Run{
		Scenario: results.Scenario{Name: hostile, About: hostile, Source: hostile, Text: hostile},
		Warnings: []string{hostile}, Command: []string{hostile},
		Host: results.Facts{hostile: hostile, "list": []string{hostile}},
		Stacks: []results.Stack{{
			Name: hostile, About: hostile, Params: map[string]string{hostile: hostile}, Files: []results.File{{Path: hostile, Text: hostile}},
			Services: []results.Service{{Name: hostile, Image: hostile, Command: []string{hostile}, Env: map[string]string{hostile: hostile}, Packages: map[string]string{hostile: hostile}, Facts: results.Facts{hostile: hostile}}},
		}},
	}, Comparisons: []results.Comparison{{
		Workload: results.Workload{Name: hostile},
		Standings: []results.Standing{{
			Target: results.Target{Name: hostile},
			Trials: []results.Trial{{Target: hostile, Load: &results.Load{ElapsedS: 1, OK: 10, Started: 10}, Invalid: []results.Reason{{Text: hostile}}}},
			Causes: []results.Cause{{Text: hostile, Log: []string{hostile}}},
		}},
		Warnings: []results.Warning{{Text: hostile}},
	}}}
	j.Runs = []results.Run{j.Run}
	var b bytes.Buffer
	if err := HTML(&b, j, Options{Paths: []string{hostile}, Attached: []Attachment{{Name: hostile, Text: []byte(hostile)}}}); err != nil {
		t.Fatal(err)
	}
	for _, tag := range []string{"<script", "<b onclick"} {
		if strings.Contains(b.String(), tag) {
			t.Errorf("%s came through", tag)
		}
	}
	if page := read(t, b.Bytes()); strings.Count(page, hostile) < 20 {
		t.Errorf("the text stands only %d times in the page", strings.Count(page, hostile))
	}
}

// A page needs nothing from elsewhere.
func TestHTMLStandsAlone(t *testing.T) {
	page := string(rendered(t, "testdata/claims.jsonl", HTML, Options{}))
	for _, reference := range []string{"src=", "@import", "url(", "<link", `href="http`} {
		if strings.Contains(page, reference) {
			t.Errorf("the page has %s", reference)
		}
	}
}

// A page gives back, to the byte, the records that it carries.
func TestAttached(t *testing.T) {
	record, err := os.ReadFile("testdata/claims.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	carried := []Attachment{{"a.jsonl", record}, {"b.jsonl", nil}}
	page := rendered(t, "testdata/claims.jsonl", HTML, Options{Attached: carried})
	got, err := Attached(page)
	if err != nil || len(got) != 2 || !bytes.Equal(got[0], record) || len(got[1]) != 0 {
		t.Fatalf("%d records, %v", len(got), err)
	}
	if _, err := Attached(rendered(t, "testdata/claims.jsonl", HTML, Options{})); err == nil {
		t.Error("a page without a record gave one")
	}
	changed := bytes.Replace(page, []byte("base64,H4sI"), []byte("base64,H4sX"), 1)
	if _, err := Attached(changed); err == nil {
		t.Error("a record that was changed was taken")
	}
}

func TestCSV(t *testing.T) {
	got := rendered(t, "testdata/one-failing.jsonl", CSV, Options{})
	compareGolden(t, "testdata/one-failing.csv", got)
	record, err := results.Read("testdata/one-failing.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(got)).ReadAll()
	if err != nil || len(rows) != 1+len(record.Trials) {
		t.Errorf("%d rows of %d trials, %v", len(rows), len(record.Trials), err)
	}
}

func TestBenchmark(t *testing.T) {
	compareGolden(t, "testdata/one-failing.bench", rendered(t, "testdata/one-failing.jsonl", Benchmark, Options{}))
}
