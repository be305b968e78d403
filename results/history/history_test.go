package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dyno/results"
)

var update = flag.Bool("update", false, "write what is read now into testdata")

// Each report of testdata has beside it what is read from it.
func TestReadings(t *testing.T) {
	for _, path := range files(t) {
		t.Run(strings.TrimSuffix(path, ".txt"), func(t *testing.T) {
			got := golden(t, read(t, path))
			file := strings.TrimSuffix(path, ".txt") + ".json"
			if *update {
				if err := os.WriteFile(file, got, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("reading of %s (-golden +got; -update accepts it):\n%s", path, diff)
			}
		})
	}
}

// The right readings of reports that were quoted in public, each with what is
// wrong with it.
func TestRightReadings(t *testing.T) {
	type want struct {
		right   int64 // -1: cannot be told
		goodput float64
		codes   string // of reasons
		says    string // in a reason or a doubt
	}
	for file, w := range map[string]want{
		"ab/all-non-2xx.txt":           {0, 0, "contract errors", "50,000 of 50,000 answers were not 2xx"},
		"ab/length-4430.txt":           {-1, -1, "contract", "8,813 B (mean 8,365 B): either the page varies, which ab has to be told by -l"},
		"ab/half-failed-keepalive.txt": {0, 0, "contract errors", "100,000 of 100,000 requests got no right answer"},
		"ab/length-quarter.txt":        {1_548_338, 37_359, "errors", "errors 22.6 % > 0.1 %"},

		"ab/mongrel-ruby18.txt":   {0, 0, "contract sum errors", "10,008 answers were not 2xx, of 10,000 requests: more than were asked for"},
		"ab/mongrel-ruby19.txt":   {0, 0, "contract errors", "10,000 of 10,000 answers were not 2xx, each of 276 B"},
		"ab/mod_mruby-inline.txt": {100_000, 14_578, "", "the bodies of 20 answers more"},
		"ab/mod_mruby-file.txt":   {100_000, 12_335, "", "the bodies of 4 answers more"},
		"ab/apache-static.txt":    {100_000, 12_731, "", ""},
		"ab/ngx_mruby.txt":        {1_000_000, 85_415, "", "closed the connection after 9,956 of 1,000,000 answers, about one in 100"},
		"ab/ngx_lua.txt":          {1_000_000, 65_674, "", "closed the connection after 9,947"},
		"ab/nginx-static.txt":     {1_000_000, 59_927, "", "closed the connection after 9,951"},

		"ab/s3-fcgid.txt":         {99_891, 275, "errors", "errors 0.109 % > 0.1 %: 109 of 100,000"},
		"ab/s5-registry-1.3.txt":  {1000, 21, "", "9.32 requests in flight, of 10 connections"},
		"ab/wrapped-1.3d.txt":     {1000, 20, "", ""},
		"ab/doctored.txt":         {1_000_000, 79_927, "bytes arithmetic", "79,927 a second for 16.7 s make 1,333,749 requests, and it counts 1,000,000"},
		"ab/stopped.txt":          {300_000, 60_000, "interrupted", "stopped after 300,000 of 1,000,000 requests"},
		"ab/truncated.txt":        {-1, -1, "arithmetic", "its progress says 1,000,000 requests and its report 10,000"},
		"ab/only-rate.txt":        {-1, -1, "", "how many answers were right it does not say"},
		"ab/real-abort.txt":       {-1, -1, "interrupted", "ab gave up after 17 requests: apr_socket_recv: Connection reset by peer (104)"},
		"ab/refused.txt":          {-1, -1, "interrupted", "ab gave up after 0 requests: apr_socket_connect(): Connection refused (111)"},
		"ab/real-interrupted.txt": {2163, 433, "interrupted", "stopped after 2,163 of about 20,000 requests"},
		"ab/real-drop-r.txt":      {1900, 14_266, "errors", "100 of 2,000 requests got no right answer"},
		"ab/real-vary.txt":        {-1, -1, "contract", "1,714 of 2,000 bodies"},
		"ab/real-vary-l.txt":      {2000, 16_038, "", ""},
		"ab/real-post.txt":        {100, 11_355, "few", "100 right answers, and 1,000 are needed"},

		"wrk/hello.txt":           {125_558, 41_773, "", "29 requests in flight, of 10 connections: wrk adds times"},
		"wrk/latency.txt":         {1440, 480, "", "2 threads share 11 connections evenly: 10 were open"},
		"wrk/some500.txt":         {107_459, 51_188, "contract errors", "11,939 of 119,398 answers were 400 or above"},
		"wrk/drop.txt":            {103_911, 51_900, "errors", "5,469 of 109,380 requests got no right answer; wrk counts 5,469 × read"},
		"wrk/late.txt":            {1021, 204, "errors", "13 answers came after wrk's limit of time"},
		"wrk/interrupted.txt":     {119_039, 59_656, "interrupted", "stopped after 2 of 20 s"},
		"wrk/minutes.txt":         {126_000, 1050, "", ""},
		"wrk/wrk2.txt":            {59_912, 1997, "", ""},
		"wrk/wrk2-overloaded.txt": {750_612, 25_020, "rate", "50,000 a second were asked for, and 25,020 reached"},

		"hey/hello.txt":   {3000, 15_790, "", ""},
		"hey/some500.txt": {895, 16_382, "contract errors", "99 of 994 answers were not 2xx"},
		"hey/drop.txt":    {199, 12_006, "errors", "read tcp 127.0.0.1:18181: read: connection reset by peer"},
		"hey/refused.txt": {0, 0, "errors", "20 of 20 requests got no right answer"},
		"hey/boom.txt":    {2000, 4000, "", ""},
		"hey/million.txt": {3_000_100, 50_000, "", "its mean is wrong"},

		"h2load/hello.txt":   {3000, 40_466, "", ""},
		"h2load/some500.txt": {900, 35_676, "contract errors", "100 of 1,000 answers were not 2xx"},
		"h2load/moved.txt":   {0, 0, "contract errors", "1,000 of 1,000 answers were not 2xx"},
		"h2load/drop.txt":    {181, 10_858, "errors", "819 of 1,000 requests got no right answer"},
		"h2load/timed.txt":   {1440, 480, "", ""},
		"h2load/warmup.txt":  {950, 475, "few", ""},
		"h2load/streams.txt": {300_000, 150_000, "", ""},
		"h2load/quoted.txt":  {200_000, 10_000, "", "its rate is of 20 s"},
		"h2load/old.txt":     {200_000, 80_000, "", ""},
	} {
		all := read(t, filepath.Join("testdata", file))
		if len(all) != 1 {
			t.Errorf("%s: %d reports, want 1", file, len(all))
			continue
		}
		h := all[0]
		var codes []string
		said := strings.Join(h.Warnings, "\n")
		for _, r := range h.Invalid {
			codes, said = append(codes, r.Code), said+"\n"+r.Text
		}
		if got := strings.Join(codes, " "); got != w.codes {
			t.Errorf("%s: invalid by %q, want %q\n%s", file, got, w.codes, said)
		}
		if !strings.Contains(said, w.says) {
			t.Errorf("%s: %q is not among\n%s", file, w.says, said)
		}
		if got := known(h.Right); got != w.right {
			t.Errorf("%s: %d right, want %d", file, got, w.right)
		}
		if got := knownFloat(h.Goodput); got < w.goodput-0.5 || got > w.goodput+0.5 {
			t.Errorf("%s: goodput %v, want %v", file, got, w.goodput)
		}
		if h.Counts() != (w.codes == "" && w.right >= 0) {
			t.Errorf("%s: counts is %t", file, h.Counts())
		}
	}
}

func known(n *int64) int64 {
	if n == nil {
		return -1
	}
	return *n
}

func knownFloat(x *float64) float64 {
	if x == nil {
		return -1
	}
	return *x
}

// A mail holds prose, quoted, and a report after the other, of which only the
// first has its command line.
func TestSeveralInOneText(t *testing.T) {
	all := read(t, "testdata/ab/mail.txt")
	if len(all) != 2 {
		t.Fatalf("%d reports, want 2", len(all))
	}
	for i, want := range []float64{1000, 2000} {
		h := all[i]
		if knownFloat(h.Rate) != want || known(h.Right) != 2000 || h.Name != []string{"mail-1", "mail-2"}[i] {
			t.Errorf("report %d: %s, rate %v, %d right", i, h.Name, knownFloat(h.Rate), known(h.Right))
		}
	}
	if all[0].Command != "ab -n 2000 -c 10 http://127.0.0.1/static" || all[1].Command != "" {
		t.Errorf("commands %q and %q", all[0].Command, all[1].Command)
	}
	if !strings.HasSuffix(all[0].Text, "> Requests per second:    1,000.00 [#/sec] (mean)\n") {
		t.Errorf("the first report is quoted as\n%s", all[0].Text)
	}
}

// Reports of several tools in one text are told apart.
func TestSeveralTools(t *testing.T) {
	var text []byte
	for _, file := range []string{"wrk/hello.txt", "ab/ngx_lua.txt", "hey/some500.txt", "h2load/hello.txt", "wrk/wrk2.txt", "hey/boom.txt"} {
		one, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, one...)
	}
	all, err := Read("all.txt", text)
	if err != nil {
		t.Fatal(err)
	}
	var tools []string
	for _, h := range all {
		tools = append(tools, h.Tool)
	}
	if diff := cmp.Diff([]string{"wrk", "ab", "hey", "h2load", "wrk2", "hey"}, tools); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
}

