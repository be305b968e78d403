package host

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// OpenFiles returns how many files a process may have open, its sockets among them:
// its soft limit, which it may raise.
func OpenFiles(pid int) (most int64, err error) {
	limits, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", pid))
	if err != nil {
		return 0, fmt.Errorf("reading the limits of process %d: %w", pid, err)
	}
	most, ok := openFiles(string(limits))
	if !ok {
		return 0, fmt.Errorf("process %d has no limit of open files that is a number", pid)
	}
	return most, nil
}

// openFiles reads the soft limit of open files from a process's limits (proc(5)).
func openFiles(limits string) (most int64, ok bool) {
	for line := range strings.Lines(limits) {
		if values, found := strings.CutPrefix(line, "Max open files"); found {
			fields := strings.Fields(values)
			if len(fields) == 0 {
				return 0, false
			}
			most, err := strconv.ParseInt(fields[0], 10, 64)
			return most, err == nil
		}
	}
	return 0, false
}
