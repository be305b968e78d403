package host

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// fuseDaemon is the program that serves a container's files where Docker's storage
// driver is of the same name. Each container has one, outside all control groups of
// containers.
const fuseDaemon = "fuse-overlayfs"

// Helpers are processes that work for containers outside their control groups.
type Helpers struct {
	Files   map[string]int // those that serve containers' files from user space, by the folder that they serve: none where Docker stores images otherwise
	SoftIRQ map[int]int    // the kernel's threads for soft interrupts that found no time where they came up, of a loaded loopback mostly its packets, by CPU: none where a pid namespace hides them
}

// FindHelpers looks for them among all processes.
func FindHelpers() Helpers {
	h := Helpers{map[string]int{}, map[int]int{}}
	for pid, name := range named() {
		if name == fuseDaemon {
			line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			args := bytes.Split(bytes.TrimRight(line, "\x00"), []byte{0})
			if err == nil && len(args) > 1 {
				h.Files[string(args[len(args)-1])] = pid // the mount point comes last: fuse-overlayfs(1)
			}
		}
		if number, ok := strings.CutPrefix(name, "ksoftirqd/"); ok {
			if cpu, err := strconv.Atoi(number); err == nil {
				h.SoftIRQ[cpu] = pid
			}
		}
	}
	return h
}

// named returns the names of all processes by their numbers.
func named() map[int]string {
	names := map[int]string{}
	paths, _ := filepath.Glob("/proc/[0-9]*/comm")
	for _, path := range paths {
		name, err := os.ReadFile(path)
		pid, noNumber := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err == nil && noNumber == nil { // else it ended meanwhile
			names[pid] = strings.TrimSpace(string(name))
		}
	}
	return names
}

// ProcessCPU returns the CPU time that the living threads of a process have used:
// the first number of each one's schedstat, in ns (Linux, Documentation/scheduler/sched-stats.rst).
func ProcessCPU(pid int) (total time.Duration, err error) {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil {
		return 0, err
	}
	if len(threads) == 0 {
		return 0, fmt.Errorf("reading the CPU time of process %d: it is gone, or the kernel keeps no schedstat", pid)
	}
	for _, path := range threads {
		text, err := os.ReadFile(path)
		if err != nil {
			return 0, fmt.Errorf("reading the CPU time of process %d: %w", pid, err)
		}
		used, _, _ := strings.Cut(string(text), " ")
		ns, err := strconv.ParseInt(used, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("reading the CPU time of process %d: %w", pid, err)
		}
		total += time.Duration(ns)
	}
	return total, nil
}
