package containers

import (
	"archive/tar"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A recipe is what an image is built from: a folder with a Dockerfile, and build arguments.
//
// Its Dockerfile may say FROM dyno/base/NAME, which means the recipe of that
// name in the folder base, and FROM debian:SUITE-slim, which means that suite
// wherever it comes from. Both are replaced by references before the build, so
// that the text, and with it the tag, changes when what it stands on does.
type recipe struct {
	name   string // of the image, such as "dyno/nginx-lua"
	folder fs.FS
	args   map[string]string
}

// A File is one file of a stack's folder or of a build context.
type File struct {
	Path   string // relative, with slashes
	SHA256 string // of Text, hexadecimal
	Text   []byte
}

// filesOf returns the folder's files in the order of their paths.
func filesOf(folder fs.FS) (out []File, err error) {
	err = fs.WalkDir(folder, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(folder, path)
		out = append(out, newFile(path, text))
		return err
	})
	return out, err
}

func newFile(path string, text []byte) File {
	sum := sha256.Sum256(text)
	return File{path, hex.EncodeToString(sum[:]), text}
}

// Files returns the files that the stack is made of, in the order of their
// paths, and one digest for all of them: those of its own folder, and as
// base/NAME/… those of the base recipes that its images stand on.
func (s Stack) Files() ([]File, string, error) {
	files, err := filesOf(s.folder)
	if err != nil {
		return nil, "", fmt.Errorf("reading the stack %s: %w", s.Name, err)
	}
	seen := map[string]bool{}
	add := func(name string) error {
		if s.bases[name] == nil || seen[name] {
			return nil
		}
		seen[name] = true
		base, err := filesOf(s.bases[name])
		if err != nil {
			return fmt.Errorf("reading the base recipe %s: %w", name, err)
		}
		for _, f := range base {
			f.Path = path.Join(baseFolder, name, f.Path)
			files = append(files, f)
		}
		return nil
	}
	for _, name := range s.origins {
		if err := add(name); err != nil {
			return nil, "", err
		}
	}
	for i := 0; i < len(files); i++ { // files grows by what its Dockerfiles name
		for _, name := range basesOf(files[i]) {
			if err := add(name); err != nil {
				return nil, "", err
			}
		}
	}
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return files, digest(files, nil), nil
}

// basesOf returns the names of the base recipes in a Dockerfile's FROM lines.
func basesOf(f File) (names []string) {
	if path.Base(f.Path) != "Dockerfile" {
		return nil
	}
	for _, m := range fromLine.FindAllStringSubmatch(string(f.Text), -1) {
		if name, ok := strings.CutPrefix(m[2], basePrefix); ok {
			names = append(names, name)
		}
	}
	return names
}

// basePrefix is how a FROM line names a base recipe.
const basePrefix = "dyno/base/"

var (
	argLine     = regexp.MustCompile(`(?im)^[ \t]*ARG[ \t]+([a-z_][a-z0-9_]*)(?:=(.*?))?[ \t]*$`)
	fromLine    = regexp.MustCompile(`(?im)^([ \t]*FROM[ \t]+(?:--\S+[ \t]+)*)([^\s-]\S*)(.*)$`)
	variable    = regexp.MustCompile(`\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?`)
	debianImage = regexp.MustCompile(`^debian:([a-z]+)-slim$`)
)

// arguments returns those of the recipe's build arguments that its Dockerfile
// declares, and with their defaults all that it declares.
func (r recipe) arguments(dockerfile string) (given, all map[string]string) {
	given, all = map[string]string{}, map[string]string{}
	for _, m := range argLine.FindAllStringSubmatch(dockerfile, -1) {
		name := m[1]
		if v, ok := r.args[name]; ok {
			given[name], all[name] = v, v
		} else if _, ok := all[name]; !ok || m[2] != "" {
			all[name] = strings.Trim(m[2], `"'`)
		}
	}
	return given, all
}

// resolve returns the recipe's build context with each FROM line replaced by
// what parent gives for it, the arguments to build it with, and the tag that
// both amount to.
func (r recipe) resolve(parent func(image string, args map[string]string) (string, error)) (files []File, args map[string]string, tag string, err error) {
	files, err = filesOf(r.folder)
	if err != nil {
		return nil, nil, "", fmt.Errorf("reading the recipe of %s: %w", r.name, err)
	}
	// How a stack is started is no part of its image.
	files = slices.DeleteFunc(files, func(f File) bool { return f.Path == stackFile })
	i := slices.IndexFunc(files, func(f File) bool { return f.Path == "Dockerfile" })
	if i < 0 {
		return nil, nil, "", fmt.Errorf("reading the recipe of %s: it has no Dockerfile", r.name)
	}
	args, all := r.arguments(string(files[i].Text))
	var errs []error
	files[i] = newFile("Dockerfile", []byte(fromLine.ReplaceAllStringFunc(string(files[i].Text), func(line string) string {
		m := fromLine.FindStringSubmatch(line)
		ref, err := parent(expand(m[2], all), all)
		errs = append(errs, err)
		return m[1] + ref + m[3]
	})))
	return files, args, digest(files, args)[:12], errors.Join(errs...)
}

// digest is the SHA-256 of files and arguments, hexadecimal.
func digest(files []File, args map[string]string) string {
	h := sha256.New()
	for _, f := range files {
		fmt.Fprintf(h, "%q %s\n", f.Path, f.SHA256)
	}
	for _, k := range slices.Sorted(maps.Keys(args)) {
		fmt.Fprintf(h, "%q=%q\n", k, args[k])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// archive packs files as a tar that depends on nothing but them. What begins
// with #! is executable: an embedded folder keeps no modes.
func archive(files []File) (*bytes.Reader, error) {
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for _, f := range files {
		mode := int64(0o644)
		if bytes.HasPrefix(f.Text, []byte("#!")) || bytes.HasPrefix(f.Text, []byte("\x7fELF")) {
			mode = 0o755
		}
		head := &tar.Header{Name: f.Path, Mode: mode, Size: int64(len(f.Text)), ModTime: time.Unix(0, 0)}
		if err := w.WriteHeader(head); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.Text); err != nil {
			return nil, err
		}
	}
	return bytes.NewReader(buf.Bytes()), w.Close()
}
