package report

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dyno/results"
	"dyno/results/gate"
)

var update = flag.Bool("update", false, "write what is reported now into testdata")

// The records of testdata are made by hand. What they say of their trials must be
// what their figures say.
func TestRecordsAreTrue(t *testing.T) {
	for _, path := range records(t) {
		record, err := results.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			reckon(t, path, &record)
		}
		for _, trial := range record.Trials {
			if diff := cmp.Diff(results.Reasons(trial, record.Run), trial.Invalid); diff != "" {
				t.Errorf("%s, round %d of %s: invalid (-reckoned +recorded):\n%s", path, trial.Round, trial.Target, diff)
			}
			if diff := cmp.Diff(results.Doubts(trial, record.Run), trial.Warnings); diff != "" {
				t.Errorf("%s, round %d of %s: warnings (-reckoned +recorded):\n%s", path, trial.Round, trial.Target, diff)
			}
			if by := results.BoundOf(trial, record.Run); trial.Bound != "" && by != trial.Bound { // an older record has none
				t.Errorf("%s, round %d of %s: bound by %q, reckoned %q", path, trial.Round, trial.Target, trial.Bound, by)
			}
		}
	}
}

// reckon writes the record anew, with what its figures say, and keeps a torn end.
func reckon(t *testing.T, path string, record *results.Record) {
	t.Helper()
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := results.Create(t.TempDir(), record.Run)
	if err != nil {
		t.Fatal(err)
	}
	for i := range record.Trials {
		trial := &record.Trials[i]
		trial.Invalid, trial.Warnings = results.Reasons(*trial, record.Run), results.Doubts(*trial, record.Run)
		if trial.Bound != "" {
			trial.Bound = results.BoundOf(*trial, record.Run)
		}
		err = errors.Join(err, w.Trial(*trial))
	}
	if record.End != nil {
		err = errors.Join(err, w.End(*record.End))
	}
	whole, readErr := os.ReadFile(w.Path())
	torn := old[bytes.LastIndexByte(old, '\n')+1:]
	if err := errors.Join(err, w.Close(), readErr, os.WriteFile(path, append(whole, torn...), 0o666)); err != nil {
		t.Fatal(err)
	}
}

// Each record of testdata has its reports beside it.
func TestGolden(t *testing.T) {
	for _, path := range records(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".jsonl"), func(t *testing.T) {
			for ending, write := range map[string]writer{".txt": Text, ".md": Markdown, ".xml": JUnit} {
				compareGolden(t, strings.TrimSuffix(path, ".jsonl")+ending, rendered(t, path, write, Options{}))
			}
		})
	}
}

// What came of gates stands in the report, in each form.
func TestGoldenGates(t *testing.T) {
	for name, texts := range map[string][]string{
		"claims": {
			"goodput(*) >= 0.95 * baseline", "errors(*) == 0", "p99(file) < 5ms", "p99(static) < 7.25ms", "cpu(inline) <= 100us", "memory(inline) < 16MiB",
			"goodput(static) > 0.99 * goodput(inline)", "startup(inline) < 1s", "goodput(inline) > 10000/s", "goodput(inline again) >= 0.95 * baseline",
		},
		"one-failing": {"goodput(*) >= 0.95 * baseline", "errors(worker) == 0", `errors("worker, shared state") <= errors(worker)`, "goodput(prefork) > 0.9 * goodput(worker)"},
	} {
		var gates []gate.Gate
		for _, text := range texts {
			g, err := gate.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			gates = append(gates, g)
		}
		for ending, write := range map[string]writer{".txt": Text, ".md": Markdown, ".xml": JUnit} {
			compareGolden(t, "testdata/"+name+"-gates"+ending, rendered(t, "testdata/"+name+".jsonl", write, Options{}, gates...))
		}
		for _, columns := range []int{80, 100} {
			for line := range strings.Lines(string(rendered(t, "testdata/"+name+".jsonl", Text, Options{Width: columns}, gates...))) {
				if n := width(strings.TrimSuffix(line, "\n")); n > columns {
					t.Errorf("%s at %d: %d characters in %q", name, columns, n, line)
				}
			}
		}
	}
}

