package host

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var (
	cpuFigures = CgroupCPU{
		Usage:  new(3141592653 * time.Nanosecond),
		User:   new(2 * time.Second),
		System: new(1141592653 * time.Nanosecond),
	}
	cpuFiguresV2 = CgroupCPU{
		Usage:  new(3141592 * time.Microsecond),
		User:   new(2 * time.Second),
		System: new(1141592 * time.Microsecond),
	}
	memoryFigures = Memory{
		Current:      new(int64(50 << 20)),
		Peak:         new(int64(70 << 20)),
		Anon:         new(int64(26 << 20)),
		File:         new(int64(20 << 20)),
		InactiveFile: new(int64(10 << 20)),
		Shmem:        new(int64(1 << 20)),
		Kernel:       new(int64(4038656)),
	}
)

// Guards which file each figure comes from, in every version, and that what the
// kernel lacks is unknown.
func TestCgroupOfRecordedMachines(t *testing.T) {
	noPeak := memoryFigures
	noPeak.Peak, noPeak.Kernel = nil, nil
	two, three := new(int64(2)), new(int64(3))
	never := new(time.Duration(0))
	for name, test := range map[string]struct {
		version string
		want    CgroupReading
	}{
		"cgroup-v1":        {"1", CgroupReading{CPU: cpuFigures, Memory: memoryFigures, Procs: two, Threads: three, OOMKills: two}},
		"cgroup-v1-nested": {"1", CgroupReading{CPU: cpuFigures, Memory: memoryFigures, Procs: two, Threads: three, OOMKills: two}},
		"cgroup-v2":        {"2", CgroupReading{CPU: cpuFiguresV2, Memory: memoryFigures, Procs: two, Threads: three, OOMKills: two, Throttled: never}},
		"cgroup-v2-old":    {"2", CgroupReading{CPU: cpuFiguresV2, Memory: noPeak, Procs: two, Threads: three, OOMKills: two, Throttled: never}},
		"cgroup-v2-quota": {"2", CgroupReading{
			CPU: CgroupCPU{new(1930768 * time.Microsecond), new(1582008 * time.Microsecond), new(348760 * time.Microsecond)},
			Memory: Memory{
				Current: new(int64(618496)), Peak: new(int64(12988416)), Anon: new(int64(200704)),
				File: new(int64(0)), InactiveFile: new(int64(0)), Shmem: new(int64(0)), Kernel: new(int64(417792)),
			},
			Procs: two, Threads: two, OOMKills: new(int64(0)), Throttled: new(8501313 * time.Microsecond), // by the slice
		}},
		"cgroup-hybrid": {"1", CgroupReading{Memory: Memory{Current: memoryFigures.Current}, Procs: new(int64(1))}},
	} {
		t.Run(name, func(t *testing.T) {
			c := openRecorded(t, recorded(t, name))
			if c.Version() != test.version {
				t.Errorf("version %s, want %s", c.Version(), test.version)
			}
			if diff := cmp.Diff(test.want, c.Read(), cmpopts.IgnoreFields(CgroupReading{}, "At")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func openRecorded(t testing.TB, m machine) *Cgroup {
	t.Helper()
	c, err := m.openCgroup(4242)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func TestOpenCgroupErrors(t *testing.T) {
	m := recorded(t, "cgroup-hybrid")
	for pid, want := range map[int]string{
		4243: "finding the control group of process 4243: ", // no such process
		77:   "none of its own",                             // in the root of all hierarchies
		78:   "none of its own",                             // outside the namespace
	} {
		if _, err := m.openCgroup(pid); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("process %d: %v", pid, err)
		}
	}
}

// Guards that a spoilt figure is unknown and the others stand.
func TestSpoiltFigures(t *testing.T) {
	m := recorded(t, "cgroup-v2")
	c := openRecorded(t, m)
	dir := strings.TrimPrefix(c.home, "/")
	write(t, m, dir+"/cpu.stat", "usage_usec x\nuser_usec 2000000\n")
	write(t, m, dir+"/memory.current", "max\n")
	write(t, m, dir+"/pids.current", "")
	got := c.Read()
	if got.CPU.Usage != nil || got.CPU.System != nil || got.Memory.Current != nil || got.Threads != nil {
		t.Errorf("got %+v", got)
	}
	if got.CPU.User == nil || got.Memory.Peak == nil {
		t.Errorf("got %+v", got)
	}
}

func TestCgroupHere(t *testing.T) {
	c, err := OpenCgroup(os.Getpid())
	if err != nil {
		t.Skip(err) // a process in the root of all hierarchies has no group
	}
	defer c.Close()
	pids, err := c.PIDs()
	if err != nil || !slices.Contains(pids, os.Getpid()) {
		t.Errorf("processes %v, %v; want %d among them", pids, err, os.Getpid())
	}
	r := c.Read()
	if r.CPU.Usage == nil && r.Memory.Current == nil {
		t.Errorf("got %+v", r)
	}
}

// Guards that no group leads out of the mount that shows it.
func FuzzGroups(f *testing.F) {
	f.Add("33 30 0:29 /docker/a /sys/fs/cgroup/cpu rw shared:13 - cgroup cgroup rw,cpu,cpuacct\n", "4:cpu,cpuacct:/docker/a/b\n0::/x\n")
	f.Add(`35 24 0:30 / /my\040groups rw - cgroup2 cgroup2 rw`, "0::/../x")
	f.Add("1 1 0:1 /.. /a rw - cgroup2 c rw\n - cgroup\n", "::\n1:name=systemd:/a:b\n")
	f.Fuzz(func(t *testing.T, mountinfo, groups string) {
		for _, mt := range parseMounts(mountinfo) {
			for _, group := range parseGroups(groups) {
				dir, ok := mt.below(group)
				clean, _ := mount{root: "/", dir: mt.dir}.below("/")
				if ok && dir != clean && !strings.HasPrefix(dir, strings.TrimSuffix(clean, "/")+"/") {
					t.Errorf("%q below %q: %q", group, mt.dir, dir)
				}
			}
		}
	})
}

func BenchmarkCgroupRead(b *testing.B) {
	c, err := OpenCgroup(os.Getpid())
	if err != nil {
		b.Skip(err)
	}
	defer c.Close()
	for b.Loop() {
		c.Read()
	}
}
