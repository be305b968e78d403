package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// PSS returns the proportional set size of the group's processes in bytes: each
// page is counted once, however many of them share it. The sum of their resident
// sizes misleads for a server that forks.
//
// It makes the kernel walk all page tables, milliseconds for a large process:
// outside the measured window only. A process that ends meanwhile is left out.
// It is an error if one cannot be read, by want of rights or of Linux 4.14, or
// if none is left.
func (c *Cgroup) PSS() (int64, error) {
	pids, err := c.PIDs()
	if err != nil {
		return 0, err
	}
	var sum int64
	var seen bool
	for _, pid := range pids {
		n, err := c.machine.pss(pid)
		if errors.Is(err, errEnded) {
			continue
		}
		if err != nil {
			return 0, fmt.Errorf("reading PSS of process %d: %w", pid, err)
		}
		sum, seen = sum+n, true
	}
	if !seen {
		return 0, errors.New("reading PSS: no process is left")
	}
	return sum, nil
}

var errEnded = errors.New("process ended")

func (m machine) pss(pid int) (int64, error) {
	if pid == 0 {
		return 0, errors.New("it belongs to another pid namespace")
	}
	dir := fmt.Sprintf("proc/%d", pid)
	b, err := os.ReadFile(m.path(dir + "/smaps_rollup"))
	if errors.Is(err, syscall.ESRCH) || errors.Is(err, fs.ErrNotExist) && !m.exists(dir) {
		return 0, errEnded
	}
	if err != nil {
		return 0, err
	}
	// A zombie has no memory left, and an empty file.
	if len(b) == 0 {
		return 0, errEnded
	}
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "Pss:" {
			kib, err := strconv.ParseInt(f[1], 10, 64)
			return kib << 10, err
		}
	}
	return 0, errors.New("no Pss in smaps_rollup")
}
