package containers

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestShippedStacksAreSound(t *testing.T) {
	c, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Broken(); err != nil {
		t.Fatal(err)
	}
	for _, name := range c.Stacks() {
		s, _ := c.Stack(name)
		for _, sv := range s.Services {
			if sv.Image == "" && len(sv.Crash) == 0 {
				t.Errorf("%s: service %s names no crash pattern", name, sv.Name)
			}
		}
		if s.Connections == 0 {
			t.Errorf("%s does not state how many connections its configuration admits", name)
		}
	}
	if !slices.Contains(c.Stacks(), "nginx-mruby") {
		t.Errorf("nginx-mruby is not among %v", c.Stacks())
	}
}

// open reads a folder with one stack, x.
func open(t *testing.T, toml string) (*Catalog, error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"stack.toml": toml, "Dockerfile": "FROM scratch\nARG MPM\n"} {
		if err := os.WriteFile(filepath.Join(dir, "x", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Open(dir)
	if err != nil {
		return nil, err
	}
	return c, c.Broken()
}

func TestMistakesInStacks(t *testing.T) {
	for name, c := range map[string]struct{ toml, want string }{
		"no service":          {"about = \"a\"\n", "no [[service]]"},
		"no about":            {"[[service]]\nname = \"w\"\nbuild = \".\"\n", "about"},
		"unknown key":         {"about = \"a\"\n[[service]]\nname = \"w\"\nbiuld = \".\"\n", "stack.toml:4: service.biuld: unknown key; did you mean \"build\""},
		"build and image":     {"about = \"a\"\n[[service]]\nname = \"w\"\nbuild = \".\"\nimage = \"b\"\n", "either build"},
		"no Dockerfile":       {"about = \"a\"\n[[service]]\nname = \"w\"\nbuild = \"sub\"\n", "stack.toml:4: service.build: no file sub/Dockerfile"},
		"two of one name":     {"about = \"a\"\n[[service]]\nname = \"w\"\nbuild = \".\"\n[[service]]\nname = \"w\"\nbuild = \".\"\n", "stack.toml:6: service.name"},
		"the engine's name":   {"about = \"a\"\n[[service]]\nname = \"engine\"\nbuild = \".\"\n", "is taken"},
		"unknown placeholder": {"about = \"a\"\n[params.mpm]\nabout = \"m\"\nvalues = [\"event\"]\n[[service]]\nname = \"w\"\nbuild = \".\"\ncommand = [\"{mpn}\"]\n", "{mpn} is no parameter; did you mean \"mpm\""},
		"cpus as a parameter": {"about = \"a\"\n[params.cpus]\nabout = \"m\"\nvalues = [\"1\"]\n[[service]]\nname = \"w\"\nbuild = \".\"\n", "the name is taken"},
		"negative ready":      {"about = \"a\"\nready = \"-5s\"\n[[service]]\nname = \"w\"\nbuild = \".\"\n", "stack.toml:2: ready"},
		"bad image":           {"about = \"a\"\n[[service]]\nname = \"w\"\nimage = \"Foo Bar\"\n", "stack.toml:4: service.image"},
		"user by name":        {"about = \"a\"\n[[service]]\nname = \"w\"\nbuild = \".\"\nuser = \"www-data\"\n", "stack.toml:5: service.user"},
		"relative tmpfs":      {"about = \"a\"\n[[service]]\nname = \"w\"\nbuild = \".\"\ntmpfs = [\"tmp\"]\n", "stack.toml:5: service.tmpfs"},
		"no capability":       {"about = \"a\"\n[[service]]\nname = \"w\"\nbuild = \".\"\ncap_add = [\"NET_BIND\"]\n", "stack.toml:5: service.cap_add: \"NET_BIND\" is no capability"},
		"no signal":           {"about = \"a\"\n[[service]]\nname = \"w\"\nbuild = \".\"\nstop_signal = \"BANANA\"\n", "stack.toml:5: service.stop_signal"},
		"undeclared argument": {"about = \"a\"\n[[service]]\nname = \"w\"\nbuild = \".\"\nargs = { MPN = \"x\" }\n", "stack.toml:5: service.args.MPN: the Dockerfile has no ARG MPN"},
		"placeholder in env":  {"about = \"a\"\n[[service]]\nname = \"w\"\nbuild = \".\"\nenv = { A = \"{x}\" }\n", "stack.toml:5: service.env: {x} is no parameter"},
		"bad pattern":         {"about = \"a\"\n[[service]]\nname = \"w\"\nbuild = \".\"\ncrash = [\"(\"]\n", "stack.toml:5: service.crash"},
		"unknown base":        {"about = \"a\"\nbase = \"ngnix\"\n", "stack.toml:2: base: no base recipe ngnix; did you mean \"nginx\""},
		"port out of range":   {"about = \"a\"\n[[service]]\nname = \"w\"\nbuild = \".\"\nport = 9095\nreplicas = 6\n", "stack.toml:5: service.port: 9095 to 9100; services' own ports are 9000 to 9099"},
		"negative replicas":   {"about = \"a\"\n[[service]]\nname = \"w\"\nbuild = \".\"\nreplicas = -1\n", "stack.toml:5: service.replicas: -1 is not within 0 to 64"},
		"one port twice":      {"about = \"a\"\n[[service]]\nname = \"w\"\nbuild = \".\"\nport = 9001\nreplicas = 2\n[[service]]\nname = \"v\"\nbuild = \".\"\nport = 9002\n", "stack.toml:10: service.port: port 9002 belongs"},
		"a replica's name":    {"about = \"a\"\n[[service]]\nname = \"w\"\nbuild = \".\"\nreplicas = 2\n[[service]]\nname = \"w-2\"\nbuild = \".\"\n", "stack.toml:7: service.name: \"w-2\""},
		"port without port":   {"about = \"a\"\n[[service]]\nname = \"w\"\nbuild = \".\"\ncommand = [\"{port}\"]\n", "stack.toml:5: service.command: {port} is used, and the service has no port"},
		"empty fact":          {"about = \"a\"\n[[service]]\nname = \"w\"\nbuild = \".\"\nfacts = { version = [] }\n", "stack.toml:5: service.facts.version: no command"},
		"forbidden unknown":   {"about = \"a\"\n[params.mpm]\nabout = \"m\"\nvalues = [\"event\"]\n[[forbid]]\nwhen = { mpm = \"evnt\" }\nbecause = \"b\"\n[[service]]\nname = \"w\"\nbuild = \".\"\n", "stack.toml:6: forbid.when.mpm: the parameter has no value \"evnt\"; did you mean \"event\""},
		"input as parameter":  {"about = \"a\"\n[params.mpm]\nabout = \"m\"\nvalues = [\"event\"]\n[inputs.mpm]\nabout = \"i\"\n[[service]]\nname = \"w\"\nbuild = \".\"\n", "stack.toml:5: inputs.mpm: the name is taken"},
		"bad duration":        {"about = \"a\"\nready = \"soon\"\n[[service]]\nname = \"w\"\nbuild = \".\"\n", "stack.toml:2: ready"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := open(t, c.toml)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("the error is %v, want one with %q", err, c.want)
			}
			if coded, ok := errors.AsType[*UsageError](err); !ok || coded.ExitCode() != 2 {
				t.Errorf("the error %v has no exit code 2", err)
			}
		})
	}
}

