package orchestrator

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"dyno/orchestrator/host"
)

// restless starts a process that uses one CPU until the test ends, and returns
// which. The kernel ends it after a minute, should nobody else.
func restless(t *testing.T, name string) (cpu int) {
	t.Helper()
	cpus, err := host.Topology()
	if err != nil || len(cpus) == 0 {
		t.Fatalf("CPUs %v, %v", cpus, err)
	}
	cpu = cpus[0].ID
	shell := filepath.Join(t.TempDir(), name)
	if err := os.Symlink("/bin/sh", shell); err != nil {
		t.Fatal(err)
	}
	busy := exec.Command(shell, "-c", "ulimit -t 60; while :; do :; done")
	if err := busy.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		busy.Process.Kill()
		busy.Wait()
	})
	var set unix.CPUSet
	set.Set(cpu)
	if err := unix.SchedSetaffinity(busy.Process.Pid, &set); err != nil {
		t.Fatal(err)
	}
	return cpu
}

// A run waits while another process uses its CPU, says so once, and goes on with a
// doubt that has the figure.
func TestGateWaitsForABusyProcess(t *testing.T) {
	cpu := restless(t, "dyno-restless")
	var told []string
	g := gate{
		sets: [][]int{{cpu}}, limit: 0.05, window: 500 * time.Millisecond, patience: 1200 * time.Millisecond,
		tell: func(text string) { told = append(told, text) },
	}
	doubt, err := g.wait(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if want := "the machine was not quiet before the first trial, though the run waited 1.2s: "; !strings.HasPrefix(doubt, want) ||
		!strings.Contains(doubt, " % of CPU "+host.FormatCPUs(g.sets[0])+" busy (") || !strings.HasSuffix(doubt, ", limit 5 %") {
		t.Errorf("doubt %q", doubt)
	}
	if len(told) != 1 || !strings.HasPrefix(told[0], "waiting for a quiet machine, 1.2s at most: ") {
		t.Errorf("told %q, want it once", told)
	}
	g.limit = 1 // which nothing can exceed
	if doubt, err := g.wait(t.Context()); doubt != "" || err != nil {
		t.Errorf("within the limit: %q, %v", doubt, err)
	}
	g.limit, g.patience = 0, 0
	if doubt, err := g.wait(t.Context()); doubt != "" || err != nil {
		t.Errorf("without patience: %q, %v", doubt, err)
	}
}

func TestGateEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	g := gate{sets: [][]int{{0}}, limit: -1, window: 100 * time.Millisecond, patience: time.Hour, tell: func(string) { cancel() }}
	if doubt, err := g.wait(ctx); doubt != "" || !errors.Is(err, context.Canceled) {
		t.Errorf("%q, %v", doubt, err)
	}
}
