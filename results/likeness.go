package results

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// An Unlikeness is a fact in which two runs differ.
type Unlikeness struct {
	Fact string // such as "cpu.model", or "workload c=100 keepalive: duration_s"
	A, B string // of the one and of the other run
}

func (u Unlikeness) String() string { return u.Fact + ": " + u.A + " / " + u.B }

// An UnlikeError says why two runs cannot be held against each other.
type UnlikeError struct {
	A, B   string // the runs' ids
	Unlike []Unlikeness
}

func (e *UnlikeError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s and %s are unlike:", e.A, e.B)
	for _, u := range e.Unlike {
		b.WriteString("\n  " + u.String())
	}
	return b.String()
}

// AlikeFacts are the facts of host and Docker that have to agree where figures of
// two runs are compared: what a figure hangs on though no stack is to blame.
// docs/compare.md lists them.
func AlikeFacts() []string {
	return []string{
		"machine.model", "arch", "cpu.model", "cpu.sockets", "cpu.cores", "cpu.threads", "cpu.allowed", "cpu.smt", "cpu.mhz.max",
		"cpu.governor", "cpu.energy_preference", "cpu.boost", "cpu.mitigations", "numa.nodes", "virtualization", "hypervisor", "container",
		"memory.total", "memory.thp", "kernel.release", "kernel.cmdline", "cgroup.version", "clock.source", "sysctl.net.ipv4.tcp_congestion_control",
		"docker.kernel", "docker.cpus", "docker.storage_driver", "docker.runtime",
		"pod.sysctl.net.core.somaxconn", "pod.sysctl.net.ipv4.ip_local_port_range", "pod.sysctl.net.ipv4.tcp_tw_reuse",
	}
}

// memoryTolerance is the share by which the memory of like machines may differ:
// virtual ones of one kind do, by what their hosts keep.
const memoryTolerance = 0.1

// volatile facts change by themselves, so that a difference means nothing.
var volatile = [...]string{"cpu.mhz.current"}

// Lasting returns the facts without those that change by themselves.
func (f Facts) Lasting() Facts {
	lasting := maps.Clone(f)
	for _, name := range volatile {
		delete(lasting, name)
	}
	return lasting
}

// unlike returns in what two runs differ though they may not: what was asked of
// whom, by which rules, and on what.
func unlike(a, b Run) (all []Unlikeness) {
	add := func(fact, a, b string) {
		if a != b {
			all = append(all, Unlikeness{fact, a, b})
		}
	}
	add("schema of the record", strconv.Itoa(a.Schema), strconv.Itoa(b.Schema))
	add("version of dyno", major(a.Dyno), major(b.Dyno))
	add("text of the scenario, SHA-256", abbreviated(a.Scenario.SHA256), abbreviated(b.Scenario.SHA256))
	add("isolation", a.Isolation, b.Isolation)
	add("CPUs of the services", a.ServerCPUs, b.ServerCPUs)
	add("CPUs of the load engine", a.EngineCPUs, b.EngineCPUs)
	all = append(all, unlikeFields("limits: ", a.Limits, b.Limits)...)
	all = append(all, unlikeNamed("target", targetsOf(a), targetsOf(b))...)
	all = append(all, unlikeNamed("workload", workloadsOf(a), workloadsOf(b))...)
	for _, name := range AlikeFacts() {
		if a, b := a.fact(name), b.fact(name); name != "memory.total" || !nearly(a, b, memoryTolerance) {
			all = append(all, unlikeValues(name, a, b)...)
		}
	}
	return all
}

