package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dyno/results"
)

// machine says what the run's host is made of. A fact that is not known is left
// out.
func machine(host results.Facts) string {
	var parts []string
	parts = add(parts, "%s", host["machine.model"])
	parts = add(parts, "%s", host["cpu.model"])
	parts = append(parts, cores(host)...)
	if bytes, ok := number(host["memory.total"]); ok {
		parts = append(parts, three(bytes/(1<<30))+" GiB")
	}
	parts = append(parts, virtualization(host)...)
	parts = add(parts, "governor %s", host["cpu.governor"])
	switch host["cpu.boost"] {
	case true:
		parts = append(parts, "boost on")
	case false:
		parts = append(parts, "boost off")
	}
	return phrases(parts)
}

// virtualization names what lies between the machine and dyno.
func virtualization(host results.Facts) (parts []string) {
	switch host["virtualization"] {
	case "bare":
		parts = append(parts, "bare metal")
	case "vm":
		kind, _ := host["hypervisor"].(string)
		parts = append(parts, strings.TrimSpace(kind+" virtual machine"))
	}
	if container := host["container"]; container != "none" {
		parts = add(parts, "dyno in %s", container)
	}
	return parts
}

// cores names the cores, and the threads where there are more.
func cores(host results.Facts) (parts []string) {
	cores, okC := number(host["cpu.cores"])
	threads, okT := number(host["cpu.threads"])
	if okC {
		parts = append(parts, plural(int(cores), "core"))
	}
	if okT && threads != cores {
		parts = append(parts, plural(int(threads), "thread"))
	}
	return parts
}

// system says what the run's host and its Docker are.
func system(host, docker results.Facts) string {
	var parts []string
	if name, ok := host["os.name"].(string); ok {
		version, _ := host["os.version"].(string)
		parts = append(parts, strings.TrimSpace(name+" "+version))
	}
	parts = add(parts, "Linux %s", host["kernel.release"])
	parts = add(parts, "Docker %s", docker["docker.version"])
	parts = add(parts, "%s", docker["docker.storage_driver"])
	if version := host["cgroup.version"]; version == "hybrid" {
		parts = append(parts, "cgroup v1 and v2")
	} else {
		parts = add(parts, "cgroup v%s", version)
	}
	parts = add(parts, "clock %s", host["clock.source"])
	return phrases(parts)
}

// add appends a fact that is a text, and nothing else.
func add(parts []string, format string, fact any) []string {
	text, ok := fact.(string)
	if !ok || text == "" {
		return parts
	}
	return append(parts, fmt.Sprintf(format, text))
}

// number returns a fact that is one: read from a record, or fresh from the host.
func number(fact any) (float64, bool) {
	switch n := fact.(type) {
	case float64:
		return n, true
	case int64:
		return float64(n), true
	}
	return 0, false
}

// when says when and how it was run.
func when(run results.Run) string {
	parts := []string{
		run.Started.UTC().Format("2006-01-02 15:04:05") + " UTC",
		"dyno " + cmp.Or(run.Dyno, "unknown"),
		plural(run.Rounds, "round") + " of " + visits(run.Targets),
		fmt.Sprintf("seed %d", run.Seed),
	}
	switch {
	case run.Isolation == "shared" && run.ServerCPUs != "":
		parts = append(parts, "server and load engine share CPU "+run.ServerCPUs)
	case run.ServerCPUs != "" && run.EngineCPUs != "":
		parts = append(parts, "server on CPU "+run.ServerCPUs, "load engine on CPU "+run.EngineCPUs)
	}
	return phrases(parts)
}

// asked says what the targets were asked where that is more than one thing. It is
// empty where it is not.
func asked(targets []results.Target) string {
	var texts []string
	several := false
	names := map[string][]string{}
	for _, t := range targets {
		if t.ControlOf != "" {
			continue
		}
		several = several || len(t.Also) > 0
		text := phrases(t.Lines())
		if names[text] == nil {
			texts = append(texts, text)
		}
		names[text] = append(names[text], t.Name)
	}
	switch {
	case !several:
		return ""
	case len(texts) == 1:
		return texts[0]
	}
	for i, text := range texts {
		texts[i] = strings.Join(names[text], " and ") + ": " + text
	}
	return strings.Join(texts, "; ")
}

// visits says what a round visits.
func visits(targets []results.Target) string {
	controls := 0
	for _, t := range targets {
		if t.ControlOf != "" {
			controls++
		}
	}
	text := plural(len(targets)-controls, "target")
	if controls > 0 {
		text += " and " + plural(controls, "control")
	}
	return text
}

// load says what the targets were put under.
func load(w results.Workload) string {
	parts := []string{plural(w.Connections, "connection")}
	if w.Rate > 0 {
		parts = []string{arrivals(w), "up to " + parts[0]}
	}
	if w.KeepAlive {
		parts = append(parts, "keep-alive")
	} else {
		parts = append(parts, "one request each")
	}
	if w.Requests > 0 {
		parts = append(parts, plural(int(w.Requests), "request"))
	} else {
		parts = append(parts, trim(w.DurationS)+" s")
	}
	if w.WarmupS > 0 {
		parts = append(parts, "after "+trim(w.WarmupS)+" s of warm-up")
	}
	return phrases(parts)
}

// arrivals says when requests start that do not wait for each other.
func arrivals(w results.Workload) string {
	text := trim(w.Rate) + " requests a second"
	switch w.Arrivals {
	case "poisson":
		text += " at random times"
	case "constant":
		text += " at even distances"
	}
	return text
}

// phrases joins parts, none of which is broken over two lines.
func phrases(parts []string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.Join(parts, "\n"), " ", joint), "\n", ", ")
}

// command writes the command line that repeats a run in the same order, as a
// shell takes it. It is empty where the record has none.
func command(run results.Run) string {
	if len(run.Command) == 0 {
		return ""
	}
	args := slices.Clone(run.Command)
	isSeed := func(arg string) bool { return arg == "--seed" || strings.HasPrefix(arg, "--seed=") }
	if !slices.ContainsFunc(args, isSeed) {
		args = append(args, "--seed", strconv.FormatUint(run.Seed, 10))
	}
	return shell(args)
}

// shell writes words as a shell takes them.
func shell(words []string) string {
	quoted := slices.Clone(words)
	for i, word := range words {
		if word == "" || strings.ContainsAny(word, " \t\n\"'\\$&|;<>()*?[]#~`!{}") {
			quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}
