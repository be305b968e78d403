package load

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// spareFiles is what this process may hold open beside its connections.
const spareFiles = 64

// checkHost finds out before the run what this host lacks for it, so that its
// faults are not taken for the server's.
func checkHost(cfg Config) error {
	if err := raiseFileLimit(uint64(cfg.Connections + spareFiles)); err != nil {
		return err
	}
	ports, err := localPorts()
	if err != nil {
		return err
	}
	if cfg.Connections > ports {
		return fmt.Errorf("%d connections, but net.ipv4.ip_local_port_range has %d ports: widen it", cfg.Connections, ports)
	}
	return nil
}

// raiseFileLimit lifts the soft limit of open files to need if it is below.
func raiseFileLimit(need uint64) error {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return fmt.Errorf("reading the limit of open files: %w", err)
	}
	if limit.Cur >= need {
		return nil
	}
	if limit.Max < need {
		return fmt.Errorf("%d open files are needed, but the hard limit is %d: raise it (ulimit -Hn)", need, limit.Max)
	}
	limit.Cur = limit.Max
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return fmt.Errorf("raising the limit of open files: %w", err)
	}
	return nil
}

// localPorts returns how many connections to one address this host can have.
func localPorts() (int, error) {
	const file = "/proc/sys/net/ipv4/ip_local_port_range"
	b, err := os.ReadFile(file)
	if err != nil {
		return 0, fmt.Errorf("reading the range of local ports: %w", err)
	}
	var first, last int
	if _, err := fmt.Sscan(strings.TrimSpace(string(b)), &first, &last); err != nil {
		return 0, fmt.Errorf("reading the range of local ports from %s: %w", file, err)
	}
	return last - first + 1, nil
}
