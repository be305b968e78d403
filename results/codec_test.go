package results

import (
	"bufio"
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestRoundTrip(t *testing.T) {
	run, trials, end := sampleRun(), []Trial{sampleTrial("a"), sampleTrial("b")}, End{Type: "end", Status: "complete", Trials: 2, Planned: 2}
	trials[1].Load = nil
	trials[1].Fault = &Fault{Phase: "boot", Text: "no such image"}
	path := write(t, run, trials, &end)
	got, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Record{Run: run, Trials: trials, End: &end}, got); diff != "" {
		t.Errorf("the record came back changed (-written +read):\n%s", diff)
	}
}

// A log holds what a server wrote, markup and stray bytes included: it stays one
// readable line.
func TestLinesStayReadable(t *testing.T) {
	trial := sampleTrial("a")
	trial.Logs = []Log{{Service: "web", Tail: "<p>a & b</p>\n\xff"}}
	path := write(t, sampleRun(), []Trial{trial}, nil)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte(`<p>a & b</p>\n`)) || bytes.Count(text, []byte("\n")) != 2 {
		t.Errorf("written as %s", text)
	}
}

func TestCreateKeepsWhatIsThere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	w, err := Create(dir, sampleRun())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if want := filepath.Join(dir, "r1.jsonl"); w.Path() != want {
		t.Errorf("path %s, want %s", w.Path(), want)
	}
	if _, err := Create(dir, sampleRun()); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second record of one id: %v", err)
	}
	for _, id := range []string{"", "../x", "a/b"} {
		run := sampleRun()
		run.ID = id
		if w, err := Create(dir, run); err == nil {
			t.Errorf("id %q became %s", id, w.Path())
			w.Close()
		}
	}
}

// Nothing is appended to half a line, and the error names the file.
func TestWriteFails(t *testing.T) {
	w, err := Create(t.TempDir(), sampleRun())
	if err != nil {
		t.Fatal(err)
	}
	path := w.Path()
	w.Close()
	for range 2 {
		if err := w.Trial(sampleTrial("a")); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("writing to a closed file: %v", err)
		}
	}
}