// What an editor or a mail program does to a text does not change what it says.
func TestSpelling(t *testing.T) {
	whole, err := os.ReadFile("testdata/ab/ngx_mruby.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := read(t, "testdata/ab/ngx_mruby.txt")[0]
	for name, change := range map[string]func(string) string{
		"Windows":       func(s string) string { return "\uFEFF" + strings.ReplaceAll(s, "\n", "\r\n") },
		"hard blanks":   func(s string) string { return strings.ReplaceAll(s, " ", "\u00a0") },
		"quoted twice":  func(s string) string { return ">> " + strings.ReplaceAll(s, "\n", "\n>> ") },
		"indented":      func(s string) string { return "\t" + strings.ReplaceAll(s, "\n", "\n\t") },
		"no end of it":  func(s string) string { return strings.TrimSuffix(s, "\n") },
		"thousands":     func(s string) string { return strings.ReplaceAll(s, " 1000000", " 1,000,000") },
		"without blank": func(s string) string { return strings.ReplaceAll(s, "\n\n", "\n") },
	} {
		all, err := Read("ngx_mruby.txt", []byte(change(string(whole))))
		if err != nil || len(all) != 1 {
			t.Errorf("%s: %d reports, %v", name, len(all), err)
			continue
		}
		got := all[0]
		got.Text = want.Text
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-plain +changed):\n%s", name, diff)
		}
	}
}

