package orchestrator

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"dyno/containers"
	"dyno/results"
)

// built returns dyno's own binary, static as its agent has to be.
func built(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("boots containers")
	}
	binary := filepath.Join(t.TempDir(), "dyno")
	build := exec.Command("go", "build", "-trimpath", "-o", binary, "dyno/cmd/dyno")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building dyno: %v\n%s", err, out)
	}
	return binary
}

// boot starts a pod of nginx-static with dyno's own agent.
func boot(t *testing.T, config string) *containers.Pod {
	t.Helper()
	binary := built(t)
	lock, err := Acquire(t.Context(), LockFile, true, func(Holder) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lock.Release() })
	catalog, err := containers.Open()
	if err != nil {
		t.Fatal(err)
	}
	owner, err := containers.Self("test-" + t.Name())
	if err != nil {
		t.Fatal(err)
	}
	driver, err := containers.Connect(t.Context(), catalog, owner, t.TempDir(), func(text string) { t.Log(text) })
	if err != nil {
		t.Fatal(err)
	}
	agent, err := driver.Agent(t.Context(), binary)
	if err != nil {
		t.Fatal(err)
	}
	stack, _ := catalog.Stack("nginx-static")
	stack = stack.Configure(map[string]string{"config": config}, 1)
	image, err := driver.Image(t.Context(), stack, stack.Services[0])
	if err != nil {
		t.Fatal(err)
	}
	pod, err := driver.Boot(t.Context(), containers.PodSpec{
		Stack: stack, Images: []containers.Image{image}, Agent: agent, Command: []string{"agent"}, ServerCPUs: "0", EngineCPUs: "0", Sysctls: sysctls(),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := pod.Remove(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return pod
}

// metered reads a pod over a moment.
func metered(t *testing.T, pod *containers.Pod) results.Trial {
	t.Helper()
	m := startMeter(time.Now(), []int{0}, []int{0}, false)
	m.add(pod)
	time.Sleep(200 * time.Millisecond) // nginx starts its workers
	if err := m.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond) // the kernel counts the host's CPU in ticks of 10 ms
	if err := m.end(t.Context()); err != nil {
		t.Fatal(err)
	}
	var trial results.Trial
	if err := m.stop(&trial); err != nil {
		t.Fatal(err)
	}
	return trial
}

// Containers are read from their control groups; where these are another
// machine's, Docker is asked.
func TestMeterReadsContainers(t *testing.T) {
	pod := boot(t, "tuned")
	trial := metered(t, pod)
	if len(trial.Services) != 1 || trial.Engine == nil || trial.Host == nil {
		t.Fatalf("services %+v, engine %+v, host %+v", trial.Services, trial.Engine, trial.Host)
	}
	if h := trial.Host; h.ServerIdle == nil || *h.ServerIdle < 0 || *h.ServerIdle > 1 || h.EngineIdle == nil || *h.EngineIdle != *h.ServerIdle {
		t.Errorf("of the one CPU that both have %v and %v were idle", h.ServerIdle, h.EngineIdle)
	}
	if u := trial.Services[0]; u.Source != "cgroup v1" && u.Source != "cgroup v2" || u.CPUS == nil || u.PeakBytes == nil || *u.PeakBytes < 1<<20 || u.Processes == nil || *u.Processes != 2 {
		t.Errorf("nginx by its control group: %+v", u)
	}
	marked := trial.Services[0].Source == "cgroup v1" // Docker passes on its mark of the highest memory; of version 2 it has none
	for _, c := range pod.Containers() {
		c.PID = os.Getpid() // of no container, as the numbers of a remote daemon's processes would be here
	}
	trial = metered(t, pod)
	if u := trial.Services[0]; u.Source != "docker stats" || u.CPUS == nil || *u.CPUS < 0 || marked && u.PeakBytes == nil || u.Threads == nil || *u.Threads < 2 {
		t.Errorf("nginx by Docker's stats: %+v", u)
	}
}
