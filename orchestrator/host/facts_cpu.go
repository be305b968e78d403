package host

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/shirou/gopsutil/v3/cpu"
)

const cpuDir = "sys/devices/system/cpu/"

// infoFact gives the distinct values over all CPUs, in their order; unlike ones,
// as on ARM boards with big and little cores, are joined by " + ".
func infoFact(field func(cpu.InfoStat) string) func(*survey) any {
	return func(s *survey) any {
		var values []string
		for _, i := range s.info {
			values = append(values, field(i))
		}
		return distinct(values, " + ")
	}
}

// policyFact gives the distinct values over all frequency policies.
func policyFact(file string) func(*survey) any {
	return func(s *survey) any {
		var values []string
		for _, f := range s.glob(cpuDir + "cpufreq/policy*/" + file) {
			values = append(values, s.text(f))
		}
		return distinct(values, " + ")
	}
}

func distinct(values []string, sep string) any {
	var seen []string
	for _, v := range values {
		// gopsutil says "Undefined" for an ARM part that it does not know.
		if v != "" && v != "Undefined" && !slices.Contains(seen, v) {
			seen = append(seen, v)
		}
	}
	return known(strings.Join(seen, sep))
}

func countFact(logical bool) func(*survey) any {
	return func(s *survey) any {
		n, err := cpu.CountsWithContext(s.ctx, logical)
		if err != nil {
			return nil
		}
		return known(int64(n))
	}
}

func (s *survey) sockets() any {
	packages := map[int]bool{}
	for _, c := range s.cpus {
		if c.Package < 0 {
			return nil
		}
		packages[c.Package] = true
	}
	return known(int64(len(packages)))
}

func (s *survey) smt() any {
	if len(s.cpus) == 0 || len(s.cpus[0].Siblings) == 0 {
		return nil
	}
	return slices.ContainsFunc(s.cpus, func(c CPU) bool { return len(c.Siblings) > 1 })
}

func (s *survey) allowedCPUs() any {
	cpus, err := s.allowed()
	if err != nil {
		return nil
	}
	return known(FormatCPUs(cpus))
}

func cacheFact(level, kind string) func(*survey) any {
	return func(s *survey) any {
		if len(s.cpus) == 0 {
			return nil
		}
		for _, dir := range s.glob(cpuPath(s.cpus[0].ID, "cache/index*")) {
			if s.text(path.Join(dir, "level")) == level && s.text(path.Join(dir, "type")) == kind {
				return sizeBytes(s.text(path.Join(dir, "size")))
			}
		}
		return nil
	}
}

// sizeBytes parses the kernel's way of writing a cache's size, such as "512K".
func sizeBytes(text string) any {
	unit := int64(1)
	if t, ok := strings.CutSuffix(text, "K"); ok {
		text, unit = t, 1<<10
	} else if t, ok := strings.CutSuffix(text, "M"); ok {
		text, unit = t, 1<<20
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return nil
	}
	return known(n * unit)
}

func (s *survey) baseMHz() any {
	if mhz := s.highest(cpuDir+"cpufreq/policy*/base_frequency", 1e3); mhz != nil {
		return mhz
	}
	return s.highest(cpuDir+"cpu[0-9]*/acpi_cppc/nominal_freq", 1)
}

func (s *survey) maxMHz() any {
	return s.highest(cpuDir+"cpufreq/policy*/cpuinfo_max_freq", 1e3)
}

func (s *survey) currentMHz() any {
	if mhz := s.highest(cpuDir+"cpufreq/policy*/scaling_cur_freq", 1e3); mhz != nil {
		return mhz
	}
	// gopsutil gives the highest possible frequency where it is known, the
	// current one elsewhere.
	if len(s.info) == 0 || s.exists(cpuPath(int(s.info[0].CPU), "cpufreq/cpuinfo_max_freq")) {
		return nil
	}
	return known(s.info[0].Mhz)
}

// highest returns the highest number in the files that match, divided by unit.
func (s *survey) highest(pattern string, unit float64) any {
	var top int64
	for _, f := range s.glob(pattern) {
		if n, ok := s.number(f); ok {
			top = max(top, n)
		}
	}
	return known(float64(top) / unit)
}

// boost reports whether clocks above the nominal one are allowed.
func (s *survey) boost() any {
	if n, ok := s.number(cpuDir + "intel_pstate/no_turbo"); ok {
		return n == 0
	}
	if n, ok := s.number(cpuDir + "cpufreq/boost"); ok {
		return n != 0
	}
	return nil
}

// mitigations lists the kernel's stand on each vulnerability, as "name: state".
func (s *survey) mitigations() any {
	var states []string
	for _, f := range s.glob(cpuDir + "vulnerabilities/*") {
		if state := s.text(f); state != "" {
			states = append(states, path.Base(f)+": "+state)
		}
	}
	return list(states)
}

func (s *survey) numaNodes() any {
	nodes, err := ParseCPUs(s.text("sys/devices/system/node/online"))
	if err != nil {
		return nil
	}
	return known(int64(len(nodes)))
}