// otherwise returns the facts in which two runs differ and may.
func otherwise(a, b Run) (all []Unlikeness) {
	names := map[string]bool{}
	for _, facts := range []Facts{a.Host, a.Docker, b.Host, b.Docker} {
		for name := range facts {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !slices.Contains(AlikeFacts(), name) && !slices.Contains(volatile[:], name) {
			all = append(all, unlikeValues(name, a.fact(name), b.fact(name))...)
		}
	}
	return append(unlikeValues("dyno", a.Dyno, b.Dyno), all...)
}

// fact returns a fact of host or Docker, nil where it is not known.
func (r Run) fact(name string) any {
	if v := r.Host[name]; v != nil {
		return v
	}
	return r.Docker[name]
}

// major is the part of a version that says what may not be compared: before 1.0
// the second number counts too.
func major(version string) string {
	parts := strings.SplitN(version, ".", 3)
	if parts[0] == "0" && len(parts) > 1 {
		return "0." + parts[1]
	}
	return parts[0]
}

// abbreviated is enough of a hash to tell two apart.
func abbreviated(sum string) string { return sum[:min(12, len(sum))] }

// targetsOf returns what is asked of each target that is compared, and what a right
// answer is. How its stack is made is not among it: that is what is compared.
func targetsOf(run Run) map[string]any {
	all := map[string]any{}
	for _, t := range run.Targets {
		if t.ControlOf != "" {
			continue
		}
		for n, a := range t.Mix() {
			if a.Weight = int(a.weight()); n == 0 {
				all[t.Name] = Target{Name: t.Name, Stack: t.Stack, Asked: a}
			} else {
				all[fmt.Sprintf("%s, request %d", t.Name, n+1)] = a
			}
		}
	}
	return all
}

func workloadsOf(run Run) map[string]any {
	all := map[string]any{}
	for _, w := range run.Workloads {
		all[w.Name] = w
	}
	return all
}

// unlikeNamed compares things by their names, field by field.
func unlikeNamed(what string, as, bs map[string]any) (all []Unlikeness) {
	names := maps.Clone(as)
	maps.Copy(names, bs)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		a, hasA := as[name]
		b, hasB := bs[name]
		if hasA && hasB {
			all = append(all, unlikeFields(what+" "+name+": ", a, b)...)
			continue
		}
		all = append(all, Unlikeness{what + " " + name, presence(hasA), presence(hasB)})
	}
	return all
}

func presence(there bool) string {
	if there {
		return "there"
	}
	return "not there"
}

// unlikeFields compares two values of one type, by the names that their fields have
// in the record.
func unlikeFields(prefix string, a, b any) (all []Unlikeness) {
	as, bs := fieldsByName(a), fieldsByName(b)
	names := maps.Clone(as)
	maps.Copy(names, bs)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		for _, u := range unlikeValues(prefix+name, as[name], bs[name]) {
			if strings.HasSuffix(name, "sha256") {
				u.A, u.B = abbreviated(u.A), abbreviated(u.B)
			}
			all = append(all, u)
		}
	}
	return all
}

// fieldsByName returns a struct's fields as they stand in the record.
func fieldsByName(v any) map[string]any {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // none of the record's types can fail
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		panic(err)
	}
	return fields
}

// unlikeValues compares two values. Of lists it shows what only one of them has.
func unlikeValues(fact string, a, b any) []Unlikeness {
	as, bs := words(a), words(b)
	if slices.Equal(as, bs) {
		return nil
	}
	if len(as) > 1 || len(bs) > 1 {
		as, bs = without(as, bs), without(bs, as)
	}
	return []Unlikeness{{fact, said(as), said(bs)}}
}

// words returns a value as text, a list one by one. That of nil is empty.
func words(v any) (all []string) {
	switch v := v.(type) {
	case nil:
	case float64:
		all = []string{strconv.FormatFloat(v, 'f', -1, 64)}
	case []any:
		for _, part := range v {
			all = append(all, words(part)...)
		}
	case []string:
		all = v
	default:
		all = []string{fmt.Sprint(v)}
	}
	return all
}

func without(all, some []string) (rest []string) {
	for _, w := range all {
		if !slices.Contains(some, w) {
			rest = append(rest, w)
		}
	}
	return rest
}

func said(words []string) string {
	if len(words) == 0 {
		return "not known"
	}
	return line(strings.Join(words, "; "), exampleLength)
}

// nearly reports whether two numbers differ by at most a share.
func nearly(a, b any, share float64) bool {
	x, okX := amount(a)
	y, okY := amount(b)
	return okX && okY && math.Abs(math.Log(x/y)) <= math.Log1p(share)
}

// amount is a fact that is a number above 0: read from a record, or fresh from the host.
func amount(fact any) (float64, bool) {
	switch n := fact.(type) {
	case float64:
		return n, n > 0
	case int64:
		return float64(n), n > 0
	}
	return 0, false
}
