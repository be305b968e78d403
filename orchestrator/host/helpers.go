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

// FuseDaemons returns the processes that serve containers' files from user space,
// by the folder that they serve: none where Docker stores images otherwise.
func FuseDaemons() map[string]int {
	daemons := map[string]int{}
	for pid, name := range named() {
		if name != fuseDaemon {
			continue
		}
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		args := bytes.Split(bytes.TrimRight(line, "\x00"), []byte{0})
		if err == nil && len(args) > 1 {
			daemons[string(args[len(args)-1])] = pid // the mount point comes last: fuse-overlayfs(1)
		}
	}
	return daemons
}

// SoftIRQThreads returns the kernel's threads that handle soft interrupts which
// have no time left where they came up, by CPU: of a loaded loopback mostly its
// packets. There are none to be seen from within another pid namespace.
func SoftIRQThreads() map[int]int {
	threads := map[int]int{}
	for pid, name := range named() {
		if number, ok := strings.CutPrefix(name, "ksoftirqd/"); ok {
			if cpu, err := strconv.Atoi(number); err == nil {
				threads[cpu] = pid
			}
		}
	}
	return threads
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
