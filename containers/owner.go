package containers

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/moby/moby/client"
)

// Labels of every container that dyno makes.
const (
	labelRun   = "dyno.run"
	labelOwner = "dyno.owner"
)

// An Owner is a run, and the process that it lives in.
type Owner struct {
	Run     string // the run's id
	Boot    string // id of the boot of the machine that the process runs on
	PID     int
	Started string // the process's start, in clock ticks since the boot
}

// Self returns this process as the owner of a run.
func Self(run string) (Owner, error) {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return Owner{}, fmt.Errorf("reading the boot id: %w", err)
	}
	pid := os.Getpid()
	started, err := processStart(pid)
	if err != nil {
		return Owner{}, err
	}
	return Owner{Run: run, Boot: strings.TrimSpace(string(boot)), PID: pid, Started: started}, nil
}

// processStart returns field 22 of /proc/PID/stat (proc(5)).
func processStart(pid int) (string, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", fmt.Errorf("reading a process's start: %w", err)
	}
	// The second field is a name in parentheses that may hold spaces; field 3 follows the last one.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) < 20 {
		return "", fmt.Errorf("reading a process's start: %d fields after its name", len(fields))
	}
	return fields[19], nil
}

func (o Owner) labels() map[string]string {
	return map[string]string{
		labelRun:   o.Run,
		labelOwner: strings.Join([]string{o.Boot, strconv.Itoa(o.PID), o.Started}, " "),
	}
}

// alive reports whether the process that a container's label names still runs.
// A label of another machine's or boot's process, or a malformed one, is not alive.
func alive(label string) bool {
	f := strings.Fields(label)
	if len(f) != 3 {
		return false
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil || strings.TrimSpace(string(boot)) != f[0] {
		return false
	}
	pid, err := strconv.Atoi(f[1])
	if err != nil {
		return false
	}
	started, err := processStart(pid)
	return err == nil && started == f[2]
}

// Sweep removes all containers of the driver's run, and nothing else. It returns
// how many there were.
func (d *Driver) Sweep(ctx context.Context) (int, error) {
	ids, err := d.labelled(ctx, labelRun+"="+d.owner.Run, func(owner string) bool { return true })
	if err != nil {
		return 0, err
	}
	return len(ids), d.removeAll(ctx, ids)
}

// Dead returns how many containers there are of runs whose process is gone.
func (d *Driver) Dead(ctx context.Context) (int, error) {
	ids, err := d.labelled(ctx, labelRun, func(owner string) bool { return !alive(owner) })
	return len(ids), err
}

// SweepDead removes the containers of all runs whose process is gone. It returns
// how many there were.
func (d *Driver) SweepDead(ctx context.Context) (int, error) {
	ids, err := d.labelled(ctx, labelRun, func(owner string) bool { return !alive(owner) })
	if err != nil {
		return 0, err
	}
	return len(ids), d.removeAll(ctx, ids)
}

// labelled returns the containers that have a label and whose owner is wanted.
func (d *Driver) labelled(ctx context.Context, label string, wanted func(owner string) bool) (ids []string, err error) {
	list, err := d.docker.ContainerList(ctx, client.ContainerListOptions{All: true, Filters: make(client.Filters).Add("label", label)})
	if err != nil {
		return nil, fmt.Errorf("listing containers: %w", err)
	}
	for _, c := range list.Items {
		if wanted(c.Labels[labelOwner]) {
			ids = append(ids, c.ID)
		}
	}
	return ids, nil
}

func (d *Driver) removeAll(ctx context.Context, ids []string) error {
	return concurrently(len(ids), func(i int) error { return d.removeContainer(ctx, ids[i]) })
}
