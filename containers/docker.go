package containers

import (
	"context"
	"fmt"
	"io"
	stdlog "log"
	"os"
	"strings"
	"time"

	"github.com/moby/moby/client"
	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/log"
)

// A Driver builds images and boots pods through one Docker daemon, for one owner.
type Driver struct {
	provider *testcontainers.DockerProvider
	docker   client.APIClient
	catalog  *Catalog
	owner    Owner
	logs     string       // folder for the logs of builds
	note     func(string) // told what takes long
}

// A DockerError is a Docker that is absent or refuses; its message says what to do.
type DockerError struct{ error }

// ExitCode is that of a fault.
func (e *DockerError) ExitCode() int { return 1 }

// Unwrap returns what Docker said.
func (e *DockerError) Unwrap() error { return e.error }

// Patience with the daemon where nothing else bounds a call.
const (
	connectTime = 10 * time.Second
	createTime  = 60 * time.Second
	removeTime  = 30 * time.Second
)

// Connect opens a driver on the Docker daemon that the environment names
// (DOCKER_HOST, the current context, or the usual socket). Logs of builds go to
// files below the folder logs; note is told, in half a sentence, what takes long.
// The error is a *DockerError where no daemon answers.
func Connect(ctx context.Context, catalog *Catalog, owner Owner, logs string, note func(string)) (*Driver, error) {
	// The library's own reaper is an image on a registry; a watchdog process does
	// its work here. Nor may it rename the images that it is given.
	os.Setenv("TESTCONTAINERS_RYUK_DISABLED", "true")
	os.Setenv("TESTCONTAINERS_HUB_IMAGE_NAME_PREFIX", "")
	quiet := log.Logger(stdlog.New(io.Discard, "", 0))
	log.SetDefault(quiet)
	// A pod has no network but its own loopback: the library must not make one for it.
	provider, err := testcontainers.NewDockerProvider(testcontainers.WithLogger(quiet), testcontainers.WithDefaultBridgeNetwork("none"))
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, connectTime)
		defer cancel()
		_, err = provider.Client().Ping(ctx, client.PingOptions{})
	}
	if err != nil {
		return nil, dockerError(err)
	}
	// The library tries other daemons when the one that was asked for does not answer.
	if asked, got := os.Getenv("DOCKER_HOST"), provider.Client().DaemonHost(); asked != "" && asked != got {
		return nil, &DockerError{fmt.Errorf("no Docker daemon answers at DOCKER_HOST=%s: start it, or unset DOCKER_HOST to use %s", asked, got)}
	}
	return &Driver{provider: provider, docker: provider.Client(), catalog: catalog, owner: owner, logs: logs, note: note}, nil
}

// Close releases the connection to the daemon.
func (d *Driver) Close() error { return d.docker.Close() }

// dockerError says what to do about a daemon that cannot be talked to. Other errors stay as they are.
func dockerError(err error) error {
	if err == nil {
		return nil
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	switch {
	case strings.Contains(first, "permission denied"):
		return &DockerError{fmt.Errorf("the Docker daemon refuses this user: add it to the group docker (usermod -aG docker USER, then log in anew) or run as root: %s", first)}
	case client.IsErrConnectionFailed(err) || strings.Contains(first, "ocker host"):
		return &DockerError{fmt.Errorf("no Docker daemon answers: start it (systemctl start docker) or set DOCKER_HOST, then see `dyno doctor`: %s", first)}
	}
	return err
}

// Facts returns what is known of the daemon, by name; nil for what it does not say.
func (d *Driver) Facts(ctx context.Context) (map[string]any, error) {
	answer, err := d.docker.Info(ctx, client.InfoOptions{})
	if err != nil {
		return nil, fmt.Errorf("asking Docker about itself: %w", dockerError(err))
	}
	i := answer.Info
	facts := map[string]any{
		"docker.version":            i.ServerVersion,
		"docker.api":                d.docker.ClientVersion(),
		"docker.storage_driver":     i.Driver,
		"docker.cgroup_version":     i.CgroupVersion,
		"docker.cgroup_driver":      i.CgroupDriver,
		"docker.cpuset":             i.CPUSet,
		"docker.runtime":            i.DefaultRuntime,
		"docker.runc_version":       i.RuncCommit.ID,
		"docker.containerd_version": i.ContainerdCommit.ID,
		"docker.security":           i.SecurityOptions,
		"docker.kernel":             i.KernelVersion,
		"docker.os":                 i.OperatingSystem,
		"docker.cpus":               int64(i.NCPU),
		"docker.memory_bytes":       i.MemTotal,
		"docker.hostname":           i.Name,
		"docker.host":               d.docker.DaemonHost(),
	}
	for name, value := range facts {
		if value == "" {
			facts[name] = nil
		}
	}
	return facts, nil
}

// A Warning is something that a daemon does to results.
type Warning struct {
	Text   string
	Remedy string
}

// Warnings returns what a daemon does to results. It takes what Facts returned.
func Warnings(facts map[string]any) (warnings []Warning) {
	if facts["docker.storage_driver"] == "fuse-overlayfs" {
		warnings = append(warnings, Warning{
			"Docker stores images on fuse-overlayfs: a service that opens files for each request waits for a process outside it, whose CPU is told apart from its own",
			"use overlay2 (dockerd --storage-driver overlay2) where the kernel lets you",
		})
	}
	if facts["docker.cpuset"] == false {
		warnings = append(warnings, Warning{
			"Docker cannot keep containers to CPUs, since it has no cpuset controller, and says so to nobody: services and load engine run on any CPU, whatever is planned",
			"of a daemon without root, give it the controller: systemctl edit user@.service, with Delegate=cpu cpuset io memory pids under [Service], and restart; else use one with root",
		})
	}
	if !Local(facts) {
		warnings = append(warnings, Warning{
			"the Docker daemon is on another machine: its hardware and its use of CPU are not known here, and a busy host goes unnoticed",
			"use the daemon of this machine",
		})
	}
	return warnings
}

// Local reports whether the daemon runs on this machine. It takes what Facts returned.
func Local(facts map[string]any) bool {
	name, err := os.Hostname()
	return err == nil && facts["docker.hostname"] == name
}
