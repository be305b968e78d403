package results

import (
	"maps"
	"slices"
	"strings"
)

// changes returns in what the stacks of two runs differ that have the same targets:
// files, what is installed, and what it says of itself.
func changes(a, b Run) (all []Unlikeness) {
	for _, t := range a.Targets {
		at := slices.IndexFunc(b.Targets, func(o Target) bool { return o.Name == t.Name && o.ControlOf == "" })
		if at < 0 || t.ControlOf != "" {
			continue
		}
		s, okA := a.stackOf(t)
		o, okB := b.stackOf(b.Targets[at])
		if !okA || !okB {
			continue
		}
		for _, u := range s.changes(o) {
			if !slices.Contains(all, u) {
				all = append(all, u)
			}
		}
	}
	return all
}

// stackOf returns the stack of a target, and false where it could not be had.
func (r Run) stackOf(t Target) (Stack, bool) {
	at := slices.IndexFunc(r.Stacks, func(s Stack) bool { return s.Name == t.Stack && maps.Equal(s.Params, t.Params) })
	if at < 0 {
		return Stack{}, false
	}
	return r.Stacks[at], true
}

// changes returns in what two stacks differ. An image that dyno built anew of the
// same is the same, though it has another digest; one from elsewhere is not.
func (s Stack) changes(o Stack) (all []Unlikeness) {
	compare := func(kind string, a, b map[string]any) {
		names := map[string]any{}
		maps.Copy(names, a)
		maps.Copy(names, b)
		for _, name := range slices.Sorted(maps.Keys(names)) {
			for _, u := range unlikeValues(s.Name+": "+kind+" "+name, a[name], b[name]) {
				if _, ok := a[name]; !ok {
					u.A = "none"
				}
				if _, ok := b[name]; !ok {
					u.B = "none"
				}
				all = append(all, u)
			}
		}
	}
	compare("parameter", anyOf(s.Params), anyOf(o.Params))
	compare("file", anyOf(s.sums()), anyOf(o.sums()))
	for _, sv := range s.Services {
		at := slices.IndexFunc(o.Services, func(other Service) bool { return other.Name == sv.Name })
		if at < 0 || sv.Of != "" && sv.Name != sv.Of+"-1" { // the replicas are alike
			continue
		}
		compare("image of", sv.published(), o.Services[at].published())
		compare("package", anyOf(sv.Packages), anyOf(o.Services[at].Packages))
		compare("fact", sv.Facts, o.Services[at].Facts)
	}
	return all
}

// sums are the hashes of the stack's files, by path.
func (s Stack) sums() map[string]string {
	sums := map[string]string{}
	for _, f := range s.Files {
		sums[f.Path] = abbreviated(f.SHA256)
	}
	return sums
}

// published returns the digest of an image that was not built by dyno.
func (sv Service) published() map[string]any {
	if strings.HasPrefix(sv.Image, builtPrefix) {
		return nil
	}
	return map[string]any{sv.Name: abbreviated(strings.TrimPrefix(sv.ImageID, "sha256:"))}
}

// builtPrefix begins the references of images that dyno built; the hash of what
// they are made of ends them.
const builtPrefix = "dyno/"

func anyOf(texts map[string]string) map[string]any {
	all := map[string]any{}
	for name, text := range texts {
		all[name] = text
	}
	return all
}
