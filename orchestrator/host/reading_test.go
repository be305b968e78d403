package host

import (
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// nearly lets sums of floats differ by rounding.
var nearly = cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-9 })

func TestReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got, err := recorded(t, "vm").read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		cpu0 := CPUTimes{User: 55.67, Nice: 0.1, System: 13.05, Idle: 420.03, IOWait: 0.53, IRQ: 0.01, SoftIRQ: 0.85, Steal: 1.21, Guest: 0.4}
		cpu1 := CPUTimes{User: 65.47, Nice: 0.1, System: 16.34, Idle: 402.5, IOWait: 4.39, IRQ: 0.02, SoftIRQ: 1.25, Steal: 1.16}
		want := Reading{
			At:              time.Now(),
			CPU:             cpu0.Add(cpu1),
			PerCPU:          map[int]CPUTimes{0: cpu0, 1: cpu1},
			MemoryAvailable: 24100000 << 10,
			MemoryUsed:      (24683656 - 23000000 - 100000 - 1000000 - 83656) << 10,
			Load1:           1.23,
			Running:         new(int64(3)),
		}
		if diff := cmp.Diff(want, got, nearly); diff != "" {
			t.Error(diff)
		}
	})
}

func TestReadingErrors(t *testing.T) {
	for file, want := range map[string]string{
		"proc/stat":    "reading CPU times: ",
		"proc/meminfo": "reading memory: ",
	} {
		m := recorded(t, "vm")
		remove(t, m, file)
		if _, err := m.read(t.Context()); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("without %s: %v", file, err)
		}
	}
}

// Guards that an unknown count of running tasks is not zero.
func TestRunningUnknown(t *testing.T) {
	for _, content := range []string{"", "1.23 0.80 0.41\n", "1.23 0.80 0.41 x/310 9746\n"} {
		m := machine{t.TempDir()}
		write(t, m, "proc/loadavg", content)
		if got := m.running(); got != nil {
			t.Errorf("%q: %d", content, *got)
		}
	}
}

func TestReadHere(t *testing.T) {
	first, err := Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	second, err := Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if first.CPU.Total() <= 0 || second.CPU.Total() < first.CPU.Total() {
		t.Errorf("CPU total %v, then %v", first.CPU.Total(), second.CPU.Total())
	}
	if first.MemoryAvailable <= 0 || first.Running == nil {
		t.Errorf("got %+v", first)
	}
}

func TestShares(t *testing.T) {
	before := CPUTimes{User: 10, Idle: 100, Steal: 1}
	after := CPUTimes{User: 12, System: 1, SoftIRQ: 0.5, Idle: 105, IOWait: 0.5, Steal: 2, Guest: 1}
	got, ok := after.Sub(before).Shares()
	want := CPUTimes{User: 0.2, System: 0.1, SoftIRQ: 0.05, Idle: 0.5, IOWait: 0.05, Steal: 0.1, Guest: 0.1}
	if diff := cmp.Diff(want, got, nearly); diff != "" || !ok {
		t.Error(ok, diff)
	}
	if math.Abs(got.Busy()-0.35) > 1e-9 || math.Abs(got.Total()-1) > 1e-9 {
		t.Errorf("busy %v, total %v", got.Busy(), got.Total())
	}
	if _, ok := before.Sub(before).Shares(); ok {
		t.Error("shares of no time")
	}
}
