package host

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recorded lays out the machine of testdata/NAME.txtar in a folder of its own.
// A file whose content begins with "-> " is a symbolic link.
func recorded(t testing.TB, name string) machine {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	m := machine{t.TempDir()}
	for _, part := range strings.Split(string(b), "\n-- ")[1:] {
		file, content, ok := strings.Cut(part, " --\n")
		if !ok {
			t.Fatalf("%s.txtar: malformed at %q", name, part)
		}
		write(t, m, file, content+"\n")
	}
	return m
}

func write(t testing.TB, m machine, name, content string) {
	t.Helper()
	file := m.path(name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	var err error
	if target, ok := strings.CutPrefix(content, "-> "); ok {
		err = os.Symlink(strings.TrimSpace(target), file)
	} else {
		err = os.WriteFile(file, []byte(content), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func remove(t testing.TB, m machine, name string) {
	t.Helper()
	if err := os.RemoveAll(m.path(name)); err != nil {
		t.Fatal(err)
	}
}
