package containers

import (
	"errors"
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
	return Open(dir)
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

func TestFolderWithoutStacks(t *testing.T) {
	if _, err := Open(t.TempDir()); err == nil || !strings.Contains(err.Error(), "no stack in") {
		t.Errorf("an empty folder of stacks: %v", err)
	}
}
