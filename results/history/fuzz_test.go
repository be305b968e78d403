package history

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"dyno/results"
)

// Whatever a text holds, it is read without a panic, and what is read can be
// written and holds together.
func FuzzRead(f *testing.F) {
	for _, path := range files(f) {
		add(f, path)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := Read("fuzz", []byte(text))
		if (err == nil) != (len(all) > 0) {
			t.Fatalf("%d reports, error %v", len(all), err)
		}
		for _, h := range all {
			check(t, h)
		}
	})
}

// Each format's reader is also given what no format begins with.
func FuzzAB(f *testing.F)     { fuzz(f, "ab", newAB) }
func FuzzWrk(f *testing.F)    { fuzz(f, "wrk", newWrk) }
func FuzzHey(f *testing.F)    { fuzz(f, "hey", newHey) }
func FuzzH2load(f *testing.F) { fuzz(f, "h2load", newH2load) }

func fuzz(f *testing.F, tool string, newReader func(*sheet) reader) {
	paths, err := filepath.Glob("testdata/" + tool + "/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		add(f, path)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := &sheet{tool: tool, streams: 1}
		r := newReader(s)
		for line := range strings.SplitSeq(text, "\n") {
			r.take(squeeze(line))
		}
		r.close()
		s.judge(results.DefaultLimits())
		h := s.historic()
		h.Name = "fuzz"
		check(t, h)
	})
}

func add(f *testing.F, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
}

// check holds a report to what is true of all.
func check(t *testing.T, h results.Historic) {
	t.Helper()
	if _, err := json.Marshal(h); err != nil {
		t.Fatalf("cannot be written: %v", err)
	}
	if h.Reading == nil || h.Invalid == nil || h.Warnings == nil {
		t.Error("a list is null")
	}
	for name, n := range map[string]*int64{"connections": h.Connections, "requested": h.Requested, "complete": h.Complete, "right": h.Right, "length": h.Length} {
		if n != nil && *n < 0 {
			t.Errorf("%s is %d", name, *n)
		}
	}
	for name, x := range map[string]*float64{"elapsed": h.ElapsedS, "rate": h.Rate, "goodput": h.Goodput, "bytes": h.BytesIn, "body": h.BodyBytes} {
		if x != nil && (*x < 0 || math.IsNaN(*x) || math.IsInf(*x, 0)) {
			t.Errorf("%s is %v", name, *x)
		}
	}
	if h.Right != nil && (h.Complete == nil || *h.Right > *h.Complete) {
		t.Errorf("%d right, of %d", *h.Right, known(h.Complete))
	}
	if share, ok := h.ErrorShare(); ok && (share < 0 || share > 1) {
		t.Errorf("errors are %v", share)
	}
	if h.Right != nil && *h.Right < results.DefaultLimits().MinRequests && h.Counts() {
		t.Errorf("%d right answers count", *h.Right)
	}
	for _, r := range h.Invalid {
		if r.Code == "" || r.Text == "" || strings.ContainsAny(r.Text, "\n\x1b") {
			t.Errorf("reason %+v", r)
		}
	}
	for _, text := range append(append([]string{}, h.Warnings...), h.Reading...) {
		if text == "" || strings.ContainsAny(text, "\n\x1b") {
			t.Errorf("sentence %q", text)
		}
	}
}

var number = regexp.MustCompile(`\d[\d.,]*`)

// No figure that a report may have, however wrong, upsets the account.
func TestAnyFigure(t *testing.T) {
	for _, file := range []string{"ab/half-failed-keepalive.txt", "ab/ngx_lua.txt", "ab/stopped.txt", "wrk/drop.txt", "wrk/wrk2.txt", "hey/drop.txt", "hey/boom.txt", "h2load/streams.txt", "h2load/old.txt"} {
		text, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range number.FindAllIndex(text, -1) {
			for _, figure := range []string{"0", "999999999999999", "99999999999999999999", "-1", "nan"} {
				changed := string(text[:at[0]]) + figure + string(text[at[1]:])
				all, err := Read(file, []byte(changed))
				if err != nil {
					t.Fatalf("%s: %v", changed, err)
				}
				for _, h := range all {
					check(t, h)
				}
				if t.Failed() {
					t.Fatal(changed)
				}
			}
		}
	}
}
