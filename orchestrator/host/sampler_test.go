package host

import (
	"context"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Guards the order of samples: one at once, one each period, and marks between
// them at the very moment.
func TestSampler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := recorded(t, "vm")
		web := openRecorded(t, recorded(t, "cgroup-v2"))
		db := openRecorded(t, recorded(t, "cgroup-v1"))
		start := time.Now()
		s := m.startSampler(t.Context(), 0, map[string]*Cgroup{"web": web, "db": db})
		time.Sleep(600 * time.Millisecond)
		s.Mark("begin")
		time.Sleep(200 * time.Millisecond)
		s.Mark("end")
		samples, err := s.Stop()
		if err != nil {
			t.Fatal(err)
		}
		type moment struct {
			After time.Duration
			Mark  string
		}
		var got []moment
		for _, sample := range samples {
			got = append(got, moment{sample.Host.At.Sub(start), sample.Mark})
			if *sample.Groups["web"].CPU.Usage != *cpuFiguresV2.Usage || *sample.Groups["db"].CPU.Usage != *cpuFigures.Usage {
				t.Errorf("groups %+v", sample.Groups)
			}
		}
		want := []moment{
			{0, ""},
			{250 * time.Millisecond, ""},
			{500 * time.Millisecond, ""},
			{600 * time.Millisecond, "begin"},
			{750 * time.Millisecond, ""},
			{800 * time.Millisecond, "end"},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if again, _ := s.Stop(); len(again) != len(samples) {
			t.Errorf("%d samples, then %d", len(samples), len(again))
		}
	})
}

// Guards that an unreadable machine gives an error and no sample.
func TestSamplerErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := recorded(t, "vm")
		s := m.startSampler(t.Context(), time.Second, nil)
		remove(t, m, "proc/stat")
		time.Sleep(1500 * time.Millisecond)
		samples, err := s.Stop()
		if len(samples) != 1 || err == nil || !strings.HasPrefix(err.Error(), "reading CPU times: ") {
			t.Errorf("%d samples, %v", len(samples), err)
		}
	})
}

// Guards that the background ends with its context; synctest fails if it stays.
func TestSamplerContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
		defer cancel()
		s := recorded(t, "vm").startSampler(ctx, time.Second, nil)
		time.Sleep(10 * time.Second)
		if samples, err := s.Stop(); len(samples) != 3 || err != nil {
			t.Errorf("%d samples, %v", len(samples), err)
		}
	})
}

// BenchmarkTick is what one sample costs: the machine and two control groups.
func BenchmarkTick(b *testing.B) {
	pid, _ := ownGroup(b)
	c, err := OpenCgroup(pid)
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	s := StartSampler(b.Context(), time.Hour, map[string]*Cgroup{"server": c, "engine": c})
	before := cpuTime(b)
	for b.Loop() {
		s.Mark("")
		s.samples = s.samples[:0]
	}
	b.ReportMetric(float64(cpuTime(b)-before)/float64(b.N), "cpu-ns/op")
}

// cpuTime is this process's own, which a busy machine does not lengthen.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		if _, err := Read(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
