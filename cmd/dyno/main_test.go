package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// binary is dyno itself, built as `make build` does: a test binary is not
// static, so it could not be its own agent.
var binary string

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "dyno-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "dyno")
	build := exec.Command("go", "build", "-trimpath", "-o", binary, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building dyno: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// TestScripts runs the scripts of testdata, which type what a user would. Those
// below testdata/docker boot real stacks. $RECORDS is the folder of records that
// the reports are tested with.
func TestScripts(t *testing.T) {
	records, err := filepath.Abs("../../results/report/testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"testdata", "testdata/docker"} {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			if dir != "testdata" {
				needDocker(t)
			}
			testscript.Run(t, testscript.Params{
				Dir: dir,
				Setup: func(env *testscript.Env) error {
					env.Setenv("PATH", filepath.Dir(binary)+string(os.PathListSeparator)+os.Getenv("PATH"))
					env.Setenv("RECORDS", records)
					return nil
				},
				Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"exits": exits},
			})
		})
	}
}

// exits runs a command and checks that its exit code is one of those given: exits 0,3 dyno run …
func exits(ts *testscript.TestScript, neg bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if exit, ok := err.(*exec.ExitError); ok {
		code = fmt.Sprint(exit.ExitCode())
	}
	if slices.Contains(strings.Split(args[0], ","), code) == neg {
		ts.Fatalf("exit code %s", code)
	}
}

// needDocker skips the test where only those without Docker are wanted.
func needDocker(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("boots containers")
	}
}
