package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dyno/results"
)

// Each record that is published has its report beside it, as this dyno makes it.
func TestPublished(t *testing.T) {
	paths, err := filepath.Glob("../published/*.jsonl")
	if err != nil || len(paths) == 0 {
		t.Fatalf("nothing is published: %v", err)
	}
	for _, path := range paths {
		compareGolden(t, strings.TrimSuffix(path, ".jsonl")+".md", published(t, path, Markdown))
	}
}

// What the README shows is what dyno says of a record that is published.
func TestREADME(t *testing.T) {
	const file, fence = "../../README.md", "```\n"
	readme, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(readme), fence+"mruby-vs-lua\n")
	shown, _, closed := strings.Cut(after, fence)
	if !found || !closed {
		t.Fatal("the README shows no report of mruby-vs-lua")
	}
	shown = "mruby-vs-lua\n" + shown
	paths, err := filepath.Glob("../published/*-mruby-vs-lua.jsonl")
	if err != nil || len(paths) != 1 {
		t.Fatalf("published: %v, %v", paths, err)
	}
	want := string(published(t, paths[0], Text))
	if *update {
		readme = []byte(strings.Replace(string(readme), fence+shown+fence, fence+want+fence, 1))
		if err := os.WriteFile(file, readme, 0o666); err != nil {
			t.Fatal(err)
		}
	} else if shown != want {
		t.Errorf("the README shows another report than that of %s: -update renews it\n%s", paths[0], shown)
	}
}

// published renders a published record as whoever has cloned dyno would.
func published(t *testing.T, path string, write writer) []byte {
	t.Helper()
	record, err := results.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := write(&b, results.Judge(record), Options{Paths: []string{"results/published/" + filepath.Base(path)}}); err != nil {
		t.Fatal(err)
	}
	return []byte(b.String())
}