func TestConfigure(t *testing.T) {
	c, err := open(t, `
about = "a"
[params.mpm]
about = "the worker model"
values = ["event", "prefork"]
[[service]]
name = "w"
build = "."
args = { MPM = "{mpm}" }
env = { WORKERS = "{cpus}" }
command = ["httpd", "-D{mpm}", "-c", "Workers {cpus}"]
`)
	if err != nil {
		t.Fatal(err)
	}
	s, _ := c.Stack("x")
	for _, test := range []struct {
		params map[string]string
		want   []string
	}{
		{nil, []string{"httpd", "-Devent", "-c", "Workers 3"}},
		{map[string]string{"mpm": "prefork"}, []string{"httpd", "-Dprefork", "-c", "Workers 3"}},
	} {
		got := s.Configure(test.params, 3)
		sv := got.Services[0]
		if !slices.Equal(sv.Command, test.want) || sv.Env["WORKERS"] != "3" || sv.Args["MPM"] != got.Chosen()["mpm"] {
			t.Errorf("with %v: command %q, env %v, args %v", test.params, sv.Command, sv.Env, sv.Args)
		}
	}
	if s.Services[0].Command[1] != "-D{mpm}" {
		t.Error("configuring changed the catalog's stack")
	}
	sv := s.Services[0]
	if s.Ready != 30*time.Second || sv.User != "10001:10001" || !slices.Equal(sv.Tmpfs, []string{"/tmp", "/run"}) || sv.StopSignal != "SIGTERM" {
		t.Errorf("defaults: ready %v, user %s, tmpfs %v, stop signal %s", s.Ready, sv.User, sv.Tmpfs, sv.StopSignal)
	}
	if want := map[string]string{"/tmp": "noexec,nosuid,uid=10001,gid=10001", "/run": "noexec,nosuid,uid=10001,gid=10001"}; !maps.Equal(tmpfs(sv), want) {
		t.Errorf("tmpfs %v, want %v", tmpfs(sv), want)
	}
}

