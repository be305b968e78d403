package scenarios

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"dyno/scenarios/strict"
)

//go:embed *.toml
var shipped embed.FS

// An Entry is a shipped scenario as a list shows it.
type Entry struct{ Name, About string }

// List returns the shipped scenarios in the order of their names. An error would be a fault of the program's own files.
func List() ([]Entry, error) {
	paths, err := fs.Glob(shipped, "*.toml")
	if err != nil {
		return nil, err
	}
	var all []Entry
	for _, path := range paths {
		text, err := shipped.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("reading a shipped scenario: %w", err)
		}
		f := defaults()
		if _, err := strict.Decode(path, text, &f); err != nil {
			return nil, err
		}
		all = append(all, Entry{strings.TrimSuffix(path, ".toml"), f.About})
	}
	slices.SortFunc(all, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) }) // paths sort otherwise: "-" is below "."
	return all, nil
}

// Load reads a scenario: a file of the user's own if the name has a slash or ends in ".toml", else a shipped one. Errors are those
// of [Parse], an unknown name, or a file that cannot be read; all have the exit code 2.
func Load(name string, cat Catalog) (Scenario, error) {
	if strings.Contains(name, "/") || strings.HasSuffix(name, ".toml") {
		text, err := os.ReadFile(name)
		if err != nil {
			return Scenario{}, misusef("reading the scenario: %w", err)
		}
		return Parse(name, text, cat)
	}
	entries, err := List()
	if err != nil {
		return Scenario{}, err
	}
	if !slices.ContainsFunc(entries, func(e Entry) bool { return e.Name == name }) {
		return Scenario{}, unknown(name, entries)
	}
	path := name + ".toml"
	text, err := shipped.ReadFile(path)
	if err != nil {
		return Scenario{}, fmt.Errorf("reading a shipped scenario: %w", err)
	}
	return Parse(path, text, cat)
}

// unknown says that no shipped scenario has the name, and which there are.
func unknown(name string, entries []Entry) error {
	var names []string
	for _, e := range entries {
		names = append(names, e.Name)
	}
	hint := "a file of your own needs a slash in its name or ends in .toml"
	if near, ok := strict.Nearest(name, names); ok {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return misusef("unknown scenario %q; %s (shipped: %s)", name, hint, strings.Join(names, ", "))
}