// A report is read wherever it breaks off, and never says more than it says.
func TestTruncated(t *testing.T) {
	for _, path := range files(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		whole := strings.SplitAfter(string(text), "\n")
		for n := range whole {
			all, err := Read(path, []byte(strings.Join(whole[:n], "")))
			if none := (*NoReportError)(nil); err != nil && !errors.As(err, &none) {
				t.Fatal(err)
			}
			for _, h := range all {
				check(t, h)
			}
		}
	}
	for file, want := range map[string]string{
		"ab/ngx_lua.txt":    `it breaks off after "Failed requests"`,
		"wrk/hello.txt":     `it breaks off after "Thread Stats"`,
		"h2load/hello.txt":  `it breaks off after "requests"`,
		"hey/some500.txt":   `it breaks off after "Latency distribution"`,
		"ab/only-rate.txt":  `it is part of a report, without "Document Path"`,
		"ab/truncated.txt":  `its last line may be cut`,
		"h2load/quoted.txt": `it breaks off after "status codes"`,
	} {
		text, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, end := range []string{"Keep-Alive requests", "  125558 requests", "status codes: 3000", "Status code distribution:\n  [200]\t895"} {
			if before, _, ok := strings.Cut(string(text), end); ok {
				text = []byte(before)
			}
		}
		all, err := Read(file, text)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if said := strings.Join(all[0].Warnings, "\n"); !strings.Contains(said, want) {
			t.Errorf("%s: %q is not among\n%s", file, want, said)
		}
	}
}

