package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"dyno/results"
	"dyno/results/gate"
)

// again returns the record of testdata as that of another run, which answered so
// many times as many requests.
func again(t *testing.T, name, id string, factor float64, change func(*results.Run)) results.Record {
	t.Helper()
	record, err := results.Read("testdata/" + name + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	record.Run.ID = id
	for _, target := range record.Run.Targets {
		if target.ControlOf == "" {
			record.Run.Stacks = append(record.Run.Stacks, results.Stack{
				Name: target.Stack, Params: target.Params, Files: []results.File{{Path: "Dockerfile", SHA256: strings.Repeat("a", 64)}},
				Services: []results.Service{{Name: "web", Image: "dyno/" + target.Stack + ":1", Packages: map[string]string{"nginx": "1.22.1-9"}}},
			})
		}
	}
	if change != nil {
		change(&record.Run)
	}
	for _, trial := range record.Trials {
		if l := trial.Load; l != nil {
			for _, n := range []*int64{&l.Started, &l.OK, &l.LateOK} {
				*n = int64(float64(*n) * factor)
			}
		}
	}
	return record
}

// Records that are held against a baseline have their report in each form.
func TestGoldenContrast(t *testing.T) {
	plain := func(name string) results.Record {
		record, err := results.Read("testdata/" + name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		return record
	}
	newer := func(run *results.Run) {
		run.Stacks[1].Services[0].Packages["nginx"] = "1.24.0-2"
		run.Stacks[1].Files[0].SHA256 = strings.Repeat("b", 64)
		run.Docker["docker.version"] = "27.3.1"
	}
	elsewhere := func(run *results.Run) {
		run.Host["cpu.model"], run.Host["memory.total"] = "AMD EPYC 9R14", 16e9
		run.Warnings = []string{"CPU frequency is not fixed: governor powersave"}
	}
	slower := again(t, "open-loop", "later", 1, nil)
	for _, trial := range slower.Trials {
		if l := trial.Load.Latency; trial.Target != "lua" {
			l.P99US *= 1.5
		}
	}
	lacking := again(t, "open-loop", "lacking", 1, nil)
	lacking.Run.Targets[1].Missing = "nginx-lua: input source is not given"
	lacking.Trials = slices.DeleteFunc(lacking.Trials, func(t results.Trial) bool { return t.Target == "lua" })
	lacking.End.Trials, lacking.End.Planned = len(lacking.Trials), len(lacking.Trials)
	var before, after []results.Record
	for i, factor := range []float64{1, 1.01, 0.99, 1.02, 1.01} {
		before = append(before, again(t, "valid", fmt.Sprint("before-", i+1), factor, nil))
		after = append(after, again(t, "valid", fmt.Sprint("after-", i+1), 0.9*factor, newer))
	}
	for name, c := range map[string]struct {
		base   []results.Record
		others [][]results.Record
		gates  []string
	}{
		"compare": {
			[]results.Record{plain("valid")},
			[][]results.Record{{plain("control")}},
			[]string{"goodput(*) >= 0.94 * baseline", "errors(*) == 0", "p99(lua) < 1ms"},
		},
		"compare-failing": {
			[]results.Record{plain("one-failing")},
			[][]results.Record{{again(t, "one-failing", "later", 1, nil)}},
			[]string{"goodput(*) >= 0.5 * baseline"},
		},
		"compare-open-loop": {
			[]results.Record{plain("open-loop")},
			[][]results.Record{{slower}, {lacking}},
			[]string{"p99(static) <= 1.1 * baseline", "goodput(lua) >= 4900"},
		},
		"compare-runs": {before, [][]results.Record{after}, []string{"goodput(*) >= 0.95 * baseline"}},
		"compare-forced": {
			before[:2],
			[][]results.Record{after[:1], {again(t, "control", "elsewhere", 1, elsewhere)}},
			nil,
		},
	} {
		var gates []gate.Gate
		for _, text := range c.gates {
			g, err := gate.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			gates = append(gates, g)
		}
		contrast, err := results.Compare(c.base, c.others, name == "compare-forced", gates...)
		if err != nil {
			t.Fatal(err)
		}
		write := func(form func(io.Writer, results.Contrast, Options) error, o Options) []byte {
			var b strings.Builder
			if err := form(&b, contrast, o); err != nil {
				t.Fatal(err)
			}
			return []byte(b.String())
		}
		o := Options{Paths: []string{"a.jsonl", "b.jsonl"}}
		compareGolden(t, "testdata/"+name+".txt", write(ContrastText, o))
		markdown := write(ContrastMarkdown, o)
		compareGolden(t, "testdata/"+name+".md", markdown)
		page := write(ContrastHTML, o)
		saysAll(t, name, page, markdown)
		if name == "compare" {
			comparePage(t, name, page)
		}
		junit := write(ContrastJUnit, o)
		compareGolden(t, "testdata/"+name+".xml", junit)
		all, elements := parse(t, junit)
		if all.Tests == 0 || all.Tests != elements["testcase"] || all.Failures != elements["failure"] || all.Skipped != elements["skipped"] {
			t.Errorf("%s: %d tests, %d failures, %d skipped; elements are %v", name, all.Tests, all.Failures, all.Skipped, elements)
		}
		for _, columns := range []int{80, 100} {
			for line := range strings.Lines(string(write(ContrastText, Options{Width: columns}))) {
				if n := width(strings.TrimSuffix(line, "\n")); n > columns {
					t.Errorf("%s at %d: %d characters in %q", name, columns, n, line)
				}
			}
		}
	}
}

// Several runs together are reported on as one, with what differs between them.
func TestGoldenMerged(t *testing.T) {
	merged, err := results.Merge([]results.Record{again(t, "valid", "first", 1, nil), again(t, "valid", "second", 1.02, func(run *results.Run) { run.Seed = 43 })}, false)
	if err != nil {
		t.Fatal(err)
	}
	for ending, form := range map[string]writer{".txt": Text, ".md": Markdown} {
		var b strings.Builder
		if err := form(&b, results.Judge(merged), Options{Paths: []string{"first.jsonl", "second.jsonl"}}); err != nil {
			t.Fatal(err)
		}
		compareGolden(t, "testdata/merged"+ending, []byte(b.String()))
	}
}

func TestErrorOfContrastWriter(t *testing.T) {
	for _, form := range []func(io.Writer, results.Contrast, Options) error{ContrastText, ContrastMarkdown, ContrastHTML, ContrastJUnit} {
		if err := form(failing{}, results.Contrast{}, Options{}); err != io.ErrClosedPipe {
			t.Errorf("error %v, want that of the writer", err)
		}
	}
}

func TestLetters(t *testing.T) {
	for side, want := range map[int]string{0: "A", 1: "B", 25: "Z", 26: "Z1", 27: "Z2"} {
		if got := Letter(side); got != want {
			t.Errorf("%d is %s, want %s", side, got, want)
		}
	}
}
