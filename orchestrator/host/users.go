package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Users returns the effective user ids of the group's processes, each once and
// sorted, as this machine numbers them. Processes that another pid namespace
// hides are left out. It is an error if the group is gone.
func (c *Cgroup) Users() (users []int64, err error) {
	pids, err := c.PIDs()
	if err != nil {
		return nil, err
	}
	for _, pid := range pids {
		status, err := os.ReadFile(c.machine.path(fmt.Sprintf("/proc/%d/status", pid)))
		if errors.Is(err, fs.ErrNotExist) {
			continue // it ended meanwhile, or is hidden
		}
		if err != nil {
			return nil, fmt.Errorf("reading the user of process %d: %w", pid, err)
		}
		user, ok := effectiveUser(string(status))
		if !ok {
			continue // it ended while it was read
		}
		if !slices.Contains(users, user) {
			users = append(users, user)
		}
	}
	slices.Sort(users)
	return users, nil
}

// effectiveUser reads the second number of the line Uid (proc(5): real, effective,
// saved set and filesystem ids).
func effectiveUser(status string) (user int64, ok bool) {
	for line := range strings.Lines(status) {
		ids, found := strings.CutPrefix(line, "Uid:")
		if fields := strings.Fields(ids); found && len(fields) > 1 {
			user, err := strconv.ParseInt(fields[1], 10, 64)
			return user, err == nil
		}
	}
	return 0, false
}
