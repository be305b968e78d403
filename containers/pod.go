package containers

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/api/pkg/stdcopy"
	"github.com/moby/moby/api/types/container"
	"github.com/moby/moby/client"
	"github.com/testcontainers/testcontainers-go"
)

// EngineName is the name of the load container among a pod's containers.
const EngineName = "engine"

// Port is where every stack listens, on the pod's loopback.
const Port = 8080

// A PodSpec says what to boot.
type PodSpec struct {
	Stack      Stack             // configured
	Images     []Image           // of its services, in their order
	Agent      Image             // of the load container
	Command    []string          // of the load container, after its entrypoint
	ServerCPUs string            // cpuset of the services
	EngineCPUs string            // cpuset of the load container
	Sysctls    map[string]string // of the pod's network namespace
}

// A Pod is a stack's services and a load container in one network namespace,
// which has a loopback and nothing else.
//
// The load container comes first and holds the namespace, so that it already
// waits when the first service starts, and outlives all of them.
type Pod struct {
	Engine   *Container
	Services []*Container
	Control  io.WriteCloser // the load container's standard input
	Events   io.Reader      // its standard output and error

	driver *Driver
	spec   PodSpec
	events *io.PipeReader
}

// A Container is one running container of a pod.
type Container struct {
	Name    string // the service's name, that of a replica, or EngineName
	Of      string // of a replica, the service's name
	ID      string
	PID     int       // of its first process, as the daemon's machine sees it
	Started time.Time // the daemon's clock
	Root    string    // folder of its root on the daemon's machine; empty: the storage driver does not tell
}

// Boot makes a pod and starts all of it. It returns once every container has
// been started, which does not mean that a server answers. On an error it leaves
// nothing behind.
func (d *Driver) Boot(ctx context.Context, spec PodSpec) (pod *Pod, err error) {
	pod = &Pod{driver: d, spec: spec, Services: make([]*Container, len(spec.Stack.Services))}
	defer func() {
		if err != nil {
			err = errors.Join(err, pod.Remove(context.WithoutCancel(ctx)))
		}
	}()
	if pod.Engine, err = d.create(ctx, EngineName, pod.engineRequest()); err != nil {
		return pod, err
	}
	if err := pod.attach(ctx); err != nil {
		return pod, err
	}
	err = concurrently(len(pod.Services)+1, func(i int) error {
		if i == len(pod.Services) {
			return d.start(ctx, pod.Engine)
		}
		sv := spec.Stack.Services[i]
		c, err := d.create(ctx, sv.Name, pod.serviceRequest(i))
		if c != nil {
			c.Of, pod.Services[i] = sv.Of, c
		}
		return err
	})
	if err != nil {
		return pod, err
	}
	for _, c := range pod.Services {
		if err := d.start(ctx, c); err != nil {
			return pod, err
		}
	}
	return pod, nil
}

// A StartError is a service that could not be started, which is its stack's fault
// (no such program, say) and not Docker's.
type StartError struct{ error }

// Unwrap returns what Docker said.
func (e *StartError) Unwrap() error { return e.error }

// Containers returns the pod's containers, the services first.
func (p *Pod) Containers() []*Container {
	return append(p.Services[:len(p.Services):len(p.Services)], p.Engine)
}

