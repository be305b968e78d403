package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// needAB returns the path of ApacheBench. Where it is not installed the test is
// skipped, but in CI it fails.
func needAB(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("ab")
	if err != nil && os.Getenv("CI") != "" {
		t.Fatal("ab is not installed; make test-deps installs it")
	} else if err != nil {
		t.Skip("ab is not installed; make test-deps installs it")
	}
	return path
}

// A said is what a command said and exited with.
type said struct {
	stdout, stderr string
	code           int
}

func runReal(t *testing.T, path string, args ...string) said {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(path, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return said{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

func runOurs(t *testing.T, args ...string) said {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), args, strings.NewReader(""), &stdout, &stderr)
	return said{stdout.String(), stderr.String(), code}
}

// Answers of scripts.
const (
	helloClose = "HTTP/1.0 200 OK\r\nServer: tiny/1.0 (test)\r\nContent-Length: 5\r\n\r\nhello"
	helloKeep  = "HTTP/1.0 200 OK\r\nServer: tiny/1.0\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\nhello"
)

func always(text string, end ending) script { return func(int) reply { return reply{text, end} } }

// except answers some requests otherwise.
func except(usual reply, others map[int]reply) script {
	return func(n int) reply {
		if a, ok := others[n]; ok {
			return a
		}
		return usual
	}
}

func bodyOf(n int) string {
	return fmt.Sprintf("HTTP/1.0 200 OK\r\nContent-Length: %d\r\n\r\n%s", n, strings.Repeat("x", n))
}

// A reportCase is a command line of ab and the server that it meets.
type reportCase struct {
	flags  string
	script script
	code   int // of dyno
}

// reportCases are those in which the whole report is ab's; file is sent where
// there is a body.
func reportCases(file string) map[string]reportCase {
	hello := reply{helloClose, closes}
	return map[string]reportCase{
		"fixed length":         {"-n 20 -c 4", always(helloClose, closes), 0},
		"one request":          {"", always(helloClose, closes), 0},
		"progress":             {"-n 250 -c 2", always(helloClose, closes), 0},
		"no progress":          {"-n 250 -q", always(helloClose, closes), 0},
		"varying lengths":      {"-n 10", func(n int) reply { return reply{bodyOf(n%3 + 1), closes} }, 3},
		"varying and accepted": {"-n 10 -l", func(n int) reply { return reply{bodyOf(n%3 + 1), closes} }, 0},
		"not 2xx":              {"-n 9", except(hello, map[int]reply{2: {"HTTP/1.0 404 Not Found\r\nContent-Length: 5\r\n\r\nhello", closes}, 5: {"HTTP/1.0 302 Found\r\nContent-Length: 5\r\n\r\nhello", closes}}), 3},
		"never 2xx":            {"-n 4", always("HTTP/1.0 500 Error\r\nContent-Length: 2\r\n\r\nno", closes), 3},
		"keep-alive":           {"-kn 20 -c 4", always(helloKeep, keeps), 0},
		"keep-alive, then close": {"-k -n 12", func(n int) reply {
			if n%5 == 0 {
				return hello
			}
			return reply{helloKeep, keeps}
		}, 0},
		"keep-alive, excess":    {"-k -n 6", except(reply{helloKeep, keeps}, map[int]reply{4: {helloKeep + "!", keeps}}), 3},
		"keep-alive refused":    {"-k -n 4", always(helloClose, closes), 0},
		"until the end":         {"-n 6", always("HTTP/1.0 200 OK\r\n\r\nuntil the end", closes), 0},
		"empty body":            {"-n 6", always("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", closes), 0},
		"no body, keep-alive":   {"-k -n 6", always("HTTP/1.0 200 OK\r\nKeep-Alive: timeout=5\r\nConnection: Keep-Alive\r\nContent-Length: 0\r\n\r\n", keeps), 0},
		"large body":            {"-n 5 -c 2", always(bodyOf(100_000), closes), 0},
		"HEAD":                  {"-i -n 5", always("HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\n", closes), 0},
		"HEAD, keep-alive":      {"-ik -n 5", always("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\n", keeps), 0},
		"POST":                  {"-n 5 -p " + file, always(bodyOf(7), closes), 0},
		"PUT, keep-alive":       {"-n 5 -k -T a/b -u " + file, always(strings.Replace(helloKeep, "Server: tiny/1.0\r\n", "", 1), keeps), 0},
		"LF only":               {"-n 3", always("HTTP/1.0 200 OK\nServer: lf\n\nhello", closes), 0},
		"reset":                 {"-r -n 6", except(hello, map[int]reply{4: {"", resets}}), 3},
		"closed without answer": {"-n 6", except(hello, map[int]reply{4: {"", closes}}), 3},
		"short body":            {"-n 6", except(hello, map[int]reply{4: {helloClose[:len(helloClose)-2], closes}}), 3},
		"HTML":                  {"-w -n 6", always(helloClose, closes), 0},
		"HTML with attributes":  {"-x border=1 -y align=left -z bgcolor=red -kn 6", always(helloKeep, keeps), 0},
		"HTML of failures":      {"-w -n 6 -p " + file, func(n int) reply { return reply{bodyOf(n), closes} }, 3},
		"plain":                 {"-dS -n 6", always(helloClose, closes), 0},
		"proxy":                 {"-n 3 -X PROXY", always(helloClose, closes), 0},
	}
}

// The report is ab's, line by line, but for times and rates.
func TestReportIsABs(t *testing.T) {
	path := needAB(t)
	file := filepath.Join(t.TempDir(), "body")
	if err := os.WriteFile(file, []byte("name=value&more"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range reportCases(file) {
		t.Run(name, func(t *testing.T) {
			server := serveScript(t, c.script)
			args := strings.Fields(strings.ReplaceAll(c.flags, "PROXY", server.addr))
			url := "http://" + server.addr + "/some/path?a=b"
			if strings.Contains(c.flags, "PROXY") {
				url = "http://127.0.0.2:81/path"
			}
			args = append(args, url)
			theirs := runReal(t, path, args...)
			sent := server.forget()
			ours := runOurs(t, append([]string{"ab"}, args...)...)
			if theirs.code != 0 || ours.code != c.code {
				t.Errorf("ab exits %d; dyno exits %d, want %d\n%s%s", theirs.code, ours.code, c.code, theirs.stderr, ours.stderr)
			}
			report, truth, ok := cutTruth(ours.stdout)
			if !ok {
				t.Fatalf("no true outcomes in\n%s", ours.stdout)
			}
			if diff := cmp.Diff(masked(theirs.stdout), masked(report)); diff != "" {
				t.Errorf("the report differs (-ab +dyno):\n%s%s", diff, truth)
			}
			if diff := cmp.Diff(theirs.stderr, ours.stderr); diff != "" {
				t.Errorf("standard error differs (-ab +dyno):\n%s", diff)
			}
			if got := server.forget(); len(got) != len(sent)+asked(args) {
				t.Errorf("ab sent %d requests, dyno %d, of which %d asked for the server's name", len(sent), len(got), asked(args))
			}
			if told := strings.Contains(truth, "one request more"); told != (asked(args) == 1) {
				t.Errorf("whether one request more was sent is not told:\n%s", truth)
			}
			checkRates(t, report)
		})
	}
}

// asked is how many requests dyno sends behind the run.
func asked(args []string) int {
	if slices.Contains(args, "-p") || slices.Contains(args, "-u") {
		return 0
	}
	return 1
}

// cutTruth splits what is ab's from what dyno adds.
func cutTruth(text string) (report, truth string, ok bool) {
	report, truth, ok = strings.Cut(text, "\nTrue outcomes of ")
	return strings.TrimSuffix(report, "<pre>"), truth, ok
}

var (
	timed  = regexp.MustCompile(`(?m)^(?:<tr [^>]*><th [^>]*>)?(?:Time taken|Requests per second|Time per request|Transfer rate| {24}|Connect:|Processing:|Waiting:|Total:| +\d+% ).*$|kb/s (?:sent|total)|^.*kb/s.*$`)
	digits = regexp.MustCompile(` *[0-9]+(\.[0-9]+)?`)
	doubts = regexp.MustCompile(`(?m)^(WARNING|ERROR): The median and mean.*\n.*\n`)
	labels = regexp.MustCompile(`^( +\d+%)`)
)

// masked replaces the figures of lines about times, and leaves the doubts about
// them out.
func masked(text string) string {
	return timed.ReplaceAllStringFunc(doubts.ReplaceAllString(text, ""), func(line string) string {
		label := labels.FindString(line)
		return label + digits.ReplaceAllString(line[len(label):], " #")
	})
}

// checkRates holds the derived lines of a report against its counts and time.
func checkRates(t *testing.T, report string) {
	t.Helper()
	figure := func(pattern string) float64 {
		found := regexp.MustCompile(pattern).FindStringSubmatch(report)
		if found == nil {
			return math.NaN()
		}
		f, err := strconv.ParseFloat(found[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	taken, n, c := figure(`Time taken for tests: +(\S+) s`), figure(`Complete requests: +(\d+)`), figure(`Concurrency Level: +(\d+)`)
	if math.IsNaN(taken) {
		return // HTML, whose figures are the same
	}
	each, all, persec := figure(`Time per request: +(\S+) \[ms\] \(mean\)`), figure(`Time per request: +(\S+) \[ms\] \(mean, across`), figure(`Requests per second: +(\S+)`)
	if got := all * n / 1000; math.Abs(got-taken) > 0.0005+n*0.0005/1000 {
		t.Errorf("%v requests at %v ms make %v s, not %v", n, all, got, taken)
	}
	if math.Abs(each-all*c) > 0.0005*(c+1) {
		t.Errorf("%v ms across all, but %v each of %v", all, each, c)
	}
	if math.Abs(persec*each/c-1000) > 1000*(0.0005/each+0.005/persec)*1.01 {
		t.Errorf("%v requests a second, but %v ms each of %v", persec, each, c)
	}
	if rate, bytes := figure(`Transfer rate: +(\S+)`), figure(`Total transferred: +(\d+)`); math.Abs(rate*n/persec*1024-bytes) > bytes*(0.005/rate+0.005/persec)*1.01 {
		t.Errorf("%v KiB/s and %v bytes do not fit %v requests a second", rate, bytes, persec)
	}
}

// What ab would have ended with stands below the report that it would not give.
func TestReportWhereABGivesUp(t *testing.T) {
	path := needAB(t)
	server := serveScript(t, except(reply{helloClose, closes}, map[int]reply{4: {"", resets}}))
	url := "http://" + server.addr + "/"
	theirs := runReal(t, path, "-n", "6", url)
	server.forget()
	ours := runOurs(t, "ab", "-n", "6", url)
	want := fmt.Sprintf("after 3 requests: %s", theirs.stderr)
	if theirs.code == 0 || !strings.HasSuffix(theirs.stdout, "Total of 3 requests completed\n") {
		t.Fatalf("ab did not give up: %+v", theirs)
	}
	if ours.code != exitInvalid || !strings.Contains(ours.stdout, want) {
		t.Errorf("exit %d, no %q in\n%s", ours.code, want, ours.stdout)
	}
}

// The bytes on the wire are ab's.
func TestRequestIsABs(t *testing.T) {
	path := needAB(t)
	file := filepath.Join(t.TempDir(), "body")
	if err := os.WriteFile(file, []byte("a=1\r\n\r\nb=2"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{},
		{"-k"},
		{"-i"},
		{"-ik"},
		{"-C", "a=1"},
		{"-C", "a=1", "-C", "b=2"},
		{"-A", "user:word", "-P", "proxy:word"},
		{"-A", "  user:word"},
		{"-H", "X-One: 1", "-H", "X-Two: 2"},
		{"-H", "Host: example.com"},
		{"-H", "user-agent: me", "-H", "ACCEPT: text/html"},
		{"-H", "Accept-Encoding: gzip", "-k"},
		{"-H", "Connection: close"},
		{"-p", file},
		{"-p", file, "-T", "application/json"},
		{"-u", file, "-k", "-H", "X: 1", "-C", "c=d", "-A", "u:p"},
		{"-p", file, "-m", "PATCH"},
		{"-m", "DELETE"},
		{"-m", "OPTIONS", "-k"},
		{"-X", "PROXY"},
	} {
		t.Run(strings.ReplaceAll(strings.Join(args, " "), file, "FILE"), func(t *testing.T) {
			text := helloClose
			if slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "-i") }) {
				text = strings.TrimSuffix(text, "hello")
			}
			server := serveScript(t, always(text, closes))
			url := "http://" + server.addr + "/a?b=c#d"
			line := strings.Split(strings.ReplaceAll(strings.Join(args, "\n"), "PROXY", server.addr), "\n")
			if len(args) == 0 {
				line = nil
			}
			line = append(line, url)
			runReal(t, path, line...)
			want := server.forget()
			if ours := runOurs(t, append([]string{"ab"}, line...)...); ours.code != 0 {
				t.Fatalf("exit %d: %s", ours.code, ours.stderr)
			}
			if diff := cmp.Diff(want, server.forget()[:1]); diff != "" {
				t.Errorf("-ab +dyno:\n%s", diff)
			}
		})
	}
}

// The files of -e and -g have ab's form.
func TestFilesAreABs(t *testing.T) {
	path := needAB(t)
	server := serveScript(t, always(helloClose, closes))
	form := func(run func(args ...string) said) (csv, tsv string) {
		dir := t.TempDir()
		e, g := filepath.Join(dir, "e"), filepath.Join(dir, "g")
		if s := run("-n", "30", "-e", e, "-g", g, "http://"+server.addr+"/"); s.code != 0 {
			t.Fatalf("%+v", s)
		}
		read := func(file string) string {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		return regexp.MustCompile(`(?m),\d+\.\d{3}$`).ReplaceAllString(read(e), ",#"),
			regexp.MustCompile(`(?m)^[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d \d{4}\t\d{10}(\t\d+){4}$`).ReplaceAllString(read(g), "#")
	}
	csv, tsv := form(func(args ...string) said { return runReal(t, path, args...) })
	ourCSV, ourTSV := form(func(args ...string) said { return runOurs(t, append([]string{"ab"}, args...)...) })
	if diff := cmp.Diff(csv, ourCSV); diff != "" {
		t.Errorf("-e (-ab +dyno):\n%s", diff)
	}
	if diff := cmp.Diff(tsv, ourTSV); diff != "" || strings.Count(ourTSV, "#\n") != 30 {
		t.Errorf("-g (-ab +dyno):\n%s", diff)
	}
}

// One connection starts, and the others once it has a head.
func TestStartIsABs(t *testing.T) {
	path := needAB(t)
	var early atomic.Int64
	var server *scripted
	server = serveScript(t, func(n int) reply {
		if n == 1 {
			time.Sleep(50 * time.Millisecond)
			early.Store(int64(server.noted()))
		}
		return reply{helloClose, closes}
	})
	for name, run := range map[string]func(...string) said{
		"ab":   func(args ...string) said { return runReal(t, path, args...) },
		"dyno": func(args ...string) said { return runOurs(t, append([]string{"ab"}, args...)...) },
	} {
		server.forget()
		if got := run("-n", "12", "-c", "6", "http://"+server.addr+"/"); got.code != 0 || early.Load() != 1 {
			t.Errorf("%s: %d requests before the first answer; %+v", name, early.Load(), got)
		}
	}
}

// A run by time stops there; what was in flight is no failure.
func TestLimit(t *testing.T) {
	server := serveScript(t, func(int) reply { time.Sleep(5 * time.Millisecond); return reply{helloKeep, keeps} })
	got := runOurs(t, "ab", "-k", "-t", "1", "-c", "2", "http://"+server.addr+"/")
	var complete int
	if _, after, ok := strings.Cut(got.stdout, "\nComplete requests: "); ok {
		fmt.Sscan(after, &complete)
	}
	if n := len(server.forget()) - 1; got.code != 0 || complete == 0 || complete > n || complete < n-2 {
		t.Errorf("%d complete of %d sent; %+v", complete, n, got)
	}
	if !strings.Contains(got.stdout, "Time taken for tests:   1.000 seconds\n") {
		t.Errorf("the time taken is not the limit:\n%s", got.stdout)
	}
}

// Nobody answers within -s.
func TestTimeout(t *testing.T) {
	release := make(chan struct{})
	server := serveScript(t, func(int) reply { <-release; return reply{} })
	t.Cleanup(func() { close(release) })
	got := runOurs(t, "ab", "-s", "1", "-n", "2", "-c", "2", "http://"+server.addr+"/")
	if got.code != exitInvalid || !strings.Contains(got.stdout, "request timeout") {
		t.Errorf("%+v", got)
	}
}
