package main

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"dyno/containers"
	"dyno/orchestrator/host"
	"dyno/results"
)

// A finding is one thing that doctor looked at.
type finding struct {
	grade  string // "ok", "doubt" (results suffer) or "fault" (runs fail)
	what   string
	remedy string // empty where nothing has to be done
}

func newDoctor() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check whether this machine can run dyno, and how well",
		Args:  takes(0, "no argument"),
		RunE: func(cmd *cobra.Command, args []string) error {
			faults := 0
			for _, f := range examine(cmd.Context()) {
				f.print(cmd.OutOrStdout())
				if f.grade == "fault" {
					faults++
				}
			}
			if faults > 0 {
				return &codedError{exitFault, fmt.Sprintf("%s to mend before a run", count(faults, "fault"))}
			}
			return nil
		},
	}
}

func (f finding) print(w io.Writer) {
	fmt.Fprintf(w, "%-6s %s\n", f.grade, f.what)
	if f.remedy != "" {
		fmt.Fprintf(w, "       → %s\n", f.remedy)
	}
}

func examine(ctx context.Context) []finding {
	facts := host.ReadFacts(ctx)
	findings := docker(ctx)
	return append(findings, base(), descriptors(), ports(facts), governor(facts), mitigations(facts), virtualization(facts), clock(facts), cores(), idle(ctx))
}

func docker(ctx context.Context) []finding {
	driver, err := containers.Connect(ctx, nil, containers.Owner{}, "", func(string) {})
	if err != nil {
		return []finding{{"fault", "Docker", err.Error()}}
	}
	defer driver.Close()
	facts, err := driver.Facts(ctx)
	if err != nil {
		return []finding{{"fault", "Docker: " + err.Error(), "see the daemon's log"}}
	}
	found := []finding{{"ok", fmt.Sprintf("Docker %v, API %v, storage %v, cgroup v%v (%v)",
		facts["docker.version"], facts["docker.api"], facts["docker.storage_driver"], facts["docker.cgroup_version"], facts["docker.cgroup_driver"]), ""}}
	for _, warning := range containers.Warnings(facts) {
		found = append(found, finding{"doubt", warning.Text, warning.Remedy})
	}
	left, err := driver.Dead(ctx)
	if err == nil && left > 0 {
		found = append(found, finding{"doubt", fmt.Sprintf("%s of dead runs left", count(left, "container")), "dyno clean"})
	}
	return found
}

func base() finding {
	if path, err := exec.LookPath("mmdebstrap"); err == nil {
		return finding{"ok", "base images can be bootstrapped with " + path, ""}
	}
	return finding{"doubt", "mmdebstrap is not installed: base images must be present or come from a registry", "apt-get install mmdebstrap (make does it), or docker load a debian:bookworm-slim"}
}

// fewFiles is a limit that a scenario's connections may well exceed.
const fewFiles = 4096

func descriptors() finding {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return finding{"doubt", "the limit of open files is unknown: " + err.Error(), "connections above 1000 may fail; see ulimit -Hn"}
	}
	if limit.Max < fewFiles {
		return finding{"doubt", fmt.Sprintf("%d open files at most", limit.Max), "for more connections than that, raise it (ulimit -Hn), for the Docker daemon too: containers inherit its own"}
	}
	return finding{"ok", fmt.Sprintf("%d open files at most here; containers inherit the Docker daemon's limit", limit.Max), ""}
}

func ports(facts map[string]any) finding {
	return finding{"ok", fmt.Sprintf("local ports %v on the host; a pod has 1024–65535 of its own", facts["sysctl.net.ipv4.ip_local_port_range"]), ""}
}

func governor(facts map[string]any) finding {
	switch g := facts["cpu.governor"]; g {
	case nil:
		return finding{"ok", "no CPU frequency governor here", ""}
	case "performance":
		return finding{"ok", "CPU frequency governor: performance", ""}
	default:
		return finding{"doubt", fmt.Sprintf("CPU frequency governor: %v: frequencies follow the load", g), "cpupower frequency-set -g performance"}
	}
}

func mitigations(facts map[string]any) finding {
	return finding{"ok", fmt.Sprintf("CPU %v, mitigations recorded: %d", facts["cpu.model"], lengthOf(facts["cpu.mitigations"])), ""}
}

func lengthOf(v any) int {
	list, _ := v.([]string)
	return len(list)
}

func virtualization(facts map[string]any) finding {
	if facts["virtualization"] == "vm" {
		return finding{"doubt", fmt.Sprintf("a virtual machine (%v): neighbours may take CPU time", facts["hypervisor"]), "watch steal in the reports; prefer a machine of your own for figures to be quoted"}
	}
	return finding{"ok", "no sign of a hypervisor", ""}
}

func clock(facts map[string]any) finding {
	source, _ := facts["clock.source"].(string)
	switch source {
	case "tsc", "kvm-clock", "arch_sys_counter":
		return finding{"ok", "clock source " + source, ""}
	case "":
		return finding{"ok", "clock source unknown", ""}
	}
	return finding{"doubt", "clock source " + source + ": reading the time is a system call", "boot with clocksource=tsc if the CPU's is stable"}
}

func cores() finding {
	cpus, err := host.Topology()
	if err != nil {
		return finding{"fault", "CPUs: " + err.Error(), "mount /proc and /sys where dyno runs"}
	}
	server, engine, warning := host.Split(cpus, 1)
	text := fmt.Sprintf("%d CPUs: services on %s, load engine on %s", len(cpus), host.FormatCPUs(server), host.FormatCPUs(engine))
	if warning != "" {
		return finding{"doubt", text + "; " + warning, "use a machine with two cores or more"}
	}
	return finding{"ok", text, ""}
}

// quietWatch is how long doctor watches for others.
const quietWatch = 2 * time.Second

// idle looks at the CPUs that a run would use, as a run does before its first trial.
func idle(ctx context.Context) finding {
	cpus, err := host.Topology()
	if err != nil {
		return finding{"doubt", "idle CPU: " + err.Error(), "mount /proc and /sys where dyno runs"}
	}
	server, engine, _ := host.Split(cpus, 1)
	b, err := host.Watch(ctx, quietWatch, server, engine)
	if err != nil {
		return finding{"doubt", "idle CPU: " + err.Error(), "mount /proc where dyno runs"}
	}
	text := fmt.Sprintf("over %v %v, %.1f %% stolen", quietWatch, b, 100*b.Steal)
	if limits := results.DefaultLimits(); b.Busy > limits.HostBusy || b.Steal > limits.Steal {
		return finding{"doubt", text, "end what else runs; dyno marks trials on a busy host as invalid"}
	}
	return finding{"ok", text, ""}
}
