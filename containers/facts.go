package containers

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/moby/moby/api/pkg/stdcopy"
	"github.com/moby/moby/api/types/container"
	"github.com/moby/moby/client"
	"github.com/testcontainers/testcontainers-go"
)

// factTime is how long a command that tells a fact may take.
const factTime = 10 * time.Second

// Fact runs a command in a container of a service's image, under the profile that
// the service itself is held to, and returns the last 4 KiB of what it writes. A
// command that cannot be started, fails, or takes longer than ten seconds is an error.
func (d *Driver) Fact(ctx context.Context, image Image, sv Service, command []string) (text string, err error) {
	ctx, cancel := context.WithTimeout(ctx, factTime)
	defer cancel()
	made, err := d.create(ctx, sv.Name, testcontainers.ContainerRequest{
		Image: image.Ref, Entrypoint: command[:1], Cmd: command[1:], Env: sv.Env,
		ConfigModifier: func(c *container.Config) { c.User = sv.User },
		HostConfigModifier: func(h *container.HostConfig) {
			harden(h)
			h.NetworkMode, h.Tmpfs = "none", tmpfs(sv)
		},
	})
	if made != nil { // perhaps with an error
		defer func() { err = errors.Join(err, d.removeContainer(context.WithoutCancel(ctx), made.ID)) }()
	}
	if err != nil {
		return "", err
	}
	wait := d.docker.ContainerWait(ctx, made.ID, client.ContainerWaitOptions{Condition: container.WaitConditionNextExit})
	if _, err := d.docker.ContainerStart(ctx, made.ID, client.ContainerStartOptions{}); err != nil {
		return "", fmt.Errorf("starting %s in %s: %w", command[0], image.Ref, err)
	}
	var code int64
	select {
	case end := <-wait.Result:
		code = end.StatusCode
	case err := <-wait.Error:
		return "", fmt.Errorf("waiting for %s in %s: %w", command[0], image.Ref, err)
	}
	stream, err := d.docker.ContainerLogs(ctx, made.ID, client.ContainerLogsOptions{ShowStdout: true, ShowStderr: true})
	if err != nil {
		return "", fmt.Errorf("reading what %s says in %s: %w", command[0], image.Ref, err)
	}
	defer stream.Close()
	var said tailBuffer
	if _, err := stdcopy.StdCopy(&said, &said, stream); err != nil {
		return "", fmt.Errorf("reading what %s says in %s: %w", command[0], image.Ref, err)
	}
	text = strings.ToValidUTF8(said.String(), "\uFFFD")
	if code != 0 {
		return "", fmt.Errorf("%s in %s: exit code %d: %s", strings.Join(command, " "), image.Ref, code, text)
	}
	return text, nil
}
