package host

import (
	"context"
	"runtime"

	"github.com/shirou/gopsutil/v3/cpu"
	"github.com/shirou/gopsutil/v3/host"
	"github.com/shirou/gopsutil/v3/mem"
)

// Facts are the machine's properties by name; Keys describes them. A value is a
// string, int64, float64, bool or []string, or nil where it is unknown.
type Facts map[string]any

// A Key describes one fact.
type Key struct {
	Name     string // such as "cpu.model"
	Unit     string // "bytes", "MHz", or "" for a name, a state or a count
	Source   string // where it is read
	Volatile bool   // changes by itself, so that a difference means nothing
}

// ReadFacts returns the facts of this machine, every key of Keys among them.
func ReadFacts(ctx context.Context) Facts { return here().facts(ctx) }

// Keys describes all facts, in the order in which to show them.
func Keys() []Key {
	keys := make([]Key, len(factTable))
	for i, f := range factTable {
		keys[i] = f.Key
	}
	return keys
}

func (m machine) facts(ctx context.Context) Facts {
	s := m.survey(ctx)
	facts := Facts{}
	for _, f := range factTable {
		facts[f.Name] = f.read(s)
	}
	return facts
}

// A survey is what several facts are drawn from, read once.
type survey struct {
	machine
	ctx  context.Context
	info []cpu.InfoStat         // of each online CPU; empty where unknown
	mem  *mem.VirtualMemoryStat // nil where unknown
	cpus []CPU                  // online, allowed or not; empty where unknown

	osName, osVersion string // "" where unknown
}

func (m machine) survey(ctx context.Context) *survey {
	s := &survey{machine: m, ctx: m.env(ctx)}
	// An error leaves the facts drawn from it unknown, which is all there is to say.
	s.info, _ = cpu.InfoWithContext(s.ctx)
	s.cpus, _ = m.online()
	s.osName, _, s.osVersion, _ = host.PlatformInformationWithContext(s.ctx)
	if vm, err := mem.VirtualMemoryWithContext(s.ctx); err == nil && vm.Total > 0 {
		s.mem = vm
	}
	return s
}

// A fact is a key and the way to find its value.
type fact struct {
	Key
	read func(*survey) any
}

// Where several facts come from.
const (
	fromCPUInfo = "/proc/cpuinfo"
	fromPolicy  = "/sys/devices/system/cpu/cpufreq/policy*/"
	fromCache   = "/sys/devices/system/cpu/cpu*/cache, one instance of the first CPU"
	fromDMI     = "/sys/class/dmi/id, /proc/device-tree"
)