// A pod of an application in three replicas behind a proxy.
func TestReplicas(t *testing.T) {
	c, err := open(t, `
about = "a"
[[service]]
name = "app"
build = "."
replicas = 3
port = 9001
command = ["app", "--port", "{port}"]
[[service]]
name = "proxy"
build = "."
`)
	if err != nil {
		t.Fatal(err)
	}
	s, _ := c.Stack("x")
	var got []string
	for _, sv := range s.Configure(nil, 1).Services {
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s of %q %v", sv.Name, sv.Of, sv.Command)))
	}
	want := []string{
		`app-1 of "app" [app --port 9001]`, `app-2 of "app" [app --port 9002]`, `app-3 of "app" [app --port 9003]`, `proxy of "" []`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("configured as %q, want %q", got, want)
	}
	if a, b := s.Services[0].expand()[1].repository(s), s.Services[1].repository(s); a != "dyno/x" || b != "dyno/x" {
		t.Errorf("one folder's image is called %s and %s", a, b)
	}
}

// What a base says holds unless the stack says otherwise.
func TestBase(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"base/web/Dockerfile": "FROM scratch\n",
		"base/web/stack.toml": `
about = "what all of them share"
connections = 200
ready = "7s"
[params.mpm]
about = "the worker model"
values = ["event", "prefork"]
[[forbid]]
when = { mpm = "prefork", tls = "on" }
because = "so"
[[service]]
name = "web"
build = "."
command = ["web", "{mpm}"]
env = { A = "1", B = "2" }
crash = ["died"]
stop_signal = "SIGQUIT"
`,
		"base/tls/stack.toml":  "about = \"what those with TLS share\"\nbase = \"web\"\n[params.tls]\nabout = \"TLS\"\nvalues = [\"off\", \"on\"]\n",
		"base/loop/stack.toml": "about = \"a loop\"\nbase = \"loop\"\n",
		"looped/stack.toml":    "about = \"on a loop\"\nbase = \"loop\"\n",
		"x/Dockerfile":         "FROM dyno/base/web\n",
		"x/stack.toml": `
about = "one of them"
base = "tls"
ready = "9s"
[params.mpm]
about = "the worker model"
values = ["prefork", "event"]
[[service]]
name = "app"
build = "."
[[service]]
name = "web"
env = { B = "3" }
crash = []
`,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Broken(); err == nil || !strings.HasSuffix(err.Error(), "base/loop/stack.toml:2: base: it stands on itself: loop → loop") {
		t.Errorf("a base that stands on itself: %v", err)
	}
	s, _ := c.Stack("x")
	if s.About != "one of them" || s.Connections != 200 || s.Ready != 9*time.Second || s.Params["mpm"].Values[0] != "prefork" {
		t.Errorf("%q, %d connections, ready in %v, %v", s.About, s.Connections, s.Ready, s.Params["mpm"])
	}
	if len(s.Services) != 2 || s.Services[0].Name != "app" {
		t.Fatalf("services %+v, want the stack's own order", s.Services)
	}
	web := s.Configure(nil, 1).Services[1]
	if !slices.Equal(web.Command, []string{"web", "prefork"}) || web.Build != "." || web.StopSignal != "SIGQUIT" || len(web.Crash) != 0 {
		t.Errorf("the inherited service: %+v", web)
	}
	if want := map[string]string{"A": "1", "B": "3"}; !maps.Equal(web.Env, want) {
		t.Errorf("its environment %v, want %v", web.Env, want)
	}
	const refusal = "stack x cannot have mpm=prefork with tls=on: so"
	if err := c.Refuse("x", map[string]string{"tls": "on"}); err == nil || err.Error() != refusal {
		t.Errorf("prefork with TLS: %v, want %q", err, refusal)
	}
	if err := c.Refuse("x", map[string]string{"tls": "on", "mpm": "event"}); err != nil {
		t.Errorf("event with TLS: %v", err)
	}
	files, _, err := s.Files()
	if err != nil || !slices.ContainsFunc(files, func(f File) bool { return f.Path == "base/web/stack.toml" }) {
		t.Errorf("the base's stack.toml is not among the stack's files (%v)", err)
	}
}