// concurrently calls f with 0 to n-1 at once and joins their errors.
func concurrently(n int, f func(i int) error) error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { errs[i] = f(i) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// create makes a container. It sees the request through although ctx ends: the
// daemon does so too, and the container's id must not be lost.
func (d *Driver) create(ctx context.Context, name string, request testcontainers.ContainerRequest) (*Container, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	through, cancel := context.WithTimeout(context.WithoutCancel(ctx), createTime)
	defer cancel()
	request.Labels = d.owner.labels(name)
	c, err := d.provider.CreateContainer(through, request)
	if errdefs.IsInvalidArgument(err) && name != EngineName {
		return nil, &StartError{fmt.Errorf("creating the container of %s: %w", name, err)} // no command, say
	}
	if err != nil {
		return nil, fmt.Errorf("creating the container of %s: %w", name, dockerError(err))
	}
	return &Container{Name: name, ID: c.GetContainerID()}, ctx.Err()
}

// start starts a container. The error is a *StartError where Docker answered
// that it cannot be.
func (d *Driver) start(ctx context.Context, c *Container) error {
	if _, err := d.docker.ContainerStart(ctx, c.ID, client.ContainerStartOptions{}); err != nil {
		err = fmt.Errorf("starting the container of %s: %w", c.Name, dockerError(err))
		if _, docker := errors.AsType[*DockerError](err); docker || ctx.Err() != nil || c.Name == EngineName {
			return err
		}
		return &StartError{err}
	}
	inspect, err := d.docker.ContainerInspect(ctx, c.ID, client.ContainerInspectOptions{})
	if err != nil {
		return fmt.Errorf("inspecting the container of %s: %w", c.Name, err)
	}
	c.PID = inspect.Container.State.Pid
	if driver := inspect.Container.GraphDriver; driver != nil {
		c.Root = driver.Data["MergedDir"]
	}
	c.Started, err = time.Parse(time.RFC3339Nano, inspect.Container.State.StartedAt)
	return err
}

// engineRequest describes the load container.
func (p *Pod) engineRequest() testcontainers.ContainerRequest {
	return testcontainers.ContainerRequest{
		Image: p.spec.Agent.Ref,
		Cmd:   p.spec.Command,
		ConfigModifier: func(c *container.Config) {
			c.User, c.OpenStdin, c.StdinOnce, c.AttachStdin, c.AttachStdout, c.AttachStderr = defaultUser, true, true, true, true, true
		},
		HostConfigModifier: func(h *container.HostConfig) {
			harden(h)
			h.SecurityOpt = append(h.SecurityOpt, "seccomp="+engineSeccomp)
			h.NetworkMode = "none"
			h.Sysctls = p.spec.Sysctls
			h.CpusetCpus = p.spec.EngineCPUs
		},
	}
}

// serviceRequest describes the container of service i.
func (p *Pod) serviceRequest(i int) testcontainers.ContainerRequest {
	sv := p.spec.Stack.Services[i]
	return testcontainers.ContainerRequest{
		Image: p.spec.Images[i].Ref,
		Cmd:   sv.Command,
		Env:   sv.Env,
		ConfigModifier: func(c *container.Config) {
			c.User, c.StopSignal = sv.User, sv.StopSignal
		},
		HostConfigModifier: func(h *container.HostConfig) {
			harden(h)
			h.NetworkMode = container.NetworkMode("container:" + p.Engine.ID)
			h.CpusetCpus = p.spec.ServerCPUs
			h.CapAdd = sv.CapAdd
			h.Tmpfs = tmpfs(sv)
		},
	}
}

// harden holds a container to the profile that all of them have.
func harden(h *container.HostConfig) {
	pids := int64(PidsLimit)
	h.CapDrop = []string{"ALL"}
	h.SecurityOpt = append(h.SecurityOpt, "no-new-privileges")
	h.ReadonlyRootfs = true
	h.PidsLimit = &pids
	h.Memory, h.MemorySwap = MemoryLimit, MemoryLimit // the same: no swap
	h.LogConfig = container.LogConfig{Type: "json-file", Config: map[string]string{"max-size": "8m", "max-file": "1"}}
}

// tmpfs returns the writable paths of a service and their mount options. Docker
// ignores mode= over a folder that exists, so the owner is set instead.
func tmpfs(sv Service) map[string]string {
	uid, gid, _ := strings.Cut(sv.User, ":")
	options := "noexec,nosuid,uid=" + uid
	if gid != "" {
		options += ",gid=" + gid
	}
	mounts := make(map[string]string, len(sv.Tmpfs))
	for _, path := range sv.Tmpfs {
		mounts[path] = options
	}
	return mounts
}

// attach opens the load container's standard streams, before it starts so that nothing is lost.
func (p *Pod) attach(ctx context.Context) error {
	attached, err := p.driver.docker.ContainerAttach(ctx, p.Engine.ID, client.ContainerAttachOptions{
		Stream: true, Stdin: true, Stdout: true, Stderr: true,
	})
	if err != nil {
		return fmt.Errorf("attaching to the load container: %w", err)
	}
	events, in := io.Pipe()
	go func() {
		// What the agent writes to its standard error is a crash of its own: it belongs to the same story.
		_, err := stdcopy.StdCopy(in, in, attached.Reader)
		in.CloseWithError(err)
	}()
	p.Control, p.Events, p.events = attached.Conn, bufio.NewReader(events), events
	return nil
}

// Exited returns a channel that tells each service that ends while it should run,
// in words, until ctx ends.
func (p *Pod) Exited(ctx context.Context) <-chan string {
	exited := make(chan string, len(p.Services))
	for _, c := range p.Services {
		go func() {
			wait := p.driver.docker.ContainerWait(ctx, c.ID, client.ContainerWaitOptions{Condition: container.WaitConditionNotRunning})
			select {
			case end := <-wait.Result:
				exited <- fmt.Sprintf("%s exited with code %d", c.Name, end.StatusCode)
			case <-wait.Error:
			}
		}()
	}
	return exited
}

// stopTime is how long Docker waits for a container to end after its stop signal
// before it kills it.
const stopTime = 10 * time.Second

// Stop asks service i to end by its stop signal, and returns how long it took. One
// that does not heed it is killed after ten seconds.
func (p *Pod) Stop(ctx context.Context, i int) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, stopTime+removeTime)
	defer cancel()
	began := time.Now()
	_, err := p.driver.docker.ContainerStop(ctx, p.Services[i].ID, client.ContainerStopOptions{Timeout: new(int(stopTime / time.Second))})
	if err != nil && !gone(err) {
		return 0, fmt.Errorf("stopping the container of %s: %w", p.Services[i].Name, err)
	}
	return time.Since(began), nil
}

