package host

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strconv"
	"strings"
	"time"
)

// A Cgroup is the control group of a container, with the files open that its
// readings come from. Its methods may be called at the same time.
//
// A figure that the kernel does not offer, or that cannot be read any more
// because the container is gone, is nil.
type Cgroup struct {
	machine                       machine
	version                       string // see Version
	home                          string // a folder of the group that lists its processes
	cpu, memory, threads, oomKill []source
	quota                         []source // of the group and of those above it
}

// A CgroupReading is one observation of a control group.
type CgroupReading struct {
	At       time.Time
	CPU      CgroupCPU
	Memory   Memory
	Procs    *int64 // processes in the group itself, without groups below it
	Threads  *int64
	OOMKills *int64 // processes killed for want of memory, cumulative

	// Throttled is for how long CPU quotas of the group and of those above it kept
	// processes from running: cumulative, summed over CPUs and groups.
	Throttled *time.Duration
}

// CgroupCPU is the CPU time that a control group used since it was made, to the
// microsecond or finer.
type CgroupCPU struct {
	Usage  *time.Duration // user and system, the most exact of the three
	User   *time.Duration
	System *time.Duration
}

// Memory is what a control group holds, in bytes.
type Memory struct {
	Current      *int64 // all that is charged to the group, page cache as well
	Peak         *int64 // highest Current since the group was made
	Anon         *int64 // heaps, stacks and the like, without shared memory
	File         *int64 // page cache, shared memory included
	InactiveFile *int64 // the part of File that the kernel would drop first
	Shmem        *int64 // tmpfs and shared mappings; part of File
	Kernel       *int64 // sockets' structures, page tables and the like
}

// OpenCgroup opens the control group of a process, version 1, 2 or both. It is
// an error if the process is gone, belongs to another pid namespace, or has no
// group but the whole machine's.
func OpenCgroup(pid int) (*Cgroup, error) { return here().openCgroup(pid) }

func (m machine) openCgroup(pid int) (*Cgroup, error) {
	dirs, err := m.groupDirs(pid)
	if err != nil {
		return nil, fmt.Errorf("finding the control group of process %d: %w", pid, err)
	}
	c := &Cgroup{machine: m}
	for _, f := range figureFiles() {
		if dir, ok := dirs[f.controller]; ok {
			c.add(f, dir)
		}
	}
	c.addQuotas(dirs)
	if len(c.cpu) == 0 && len(c.memory) == 0 {
		c.Close()
		return nil, fmt.Errorf("finding the control group of process %d: none of its own among the mounted ones", pid)
	}
	return c, nil
}

// add opens a file of figures, unless the kernel has none or another version
// gave these figures before.
func (c *Cgroup) add(f figureFile, dir string) {
	version := "1"
	if f.controller == "" {
		version = "2"
	}
	place := f.group(c)
	if len(*place) > 0 && (*place)[0].version != version {
		return
	}
	file, err := os.Open(c.machine.path(path.Join(dir, f.name)))
	if err != nil {
		return
	}
	*place = append(*place, source{file: file, version: version, lines: f.lines})
	if c.home == "" {
		c.home, c.version = dir, version
	}
}

// addQuotas opens what the group and those above it say of their CPU quotas, up to
// where the hierarchy is mounted.
func (c *Cgroup) addQuotas(dirs map[string]string) {
	for _, f := range quotaFiles() {
		dir, ok := dirs[f.controller]
		for ; ok && len(dir) > 1; dir = path.Dir(dir) {
			file, err := os.Open(c.machine.path(path.Join(dir, f.name)))
			if err != nil {
				break
			}
			c.quota = append(c.quota, source{file: file, lines: f.lines})
		}
	}
}

// Close closes the files. Its error joins those of closing each.
func (c *Cgroup) Close() error {
	var errs []error
	for _, group := range [][]source{c.cpu, c.memory, c.threads, c.oomKill, c.quota} {
		for _, s := range group {
			errs = append(errs, s.file.Close())
		}
	}
	return errors.Join(errs...)
}

// Version is "1" or "2": that of the group which gives the CPU time or, where that
// is unknown, the memory.
func (c *Cgroup) Version() string { return c.version }

// Read takes a reading.
func (c *Cgroup) Read() CgroupReading {
	r := read(c.cpu, c.memory, c.oomKill, c.threads, c.quota)
	r.Procs = c.procs()
	return r
}

// CPU reads the CPU time used.
func (c *Cgroup) CPU() CgroupCPU { return read(c.cpu).CPU }

// Memory reads the memory held.
func (c *Cgroup) Memory() Memory { return read(c.memory).Memory }

// OOMKills reads how many processes were killed for want of memory.
func (c *Cgroup) OOMKills() *int64 { return read(c.oomKill).OOMKills }

// Count reads how many processes and threads there are.
func (c *Cgroup) Count() (procs, threads *int64) { return c.procs(), read(c.threads).Threads }

func (c *Cgroup) procs() *int64 {
	pids, err := c.PIDs()
	if err != nil {
		return nil
	}
	return new(int64(len(pids)))
}

// PIDs lists the processes in the group itself, 0 for each that another pid
// namespace hides. It is an error if the group is gone.
func (c *Cgroup) PIDs() ([]int, error) {
	// Opened each time: version 1 repeats its last list to a reader that stays.
	b, err := os.ReadFile(c.machine.path(path.Join(c.home, "cgroup.procs")))
	if err != nil {
		return nil, fmt.Errorf("listing processes: %w", err)
	}
	var pids []int
	for field := range strings.FieldsSeq(string(b)) {
		pid, err := strconv.Atoi(field)
		if err != nil {
			return nil, fmt.Errorf("listing processes: %w", err)
		}
		pids = append(pids, pid)
	}
	return pids, nil
}

// A source is an open file of figures.
type source struct {
	file    *os.File
	version string
	lines   []line
}

// read takes the figures of the given files.
func read(groups ...[]source) CgroupReading {
	r := CgroupReading{At: time.Now()}
	buf := make([]byte, 8<<10) // several times the longest file, memory.stat
	for _, group := range groups {
		for _, s := range group {
			n, err := s.file.ReadAt(buf, 0)
			if err != nil && err != io.EOF {
				continue
			}
			for _, l := range s.lines {
				if v, ok := lookup(buf[:n], l.name); ok {
					l.set(&r, v)
				}
			}
		}
	}
	return r
}

// lookup returns the number in the line that begins with name, or in the first
// line if there is no name.
func lookup(text []byte, name string) (int64, bool) {
	for line := range bytes.Lines(text) {
		number := line
		if name != "" {
			rest, ok := bytes.CutPrefix(line, []byte(name))
			if !ok || len(rest) == 0 || rest[0] != ' ' {
				continue
			}
			number = rest
		}
		n, err := strconv.ParseInt(string(bytes.TrimSpace(number)), 10, 64)
		return n, err == nil
	}
	return 0, false
}
