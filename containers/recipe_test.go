package containers

import (
	"archive/tar"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

func folder(files ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for i := 0; i < len(files); i += 2 {
		m[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return m
}

const dockerfile = "ARG SUITE=bookworm\nFROM dyno/base/nginx AS build\nFROM debian:${SUITE}-slim\nCOPY a /a\n"

// tagOf resolves a recipe whose parents are themselves, marked.
func tagOf(t *testing.T, r recipe, mark string) (text, tag string) {
	t.Helper()
	context, _, tag, err := r.resolve(func(image string, args map[string]string) (string, error) { return image + mark, nil })
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range context {
		if f.Path == "Dockerfile" {
			text = string(f.Text)
		}
	}
	return text, tag
}

func TestResolveReplacesParents(t *testing.T) {
	text, _ := tagOf(t, recipe{"dyno/x", folder("Dockerfile", dockerfile, "a", "1"), map[string]string{"SUITE": "trixie", "OTHER": "x"}}, "@1")
	want := "ARG SUITE=bookworm\nFROM dyno/base/nginx@1 AS build\nFROM debian:trixie-slim@1\nCOPY a /a\n"
	if text != want {
		t.Errorf("the Dockerfile became\n%s\nwant\n%s", text, want)
	}
}

func TestDockerfilesAsPeopleWriteThem(t *testing.T) {
	text := "arg V=\"1 2\"\nARG SUITE='trixie'\nfrom --platform=linux/amd64 debian:$SUITE-slim as base\n"
	var asked []string
	files, args, _, err := recipe{"dyno/x", folder("Dockerfile", text), map[string]string{"UNDECLARED": "x"}}.resolve(func(image string, args map[string]string) (string, error) {
		asked = append(asked, image)
		return "ours", nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(asked) != 1 || asked[0] != "debian:trixie-slim" || !strings.Contains(string(files[0].Text), "from --platform=linux/amd64 ours as base\n") {
		t.Errorf("asked for %q; the Dockerfile became\n%s", asked, files[0].Text)
	}
	if len(args) != 0 {
		t.Errorf("build arguments %v; defaults are the Dockerfile's own affair", args)
	}
}

// The tag changes with all that the image is made of, and with nothing else.
func TestTagFollowsContent(t *testing.T) {
	base := recipe{"dyno/x", folder("Dockerfile", dockerfile, "a", "1"), nil}
	_, tag := tagOf(t, base, "")
	if _, again := tagOf(t, recipe{"dyno/y", folder("a", "1", "Dockerfile", dockerfile), map[string]string{"UNDECLARED": "x"}}, ""); again != tag {
		t.Errorf("the same content has tags %s and %s", tag, again)
	}
	for name, other := range map[string]recipe{
		"a file's text":    {"dyno/x", folder("Dockerfile", dockerfile, "a", "2"), nil},
		"a file's name":    {"dyno/x", folder("Dockerfile", dockerfile, "b", "1"), nil},
		"a further file":   {"dyno/x", folder("Dockerfile", dockerfile, "a", "1", "b", ""), nil},
		"a build argument": {"dyno/x", folder("Dockerfile", dockerfile, "a", "1"), map[string]string{"SUITE": "trixie"}},
	} {
		if _, changed := tagOf(t, other, ""); changed == tag {
			t.Errorf("%s does not change the tag", name)
		}
	}
	if _, changed := tagOf(t, base, "@2"); changed == tag {
		t.Error("a parent's change does not change the tag")
	}
}

func TestResolveReportsParentsError(t *testing.T) {
	refused := errors.New("refused")
	_, _, _, err := recipe{"dyno/x", folder("Dockerfile", "FROM a\nFROM b\n"), nil}.resolve(func(image string, args map[string]string) (string, error) {
		return "", refused
	})
	if !errors.Is(err, refused) {
		t.Errorf("the error is %v, want %v", err, refused)
	}
	if _, _, _, err := (recipe{"dyno/x", folder("a", ""), nil}).resolve(nil); err == nil {
		t.Error("a recipe without a Dockerfile is no error")
	}
}

func TestArchiveKeepsWhatRunsExecutable(t *testing.T) {
	packed, err := archive([]File{newFile("plain", []byte("text")), newFile("run", []byte("#!/bin/sh\n"))})
	if err != nil {
		t.Fatal(err)
	}
	modes := map[string]int64{}
	for r := tar.NewReader(packed); ; {
		head, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		modes[head.Name] = head.Mode
	}
	if modes["plain"] != 0o644 || modes["run"] != 0o755 {
		t.Errorf("plain has mode %o, want 644; run has %o, want 755", modes["plain"], modes["run"])
	}
}

// A stack's files include the recipes that its images stand on, however deep.
func TestFilesIncludeBases(t *testing.T) {
	s := Stack{Name: "x", folder: folder("Dockerfile", "FROM dyno/base/one\n"), bases: map[string]fs.FS{
		"one": folder("Dockerfile", "FROM dyno/base/two AS x\nFROM scratch\n", "shared.conf", "1"),
		"two": folder("Dockerfile", "FROM debian:bookworm-slim\n"),
		"six": folder("Dockerfile", "FROM scratch\n"),
	}}
	files, _, err := s.Files()
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	want := "Dockerfile base/one/Dockerfile base/one/shared.conf base/two/Dockerfile"
	if got := strings.Join(paths, " "); got != want {
		t.Errorf("files %s, want %s", got, want)
	}
}
