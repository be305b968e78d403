package scenarios_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dyno/containers"
	"dyno/scenarios"
)

// TestShipped holds that every shipped scenario is right as it stands and tells where it comes from.
func TestShipped(t *testing.T) {
	entries, err := scenarios.List()
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) < 2 {
		t.Fatalf("%d scenarios are shipped", len(entries))
	}
	catalog, err := containers.Open()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		s, err := scenarios.Load(e.Name, catalog)
		if err != nil {
			t.Error(err)
			continue
		}
		if s.Name != e.Name || s.About != e.About || s.Story == "" {
			t.Errorf("%s: listed as %+v, story of %d bytes", s.Name, e, len(s.Story))
		}
	}
}

// TestSeedS4 holds that the stock scenario asks for what the post asked for.
func TestSeedS4(t *testing.T) {
	s, err := scenarios.Load("mruby-vs-lua-stock", stacks())
	if err != nil {
		t.Fatal(err)
	}
	for i, length := range []int64{23, 23, 22} {
		if got := s.Targets[i]; got.Mix[0].Expect.Length != length || got.Params["config"] != "stock" {
			t.Errorf("%s: %d bytes with config %s, want %d with stock", got.Name, got.Mix[0].Expect.Length, got.Params["config"], length)
		}
	}
	if w := s.Workloads[0]; w.Name() != "c=100 keepalive" || w.Requests != 1_000_000 || s.Source != "S4" {
		t.Errorf("%s: %s, %d requests", s.Source, w.Name(), w.Requests)
	}
}

func TestLoadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "own.toml")
	if err := os.WriteFile(path, []byte(minimal), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.Load(path, stacks())
	if err != nil || s.Name != "own" {
		t.Errorf("loaded %q, %v", s.Name, err)
	}
	t.Chdir(filepath.Dir(path))
	if s, err = scenarios.Load("own.toml", stacks()); err != nil || s.Name != "own" {
		t.Errorf("loaded %q from the working directory, %v", s.Name, err)
	}
	_, err = scenarios.Load("./none.toml", stacks())
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error for a file that is not there: %v", err)
	}
	wantExit2(t, err)
}

func TestLoadUnknown(t *testing.T) {
	tests := []struct{ name, want string }{
		{"mruby-vs-lau", `unknown scenario "mruby-vs-lau"; did you mean "mruby-vs-lua"? (shipped: `},
		{"", `unknown scenario ""; a file of your own needs a slash in its name or ends in .toml (shipped: `},
	}
	for _, tt := range tests {
		_, err := scenarios.Load(tt.name, stacks())
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) || !strings.Contains(err.Error(), "mruby-vs-lua, mruby-vs-lua-stock") {
			t.Errorf("Load(%q): %v, want %s…", tt.name, err, tt.want)
			continue
		}
		wantExit2(t, err)
	}
}
