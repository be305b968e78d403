package host

import (
	"cmp"
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Of several sets of CPUs the busiest counts.
func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := recorded(t, "vm")
		write(t, m, "proc/stat", "cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 1000 0 0 9000 0 0 0 0 0 0\ncpu1 0 0 0 9000 0 0 0 0 0 0\ncpu2 0 0 0 9000 0 0 0 0 0 0\n")
		time.AfterFunc(time.Second, func() {
			write(t, m, "proc/stat", "cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 1020 0 10 9150 0 0 0 20 0 0\ncpu1 10 0 0 9190 0 0 0 0 0 0\ncpu2 80 0 0 9120 0 0 0 0 0 0\n")
		})
		got, err := m.watch(t.Context(), 2*time.Second, []int{0}, []int{1, 2})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.CPUs, []int{1, 2}) || math.Abs(got.Busy-0.225) > 1e-9 || got.Steal != 0 || len(got.Processes) != 0 {
			t.Errorf("%+v; want CPUs 1 and 2 at 0.225", got)
		}
	})
}

func TestWatchErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := recorded(t, "vm")
		if got, err := m.watch(t.Context(), time.Second, []int{0}); err == nil {
			t.Errorf("no tick, yet %+v", got)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := m.watch(ctx, time.Hour, []int{0}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("cancelled: %v", err)
		}
	})
}

// This very process, which does not rest, is among those of the real machine.
func TestWatchNamesProcesses(t *testing.T) {
	cpus, err := Topology()
	if err != nil {
		t.Fatal(err)
	}
	var all []int
	for _, c := range cpus {
		all = append(all, c.ID)
	}
	var done atomic.Bool
	defer done.Store(true)
	go func() {
		for !done.Load() {
		}
	}()
	got, err := Watch(t.Context(), 500*time.Millisecond, all)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(got.Processes, func(p Process) bool { return p.PID == os.Getpid() })
	if at < 0 || got.Processes[at].Name != "host.test" || got.Busy <= 0 {
		t.Errorf("%+v; want host.test, process %d, in it", got, os.Getpid())
	}
	if !slices.IsSortedFunc(got.Processes, func(a, b Process) int { return cmp.Compare(b.CPU, a.CPU) }) {
		t.Errorf("%+v is not the busiest first", got.Processes)
	}
}
