package results

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Traits are what a run's first line says of a target. Where it says it of
// several services, a trait has the value of each, sorted and each once.
type traits map[trait][]string

// A trait is a kind of confounder, and which of it.
type trait struct{ kind, name string }

// notKnown is the value of what was to be found out and was not.
const notKnown = "not known"

// traitsOf returns the traits of two targets. Stacks are compared if the record
// describes both.
func traitsOf(run Run, a, b Target) (ours, theirs traits) {
	ours, theirs = asked(a), asked(b)
	stackA, okA := run.stackOf(a)
	stackB, okB := run.stackOf(b)
	if okA && okB {
		ours.stack(stackA)
		theirs.stack(stackB)
	}
	if !ours.listed() || !theirs.listed() {
		ours.drop("package")
		theirs.drop("package")
	}
	return ours, theirs
}

// asked returns what a target itself says: what is booted, and asked of it.
func asked(target Target) traits {
	t := traits{}
	t.say("stack", "", target.Stack)
	lines := target.Lines()
	for n, a := range target.Mix() {
		_, rest, _ := strings.Cut(a.Request, "\r\n")
		t.say("request", requestName(n, len(lines)), lines[n])
		t.say("rest of the request", requestName(n, len(lines)), rest)
	}
	for name, value := range target.Params {
		t.say("parameter", name, value)
	}
	return t
}

func (t traits) stack(stack Stack) {
	for _, file := range stack.Files {
		t.say("file", file.Path, file.SHA256)
	}
	t.say("services", "", serviceNames(stack.Services))
	for _, s := range stack.Services {
		t.service(s)
	}
}

func (t traits) service(s Service) {
	t.say("user", "", s.User)
	t.say("memory limit", "", digits(float64(s.MemoryBytes)/(1<<20))+" MiB")
	t.say("process limit", "", count(s.PidsLimit))
	t.say("capabilities", "", strings.Join(s.CapAdd, " "))
	t.say("writable paths", "", strings.Join(s.Tmpfs, " "))
	t.say("command", "", strings.Join(s.Command, " "))
	t.say("image", "", strings.TrimSpace(s.Image+" "+s.ImageID))
	for name, value := range s.Env {
		t.say("variable", name, value)
	}
	for name, value := range s.Facts {
		text := notKnown
		if value != nil {
			text = fmt.Sprint(value)
		}
		t.say("fact", name, text)
	}
	list := "known"
	if s.Packages == nil {
		list = notKnown
	}
	t.say("package list", "", list)
	for name, version := range s.Packages {
		t.say("package", name, version)
	}
}

func (t traits) say(kind, name, value string) {
	key := trait{kind, name}
	if at, found := slices.BinarySearch(t[key], value); !found && value != "" {
		t[key] = slices.Insert(t[key], at, value)
	}
}

// told writes a trait's values on one line; empty where it has none.
func (t traits) told(key trait) string {
	return line(strings.Join(t[key], " and "), textLength)
}

// listed reports whether all packages are known.
func (t traits) listed() bool {
	return slices.Equal(t[trait{"package list", ""}], []string{"known"})
}

// drop forgets all traits of a kind.
func (t traits) drop(kind string) {
	maps.DeleteFunc(t, func(key trait, _ []string) bool { return key.kind == kind })
}

// serviceNames lists services, replicas together: "httpd, app × 4".
func serviceNames(services []Service) string {
	var names []string
	replicas := map[string]int{}
	for _, s := range services {
		name := cmp.Or(s.Of, s.Name)
		if replicas[name]++; replicas[name] == 1 {
			names = append(names, name)
		}
	}
	for i, name := range names {
		if n := replicas[name]; n > 1 {
			names[i] = fmt.Sprintf("%s × %d", name, n)
		}
	}
	return strings.Join(names, ", ")
}
