package scenarios_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dyno/scenarios"
	"dyno/scenarios/strict"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// catalog is stacks with their parameters.
type catalog map[string]map[string][]string

func (c catalog) Stacks() []string {
	return []string{"apache-static", "fixed", "nginx-lua", "nginx-mruby", "nginx-static"}
}
func (c catalog) Params(stack string) map[string][]string { return c[stack] }

// Refuse forbids apache-static one combination.
func (c catalog) Refuse(stack string, params map[string]string) error {
	if stack == "apache-static" && params["mpm"] == "worker" && params["sendfile"] == "off" {
		return errors.New("stack apache-static cannot have mpm=worker with sendfile=off: a test says so")
	}
	return nil
}

func stacks() catalog {
	nginx := map[string][]string{"config": {"tuned", "stock"}}
	return catalog{
		"apache-static": {"mpm": {"prefork", "worker", "event"}, "sendfile": {"on", "off"}},
		"fixed":         {},
		"nginx-lua":     nginx,
		"nginx-mruby":   nginx,
		"nginx-static":  nginx,
	}
}

func TestParse(t *testing.T) {
	const text = `
about  = "everything that a file can say"
source = "S1"
story  = """
First line.
"""
rounds = 9
isolation = "shared"
control = false

[workload]
connections = [30, 500]
keepalive   = [true, false]
requests    = 100_000
warmup      = "0s"
timeout     = "2s"

[limits]
errors = 0

[[target]]
name   = "post"
stack  = "apache-static"
params = { sendfile = ["off", "on"], mpm = ["event", "prefork"] }
method = "POST"
path   = "/a?b=%20c"
headers = { x-b = "2", X-A = "1\t2", Host = "é" }
body   = "a\u0000\r\nb"
[target.expect]
status = 201
body   = "ok\n"

[[target]]
name = "hash"
stack = "apache-static"
params = { mpm = ["worker"] }
path = "/"
[target.expect]
length = 22
sha256 = "98EA6E4F216F2FB4B69FFF9B3A44842C38686CA685F3F55DC48C5D3FB1107BE4"
content_type = "Text/HTML"

[[target]]
name = "head"
stack = "fixed"
method = "HEAD"
path = "/"

[[target]]
name = "varies"
stack = "fixed"
path = "/"
expect = { varies = true }

[[claim]]
faster = "head"
than = "post[mpm=event,sendfile=on]"
ratio = 2
`
	got, err := scenarios.Parse("dir/all.toml", []byte(text), stacks())
	if err != nil {
		t.Fatal(err)
	}
	post := func(mpm, sendfile string) scenarios.Target {
		return scenarios.Target{
			Name:   fmt.Sprintf("post[mpm=%s,sendfile=%s]", mpm, sendfile),
			Stack:  "apache-static",
			Params: map[string]string{"mpm": mpm, "sendfile": sendfile},
			Mix: one(scenarios.Request{
				Method:  "POST",
				Path:    "/a?b=%20c",
				Headers: []scenarios.Header{{Name: "Host", Value: "é"}, {Name: "X-A", Value: "1\t2"}, {Name: "x-b", Value: "2"}},
				Body:    []byte("a\x00\r\nb"),
			}, scenarios.Expect{
				Status: 201,
				Body:   []byte("ok\n"),
				Length: 3,
				SHA256: "dc51b8c96c2d745df3bd5590d990230a482fd247123599548e0632fdbf97fc22",
			}),
		}
	}
	load := func(connections int, keepAlive bool) scenarios.Workload {
		return scenarios.Workload{Connections: connections, KeepAlive: keepAlive, Requests: 100_000, Timeout: 2 * time.Second}
	}
	want := scenarios.Scenario{
		Name:      "all",
		About:     "everything that a file can say",
		Source:    "S1",
		Story:     "First line.\n",
		Text:      []byte(text),
		Hash:      got.Hash,
		Rounds:    9,
		Isolation: scenarios.Shared,
		Workloads: []scenarios.Workload{load(30, true), load(30, false), load(500, true), load(500, false)},
		Targets: []scenarios.Target{
			post("event", "off"), post("event", "on"), post("prefork", "off"), post("prefork", "on"),
			{
				Name:   "hash",
				Stack:  "apache-static",
				Params: map[string]string{"mpm": "worker", "sendfile": "on"},
				Mix: one(scenarios.Request{Method: "GET", Path: "/"}, scenarios.Expect{
					Status: 200, Length: 22, ContentType: "text/html",
					SHA256: "98ea6e4f216f2fb4b69fff9b3a44842c38686ca685f3f55dc48c5d3fb1107be4",
				}),
			},
			{
				Name: "head", Stack: "fixed", Params: map[string]string{},
				Mix: one(scenarios.Request{Method: "HEAD", Path: "/"}, scenarios.Expect{Status: 200}),
			},
			{
				Name: "varies", Stack: "fixed", Params: map[string]string{},
				Mix: one(scenarios.Request{Method: "GET", Path: "/"}, scenarios.Expect{Status: 200, Length: -1, Varies: true}),
			},
		},
		Claims: []scenarios.Claim{{Faster: "head", Than: "post[mpm=event,sendfile=on]", Ratio: 2}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("scenario (-want +got):\n%s", diff)
	}
	var names []string
	for _, w := range got.Workloads {
		names = append(names, w.Name())
	}
	if diff := cmp.Diff([]string{"c=30 keepalive", "c=30 close", "c=500 keepalive", "c=500 close"}, names); diff != "" {
		t.Errorf("names of workloads (-want +got):\n%s", diff)
	}
}

// one is what a target is asked that is asked one thing.
func one(r scenarios.Request, e scenarios.Expect) []scenarios.Part {
	return []scenarios.Part{{Weight: 1, Request: r, Expect: e}}
}

// A target may be asked several things, by weight.
func TestParseMix(t *testing.T) {
	got, err := scenarios.Parse("mix.toml", []byte(minimal+`
weight = 8
[[target.also]]
path = "/about"
expect = { length = 5, content_type = "text/html" }
[[target.also]]
weight = 3
method = "POST"
path = "/visit"
body = "a=1"
headers = { X-A = "1" }
expect = { varies = true, status = 201 }
`), stacks())
	if err != nil {
		t.Fatal(err)
	}
	want := []scenarios.Part{
		{Weight: 8, Request: scenarios.Request{Method: "GET", Path: "/"}, Expect: scenarios.Expect{Status: 200, Length: 1}},
		{Weight: 1, Request: scenarios.Request{Method: "GET", Path: "/about"}, Expect: scenarios.Expect{Status: 200, Length: 5, ContentType: "text/html"}},
		{
			Weight:  3,
			Request: scenarios.Request{Method: "POST", Path: "/visit", Headers: []scenarios.Header{{Name: "X-A", Value: "1"}}, Body: []byte("a=1")},
			Expect:  scenarios.Expect{Status: 201, Length: -1, Varies: true},
		},
	}
	for _, target := range got.Targets { // the control too
		if diff := cmp.Diff(want, target.Mix); diff != "" {
			t.Errorf("%s (-want +got):\n%s", target.Name, diff)
		}
	}
}

func TestParseDefaults(t *testing.T) {
	got, err := scenarios.Parse("min.toml", []byte(minimal), stacks())
	if err != nil {
		t.Fatal(err)
	}
	want := scenarios.Scenario{
		Name:      "min",
		About:     "x",
		Text:      []byte(minimal),
		Hash:      "0084fbb5009abd039a2b5bd00ca3b49eb3418095a61e20fbc3a7f5044347cc3d",
		Rounds:    7,
		Isolation: scenarios.Split,
		Limits:    scenarios.Limits{Errors: 0.001},
		Workloads: []scenarios.Workload{{
			Connections: 10, KeepAlive: true, Duration: time.Second, Warmup: time.Second, Timeout: 5 * time.Second,
		}},
		Targets: []scenarios.Target{{
			Name: "a", Stack: "nginx-static", Params: map[string]string{"config": "tuned"},
			Mix: one(scenarios.Request{Method: "GET", Path: "/"}, scenarios.Expect{Status: 200, Length: 1}),
		}, {
			Name: "a again", Stack: "nginx-static", Params: map[string]string{"config": "tuned"},
			Mix:       one(scenarios.Request{Method: "GET", Path: "/"}, scenarios.Expect{Status: 200, Length: 1}),
			ControlOf: "a",
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("scenario (-want +got):\n%s", diff)
	}
}

// Rates multiply as other lists do, and have names of their own.
func TestParseRates(t *testing.T) {
	parse := func(keys string) []scenarios.Workload {
		t.Helper()
		s, err := scenarios.Parse("rates.toml", []byte(strings.Replace(minimal, "connections = 10", "connections = [10, 20]\n"+keys, 1)), stacks())
		if err != nil {
			t.Fatal(err)
		}
		return s.Workloads
	}
	open := func(connections int, rate float64, arrivals scenarios.Arrivals) scenarios.Workload {
		return scenarios.Workload{
			Connections: connections, KeepAlive: true, Rate: rate, Arrivals: arrivals,
			Duration: time.Second, Warmup: time.Second, Timeout: 5 * time.Second,
		}
	}
	list := parse("rate = [5000, 0.5]")
	want := []scenarios.Workload{
		open(10, 5000, scenarios.Poisson), open(10, 0.5, scenarios.Poisson), open(20, 5000, scenarios.Poisson), open(20, 0.5, scenarios.Poisson),
	}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Errorf("a list (-want +got):\n%s", diff)
	}
	var names []string
	for _, w := range list {
		names = append(names, w.Name())
	}
	if diff := cmp.Diff([]string{"c=10 keepalive 5000/s", "c=10 keepalive 0.5/s", "c=20 keepalive 5000/s", "c=20 keepalive 0.5/s"}, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	one := parse("rate = 1_000\narrivals = \"constant\"")
	if diff := cmp.Diff([]scenarios.Workload{open(10, 1000, scenarios.Constant), open(20, 1000, scenarios.Constant)}, one); diff != "" {
		t.Errorf("one (-want +got):\n%s", diff)
	}
}

const minimal = `about = "x"
[workload]
connections = 10
duration = "1s"
[[target]]
name = "a"
stack = "nginx-static"
path = "/"
expect.length = 1
`

// TestParseErrors compares what is said about each bad file with the golden text beside it.
func TestParseErrors(t *testing.T) {
	paths, err := filepath.Glob("testdata/bad/*.toml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no bad files: %v", err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		t.Run(strings.TrimSuffix(name, ".toml"), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			_, err = scenarios.Parse(name, text, stacks())
			if err == nil {
				t.Fatal("no error")
			}
			wantExit2(t, err)
			golden(t, strings.TrimSuffix(path, ".toml")+".err", err.Error()+"\n")
		})
	}
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func wantExit2(t *testing.T, err error) {
	t.Helper()
	coded, ok := errors.AsType[interface {
		error
		ExitCode() int
	}](err)
	if !ok || coded.ExitCode() != 2 {
		t.Errorf("exit code of %v is not 2", err)
	}
}

// FuzzParse holds that no text makes Parse panic, that each error has a place in the file, and that what passes can neither end
// a line of the request nor lack a target, a workload or an end.
func FuzzParse(f *testing.F) {
	paths, err := filepath.Glob("testdata/bad/*.toml")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range append(paths, "mruby-vs-lua.toml", "mruby-vs-lua-stock.toml") {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := scenarios.Parse("x.toml", text, stacks())
		if err != nil {
			checkPlaces(t, err, bytes.Count(text, []byte("\n"))+1)
			return
		}
		if len(s.Targets) == 0 || len(s.Workloads) == 0 {
			t.Errorf("%d targets, %d workloads", len(s.Targets), len(s.Workloads))
		}
		for _, target := range s.Targets {
			head := ""
			for _, part := range target.Mix {
				head += part.Method + part.Path
				for _, h := range part.Headers {
					head += h.Name + h.Value
				}
			}
			if strings.ContainsAny(head, "\r\n\x00") {
				t.Errorf("a request's head holds a line end: %q", head)
			}
		}
		for _, w := range s.Workloads {
			if (w.Requests > 0) == (w.Duration > 0) || w.Timeout <= 0 || w.Connections < 1 || w.Rate != 0 && (w.Duration == 0 || !(w.Rate > 0)) {
				t.Errorf("workload %+v", w)
			}
		}
	})
}

func checkPlaces(t *testing.T, err error, lines int) {
	list, ok := errors.AsType[strict.List](err)
	if !ok || len(list) == 0 {
		t.Fatalf("error is a %T: %v", err, err)
	}
	for _, e := range list {
		if e.File != "x.toml" || e.Line < 1 || e.Line > lines || e.Problem == "" {
			t.Errorf("%#v", e)
		}
	}
}

func ExampleParse() {
	s, err := scenarios.Parse("small.toml", []byte(`
about = "two values of one parameter at two loads"
[workload]
connections = [10, 100]
duration    = "5s"
[[target]]
name   = "mruby"
stack  = "nginx-mruby"
params = { config = ["tuned", "stock"] }
path   = "/hello"
expect = { body = "hello\n" }
`), stacks())
	if err != nil {
		log.Fatal(err)
	}
	s, err = s.With(scenarios.Overrides{Rounds: 3})
	if err != nil {
		log.Fatal(err)
	}
	for _, target := range s.Targets {
		for _, w := range s.Workloads {
			fmt.Printf("%s, %s: %d rounds of %v\n", target.Name, w.Name(), s.Rounds, w.Duration)
		}
	}
	// Output:
	// mruby[config=tuned], c=10 keepalive: 3 rounds of 5s
	// mruby[config=tuned], c=100 keepalive: 3 rounds of 5s
	// mruby[config=stock], c=10 keepalive: 3 rounds of 5s
	// mruby[config=stock], c=100 keepalive: 3 rounds of 5s
	// mruby[config=tuned] again, c=10 keepalive: 3 rounds of 5s
	// mruby[config=tuned] again, c=100 keepalive: 3 rounds of 5s
}
