package report

import (
	"bytes"
	"encoding/base64"
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

// read returns the text of a page, which must be well-formed, tags apart by spaces, and
// the rows of its tables, their cells apart by bars.
func read(t *testing.T, page []byte) (text string, rows map[string]bool) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(page))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var all, row strings.Builder
	rows = map[string]bool{}
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
			if depth++; token.Name.Local == "tr" {
				row.Reset()
			}
		case xml.EndElement:
			switch depth--; token.Name.Local {
			case "th", "td":
				row.WriteString("|")
			case "tr":
				rows[flat(row.String())] = true
			}
		case xml.CharData:
			all.WriteString(" " + string(token) + " ")
			row.Write(token)
		}
	}
	if depth != 0 {
		t.Errorf("%d elements are left open", depth)
	}
	return flat(all.String()), rows
}

// flat is text on one line.
func flat(text string) string { return strings.Join(strings.Fields(bare(text)), " ") }

var escaped = regexp.MustCompile(`\\([^a-zA-Z0-9\s])`)

// said returns what Markdown says: the rows of its tables, and all else piece by piece.
func said(markdown string) (pieces, rows []string) {
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
		cells := strings.Split(strings.ReplaceAll(line, `\|`, "\x00"), "|")
		for i, cell := range cells {
			cells[i] = flat(escaped.ReplaceAllString(strings.ReplaceAll(cell, "\x00", "|"), "$1"))
		}
		switch {
		case strings.HasPrefix(line, "|:") || strings.HasPrefix(line, "|-"):
		case strings.HasPrefix(line, "|"):
			rows = append(rows, strings.Join(cells[1:], "|"))
		default:
			pieces = append(pieces, prose(line)...)
		}
	}
	return pieces, rows
}

// prose splits a line of Markdown at what is not text.
func prose(line string) (pieces []string) {
	line = strings.TrimLeft(strings.TrimPrefix(line, "- "), "# ")
	for _, part := range []string{"<details>", "</details>", "<summary>", "</summary>", "`", "**"} {
		line = strings.ReplaceAll(line, part, "\x00")
	}
	for piece := range strings.SplitSeq(line, "\x00") {
		if piece = flat(escaped.ReplaceAllString(piece, "$1")); piece != "" {
			pieces = append(pieces, piece)
		}
	}
	return pieces
}

// saysAll holds a page against Markdown that has the same report.
func saysAll(t *testing.T, name string, page, markdown []byte) {
	t.Helper()
	text, tables := read(t, page)
	pieces, rows := said(string(markdown))
	if len(pieces) < 10 || len(rows) < 2 {
		t.Errorf("%s: Markdown has only %d pieces and %d rows", name, len(pieces), len(rows))
	}
	for _, piece := range pieces {
		if !strings.Contains(text, piece) {
			t.Errorf("%s: the page does not say %q", name, piece)
		}
	}
	for _, row := range rows {
		if !tables[flat(row)] {
			t.Errorf("%s: no table of the page has the row %q", name, row)
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
		comparePage(t, name, rendered(t, "testdata/"+name+".jsonl", HTML, Options{}))
	}
}

func comparePage(t *testing.T, name string, page []byte) {
	t.Helper()
	before, sheet, _ := bytes.Cut(page, []byte("<style>\n"))
	_, after, found := bytes.Cut(sheet, []byte("</style>\n"))
	if !found {
		t.Fatal("the page has no style sheet")
	}
	compareGolden(t, "testdata/"+name+".html", slices.Concat(before, after))
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
	if err := HTML(&b, j, Options{Paths: []string{hostile}, Attached: []Attachment{{Name: hostile, Side: hostile, Text: []byte(hostile)}}}); err != nil {
		t.Fatal(err)
	}
	for _, tag := range []string{"<script", "<b onclick"} {
		if strings.Contains(b.String(), tag) {
			t.Errorf("%s came through", tag)
		}
	}
	if page, _ := read(t, b.Bytes()); strings.Count(page, hostile) < 20 {
		t.Errorf("the text stands only %d times in the page", strings.Count(page, hostile))
	}
}

// What is not seen, or turns around what is, is shown as what it is: something odd.
func TestMarkup(t *testing.T) {
	for text, want := range map[string]string{
		"a\u202eb\x1b[31m\u200d":          "a\uFFFDb\uFFFD[31m\uFFFD",
		"two\nlines\tand" + joint + "é ×": "two\nlines\tand" + joint + "é ×",
	} {
		if got := markup(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
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

// A page gives back, to the byte, the records that it is about.
func TestAttached(t *testing.T) {
	record, err := os.ReadFile("testdata/claims.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	page := func(all ...Attachment) []byte {
		return rendered(t, "testdata/claims.jsonl", HTML, Options{Attached: all})
	}
	carrying := page(Attachment{Name: "a.jsonl", Text: record}, Attachment{Name: "other.jsonl", Side: Beside, Text: []byte("x")}, Attachment{Name: "b.jsonl"})
	got, err := Attached(carrying)
	if err != nil || len(got) != 2 || !bytes.Equal(got[0], record) || len(got[1]) != 0 {
		t.Fatalf("%d records, %v", len(got), err)
	}
	middle := bytes.Index(carrying, []byte("base64,")) + 5000
	for name, c := range map[string]struct {
		page []byte
		want string
	}{
		"none":           {page(), "carries no record"},
		"beside alone":   {page(Attachment{Name: "o", Side: Beside}), "carries no record"},
		"two sides":      {page(Attachment{Name: "a", Side: "A"}, Attachment{Name: "b", Side: "B"}), "compares 2 sides"},
		"another begin":  {bytes.Replace(carrying, []byte("base64,H4sI"), []byte("base64,H4sX"), 1), "unpacking"},
		"another middle": {slices.Concat(carrying[:middle], []byte{carrying[middle] ^ 1}, carrying[middle+1:]), "unpacking"},
		"cut off":        {carrying[:middle], "unpacking"},
	} {
		if _, err := Attached(c.page); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// Nothing is unpacked beyond the room that there is.
func TestUnpackHasALimit(t *testing.T) {
	d := &document{}
	if err := d.attach([]Attachment{{Text: bytes.Repeat([]byte("a"), 1<<20)}}); err != nil {
		t.Fatal(err)
	}
	_, coded, _ := strings.Cut(d.text.String(), linkHolds)
	coded, _, _ = strings.Cut(coded, linkEnds)
	if text, err := unpack(base64.NewDecoder(base64.StdEncoding, strings.NewReader(coded)), 1<<20); err != nil || len(text) != 1<<20 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	if _, err := unpack(base64.NewDecoder(base64.StdEncoding, strings.NewReader(coded)), 1<<20-1); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("%v", err)
	}
}

func FuzzAttached(f *testing.F) {
	d := newDocument("x")
	if err := d.attach([]Attachment{{Name: "a", Text: []byte("b")}, {Name: "c", Side: Beside}}); err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(d.end()))
	f.Add([]byte(linkBegins + linkNames + linkHolds + linkEnds))
	f.Fuzz(func(t *testing.T, page []byte) {
		if records, err := Attached(page); err == nil && len(records) == 0 {
			t.Error("no record, and no error")
		}
	})
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
