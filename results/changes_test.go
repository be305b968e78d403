package results

import (
	"strings"
	"testing"
)

// What makes one stack another is told: files, packages, what the software says of
// itself, and images that dyno did not build.
func TestChanges(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Stack)
		want   string
	}{
		"nothing":     {func(*Stack) {}, ""},
		"rebuilt":     {func(s *Stack) { s.Services[0].ImageID = "sha256:2" }, ""},
		"file":        {func(s *Stack) { s.Files[0].SHA256 = strings.Repeat("2", 64) }, "nginx-lua: file nginx.conf: 111111111111 / 222222222222"},
		"more files":  {func(s *Stack) { s.Files = append(s.Files, File{Path: "x", SHA256: "3"}) }, "nginx-lua: file x: none / 3"},
		"package":     {func(s *Stack) { s.Services[0].Packages = map[string]string{"nginx": "1.24", "zlib1g": "1"} }, "nginx-lua: package nginx: 1.22 / 1.24; nginx-lua: package zlib1g: none / 1"},
		"fact":        {func(s *Stack) { s.Services[0].Facts = Facts{"version": "1.24"} }, "nginx-lua: fact version: 1.22 with options / 1.24"},
		"image":       {func(s *Stack) { s.Services[0].Image, s.Services[0].ImageID = "example/web:1", "sha256:2" }, "nginx-lua: image of web: none / 2"},
		"its content": {func(s *Stack) { s.Services[0].Image, s.Services[0].ImageID = "example/web:1", "sha256:2" }, "nginx-lua: image of web: 1 / 2"},
	} {
		a, b := like("r1", map[string][]float64{"a": {1}, "b": {1}}), like("r2", map[string][]float64{"a": {1}, "b": {1}})
		if name == "its content" {
			a.Run.Stacks[0].Services[0].Image = "example/web:1"
		}
		c.change(&b.Run.Stacks[0])
		var got []string
		for _, u := range changes(a.Run, b.Run) {
			got = append(got, u.String())
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
