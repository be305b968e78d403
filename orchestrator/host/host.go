// Package host tells what machine dyno runs on, and what the machine and each
// container on it spend.
//
// Facts are read once and describe the machine; readings are taken while a
// trial runs and are cumulative, so that two of them make a window. What cannot
// be found out is nil, never zero and never a guess. gopsutil is asked wherever
// it knows the thing; the rest is read below /proc and /sys.
//
// It decides nothing: whether a host is too busy or two machines are alike is
// for others to judge. Docker's own facts are not here either.
package host

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/shirou/gopsutil/v3/common"
)

// A machine is read through the files below a root directory: "/" for the one
// that this process runs on.
type machine struct{ root string }

func here() machine { return machine{"/"} }

// env makes gopsutil read below the machine's root.
func (m machine) env(ctx context.Context) context.Context {
	return context.WithValue(ctx, common.EnvKey, common.EnvMap{
		common.HostProcEnvKey: m.path("proc"),
		common.HostSysEnvKey:  m.path("sys"),
		common.HostEtcEnvKey:  m.path("etc"),
		common.HostRootEnvKey: m.root,
	})
}

func (m machine) path(name string) string { return filepath.Join(m.root, name) }

func (m machine) exists(name string) bool {
	_, err := os.Stat(m.path(name))
	return err == nil
}

// text returns a file's content without surrounding space, and "" where it
// cannot be read.
func (m machine) text(name string) string {
	b, err := os.ReadFile(m.path(name))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(strings.TrimRight(string(b), "\x00"))
}

// number returns the number that a file consists of.
func (m machine) number(name string) (int64, bool) {
	n, err := strconv.ParseInt(m.text(name), 10, 64)
	return n, err == nil
}

// glob returns the names, relative to the root, that match a pattern.
func (m machine) glob(pattern string) []string {
	found, err := filepath.Glob(m.path(pattern))
	if err != nil {
		return nil
	}
	for i, f := range found {
		if rel, err := filepath.Rel(m.root, f); err == nil {
			found[i] = rel
		}
	}
	return found
}