// A target that could not be had is told with its reason in each form.
func TestGoldenMissing(t *testing.T) {
	record, err := results.Read("testdata/valid.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	record.Run.Targets[1].Missing = "nginx-lua: input source is not given (--input source=FILE)"
	record.Run.Claims = []results.Claim{{Faster: "mruby", Than: "lua"}, {Faster: "mruby", Than: "static"}}
	record.Trials = slices.DeleteFunc(record.Trials, func(t results.Trial) bool { return t.Target == "lua" })
	record.End.Trials, record.End.Planned = len(record.Trials), len(record.Trials)
	g, err := gate.Parse("goodput(lua) > 1000/s")
	if err != nil {
		t.Fatal(err)
	}
	for ending, write := range map[string]writer{".txt": Text, ".md": Markdown, ".xml": JUnit} {
		var b bytes.Buffer
		if err := write(&b, results.Judge(record, g), Options{}); err != nil {
			t.Fatal(err)
		}
		compareGolden(t, "testdata/missing"+ending, b.Bytes())
	}
}

// A writer is one of the report's formats.
type writer = func(io.Writer, results.Judgement, Options) error

// compareGolden holds what was written against the file of testdata that has it.
func compareGolden(t *testing.T, golden string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(golden, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-golden +got; -update accepts it):\n%s", golden, diff)
	}
}

// Whatever the record, no line of the report is wider than asked for, colours and
// narrow terminals change no figure, and there is no escape sequence unasked.
func TestWidthAndColour(t *testing.T) {
	for _, path := range records(t) {
		for _, columns := range []int{80, 100, 120} {
			for line := range strings.Lines(string(text(t, path, Options{Width: columns}))) {
				if n := width(strings.TrimSuffix(line, "\n")); n > columns && strings.Contains(strings.TrimSpace(line), " ") {
					t.Errorf("%s at %d: %d characters in %q", path, columns, n, line)
				}
			}
		}
		bare, painted := text(t, path, Options{}), text(t, path, Options{Colour: true})
		if bytes.Contains(bare, []byte("\x1b")) || !bytes.Contains(painted, []byte("\x1b[1m")) {
			t.Errorf("%s: colours unasked, or none though asked", path)
		}
		if diff := cmp.Diff(string(bare), strip(string(painted))); diff != "" {
			t.Errorf("%s: colours change the text:\n%s", path, diff)
		}
	}
}

// In a narrow terminal a table loses spare columns, the last one first, and no
// other.
func TestNarrow(t *testing.T) {
	for columns, want := range map[int][2]bool{100: {true, true}, 84: {true, false}, 74: {false, false}} {
		got := string(text(t, "testdata/valid.jsonl", Options{Width: columns}))
		if rounds, engine := strings.Contains(got, "target  rounds"), strings.Contains(got, "% busy"); [2]bool{rounds, engine} != want {
			t.Errorf("at %d: rounds %t, engine %t, want %t", columns, rounds, engine, want)
		}
		if !strings.Contains(got, "server CPU    memory") {
			t.Errorf("at %d a column is gone that is not spare:\n%s", columns, got)
		}
	}
}

func strip(text string) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(text, "\x1b[")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		_, text, _ = strings.Cut(after, "m")
	}
}

func TestErrorOfWriter(t *testing.T) {
	for _, write := range []writer{Text, Markdown, HTML, JUnit, CSV, Benchmark} {
		if err := write(failing{}, results.Judgement{}, Options{}); err != io.ErrClosedPipe {
			t.Errorf("error %v, want that of the writer", err)
		}
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func records(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no records: %v", err)
	}
	return paths
}

func text(t *testing.T, path string, o Options) []byte {
	t.Helper()
	return rendered(t, path, Text, o)
}

func rendered(t *testing.T, path string, write writer, o Options, gates ...gate.Gate) []byte {
	t.Helper()
	record, err := results.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	o.Paths = []string{"results/runs/" + record.Run.ID + ".jsonl"}
	var b bytes.Buffer
	if err := write(&b, results.Judge(record, gates...), o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
