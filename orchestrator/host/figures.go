package host

import "time"

// A figureFile is a file of a control group and the figures to be taken from it.
type figureFile struct {
	controller string // of version 1; "" is version 2
	name       string
	group      func(*Cgroup) *[]source
	lines      []line
}

// A line is one figure: the word that its line begins with, "" where the file is
// a lone number, and where the number goes.
type line struct {
	name string
	set  func(*CgroupReading, int64)
}

// figureFiles lists all files that are read, as the kernel's admin guide describes
// them (cgroup-v1/cpuacct, cgroup-v1/memory, cgroup-v1/pids, cgroup-v2). Version
// 1 comes first: where both are mounted, version 2 has few controllers or none.
func figureFiles() []figureFile {
	return []figureFile{
		{controller: "cpuacct", name: "cpuacct.usage", group: cpuFiles, lines: []line{{"", usage(time.Nanosecond)}}},
		{controller: "cpuacct", name: "cpuacct.usage_user", group: cpuFiles, lines: []line{{"", user(time.Nanosecond)}}},
		{controller: "cpuacct", name: "cpuacct.usage_sys", group: cpuFiles, lines: []line{{"", system(time.Nanosecond)}}},
		{controller: "", name: "cpu.stat", group: cpuFiles, lines: []line{
			{"usage_usec", usage(time.Microsecond)},
			{"user_usec", user(time.Microsecond)},
			{"system_usec", system(time.Microsecond)},
		}},

		{controller: "memory", name: "memory.usage_in_bytes", group: memoryFiles, lines: []line{
			{"", func(r *CgroupReading, n int64) { r.Memory.Current = &n }},
		}},
		{controller: "memory", name: "memory.max_usage_in_bytes", group: memoryFiles, lines: []line{
			{"", func(r *CgroupReading, n int64) { r.Memory.Peak = &n }},
		}},
		{controller: "memory", name: "memory.kmem.usage_in_bytes", group: memoryFiles, lines: []line{
			{"", func(r *CgroupReading, n int64) { r.Memory.Kernel = &n }},
		}},
		{controller: "memory", name: "memory.stat", group: memoryFiles, lines: []line{
			{"total_rss", func(r *CgroupReading, n int64) { r.Memory.Anon = &n }},
			{"total_cache", func(r *CgroupReading, n int64) { r.Memory.File = &n }},
			{"total_inactive_file", func(r *CgroupReading, n int64) { r.Memory.InactiveFile = &n }},
			{"total_shmem", func(r *CgroupReading, n int64) { r.Memory.Shmem = &n }},
		}},
		{controller: "", name: "memory.current", group: memoryFiles, lines: []line{
			{"", func(r *CgroupReading, n int64) { r.Memory.Current = &n }},
		}},
		{controller: "", name: "memory.peak", group: memoryFiles, lines: []line{
			{"", func(r *CgroupReading, n int64) { r.Memory.Peak = &n }},
		}},
		{controller: "", name: "memory.stat", group: memoryFiles, lines: []line{
			{"anon", func(r *CgroupReading, n int64) { r.Memory.Anon = &n }},
			{"file", func(r *CgroupReading, n int64) { r.Memory.File = &n }},
			{"inactive_file", func(r *CgroupReading, n int64) { r.Memory.InactiveFile = &n }},
			{"shmem", func(r *CgroupReading, n int64) { r.Memory.Shmem = &n }},
			{"kernel", func(r *CgroupReading, n int64) { r.Memory.Kernel = &n }},
		}},

		{controller: "memory", name: "memory.oom_control", group: oomFiles, lines: []line{{"oom_kill", oomKills}}},
		{controller: "", name: "memory.events", group: oomFiles, lines: []line{{"oom_kill", oomKills}}},

		{controller: "pids", name: "pids.current", group: threadFiles, lines: []line{{"", threads}}},
		{controller: "", name: "pids.current", group: threadFiles, lines: []line{{"", threads}}},
	}
}

// quotaFiles lists what tells of CPU quotas (scheduler/sched-bwc). A group without
// the controller has none and does not tell.
func quotaFiles() []figureFile {
	return []figureFile{
		{controller: "cpu", name: "cpu.stat", lines: []line{{"throttled_time", throttled(time.Nanosecond)}}},
		{controller: "", name: "cpu.stat", lines: []line{{"throttled_usec", throttled(time.Microsecond)}}},
	}
}

func cpuFiles(c *Cgroup) *[]source    { return &c.cpu }
func memoryFiles(c *Cgroup) *[]source { return &c.memory }
func oomFiles(c *Cgroup) *[]source    { return &c.oomKill }
func threadFiles(c *Cgroup) *[]source { return &c.threads }

func usage(unit time.Duration) func(*CgroupReading, int64) {
	return func(r *CgroupReading, n int64) { r.CPU.Usage = new(time.Duration(n) * unit) }
}

func user(unit time.Duration) func(*CgroupReading, int64) {
	return func(r *CgroupReading, n int64) { r.CPU.User = new(time.Duration(n) * unit) }
}

func system(unit time.Duration) func(*CgroupReading, int64) {
	return func(r *CgroupReading, n int64) { r.CPU.System = new(time.Duration(n) * unit) }
}

// throttled adds up, over the groups that each have a file.
func throttled(unit time.Duration) func(*CgroupReading, int64) {
	return func(r *CgroupReading, n int64) {
		sum := time.Duration(n) * unit
		if r.Throttled != nil {
			sum += *r.Throttled
		}
		r.Throttled = &sum
	}
}

func oomKills(r *CgroupReading, n int64) { r.OOMKills = &n }

func threads(r *CgroupReading, n int64) { r.Threads = &n }
