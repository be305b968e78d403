package host

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/shirou/gopsutil/v3/mem"
)

const clocksource = "sys/devices/system/clocksource/clocksource0/"

func textFact(file string) func(*survey) any {
	return func(s *survey) any { return known(s.text(file)) }
}

func wordsFact(file string) func(*survey) any {
	return func(s *survey) any { return list(strings.Fields(s.text(file))) }
}

// choiceFact gives the word that the kernel shows in brackets among all choices.
func choiceFact(file string) func(*survey) any {
	return func(s *survey) any {
		_, rest, _ := strings.Cut(s.text(file), "[")
		choice, _, _ := strings.Cut(rest, "]")
		return known(choice)
	}
}

// sysctlFact gives a number as int64, anything else as a string, in which
// several values are parted by one space.
func sysctlFact(name string) fact {
	file := "proc/sys/" + strings.ReplaceAll(name, ".", "/")
	return fact{Key{Name: "sysctl." + name, Source: "/" + file}, func(s *survey) any {
		if n, ok := s.number(file); ok {
			return n
		}
		return known(strings.Join(strings.Fields(s.text(file)), " "))
	}}
}

func memFact(field func(*mem.VirtualMemoryStat) uint64) func(*survey) any {
	return func(s *survey) any {
		if s.mem == nil {
			return nil
		}
		return int64(field(s.mem))
	}
}

// limitFact gives a column of a resource limit: 0 soft, 1 hard.
func limitFact(name string, column int) func(*survey) any {
	return func(s *survey) any {
		for line := range strings.Lines(s.text("proc/self/limits")) {
			rest, ok := strings.CutPrefix(line, name)
			if fields := strings.Fields(rest); ok && len(fields) > column {
				n, err := strconv.ParseInt(fields[column], 10, 64)
				if err != nil {
					return nil
				}
				return n
			}
		}
		return nil
	}
}

// kernelCmdline keeps the parameters that bear on speed. The others may be
// private, and name disks and machines besides.
func (s *survey) kernelCmdline() any {
	speed := []string{
		"amd_pstate", "apparmor", "audit", "cgroup_disable", "cgroup_no_v1", "clocksource",
		"cpufreq.default_governor", "cpuidle.governor", "default_hugepagesz", "hugepages", "hugepagesz",
		"idle", "init_on_alloc", "init_on_free", "intel_idle.max_cstate", "intel_pstate", "irqaffinity",
		"isolcpus", "l1tf", "maxcpus", "mds", "mitigations", "nohz", "nohz_full", "nopti", "nosmt",
		"nospectre_v1", "nospectre_v2", "nowatchdog", "nr_cpus", "numa", "numa_balancing", "preempt",
		"processor.max_cstate", "psi", "pti", "rcu_nocbs", "retbleed", "selinux", "skew_tick",
		"spec_rstack_overflow", "spec_store_bypass_disable", "spectre_v2", "systemd.unified_cgroup_hierarchy",
		"threadirqs", "transparent_hugepage", "tsc", "tsx",
	}
	words := strings.Fields(s.text("proc/cmdline"))
	if len(words) == 0 {
		return nil
	}
	kept := []string{}
	for _, word := range words {
		name, _, _ := strings.Cut(word, "=")
		if slices.Contains(speed, name) {
			kept = append(kept, word)
		}
	}
	return kept
}

// kernelSched lists the scheduler's settings as "name=value". Which there are
// depends on the kernel; newer ones keep most where only root can read.
func (s *survey) kernelSched() any {
	var settings []string
	for _, f := range s.glob("proc/sys/kernel/sched_*") {
		if value := s.text(f); value != "" {
			settings = append(settings, path.Base(f)+"="+value)
		}
	}
	return list(settings)
}

// cgroupVersion is "1", "2", or "hybrid" where both are mounted.
func (s *survey) cgroupVersion() any {
	var v1, v2 bool
	for _, m := range parseMounts(s.text("proc/self/mountinfo")) {
		v1 = v1 || !m.v2
		v2 = v2 || m.v2
	}
	switch {
	case v1 && v2:
		return "hybrid"
	case v2:
		return "2"
	case v1:
		return "1"
	}
	return nil
}

// list returns values, or nil where there are none.
func list(values []string) any {
	if len(values) == 0 {
		return nil
	}
	return values
}
