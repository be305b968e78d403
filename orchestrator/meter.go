package orchestrator

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"dyno/containers"
	"dyno/orchestrator/host"
	"dyno/results"
)

// Marks of the readings between which a trial was measured.
const (
	measureBegins = "measure begins"
	measureEnds   = "measure ends"
)

// A meter reads host and containers through a trial, four times a second and
// exactly at the begin and the end of what is measured.
type meter struct {
	pod                    *containers.Pod // nil: not booted
	sampler                *host.Sampler
	groups                 map[string]*host.Cgroup
	made                   map[string]*int64                        // highest memory of a group when its readings began: of the making of the container
	stats                  map[string]map[string]host.CgroupReading // by mark and container, where Docker's stats have to serve
	storage                map[string]int                           // processes of Docker's storage driver that serve a container's files, by the container
	stored                 map[string]map[string]time.Duration      // CPU time that these had used, by mark and container
	softIRQ                map[int]int                              // threads of the kernel that handle soft interrupts, by CPU
	softened               map[string]map[int]time.Duration         // CPU time that these had used, by mark and CPU
	users                  map[string][]int64                       // of the containers' processes at the window's end
	openFiles              map[string]int64                         // that a container's first process may have at the window's end
	serverCPUs, engineCPUs []int
	remote                 bool      // the containers run on another machine
	began                  time.Time // of the trial
	from, to               time.Time // of the measured window; zero: not reached
}

// startMeter starts to read the host.
func startMeter(began time.Time, serverCPUs, engineCPUs []int, remote bool) *meter {
	return &meter{
		sampler: host.StartSampler(context.Background(), 0, nil), groups: map[string]*host.Cgroup{}, made: map[string]*int64{},
		stats: map[string]map[string]host.CgroupReading{}, users: map[string][]int64{}, openFiles: map[string]int64{},
		storage: map[string]int{}, stored: map[string]map[string]time.Duration{}, softened: map[string]map[int]time.Duration{}, serverCPUs: serverCPUs, engineCPUs: engineCPUs, remote: remote, began: began,
	}
}

// add reads a pod's containers from now on. Where their control groups cannot be
// read, as with a daemon on another machine, Docker is asked at the window's ends.
func (m *meter) add(pod *containers.Pod) {
	m.pod = pod
	var helpers host.Helpers
	if !m.remote {
		helpers = host.FindHelpers()
	}
	m.softIRQ = helpers.SoftIRQ
	for _, c := range pod.Containers() {
		if pid, ok := helpers.Files[c.Root]; ok {
			m.storage[c.Name] = pid
		}
		if group, err := openGroup(c); err == nil {
			m.groups[c.Name], m.made[c.Name] = group, group.Memory().Peak
			m.sampler.Add(c.Name, group)
		}
	}
}

// openGroup opens a container's control group. A process of the same number that
// is not the container's, because the daemon is on another machine, is an error.
func openGroup(c *containers.Container) (*host.Cgroup, error) {
	membership, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", c.PID))
	if err != nil {
		return nil, err
	}
	if !strings.Contains(string(membership), c.ID) {
		return nil, fmt.Errorf("process %d is not of container %.12s", c.PID, c.ID)
	}
	return host.OpenCgroup(c.PID)
}

// begin marks the begin of what is measured.
func (m *meter) begin(ctx context.Context) error {
	err := m.mark(ctx, measureBegins)
	m.from = time.Now()
	return err
}

// end marks the end of what is measured.
func (m *meter) end(ctx context.Context) error {
	m.to = time.Now()
	err := m.mark(ctx, measureEnds)
	for _, c := range m.pod.Containers() {
		group := m.groups[c.Name]
		if group == nil {
			continue
		}
		if users, err := group.Users(); err == nil { // else the container is gone, which is noticed elsewhere
			m.users[c.Name] = users
		}
		if most, err := host.OpenFiles(c.PID); err == nil {
			m.openFiles[c.Name] = most
		}
	}
	return err
}

// window is how long the measured window is.
func (m *meter) window() time.Duration { return m.to.Sub(m.from) }

