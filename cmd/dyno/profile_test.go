package main

import (
	"encoding/json"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// inspected is the part of `docker inspect` that the profile shows in.
type inspected struct {
	Config     struct{ User string }
	State      struct{ Pid int }
	HostConfig struct {
		NetworkMode    string
		CapAdd         []string
		CapDrop        []string
		SecurityOpt    []string
		ReadonlyRootfs bool
		PidsLimit      int64
		Memory         int64
		MemorySwap     int64
		CpusetCpus     string
		Privileged     bool
		PortBindings   map[string]any
		Binds          []string
	}
}

// Every container of a pod is held to the profile, and its processes to an
// unprivileged user. Apache, for one, fails open here: the processes are asked, not the configuration.
func TestProfile(t *testing.T) {
	needDocker(t)
	r := start(t, "--wait")
	id := r.id()
	r.measuring(id, 1)
	cpusets := map[string]bool{}
	for _, c := range r.containers(id) {
		out, err := exec.Command("docker", "inspect", c).Output()
		if err != nil {
			t.Fatal(err)
		}
		var all []inspected
		if err := json.Unmarshal(out, &all); err != nil {
			t.Fatal(err)
		}
		h := all[0].HostConfig
		cpusets[h.CpusetCpus] = true
		if h.NetworkMode != "none" && !strings.HasPrefix(h.NetworkMode, "container:") {
			t.Errorf("network mode %s", h.NetworkMode)
		}
		if len(h.CapDrop) != 1 || h.CapDrop[0] != "ALL" || len(h.CapAdd) > 0 || h.Privileged || !h.ReadonlyRootfs ||
			len(h.PortBindings) > 0 || len(h.Binds) > 0 || !strings.Contains(strings.Join(h.SecurityOpt, " "), "no-new-privileges") {
			t.Errorf("not hardened: %+v", h)
		}
		if h.PidsLimit != 1024 || h.Memory != 1<<30 || h.MemorySwap != h.Memory {
			t.Errorf("limits: %d processes, %d bytes, %d with swap", h.PidsLimit, h.Memory, h.MemorySwap)
		}
		out, err = exec.Command("docker", "top", c, "-eo", "pid,uid,args").Output()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(strings.TrimSpace(string(out)) + "\n") {
			if uid := strings.Fields(line)[1]; uid != "UID" && uid != "10001" {
				t.Errorf("a process runs as %s", line)
			}
		}
		sysctl, err := exec.Command("nsenter", "-t", strconv.Itoa(all[0].State.Pid), "-n", "cat", "/proc/sys/net/ipv4/ip_local_port_range").Output()
		if err != nil || strings.Join(strings.Fields(string(sysctl)), " ") != "1024 65535" {
			t.Errorf("the pod's port range is %q, %v", sysctl, err)
		}
		if out, err := exec.Command("nsenter", "-t", strconv.Itoa(all[0].State.Pid), "-n", "cat", "/proc/net/dev").Output(); err != nil || strings.Count(string(out), ":") != 1 {
			t.Errorf("the pod's network is not a loopback alone: %v\n%s", err, out)
		}
	}
	if len(cpusets) != 2 {
		t.Errorf("services and load engine share the CPUs %v", cpusets)
	}
	r.end(syscall.SIGTERM)
}