// A count of non-2xx answers stands only where there are some, so that they are
// none if what stands behind it is there, and unknown if the report ends before.
func TestNothingSaidOfFailures(t *testing.T) {
	const start = "Concurrency Level: 10\nTime taken for tests: 2.000 seconds\nComplete requests: 2000\n"
	for text, right := range map[string]int64{
		start:                           -1,
		start + "Failed requests: 0\n":  -1,
		start + "Failed requests: 12\n": -1,
		start + "Failed requests: 0\nRequests per second: 1000.00 [#/sec] (mean)\n":  2000,
		start + "Failed requests: 12\nRequests per second: 1000.00 [#/sec] (mean)\n": 1988,
		start + "Requests per second: 1000.00 [#/sec] (mean)\n":                      -1,
		start + "Failed requests: many\nRequests per second: 1000.00 [#/sec]\n":      -1,
	} {
		all, err := Read("x", []byte(text))
		if err != nil || len(all) != 1 {
			t.Fatalf("%d reports, %v", len(all), err)
		}
		if got := known(all[0].Right); got != right {
			t.Errorf("%d right, want %d:\n%s", got, right, text)
		}
	}
}

func TestNoReport(t *testing.T) {
	for _, text := range []string{"", "\n", "ab is a tool.\n", "Summary:\n\nWe did well.\n", "$ ab -n 10 http://127.0.0.1/\n", "Requests per second: lots\n", "\x00\xff"} {
		_, err := Read("notes.md", []byte(text))
		if none, ok := errors.AsType[*NoReportError](err); !ok || none.File != "notes.md" {
			t.Errorf("%q: error %v", text, err)
		}
	}
	_, err := Read("notes.md", nil)
	for _, want := range []string{"notes.md holds no report", `ab ("Concurrency Level:"`, "wrk and wrk2", "hey", "h2load"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
	if _, err := Read("big", make([]byte, maxText+1)); err == nil || !strings.Contains(err.Error(), "longer than 8 MiB") {
		t.Errorf("error %v", err)
	}
}

// What reports differ in that stand beside each other.
func TestUnlike(t *testing.T) {
	var all []results.Historic
	for _, file := range []string{"ngx_mruby", "ngx_lua", "nginx-static"} {
		all = append(all, read(t, "testdata/ab/"+file+".txt")...)
	}
	want := []string{
		"the answers' bodies differ: 23 B ngx_mruby and ngx_lua, 22 B nginx-static",
		"the answers' heads differ: 121 B ngx_mruby, 147 B ngx_lua, 235 B nginx-static",
	}
	if diff := cmp.Diff(want, Unlike(all)); diff != "" {
		t.Errorf("differences (-want +got):\n%s", diff)
	}
	all = append(read(t, "testdata/wrk/hello.txt"), read(t, "testdata/hey/boom.txt")...)
	want = []string{"the loads differ: 10 connections hello, 50 connections boom", "the load generators differ: wrk hello, hey boom"}
	if diff := cmp.Diff(want, Unlike(all)); diff != "" {
		t.Errorf("differences (-want +got):\n%s", diff)
	}
	if got := Unlike(all[:1]); got != nil {
		t.Errorf("one report differs: %q", got)
	}
}

func files(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob("testdata/*/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no reports: %v", err)
	}
	return paths
}

func read(t *testing.T, path string) []results.Historic {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all, err := Read(path, text)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// golden writes reports without their text.
func golden(t *testing.T, all []results.Historic) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "\t")
	for _, h := range all {
		h.Text = ""
		if err := e.Encode(h); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}