// factTable holds all facts, in the order in which to show them.
var factTable = []fact{
	{Key{Name: "machine.model", Source: fromDMI}, (*survey).machineModel},
	{Key{Name: "arch", Source: "uname -m"}, func(*survey) any { return arch() }},
	{Key{Name: "cpu.model", Source: fromCPUInfo}, infoFact(func(i cpu.InfoStat) string { return i.ModelName })},
	{Key{Name: "cpu.vendor", Source: fromCPUInfo}, infoFact(func(i cpu.InfoStat) string { return i.VendorID })},
	{Key{Name: "cpu.microcode", Source: fromCPUInfo}, infoFact(func(i cpu.InfoStat) string { return i.Microcode })},
	{Key{Name: "cpu.sockets", Source: "/sys/devices/system/cpu/cpu*/topology/physical_package_id"}, (*survey).sockets},
	{Key{Name: "cpu.cores", Source: "/sys/devices/system/cpu/cpu*/topology/core_cpus_list"}, countFact(false)},
	{Key{Name: "cpu.threads", Source: fromCPUInfo}, countFact(true)},
	{Key{Name: "cpu.allowed", Source: "/proc/self/status"}, (*survey).allowedCPUs},
	{Key{Name: "cpu.smt", Source: "/sys/devices/system/cpu/cpu*/topology/core_cpus_list"}, (*survey).smt},
	{Key{Name: "cpu.cache.l1d", Unit: "bytes", Source: fromCache}, cacheFact("1", "Data")},
	{Key{Name: "cpu.cache.l1i", Unit: "bytes", Source: fromCache}, cacheFact("1", "Instruction")},
	{Key{Name: "cpu.cache.l2", Unit: "bytes", Source: fromCache}, cacheFact("2", "Unified")},
	{Key{Name: "cpu.cache.l3", Unit: "bytes", Source: fromCache}, cacheFact("3", "Unified")},
	{Key{Name: "cpu.mhz.base", Unit: "MHz", Source: fromPolicy + "base_frequency, cpu*/acpi_cppc/nominal_freq, the highest"}, (*survey).baseMHz},
	{Key{Name: "cpu.mhz.max", Unit: "MHz", Source: fromPolicy + "cpuinfo_max_freq, the highest"}, (*survey).maxMHz},
	{Key{Name: "cpu.mhz.current", Unit: "MHz", Source: fromPolicy + "scaling_cur_freq, the highest, or " + fromCPUInfo, Volatile: true}, (*survey).currentMHz},
	{Key{Name: "cpu.freq_driver", Source: fromPolicy + "scaling_driver"}, policyFact("scaling_driver")},
	{Key{Name: "cpu.governor", Source: fromPolicy + "scaling_governor"}, policyFact("scaling_governor")},
	{Key{Name: "cpu.energy_preference", Source: fromPolicy + "energy_performance_preference"}, policyFact("energy_performance_preference")},
	{Key{Name: "cpu.boost", Source: "/sys/devices/system/cpu/intel_pstate/no_turbo, cpufreq/boost"}, (*survey).boost},
	{Key{Name: "cpu.mitigations", Source: "/sys/devices/system/cpu/vulnerabilities"}, (*survey).mitigations},
	{Key{Name: "numa.nodes", Source: "/sys/devices/system/node/online"}, (*survey).numaNodes},
	{Key{Name: "virtualization", Source: fromCPUInfo + " (hypervisor flag), " + fromDMI}, (*survey).virtualization},
	{Key{Name: "hypervisor", Source: fromDMI + ", /sys/hypervisor/type, available clocks"}, (*survey).hypervisor},
	{Key{Name: "container", Source: "/proc/self/ns/pid, /.dockerenv, /run/.containerenv, /run/systemd/container"}, (*survey).container},
	{Key{Name: "memory.total", Unit: "bytes", Source: "/proc/meminfo"}, memFact(func(v *mem.VirtualMemoryStat) uint64 { return v.Total })},
	{Key{Name: "swap.total", Unit: "bytes", Source: "/proc/meminfo"}, memFact(func(v *mem.VirtualMemoryStat) uint64 { return v.SwapTotal })},
	{Key{Name: "memory.thp", Source: "/sys/kernel/mm/transparent_hugepage/enabled"}, choiceFact("sys/kernel/mm/transparent_hugepage/enabled")},
	{Key{Name: "memory.thp_defrag", Source: "/sys/kernel/mm/transparent_hugepage/defrag"}, choiceFact("sys/kernel/mm/transparent_hugepage/defrag")},
	{Key{Name: "os.name", Source: "/etc/*release, /etc/debian_version"}, func(s *survey) any { return known(s.osName) }},
	{Key{Name: "os.version", Source: "/etc/*release, /etc/debian_version"}, func(s *survey) any { return known(s.osVersion) }},
	{Key{Name: "kernel.release", Source: "/proc/sys/kernel/osrelease"}, textFact("proc/sys/kernel/osrelease")},
	{Key{Name: "kernel.version", Source: "/proc/sys/kernel/version"}, textFact("proc/sys/kernel/version")},
	{Key{Name: "kernel.cmdline", Source: "/proc/cmdline, only what bears on speed"}, (*survey).kernelCmdline},
	{Key{Name: "kernel.sched", Source: "/proc/sys/kernel/sched_*"}, (*survey).kernelSched},
	{Key{Name: "cgroup.version", Source: "/proc/self/mountinfo"}, (*survey).cgroupVersion},
	{Key{Name: "clock.source", Source: "/sys/devices/system/clocksource/clocksource0/current_clocksource"}, textFact(clocksource + "current_clocksource")},
	{Key{Name: "clock.available", Source: "/sys/devices/system/clocksource/clocksource0/available_clocksource"}, wordsFact(clocksource + "available_clocksource")},
	// The host's; a pod's own network namespace starts with the kernel's defaults.
	sysctlFact("net.core.somaxconn"),
	sysctlFact("net.core.netdev_max_backlog"),
	sysctlFact("net.core.rmem_max"),
	sysctlFact("net.core.wmem_max"),
	sysctlFact("net.ipv4.ip_local_port_range"),
	sysctlFact("net.ipv4.tcp_congestion_control"),
	sysctlFact("net.ipv4.tcp_fin_timeout"),
	sysctlFact("net.ipv4.tcp_max_syn_backlog"),
	sysctlFact("net.ipv4.tcp_max_tw_buckets"),
	sysctlFact("net.ipv4.tcp_mem"),
	sysctlFact("net.ipv4.tcp_rmem"),
	sysctlFact("net.ipv4.tcp_syncookies"),
	sysctlFact("net.ipv4.tcp_tw_reuse"),
	sysctlFact("net.ipv4.tcp_wmem"),
	sysctlFact("fs.file-max"),
	sysctlFact("fs.nr_open"),
	sysctlFact("kernel.numa_balancing"),
	sysctlFact("kernel.pid_max"),
	sysctlFact("kernel.randomize_va_space"),
	sysctlFact("kernel.threads-max"),
	sysctlFact("vm.overcommit_memory"),
	sysctlFact("vm.swappiness"),
	// Go raises its own soft limit to the hard one, so soft is what dyno has, not what it was given.
	{Key{Name: "rlimit.nofile.soft", Source: "/proc/self/limits"}, limitFact("Max open files", 0)},
	{Key{Name: "rlimit.nofile.hard", Source: "/proc/self/limits"}, limitFact("Max open files", 1)},
	{Key{Name: "go.version", Source: "dyno itself"}, func(*survey) any { return runtime.Version() }},
}

// arch returns the kernel's name of the architecture, such as "x86_64".
func arch() any {
	name, err := host.KernelArch()
	if err != nil {
		return nil
	}
	return known(name)
}

// known returns v, or nil for the zero value that stands for unknown.
func known[T comparable](v T) any {
	var unknown T
	if v == unknown {
		return nil
	}
	return v
}
