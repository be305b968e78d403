package host

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A CPU is one logical CPU that is online.
type CPU struct {
	ID       int   // the kernel's number
	Package  int   // socket; -1 where unknown
	Core     int   // core within the package; -1 where unknown
	Siblings []int // usable CPUs of the same core, itself among them, rising; empty where unknown
}

// Topology returns the CPUs that are online and that this process may run on,
// in rising order of ID. It is an error if there is no list of CPUs to read.
func Topology() ([]CPU, error) { return here().topology() }

func (m machine) topology() ([]CPU, error) {
	cpus, err := m.online()
	if err != nil {
		return nil, err
	}
	allowed, err := m.allowed()
	if err != nil {
		return nil, err
	}
	barred := func(id int) bool { return !slices.Contains(allowed, id) }
	cpus = slices.DeleteFunc(cpus, func(c CPU) bool { return barred(c.ID) })
	for i := range cpus {
		cpus[i].Siblings = slices.DeleteFunc(cpus[i].Siblings, barred)
	}
	return cpus, nil
}

func (m machine) online() ([]CPU, error) {
	text := m.text(cpuDir + "online")
	if text == "" {
		return nil, errors.New("reading online CPUs: no list in /" + cpuDir + "online")
	}
	ids, err := ParseCPUs(text)
	if err != nil {
		return nil, fmt.Errorf("reading online CPUs: %w", err)
	}
	cpus := make([]CPU, len(ids))
	for i, id := range ids {
		cpus[i] = CPU{
			ID:       id,
			Package:  m.topologyNumber(id, "physical_package_id"),
			Core:     m.topologyNumber(id, "core_id"),
			Siblings: m.siblings(id),
		}
	}
	return cpus, nil
}

func (m machine) topologyNumber(cpu int, file string) int {
	if n, ok := m.number(cpuPath(cpu, "topology/"+file)); ok && n >= 0 {
		return int(n)
	}
	return -1
}

// siblings reads core_cpus_list, or its name before Linux 5.3.
func (m machine) siblings(cpu int) []int {
	for _, file := range []string{"topology/core_cpus_list", "topology/thread_siblings_list"} {
		if cpus, err := ParseCPUs(m.text(cpuPath(cpu, file))); err == nil && len(cpus) > 0 {
			return cpus
		}
	}
	return nil
}

// allowed returns the CPUs that affinity and cpuset leave to this process.
func (m machine) allowed() ([]int, error) {
	for line := range strings.Lines(m.text("proc/self/status")) {
		if text, ok := strings.CutPrefix(line, "Cpus_allowed_list:"); ok {
			cpus, err := ParseCPUs(text)
			if err != nil {
				return nil, fmt.Errorf("reading allowed CPUs: %w", err)
			}
			return cpus, nil
		}
	}
	return nil, errors.New("reading allowed CPUs: no Cpus_allowed_list in /proc/self/status")
}

func cpuPath(cpu int, file string) string {
	return fmt.Sprintf("%scpu%d/%s", cpuDir, cpu, file)
}

// Split shares CPUs out to the server under test and the load engine. The engine
// gets the last whole cores, as many as hold engineCPUs CPUs (at least one) and
// leave the server a core; the server gets the rest. Where that cannot be had,
// the warning says what they share or lack; it is "" otherwise.
func Split(cpus []CPU, engineCPUs int) (server, engine []int, warning string) {
	want := max(engineCPUs, 1)
	cores := byCore(cpus)
	if len(cores) == 0 {
		return nil, nil, "no CPUs to share out"
	}
	if len(cores) == 1 {
		return splitCore(cores[0], want)
	}
	cut := len(cores)
	for cut > 1 && len(engine) < want {
		cut--
		engine = append(engine, cores[cut]...)
	}
	server = slices.Concat(cores[:cut]...)
	if len(engine) < want {
		warning = fmt.Sprintf("the load engine gets %d CPUs, not %d: the server needs a core", len(engine), want)
	}
	slices.Sort(server)
	slices.Sort(engine)
	return server, engine, warning
}

func splitCore(core []int, want int) (server, engine []int, warning string) {
	if len(core) == 1 {
		return core, slices.Clone(core), "server and load engine share the only CPU"
	}
	cut := max(len(core)-want, 1)
	return core[:cut], core[cut:], "server and load engine share the only core, on threads of their own"
}

// byCore groups CPUs that are siblings; cores are ordered by their first CPU.
// One whose siblings are unknown is a core of its own.
func byCore(cpus []CPU) [][]int {
	var cores [][]int
	at := map[int]int{}
	for _, c := range slices.SortedFunc(slices.Values(cpus), func(a, b CPU) int { return a.ID - b.ID }) {
		if i, ok := at[c.ID]; ok {
			cores[i] = append(cores[i], c.ID)
			continue
		}
		for _, sibling := range c.Siblings {
			at[sibling] = len(cores)
		}
		cores = append(cores, []int{c.ID})
	}
	return cores
}
