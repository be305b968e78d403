package main

import (
	"os"
	"slices"
	"testing"
)

// What a user gave for an input does not land in the record.
func TestCommandLineHidesInputs(t *testing.T) {
	saved := os.Args
	t.Cleanup(func() { os.Args = saved })
	os.Args = []string{"dyno", "run", "x", "--input", "gem_source=https://me:secret@host/?a=b", "--input=token=secret", "--seed", "1"}
	want := []string{"dyno", "run", "x", "--input", "gem_source=…", "--input=token=…", "--seed", "1"}
	if got := commandLine(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if os.Args[4] == want[4] {
		t.Error("the process's own arguments were changed")
	}
}
