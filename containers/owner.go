package containers

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/moby/moby/api/types/container"
	"github.com/moby/moby/client"
)

// Labels of every container that dyno makes.
const (
	labelRun   = "dyno.run"
	labelOwner = "dyno.owner"
	labelName  = "dyno.service" // the service's name, or the load container's
)

// An Owner is a run, and the process that it lives in.
type Owner struct {
	Run     string // the run's id
	Boot    string // id of the boot of the machine that the process runs on
	Space   string // its pid namespace, within which PID counts
	PID     int
	Started string // the process's start, in clock ticks since the boot
}

// Self returns this process as the owner of a run.
func Self(run string) (Owner, error) {
	boot, space, err := here()
	if err != nil {
		return Owner{}, err
	}
	pid := os.Getpid()
	started, err := processStart(pid)
	return Owner{Run: run, Boot: boot, Space: space, PID: pid, Started: started}, err
}

// here returns the ids of the machine's boot and of the pid namespace that this
// process sees.
func here() (boot, space string, err error) {
	text, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", "", fmt.Errorf("reading the boot id: %w", err)
	}
	space, err = os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return "", "", fmt.Errorf("reading the pid namespace: %w", err)
	}
	return strings.TrimSpace(string(text)), space, nil
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

// labels are those of a container of the owner's, by its name within the pod.
func (o Owner) labels(name string) map[string]string {
	return map[string]string{
		labelName:  name,
		labelRun:   o.Run,
		labelOwner: strings.Join([]string{o.Boot, o.Space, strconv.Itoa(o.PID), o.Started}, " "),
	}
}

// dead reports whether the process that a container's label names is known to be
// gone. Of one in another pid namespace or on another machine nothing is known;
// that of an earlier boot of this machine looks the same, so a container that
// does not run any more counts as dead in both cases.
func dead(label string, running bool) bool {
	f := strings.Fields(label)
	boot, space, err := here()
	if err != nil || len(f) != 4 || f[0] != boot || f[1] != space {
		return err == nil && !running
	}
	pid, err := strconv.Atoi(f[2])
	if err != nil {
		return !running
	}
	started, err := processStart(pid)
	return err != nil || started != f[3]
}

// Sweep removes all containers of the driver's run, and nothing else. It returns
// how many there were.
func (d *Driver) Sweep(ctx context.Context) (int, error) {
	return d.removeAll(ctx, labelRun+"="+d.owner.Run, func(container.Summary) bool { return true })
}

// SweepDead removes the containers of all runs whose process is gone. It returns
// how many there were.
func (d *Driver) SweepDead(ctx context.Context) (int, error) {
	return d.removeAll(ctx, labelRun, isDead)
}

// Dead returns how many containers SweepDead would remove.
func (d *Driver) Dead(ctx context.Context) (int, error) {
	ids, err := d.labelled(ctx, labelRun, isDead)
	return len(ids), err
}

func isDead(c container.Summary) bool {
	return dead(c.Labels[labelOwner], c.State == container.StateRunning)
}

// labelled returns the containers that have a label and are wanted.
func (d *Driver) labelled(ctx context.Context, label string, wanted func(container.Summary) bool) (ids []string, err error) {
	list, err := d.docker.ContainerList(ctx, client.ContainerListOptions{All: true, Filters: make(client.Filters).Add("label", label)})
	if err != nil {
		return nil, fmt.Errorf("listing containers: %w", dockerError(err))
	}
	for _, c := range list.Items {
		if wanted(c) {
			ids = append(ids, c.ID)
		}
	}
	return ids, nil
}

func (d *Driver) removeAll(ctx context.Context, label string, wanted func(container.Summary) bool) (int, error) {
	ids, err := d.labelled(ctx, label, wanted)
	if err != nil {
		return 0, err
	}
	return len(ids), concurrently(len(ids), func(i int) error { return d.removeContainer(ctx, ids[i]) })
}