// Interrupt asks the load container to end early and to say what it has.
func (p *Pod) Interrupt(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, removeTime)
	defer cancel()
	_, err := p.driver.docker.ContainerKill(ctx, p.Engine.ID, client.ContainerKillOptions{Signal: "SIGTERM"})
	if err != nil && !gone(err) {
		return fmt.Errorf("interrupting the load container: %w", err)
	}
	return nil
}

// A State is how a container is, or how it ended.
type State struct {
	Running   bool
	ExitCode  int // once it does not run
	OOMKilled bool
}

// State asks how a container is.
func (p *Pod) State(ctx context.Context, c *Container) (State, error) {
	inspect, err := p.driver.docker.ContainerInspect(ctx, c.ID, client.ContainerInspectOptions{})
	if err != nil {
		return State{}, fmt.Errorf("inspecting the container of %s: %w", c.Name, err)
	}
	s := inspect.Container.State
	return State{Running: s.Running, ExitCode: s.ExitCode, OOMKilled: s.OOMKilled}, nil
}

// Remove kills and removes all of the pod's containers at once. What is gone
// already is no fault.
func (p *Pod) Remove(ctx context.Context) error {
	if p.Control != nil {
		p.Control.Close()
		p.events.Close()
	}
	all := p.Containers()
	return concurrently(len(all), func(i int) error {
		if all[i] == nil {
			return nil
		}
		return p.driver.removeContainer(ctx, all[i].ID)
	})
}

func (d *Driver) removeContainer(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(ctx, removeTime)
	defer cancel()
	_, err := d.docker.ContainerRemove(ctx, id, client.ContainerRemoveOptions{RemoveVolumes: true, Force: true})
	if err != nil && !gone(err) {
		return fmt.Errorf("removing container %.12s: %w", id, err)
	}
	return nil
}
