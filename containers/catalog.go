// Package containers holds the stacks and drives Docker.
//
// A stack is a folder here, or in a folder of the user's: a stack.toml, and for
// each image a Dockerfile with its configuration and application. Adding one
// takes no line of Go. The rest of the package builds their images, boots them
// as pods and removes them again, through testcontainers-go. It decides nothing
// about scenarios, load or judgement.
package containers

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

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
	broken map[string]error // stacks that cannot be used, and why
	bases  map[string]fs.FS
}

// Open reads the shipped stacks and those in the given folders, each of which
// holds a folder for each stack. A name that is used twice is an error; a
// malformed stack.toml is one for whoever asks for that stack, see Broken.
func Open(dirs ...string) (*Catalog, error) {
	c := &Catalog{stacks: map[string]Stack{}, broken: map[string]error{}, bases: map[string]fs.FS{}}
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
	files, err := fs.Glob(root, "*/"+stackFile)
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
	_, broken := c.broken[name]
	if _, ok := c.stacks[name]; ok || broken {
		return fmt.Errorf("%s: a stack named %s exists already; rename this one", file, name)
	}
	s, err := c.readStack(name, folder, file)
	if err != nil {
		c.broken[name] = err
		return nil
	}
	c.stacks[name] = s
	return nil
}

func (c *Catalog) readStack(name string, folder fs.FS, file string) (Stack, error) {
	s := Stack{Name: name, folder: folder, bases: c.bases, given: map[string]string{}}
	doc, err := decodeStack(folder, file, &s)
	if err != nil {
		return s, err
	}
	if err := c.takeOver(&s, doc, nil); err != nil {
		return s, err
	}
	s.fillDefaults()
	return s, s.check(doc)
}

// takeOver completes a stack with what its base says, and the base's base. The
// heirs are the bases between the two.
func (c *Catalog) takeOver(s *Stack, doc *strict.Node, heirs []string) error {
	if s.Base == "" {
		return nil
	}
	place := doc.At("base")
	folder, ok := c.bases[s.Base]
	if !ok {
		return place.Errorf("no base recipe %s", s.Base).Among(s.Base, slices.Sorted(maps.Keys(c.bases)))
	}
	heirs = append(heirs, s.Base)
	if slices.Contains(heirs[:len(heirs)-1], s.Base) {
		return place.Errorf("it stands on itself: %s", strings.Join(heirs, " → "))
	}
	var base Stack
	baseDoc, err := decodeStack(folder, path.Join(baseFolder, s.Base, stackFile), &base)
	if err != nil {
		return err
	}
	if err := c.takeOver(&base, baseDoc, heirs); err != nil {
		return err
	}
	s.inherit(base)
	s.origins = append([]string{s.Base}, base.origins...)
	return nil
}

// stackFile is the file that makes a folder a stack.
const stackFile = "stack.toml"

func decodeStack(folder fs.FS, file string, into *Stack) (*strict.Node, error) {
	text, err := fs.ReadFile(folder, stackFile)
	if err != nil {
		return nil, err
	}
	return strict.Decode(file, text, into)
}

func (s *Stack) fillDefaults() {
	s.Ready = cmp.Or(s.Ready, defaultReady)
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

// Give tells the catalog what the user gave for stacks' inputs. One that no stack
// has is a *UsageError.
func (c *Catalog) Give(inputs map[string]string) error {
	known := c.Inputs()
	for name, value := range inputs {
		if !slices.Contains(known, name) {
			return &UsageError{fmt.Errorf("no stack has an input %s; there are: %s", name, strings.Join(known, ", "))}
		}
		for _, s := range c.stacks {
			if _, ok := s.Inputs[name]; ok {
				s.given[name] = value
			}
		}
	}
	return nil
}

// Inputs returns the names of all inputs that stacks have, sorted.
func (c *Catalog) Inputs() []string {
	names := map[string]bool{}
	for _, s := range c.stacks {
		for name := range s.Inputs {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// Broken returns what is wrong with the stacks that cannot be used; nil where all can.
func (c *Catalog) Broken() error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(c.broken)) {
		errs = append(errs, c.broken[name])
	}
	if err := errors.Join(errs...); err != nil {
		return &UsageError{err}
	}
	return nil
}

// Stacks returns the names of all stacks, the broken ones too, sorted.
func (c *Catalog) Stacks() []string {
	return slices.Sorted(func(yield func(string) bool) {
		for _, names := range []iter.Seq[string]{maps.Keys(c.stacks), maps.Keys(c.broken)} {
			for name := range names {
				if !yield(name) {
					return
				}
			}
		}
	})
}

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

// Refuse returns why a stack cannot be had with a choice of parameters, or at
// all; nil where it can.
func (c *Catalog) Refuse(stack string, params map[string]string) error {
	if err := c.broken[stack]; err != nil {
		return err
	}
	return c.stacks[stack].refuse(params)
}

// Stack returns the stack of that name, unless there is none that can be used.
func (c *Catalog) Stack(name string) (Stack, bool) {
	s, ok := c.stacks[name]
	return s, ok
}
