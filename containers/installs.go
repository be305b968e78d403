package containers

import (
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// installLine is an apt-get install, its line joined; the packages are what
// follows up to the next command.
var installLine = regexp.MustCompile(`\bapt-get(?:\s+-\S+)*\s+install\s+([^&|;\n]*)`)

// Installs returns the Debian packages that the recipe of a service's image asks
// for in any of its stages, and those that it stands on, sorted. They are what the
// image is about: what came with them is left out, and not all need be in it.
func (s Stack) Installs(sv Service) []string {
	folder, err := fs.Sub(s.folder, sv.Build)
	if err != nil || sv.Build == "" {
		return nil
	}
	names := map[string]bool{}
	s.addInstalls(names, folder, sv.Args)
	return slices.Sorted(maps.Keys(names))
}

func (s Stack) addInstalls(names map[string]bool, folder fs.FS, args map[string]string) {
	text, err := fs.ReadFile(folder, "Dockerfile")
	if err != nil {
		return // the build will say so
	}
	_, all := recipe{args: args}.arguments(string(text))
	for _, m := range installLine.FindAllStringSubmatch(strings.ReplaceAll(string(text), "\\\n", " "), -1) {
		for word := range strings.FieldsSeq(expand(m[1], all)) {
			if !strings.HasPrefix(word, "-") {
				names[word] = true
			}
		}
	}
	for _, m := range fromLine.FindAllStringSubmatch(string(text), -1) {
		name, _ := strings.CutPrefix(expand(m[2], all), basePrefix)
		if base := s.bases[name]; base != nil {
			s.addInstalls(names, base, all)
		}
	}
}

// expand replaces a build's variables in a text.
func expand(text string, args map[string]string) string {
	return variable.ReplaceAllStringFunc(text, func(v string) string { return args[strings.Trim(v, "${}")] })
}
