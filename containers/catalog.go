// Package containers holds the stacks and drives Docker.
//
// A stack is a folder here, or in a folder of the user's: a stack.toml, and for
// each image a Dockerfile with its configuration and application. Adding one
// takes no line of Go. The rest of the package builds their images, boots them
// as pods and removes them again, through testcontainers-go. It decides nothing
// about scenarios, load or judgement.
package containers

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"

	"dyno/scenarios/strict"
)

//go:embed */*
var shipped embed.FS

// baseFolder holds the recipes that stacks' images stand on, not a stack.
const baseFolder = "base"

var nameForm = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)

// A Catalog is the stacks that a scenario may name, and the base recipes that
// their images stand on.
type Catalog struct {
	stacks map[string]Stack
	bases  map[string]fs.FS
}

// Open reads the shipped stacks and those in the given folders, each of which
// holds a folder for each stack. A malformed stack.toml and a name that is used
// twice are errors.
func Open(dirs ...string) (*Catalog, error) {
	c := &Catalog{stacks: map[string]Stack{}, bases: map[string]fs.FS{}}
	errs := []error{c.add(shipped, "containers")}
	for _, dir := range dirs {
		if _, err := os.Stat(dir); err != nil {
			return nil, &UsageError{fmt.Errorf("reading stacks: %w", err)}
		}
		errs = append(errs, c.add(os.DirFS(dir), dir))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, &UsageError{err}
	}
	return c, nil
}

// A UsageError is a mistake in what the user wrote.
type UsageError struct{ error }

// ExitCode is that of wrong usage.
func (e *UsageError) ExitCode() int { return 2 }

// Unwrap returns what was wrong.
func (e *UsageError) Unwrap() error { return e.error }

func (c *Catalog) add(root fs.FS, origin string) error {
	if bases, err := fs.Sub(root, baseFolder); err == nil {
		if err := c.addBases(bases); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	files, err := fs.Glob(root, "*/stack.toml")
	if err != nil {
		return fmt.Errorf("reading stacks in %s: %w", origin, err)
	}
	if len(files) == 0 {
		return fmt.Errorf("no stack in %s: each is a folder in it with a stack.toml", origin)
	}
	var errs []error
	for _, file := range files {
		name := path.Dir(file)
		folder, err := fs.Sub(root, name)
		if err != nil {
			return err
		}
		errs = append(errs, c.addStack(name, folder, filepath.Join(origin, file)))
	}
	return errors.Join(errs...)
}

func (c *Catalog) addBases(root fs.FS) error {
	folders, err := fs.ReadDir(root, ".")
	if err != nil {
		return err
	}
	for _, f := range folders {
		if c.bases[f.Name()] != nil {
			return fmt.Errorf("base recipe %s exists twice; rename yours", f.Name())
		}
		if c.bases[f.Name()], err = fs.Sub(root, f.Name()); err != nil {
			return err
		}
	}
	return nil
}

func (c *Catalog) addStack(name string, folder fs.FS, file string) error {
	if !nameForm.MatchString(name) {
		return fmt.Errorf("%s: the folder's name %q; allowed: small letters, digits and dashes", file, name)
	}
	if _, ok := c.stacks[name]; ok {
		return fmt.Errorf("%s: a stack named %s exists already; rename this one", file, name)
	}
	text, err := fs.ReadFile(folder, "stack.toml")
	if err != nil {
		return err
	}
	s := Stack{Name: name, folder: folder, bases: c.bases, Ready: defaultReady}
	doc, err := strict.Decode(file, text, &s)
	if err != nil {
		return err
	}
	s.fillDefaults()
	if err := s.check(doc); err != nil {
		return err
	}
	c.stacks[name] = s
	return nil
}

func (s *Stack) fillDefaults() {
	for i := range s.Services {
		sv := &s.Services[i]
		if sv.User == "" {
			sv.User = defaultUser
		}
		if sv.Tmpfs == nil {
			sv.Tmpfs = []string{"/tmp", "/run"}
		}
		if sv.Build != "" {
			sv.Build = path.Clean(sv.Build)
		}
		if sv.StopSignal == "" {
			sv.StopSignal = "SIGTERM"
		}
	}
}

// Stacks returns the names of all stacks, sorted.
func (c *Catalog) Stacks() []string { return slices.Sorted(maps.Keys(c.stacks)) }

// Params returns the parameters of a stack and their allowed values, the
// default first. It returns nil for an unknown stack.
func (c *Catalog) Params(stack string) map[string][]string {
	s, ok := c.stacks[stack]
	if !ok {
		return nil
	}
	params := make(map[string][]string, len(s.Params))
	for name, p := range s.Params {
		params[name] = p.Values
	}
	return params
}

// Stack returns the stack of that name.
func (c *Catalog) Stack(name string) (Stack, bool) {
	s, ok := c.stacks[name]
	return s, ok
}