func (m *meter) mark(ctx context.Context, name string) error {
	m.sampler.Mark(name)
	m.stored[name], m.softened[name] = map[string]time.Duration{}, map[int]time.Duration{}
	for cpu, pid := range m.softIRQ {
		if used, err := host.ProcessCPU(pid); err == nil {
			m.softened[name][cpu] = used
		}
	}
	for container, pid := range m.storage {
		if used, err := host.ProcessCPU(pid); err == nil {
			m.stored[name][container] = used
		}
	}
	m.stats[name] = map[string]host.CgroupReading{}
	for _, c := range m.pod.Containers() {
		if m.groups[c.Name] != nil {
			continue
		}
		s, err := m.pod.Stats(ctx, c)
		if err != nil {
			return err
		}
		m.stats[name][c.Name] = host.CgroupReading{
			At:      time.Now(),
			CPU:     host.CgroupCPU{Usage: &s.CPU, User: &s.User, System: &s.System},
			Memory:  host.Memory{Current: &s.Memory, Peak: s.PeakMemory, Anon: s.Anon},
			Threads: &s.Threads,
		}
	}
	return nil
}

// stop ends the readings and puts them, and what was spent between the marks, into the trial.
func (m *meter) stop(t *results.Trial) error {
	samples, err := m.sampler.Stop()
	for _, g := range m.groups {
		err = errors.Join(err, g.Close())
	}
	for _, s := range samples {
		t.Readings = append(t.Readings, readingOf(s, m.began))
	}
	first, last := marked(samples, measureBegins), marked(samples, measureEnds)
	if first < 0 || last < 0 {
		return err
	}
	window := samples[first : last+1]
	for _, c := range m.pod.Containers() {
		usage := m.usage(c.Name, window)
		usage.Of = c.Of
		if m.groups[c.Name] != nil {
			usage.PeakBytes = peakMemory(c.Name, samples[:last+1], m.made[c.Name])
		}
		if c == m.pod.Engine {
			t.Engine = &usage
		} else {
			t.Services = append(t.Services, usage)
		}
	}
	if !m.remote {
		t.Host = m.hostUse(window[0].Host, window[len(window)-1].Host, t)
	}
	return err
}

func marked(samples []host.Sample, mark string) int {
	for i, s := range samples {
		if s.Mark == mark {
			return i
		}
	}
	return -1
}

// usage is what a container spent between the first and the last sample.
func (m *meter) usage(name string, window []host.Sample) results.Usage {
	from, to := window[0].Groups[name], window[len(window)-1].Groups[name]
	u := results.Usage{Name: name, Source: "docker stats"}
	if group := m.groups[name]; group != nil {
		u.Source = "cgroup v" + group.Version()
	} else {
		from, to = m.stats[measureBegins][name], m.stats[measureEnds][name]
	}
	u.CPUS = seconds(from.CPU.Usage, to.CPU.Usage)
	u.UserS, u.SystemS = seconds(from.CPU.User, to.CPU.User), seconds(from.CPU.System, to.CPU.System)
	u.ThrottledS = seconds(from.Throttled, to.Throttled)
	u.PeakBytes, u.AnonBytes, u.OOMKills = to.Memory.Peak, to.Memory.Anon, to.OOMKills
	u.ProcessesWas, u.Processes, u.Threads = from.Procs, to.Procs, to.Threads
	u.MeanBytes = meanMemory(name, window)
	u.Users = m.users[name]
	if most, known := m.openFiles[name]; known {
		u.OpenFiles = &most
	}
	before, begun := m.stored[measureBegins][name]
	if after, ended := m.stored[measureEnds][name]; begun && ended {
		u.StorageS = new((after - before).Seconds())
	}
	return u
}

// seconds is the difference of two readings; nil where one is missing.
func seconds(from, to *time.Duration) *float64 {
	if from == nil || to == nil {
		return nil
	}
	return new((*to - *from).Seconds())
}

