package ab

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const url = "http://127.0.0.1:8080/a"

func TestParse(t *testing.T) {
	body := filepath.Join(t.TempDir(), "body")
	if err := os.WriteFile(body, []byte("a=1"), 0o600); err != nil {
		t.Fatal(err)
	}
	plain := Command{
		Target:   Target{URL: url, Host: "127.0.0.1", Port: 8080, Path: "/a"},
		Requests: 1, Concurrency: 1, Timeout: 30 * time.Second, Method: "GET", BodyType: "text/plain", Tag: "bgcolor=white",
	}
	for line, change := range map[string]func(*Command){
		"":                        func(c *Command) {},
		"-n 10 -c 5":              func(c *Command) { c.Requests, c.Concurrency = 10, 5 },
		"-n10 -c5":                func(c *Command) { c.Requests, c.Concurrency = 10, 5 },
		"-kn 10 -qc5":             func(c *Command) { c.Requests, c.Concurrency, c.KeepAlive, c.Quiet = 10, 5, true, true },
		"-n 7 -t 3":               func(c *Command) { c.Requests, c.Limit = 50000, 3*time.Second },
		"-t 3 -n 7":               func(c *Command) { c.Requests, c.Limit = 7, 3*time.Second },
		"-s 5 -v1":                func(c *Command) { c.Timeout, c.Verbosity = 5*time.Second, 1 },
		"-i":                      func(c *Command) { c.Method = "HEAD" },
		"-p BODY -m PATCH -T a/b": func(c *Command) { c.Method, c.Body, c.HasBody, c.BodyType = "PATCH", []byte("a=1"), true, "a/b" },
		"-u BODY":                 func(c *Command) { c.Method, c.Body, c.HasBody = "PUT", []byte("a=1"), true },
		"-dSlr":                   func(c *Command) { c.NoPercentiles, c.NoConfidence, c.Variable, c.KeepOnErrors = true, true, true, true },
		"-e e.csv -g g.tsv":       func(c *Command) { c.CSV, c.Gnuplot = "e.csv", "g.tsv" },
		"-x border=1 -y a -z b":   func(c *Command) { c.HTML, c.Table, c.Row, c.Tag = true, "border=1", "a", "b" },
		"-C a=1 -C b=2":           func(c *Command) { c.Cookie = "b=2" },
		"-H A:1 -H B:2":           func(c *Command) { c.Headers = []string{"A:1", "B:2"} },
		"-X proxy:3128 -P u:p": func(c *Command) {
			c.Proxy, c.ProxyPort, c.Auth = "proxy", 3128, []string{"Proxy-Authorization: Basic dTpw"}
		},
		"-A u:p -w --": func(c *Command) { c.HTML, c.Auth = true, []string{"Authorization: Basic dTpw"} },
	} {
		t.Run(line, func(t *testing.T) {
			got, err := Parse(append(strings.Fields(strings.ReplaceAll(line, "BODY", body)), url))
			if err != nil {
				t.Fatal(err)
			}
			want := plain
			change(&want)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Asking for help or the version needs nothing else.
func TestParseStopsAtQuestions(t *testing.T) {
	for _, line := range []string{"-h", "-n 5 -V -n zero"} {
		if c, err := Parse(strings.Fields(line)); err != nil || c.Help == c.Version {
			t.Errorf("%s: %+v, %v", line, c, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for line, want := range map[string]string{
		"":                        "give one URL",
		"URL -n 5":                "give one URL, after them",
		"-J URL":                  "no option -J",
		"-n":                      "option -n needs a value",
		"-n 0 URL":                "option -n: 0 is below 1",
		"-n ten URL":              `option -n: "ten" is not a whole number`,
		"-n 10x URL":              `option -n: "10x" is not a whole number`,
		"-c 0 -n 5 URL":           "option -c: 0 is below 1",
		"-c 2 URL":                "concurrency 2 exceeds 1 requests",
		"-n 300000 -c 200001 URL": "above ab's limit",
		"-t 100000 URL":           "above a day",
		"-v 2 URL":                "every head that comes",
		"-b 100 URL":              "option -b: socket buffers",
		"-B 127.0.0.2 URL":        "option -B: a local address",
		"-f TLS1 URL":             "https is not supported",
		"-p nowhere URL":          "nowhere: no such file",
		"-i -p nowhere URL":       "POST cannot be mixed with HEAD",
		"-H garbage URL":          "has no colon",
		"-X :80 URL":              "the proxy has no name",
		"-X p:x URL":              `port "x"`,
		"https://127.0.0.1/":      "https is not supported",
		"ftp://127.0.0.1/":        "scheme is not http",
		"http://127.0.0.1":        "has no path",
		"http://:80/":             "is not a host",
		"http://h:0/":             `port "0"`,
		"http://h:65536/":         `port "65536"`,
		"http://[::1/":            "not an IPv6 address",
		"http://[127.0.0.1]/":     "not an IPv6 address",
		"http://[fe80::1%lo]/":    "not an IPv6 address",
		"http://u@h/":             "is not a host",
		"http://h/a\tb":           "one URL", // Fields splits it
	} {
		if _, err := Parse(strings.Fields(strings.ReplaceAll(line, "URL", url))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", line, err, want)
		}
	}
}

func TestParseTarget(t *testing.T) {
	for text, want := range map[string]Target{
		"127.0.0.1/":                  {Host: "127.0.0.1", Port: 80, Path: "/"},
		"http://localhost:81/a?b=c/d": {Host: "localhost", Port: 81, Path: "/a?b=c/d"},
		"http://[::1]:8080/":          {Host: "::1", Port: 8080, Path: "/"},
		"[::1]/x":                     {Host: "::1", Port: 80, Path: "/x"},
		"h/u?to=http://other/":        {Host: "h", Port: 80, Path: "/u?to=http://other/"},
	} {
		want.URL = text
		got, err := ParseTarget(text)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", text, err, diff)
		}
	}
	if _, err := ParseTarget("h/a b"); err == nil {
		t.Error("a blank in the path is taken")
	}
}

func FuzzParseTarget(f *testing.F) {
	for _, seed := range []string{url, "[::1]:1/", "https://h/", "h:/", "[]/", "]:1/"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ParseTarget(text)
		if err == nil && (got.Host == "" || got.Port == 0 || got.Path[0] != '/' || !strings.HasSuffix(text, got.Path)) {
			t.Errorf("%q gives %+v", text, got)
		}
	})
}

func TestHeartbeat(t *testing.T) {
	for n, want := range map[int]int{1: 0, 150: 0, 151: 100, 1000: 100, 1009: 100, 5000: 500} {
		if got := (Command{Requests: n}).Heartbeat(); got != want {
			t.Errorf("%d requests: every %d, want %d", n, got, want)
		}
	}
	if (Command{Requests: 1000, Quiet: true}).Heartbeat() != 0 {
		t.Error("-q is not quiet")
	}
}
