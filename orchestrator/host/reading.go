package host

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/shirou/gopsutil/v3/cpu"
	"github.com/shirou/gopsutil/v3/load"
	"github.com/shirou/gopsutil/v3/mem"
)

// CPUTimes is CPU time by state, in seconds; cumulative since boot in a
// Reading. The kernel counts in ticks of 10 ms.
type CPUTimes struct {
	User    float64 // includes Guest
	Nice    float64
	System  float64
	Idle    float64
	IOWait  float64 // idle, while a task waited for a disk
	IRQ     float64
	SoftIRQ float64
	Steal   float64 // runnable, while the hypervisor ran something else
	Guest   float64 // running a virtual machine; part of User
}

// Sub returns the time from u to t.
func (t CPUTimes) Sub(u CPUTimes) CPUTimes { return t.Add(u.times(-1)) }

// Total is the time in all states.
func (t CPUTimes) Total() float64 { return t.Busy() + t.Idle + t.IOWait + t.Steal }

// Busy is the time in which something ran on this machine: neither idle nor stolen.
func (t CPUTimes) Busy() float64 { return t.User + t.Nice + t.System + t.IRQ + t.SoftIRQ }

// Shares returns each state's part of the total, from 0 to 1, and false where no
// time passed.
func (t CPUTimes) Shares() (CPUTimes, bool) {
	total := t.Total()
	if total <= 0 {
		return CPUTimes{}, false
	}
	return t.times(1 / total), true
}

// Add returns the sum of both.
func (t CPUTimes) Add(u CPUTimes) CPUTimes {
	return CPUTimes{
		User:    t.User + u.User,
		Nice:    t.Nice + u.Nice,
		System:  t.System + u.System,
		Idle:    t.Idle + u.Idle,
		IOWait:  t.IOWait + u.IOWait,
		IRQ:     t.IRQ + u.IRQ,
		SoftIRQ: t.SoftIRQ + u.SoftIRQ,
		Steal:   t.Steal + u.Steal,
		Guest:   t.Guest + u.Guest,
	}
}

func (t CPUTimes) times(k float64) CPUTimes {
	return CPUTimes{
		User:    t.User * k,
		Nice:    t.Nice * k,
		System:  t.System * k,
		Idle:    t.Idle * k,
		IOWait:  t.IOWait * k,
		IRQ:     t.IRQ * k,
		SoftIRQ: t.SoftIRQ * k,
		Steal:   t.Steal * k,
		Guest:   t.Guest * k,
	}
}

// A Reading is one observation of the machine.
type Reading struct {
	At              time.Time
	CPU             CPUTimes         // summed over all online CPUs
	PerCPU          map[int]CPUTimes // by the kernel's number of the CPU
	MemoryAvailable int64            // bytes that can be had without swapping
	MemoryUsed      int64            // bytes, without page cache
	Load1           float64          // mean count of tasks running or in disk wait, over a minute
	Running         *int64           // tasks running or ready to, at this moment; nil where unknown
}

// TimeOf returns the time of some CPUs between two readings.
func TimeOf(cpus []int, from, to Reading) (sum CPUTimes) {
	for _, cpu := range cpus {
		sum = sum.Add(to.PerCPU[cpu].Sub(from.PerCPU[cpu]))
	}
	return sum
}

// Read takes a reading of this machine. It is an error if CPU times, memory or
// load cannot be read.
func Read(ctx context.Context) (Reading, error) { return here().read(ctx) }

func (m machine) read(ctx context.Context) (Reading, error) {
	ctx = m.env(ctx)
	r := Reading{At: time.Now()}
	if err := r.readCPU(ctx); err != nil {
		return Reading{}, fmt.Errorf("reading CPU times: %w", err)
	}
	vm, err := mem.VirtualMemoryWithContext(ctx)
	if err != nil {
		return Reading{}, fmt.Errorf("reading memory: %w", err)
	}
	if vm.Total == 0 {
		return Reading{}, errors.New("reading memory: no total in /proc/meminfo")
	}
	r.MemoryAvailable, r.MemoryUsed = int64(vm.Available), int64(vm.Used)
	avg, err := load.AvgWithContext(ctx)
	if err != nil {
		return Reading{}, fmt.Errorf("reading load: %w", err)
	}
	r.Load1, r.Running = avg.Load1, m.running()
	return r, nil
}

func (r *Reading) readCPU(ctx context.Context) error {
	stats, err := cpu.TimesWithContext(ctx, true)
	if err != nil {
		return err
	}
	r.PerCPU = make(map[int]CPUTimes, len(stats))
	for _, s := range stats {
		id, err := strconv.Atoi(strings.TrimPrefix(s.CPU, "cpu"))
		if err != nil {
			return err
		}
		r.PerCPU[id] = CPUTimes{
			User: s.User, Nice: s.Nice, System: s.System, Idle: s.Idle, IOWait: s.Iowait,
			IRQ: s.Irq, SoftIRQ: s.Softirq, Steal: s.Steal, Guest: s.Guest,
		}
		r.CPU = r.CPU.Add(r.PerCPU[id])
	}
	if len(stats) == 0 {
		return errors.New("no CPU in /proc/stat")
	}
	return nil
}

// running reads the fourth field of /proc/loadavg, such as "2/310". gopsutil
// would list all of /proc to tell as much, at several times the cost of all
// the rest of a reading.
func (m machine) running() *int64 {
	fields := strings.Fields(m.text("proc/loadavg"))
	if len(fields) < 4 {
		return nil
	}
	count, _, _ := strings.Cut(fields[3], "/")
	n, err := strconv.ParseInt(count, 10, 64)
	if err != nil {
		return nil
	}
	return &n
}