// hostUse is where the CPU time of the services' CPUs or the load engine's went
// between two readings: of those of which others took the greater share.
func (m *meter) hostUse(from, to host.Reading, t *results.Trial) (worst *results.HostUse) {
	services := spent(t.Services)
	parts := []struct {
		cpus []int
		ours *float64
	}{{m.serverCPUs, services}, {m.engineCPUs, t.Engine.CPUS}}
	if slices.Equal(m.serverCPUs, m.engineCPUs) {
		parts = parts[:1]
		parts[0].ours = spent(append(t.Services[:len(t.Services):len(t.Services)], *t.Engine))
	}
	for i := range parts {
		if parts[i].ours != nil {
			// What others' packets are among these comes with CPU time that is others' own.
			parts[i].ours = new(*parts[i].ours + m.softIRQOn(parts[i].cpus))
		}
	}
	foreign := 0.0 // seconds on all parts together
	for _, part := range parts {
		foreign += othersOn(part.cpus, part.ours, from, to)
	}
	// The storage driver's processes may run on any CPU, and serve no one else.
	foreign = max(0, foreign-max(0, stored(append(t.Services[:len(t.Services):len(t.Services)], *t.Engine))))
	for _, part := range parts {
		use := useOf(part.cpus, part.ours, foreign, from, to)
		if worst == nil || use != nil && use.Other != nil && (worst.Other == nil || *use.Other > *worst.Other) {
			worst = use
		}
	}
	if worst != nil {
		worst.ServerIdle, worst.EngineIdle = idleOf(m.serverCPUs, from, to), idleOf(m.engineCPUs, from, to)
	}
	return worst
}

// softIRQOn is the CPU time in seconds that the kernel's threads for soft
// interrupts used on some CPUs.
func (m *meter) softIRQOn(cpus []int) (sum float64) {
	for _, cpu := range cpus {
		before, begun := m.softened[measureBegins][cpu]
		if after, ended := m.softened[measureEnds][cpu]; begun && ended {
			sum += (after - before).Seconds()
		}
	}
	return sum
}

// othersOn is the CPU time in seconds that some CPUs gave to others than the
// containers that have them; 0 where that is not known.
func othersOn(cpus []int, ours *float64, from, to host.Reading) float64 {
	if ours == nil {
		return 0
	}
	return max(0, host.TimeOf(cpus, from, to).Busy()-*ours)
}

// stored is the CPU time in seconds that Docker's storage driver spent on several
// containers' files.
func stored(usages []results.Usage) (sum float64) {
	for _, u := range usages {
		if u.StorageS != nil {
			sum += *u.StorageS
		}
	}
	return sum
}

// spent is the CPU time of several containers in seconds; nil where one's is not known.
func spent(usages []results.Usage) *float64 {
	sum := 0.0
	for _, u := range usages {
		if u.CPUS == nil {
			return nil
		}
		sum += *u.CPUS
	}
	return &sum
}

// useOf is where the time of some CPUs went, of which ours was spent by the
// containers that have them, and others had foreign at most; nil where the kernel
// counted no time.
func useOf(cpus []int, ours *float64, foreign float64, from, to host.Reading) *results.HostUse {
	time := host.TimeOf(cpus, from, to)
	share, ok := time.Shares()
	if !ok {
		return nil
	}
	use := &results.HostUse{
		CPUs: host.FormatCPUs(cpus), User: share.User + share.Nice, System: share.System + share.IRQ,
		SoftIRQ: share.SoftIRQ, Steal: share.Steal, Idle: share.Idle + share.IOWait,
	}
	if ours != nil {
		use.Other = new(min(foreign, othersOn(cpus, ours, from, to)) / time.Total())
	}
	return use
}

// idleOf is the share of some CPUs' time that was idle; nil where the kernel
// counted no time.
func idleOf(cpus []int, from, to host.Reading) *float64 {
	share, ok := host.TimeOf(cpus, from, to).Shares()
	if !ok {
		return nil
	}
	return new(share.Idle + share.IOWait)
}

func readingOf(s host.Sample, began time.Time) results.Reading {
	r := results.Reading{
		AtS: s.Host.At.Sub(began).Seconds(), Mark: s.Mark,
		User: s.Host.CPU.User + s.Host.CPU.Nice, System: s.Host.CPU.System + s.Host.CPU.IRQ, SoftIRQ: s.Host.CPU.SoftIRQ,
		Steal: s.Host.CPU.Steal, Idle: s.Host.CPU.Idle + s.Host.CPU.IOWait,
		AvailableBytes: s.Host.MemoryAvailable, Load1: s.Host.Load1,
	}
	for _, name := range slices.Sorted(maps.Keys(s.Groups)) {
		g := s.Groups[name]
		r.Containers = append(r.Containers, results.ContainerReading{Name: name, CPUS: inSeconds(g.CPU.Usage), MemoryBytes: g.Memory.Current})
	}
	return r
}

func inSeconds(d *time.Duration) *float64 {
	if d == nil {
		return nil
	}
	return new(d.Seconds())
}