// A stack whose input nobody gives is missing; a broken one spoils no other.
func TestInputsAndBrokenStacks(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"x/Dockerfile":      "FROM scratch\nARG SOURCE\n",
		"x/stack.toml":      "about = \"x\"\n[inputs.source]\nabout = \"where it is\"\n[[service]]\nname = \"w\"\nbuild = \".\"\nargs = { SOURCE = \"{source}\" }\n",
		"broken/stack.toml": "about = 1\n",
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Refuse("broken", nil); err == nil || !strings.Contains(err.Error(), "broken/stack.toml:1") || c.Broken() == nil {
		t.Errorf("the broken stack: %v, %v", err, c.Broken())
	}
	if _, ok := c.Stack("broken"); ok || !slices.Contains(c.Stacks(), "broken") {
		t.Errorf("the broken stack can be used, or is not among %v", c.Stacks())
	}
	s, _ := c.Stack("x")
	_, missing := errors.AsType[*MissingError](s.Missing())
	if want := "it needs source, where it is: give --input source=…"; !missing || s.Missing().Error() != want {
		t.Errorf("without its input: %v, want %q", s.Missing(), want)
	}
	if err := c.Give(map[string]string{"sauce": "x"}); err == nil || !strings.Contains(err.Error(), "no stack has an input sauce; there are: ") {
		t.Errorf("an unknown input: %v", err)
	}
	if err := c.Give(map[string]string{"source": "here"}); err != nil || s.Missing() != nil {
		t.Errorf("with its input: %v, %v", err, s.Missing())
	}
	if sv := s.Configure(nil, 1).Services[0]; sv.Args["SOURCE"] != "here" {
		t.Errorf("build arguments %v", sv.Args)
	}
}

func TestFolderWithoutStacks(t *testing.T) {
	if _, err := Open(t.TempDir()); err == nil || !strings.Contains(err.Error(), "no stack in") {
		t.Errorf("an empty folder of stacks: %v", err)
	}
}
