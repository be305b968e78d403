package containers

import (
	"context"
	"errors"
	"fmt"
	"io"
	stdlog "log"
	"os"
	"strings"

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
	logs     string            // folder for the logs of builds
	built    map[string]string // recipe to reference, of this driver's life
	note     func(string)      // told what takes long
}

// A DockerError is a Docker that is absent or refuses; its message says what to do.
type DockerError struct{ error }

// ExitCode is that of a fault.
func (e *DockerError) ExitCode() int { return 1 }

// Unwrap returns what Docker said.
func (e *DockerError) Unwrap() error { return e.error }

// Connect opens a driver on the Docker daemon that the environment names
// (DOCKER_HOST, the current context, or the usual socket). Logs of builds go to
// files below the folder logs; note is told, in half a sentence, what takes long.
// The error is a *DockerError where no daemon answers.
func Connect(ctx context.Context, catalog *Catalog, owner Owner, logs string, note func(string)) (*Driver, error) {
	// The library's own reaper is an image on a registry; a watchdog process does its work here.
	os.Setenv("TESTCONTAINERS_RYUK_DISABLED", "true")
	quiet := log.Logger(stdlog.New(io.Discard, "", 0))
	log.SetDefault(quiet)
	provider, err := testcontainers.NewDockerProvider(testcontainers.WithLogger(quiet))
	if err == nil {
		_, err = provider.Client().Ping(ctx, client.PingOptions{})
	}
	if err != nil {
		return nil, dockerError(err)
	}
	// The library tries other daemons when the one that was asked for does not answer.
	if asked, got := os.Getenv("DOCKER_HOST"), provider.Client().DaemonHost(); asked != "" && asked != got {
		return nil, dockerError(fmt.Errorf("DOCKER_HOST=%s is silent (%s is not asked instead)", asked, got))
	}
	return &Driver{
		provider: provider, docker: provider.Client(), catalog: catalog, owner: owner,
		logs: logs, built: map[string]string{}, note: note,
	}, nil
}

// Close releases the connection to the daemon.
func (d *Driver) Close() error { return d.docker.Close() }

func dockerError(err error) error {
	text := err.Error()
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case strings.Contains(text, "permission denied"):
		return &DockerError{fmt.Errorf("Docker refuses this user: add it to the group docker (usermod -aG docker USER, then log in anew) or run as root: %w", err)}
	default:
		return &DockerError{fmt.Errorf("no Docker daemon answers: start it (systemctl start docker) or set DOCKER_HOST, then see `dyno doctor`: %w", err)}
	}
}

// Facts returns what is known of the daemon, by name; nil for what it does not say.
func (d *Driver) Facts(ctx context.Context) (map[string]any, error) {
	info, err := d.docker.Info(ctx, client.InfoOptions{})
	if err != nil {
		return nil, fmt.Errorf("asking Docker about itself: %w", err)
	}
	i := info.Info
	return map[string]any{
		"docker.version":            i.ServerVersion,
		"docker.api":                d.docker.ClientVersion(),
		"docker.storage_driver":     i.Driver,
		"docker.cgroup_version":     i.CgroupVersion,
		"docker.cgroup_driver":      i.CgroupDriver,
		"docker.runtime":            i.DefaultRuntime,
		"docker.runc_version":       i.RuncCommit.ID,
		"docker.containerd_version": i.ContainerdCommit.ID,
		"docker.security":           i.SecurityOptions,
		"docker.kernel":             i.KernelVersion,
		"docker.os":                 i.OperatingSystem,
		"docker.cpus":               int64(i.NCPU),
		"docker.memory_bytes":       i.MemTotal,
		"docker.host":               d.docker.DaemonHost(),
	}, nil
}

// StorageWarnings returns what the daemon's way to store images does to results.
// It takes what Facts returned.
func StorageWarnings(facts map[string]any) []string {
	if facts["docker.storage_driver"] != "fuse-overlayfs" {
		return nil
	}
	return []string{"Docker stores images on fuse-overlayfs: a service that opens files for each request waits for a daemon whose CPU counts as neither its own nor the load engine's"}
}
