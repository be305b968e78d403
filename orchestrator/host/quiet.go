package host

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shirou/gopsutil/v3/process"
)

// A Bustle is what went on on some CPUs over a while.
type Bustle struct {
	CPUs  []int
	Busy  float64 // share of their time, 0 to 1, in which something ran on them
	Steal float64 // share of their time that the hypervisor gave away

	// Processes are those of the whole machine that used CPU time meanwhile, the
	// busiest first. Those that ended are missing, and all are where they cannot
	// be listed.
	Processes []Process
}

// String says what went on, with the names of the busiest processes: "98 % of CPU 0
// busy (sh 97 %, dockerd 2 %)", where 100 % is one CPU all the time.
func (b Bustle) String() string {
	const most, least = 3, 0.01 // CPUs
	var names []string
	for _, p := range b.Processes[:min(most, len(b.Processes))] {
		if p.CPU >= least {
			names = append(names, fmt.Sprintf("%s %.0f %%", p.Name, 100*p.CPU))
		}
	}
	text := fmt.Sprintf("%.0f %% of CPU %s busy", 100*b.Busy, FormatCPUs(b.CPUs))
	if len(names) > 0 {
		text += " (" + strings.Join(names, ", ") + ")"
	}
	return text
}

// A Process is one of the machine's.
type Process struct {
	PID  int
	Name string
	CPU  float64 // CPUs that it used, 1 being one all the time
}

// Watch watches the machine for d and returns what went on on one of the given
// sets of CPUs: the busiest. The kernel counts in ticks of 10 ms: below 100 ms the
// shares are coarse, and no tick at all is an error, as are a cancelled context
// and CPU times that cannot be read.
func Watch(ctx context.Context, d time.Duration, sets ...[]int) (Bustle, error) {
	return here().watch(ctx, d, sets...)
}

func (m machine) watch(ctx context.Context, d time.Duration, sets ...[]int) (worst Bustle, err error) {
	// Listing processes takes CPU time itself, and so stands outside of the readings.
	spent := m.processTimes(ctx)
	before, err := m.read(ctx)
	if err != nil {
		return Bustle{}, err
	}
	select {
	case <-time.After(d):
	case <-ctx.Done():
		return Bustle{}, fmt.Errorf("watching the machine: %w", context.Cause(ctx))
	}
	after, err := m.read(ctx)
	if err != nil {
		return Bustle{}, err
	}
	for i, cpus := range sets {
		shares, ok := TimeOf(cpus, before, after).Shares()
		if !ok {
			return Bustle{}, fmt.Errorf("watching the machine: no tick of the clock of CPU %s in %v", FormatCPUs(cpus), d)
		}
		if i == 0 || shares.Busy() > worst.Busy {
			worst = Bustle{CPUs: cpus, Busy: shares.Busy(), Steal: shares.Steal}
		}
	}
	worst.Processes = m.busiest(ctx, spent, after.At.Sub(before.At))
	return worst, nil
}

// processTimes returns the CPU time in seconds that each process used, by its
// number.
func (m machine) processTimes(ctx context.Context) map[int32]float64 {
	ctx = m.env(ctx)
	pids, err := process.PidsWithContext(ctx)
	if err != nil {
		return nil
	}
	spent := make(map[int32]float64, len(pids))
	for _, pid := range pids {
		p := process.Process{Pid: pid}
		if t, err := p.TimesWithContext(ctx); err == nil {
			spent[pid] = t.User + t.System
		}
	}
	return spent
}

// busiest returns the processes that used CPU time since they had spent so much, d
// ago.
func (m machine) busiest(ctx context.Context, before map[int32]float64, d time.Duration) (all []Process) {
	for pid, spent := range m.processTimes(ctx) {
		was, old := before[pid]
		if used := spent - was; old && used > 0 {
			p := process.Process{Pid: pid}
			name, err := p.NameWithContext(m.env(ctx))
			if err == nil {
				all = append(all, Process{int(pid), name, used / d.Seconds()})
			}
		}
	}
	slices.SortFunc(all, func(a, b Process) int { return cmp.Or(cmp.Compare(b.CPU, a.CPU), cmp.Compare(a.PID, b.PID)) })
	return all
}