// A record cut off at any byte keeps every line before the cut.
func TestCutAnywhere(t *testing.T) {
	path := write(t, sampleRun(), []Trial{sampleTrial("a"), sampleTrial("b")}, nil)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	runEnd := bytes.IndexByte(text, '\n')
	for cut := range len(text) {
		record, err := Decode(bytes.NewReader(text[:cut]))
		if cut < runEnd {
			if err == nil {
				t.Fatalf("cut at %d of the first line, yet no error", cut)
			}
			continue
		}
		// A line is whole with its last brace; the line end after it may be missing.
		body := text[:min(cut+1, len(text))]
		wantTrials := bytes.Count(body, []byte("\n")) - 1
		wantTorn := text[cut-1] != '\n' && text[cut] != '\n'
		if err != nil || len(record.Trials) != wantTrials || record.Torn != wantTorn {
			t.Fatalf("cut at %d: %d trials, torn %t, error %v; want %d, %t", cut, len(record.Trials), record.Torn, err, wantTrials, wantTorn)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	const run = `{"type":"run","schema":1,"id":"r1","targets":[{"name":"a"}],"workloads":[{"name":"w"}]}` + "\n"
	const trial = `{"type":"trial","target":"a","workload":"w"}` + "\n"
	for name, c := range map[string]struct{ text, want string }{
		"empty":             {"", "line 1: no run"},
		"first line torn":   {`{"type":"run`, "first line"},
		"other JSON":        {`{"name":"x"}` + "\n", "line 1: not a record"},
		"trial first":       {trial, "line 1: not a record"},
		"no JSON":           {"hello\n", "line 1: invalid character"},
		"newer":             {`{"type":"run","schema":3,"targets":"changed"}` + "\n", "line 1: the record has schema 3 and this dyno reads up to 2"},
		"no schema":         {`{"type":"run"}` + "\n", "line 1: the run has no schema"},
		"junk between":      {run + "{]\n" + trial, "line 2: invalid character"},
		"blank line":        {run + "\n" + trial, "line 2: unexpected end"},
		"two runs":          {run + run, `line 2: neither a trial nor an end, but "run"`},
		"two objects":       {run + trial[:len(trial)-1] + trial, "line 2: invalid character"},
		"wrong kind":        {run + `{"type":"trial","target":"a","workload":"w","round":"one"}` + "\n", "line 2: json: cannot unmarshal string"},
		"unknown target":    {run + strings.Replace(trial, `"a"`, `"b"`, 1), `line 2: trial of target "b"`},
		"unknown workload":  {run + strings.Replace(trial, `"w"`, `"v"`, 1), `line 2: trial of workload "v"`},
		"one name twice":    {strings.Replace(run, `{"name":"a"}`, `{"name":"a"},{"name":"a"}`, 1), "line 1: two targets"},
		"control of none":   {strings.Replace(run, `"a"`, `"a","control_of":"b"`, 1), `line 1: "a" is the control of "b", which`},
		"control of itself": {strings.Replace(run, `"a"`, `"a","control_of":"a"`, 1), `line 1: "a" is the control of "a", which`},
		"claim of none":     {strings.Replace(run, `"id"`, `"claims":[{"faster":"a","than":"b"}],"id"`, 1), `line 1: the claim that "a" is faster than "b"`},
		"claimed size":      {strings.Replace(strings.Replace(run, `{"name":"a"}`, `{"name":"a"},{"name":"b"}`, 1), `"id"`, `"claims":[{"faster":"a","than":"b","ratio":0.5}],"id"`, 1), "line 1: the claim that \"a\" is 0.5 times as fast"},
		"claim of itself":   {strings.Replace(run, `"id"`, `"claims":[{"faster":"a","than":"a"}],"id"`, 1), `line 1: the claim that "a" is faster than "a"`},
		"after the end":     {run + `{"type":"end"}` + "\n" + trial, "line 3: more after the end"},
		"trials are gone":   {run + trial + `{"type":"end","trials":2}` + "\n", "line 3: the end counts 2 trials, and there are 1"},
		"torn, then whole":  {run + `{"type":"tri` + "\n" + trial, "line 2: unexpected end"},
		"junk after an end": {run + `{"type":"end"}` + "\nx\n", "line 3: more after the end"},
	} {
		_, err := Decode(strings.NewReader(c.text))
		if _, ok := errors.AsType[*SyntaxError](err); !ok || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestReadNamesFileAndLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jsonl")
	if err := os.WriteFile(path, []byte("{}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path); err == nil || !strings.Contains(err.Error(), path+":1: ") {
		t.Errorf("error %v, want one at %s:1", err, path)
	}
	if _, err := Read(path + "x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

func TestFieldsOfLaterVersionsArePassedOver(t *testing.T) {
	text := `{"type":"run","schema":1,"id":"r1","added":{"x":1}}` + "\n"
	record, err := Decode(strings.NewReader(text))
	if err != nil || record.Run.ID != "r1" {
		t.Errorf("run %q, error %v", record.Run.ID, err)
	}
}

func TestLongLine(t *testing.T) {
	trial := sampleTrial("a")
	trial.Logs = []Log{{Service: "web", Tail: strings.Repeat("0123456789abcdef", 1<<18)}} // 4 MiB
	record, err := Read(write(t, sampleRun(), []Trial{trial}, nil))
	if err != nil || len(record.Trials) != 1 || record.Trials[0].Logs[0].Tail != trial.Logs[0].Tail {
		t.Errorf("%d trials came back, error %v", len(record.Trials), err)
	}
}

// TestKilled kills a process that appends without pause. What it was told is
// written must be there.
func TestKilled(t *testing.T) {
	if dir := os.Getenv("DYNO_TEST_APPEND_TO"); dir != "" {
		appendUntilKilled(t, dir)
		return
	}
	dir := t.TempDir()
	child := exec.Command(os.Args[0], "-test.run=^TestKilled$")
	child.Env = append(os.Environ(), "DYNO_TEST_APPEND_TO="+dir)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	acknowledged := 0
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if acknowledged++; acknowledged == 20 {
			child.Process.Kill()
		}
	}
	child.Wait()
	record, err := Read(filepath.Join(dir, "r1.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if acknowledged < 20 || len(record.Trials) < acknowledged || record.End != nil {
		t.Errorf("%d trials were acknowledged, %d are there, end %v", acknowledged, len(record.Trials), record.End)
	}
}

func appendUntilKilled(t *testing.T, dir string) {
	w, err := Create(dir, sampleRun())
	if err != nil {
		t.Fatal(err)
	}
	for range 100_000 {
		if err := w.Trial(sampleTrial("a")); err != nil {
			t.Fatal(err)
		}
		os.Stdout.WriteString("written\n")
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range fuzzSeeds(f) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		record, err := Decode(bytes.NewReader(text))
		if err != nil {
			return
		}
		again, err := Decode(bytes.NewReader(encodeRecord(t, record)))
		if err != nil {
			t.Fatalf("what was read is not read again: %v", err)
		}
		record.Torn = false
		if diff := cmp.Diff(record, again); diff != "" {
			t.Errorf("read again, it is another record:\n%s", diff)
		}
	})
}

func fuzzSeeds(f *testing.F) [][]byte {
	whole := encodeRecord(f, Record{
		Run:    sampleRun(),
		Trials: []Trial{sampleTrial("a"), sampleTrial("b")},
		End:    &End{Type: "end", Status: "complete", Trials: 2, Planned: 2},
	})
	return [][]byte{
		whole,
		whole[:len(whole)-20],
		bytes.Replace(whole, []byte(`"schema":1`), []byte(`"schema":3`), 1),
		[]byte(`{"type":"run","schema":1,"host":{"a":null,"b":[1,{"c":"\ud800"}]}}` + "\n"),
		[]byte("{}\n"),
		nil,
	}
}

func encodeRecord(t testing.TB, record Record) []byte {
	lines := []any{record.Run}
	for _, trial := range record.Trials {
		lines = append(lines, trial)
	}
	if record.End != nil {
		lines = append(lines, *record.End)
	}
	var text []byte
	for _, line := range lines {
		b, err := encode(line)
		if err != nil {
			t.Fatalf("encoding what was read: %v", err)
		}
		text = append(text, b...)
	}
	return text
}

// write makes a record through a Writer and returns its path.
func write(t *testing.T, run Run, trials []Trial, end *End) string {
	t.Helper()
	w, err := Create(t.TempDir(), run)
	if err != nil {
		t.Fatal(err)
	}
	for _, trial := range trials {
		if err := w.Trial(trial); err != nil {
			t.Fatal(err)
		}
	}
	if end != nil {
		if err := w.End(*end); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return w.Path()
}

// sampleRun is a run of two targets under one workload; sampleTrial is a trial of
// it in which nothing is wrong.
func sampleRun() Run {
	length := int64(21)
	target := func(name string) Target {
		return Target{Name: name, Stack: name, Asked: Asked{Request: "GET / HTTP/1.1\r\nHost: x\r\n\r\n", Status: 200, Length: &length}}
	}
	return Run{
		Type: "run", Schema: 1, ID: "r1", Dyno: "test",
		Started:   time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC),
		Rounds:    7,
		Isolation: "split", ServerCPUs: "0", EngineCPUs: "1",
		Limits:    DefaultLimits(),
		Targets:   []Target{target("a"), target("b")},
		Claims:    []Claim{{"b", "a", 1.3}},
		Workloads: []Workload{{Name: "w", Connections: 64, KeepAlive: true, DurationS: 10, TimeoutS: 5}},
		Host:      Facts{"cpu.model": "X", "cpu.cores": 2.0, "cpu.governor": nil, "cpu.mitigations": []any{"a: b"}},
	}
}

func sampleTrial(target string) Trial {
	processes, memory, other, spent := int64(2), int64(12<<20), 0.01, 9.9
	const n, head, body = 400_000, 123, 21
	return Trial{
		Type: "trial", Round: 1, Visit: 1, Target: target, Workload: "w",
		Started:  time.Date(2026, 11, 30, 12, 0, 1, 0, time.UTC),
		Phases:   Phases{StartupS: 0.08},
		Contract: &Answer{Status: 200, HeadBytes: head, BodyBytes: body, WireBytes: head + body, Framing: "content-length", KeepAlive: true},
		Load: &Load{
			Backend: "epoll", Workers: 1, ElapsedS: 10, Started: n, OK: n, LateOK: 64,
			Outcomes: map[string]int64{"ok": n}, Statuses: map[string]int64{"200": n},
			BytesIn: n * (head + body), HeadBytes: n * head, BodyBytes: n * body,
			Latency:     &Distribution{Count: n, MinUS: 400, MeanUS: 1600, MaxUS: 9000, P50US: 1500, P90US: 2000, P99US: 3000, P999US: 5000},
			LatencySumS: 640, EngineCPUS: 6,
		},
		Services: []Usage{{Name: "web", Source: "cgroup v1", CPUS: &spent, PeakBytes: &memory, Processes: &processes, ProcessesWas: &processes}},
		Host:     &HostUse{User: 0.5, System: 0.3, SoftIRQ: 0.02, Idle: 0.17, Other: &other},
	}
}
