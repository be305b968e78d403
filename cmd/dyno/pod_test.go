package main

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"dyno/results"
)

const proxied = `
about = "five app servers behind a proxy"
rounds = 1
control = false
[workload]
connections = 10
duration = "60s"
warmup = "500ms"
[[target]]
name = "puma"
stack = "apache-proxy"
path = "/hello"
expect = { body = "hello dyno world\n" }
`

// service returns the container of a service of the run.
func (r *running) service(id, name string) string {
	r.t.Helper()
	out, err := exec.Command("docker", "ps", "-q", "--filter", "label=dyno.run="+id, "--filter", "label=dyno.service="+name).Output()
	container := strings.TrimSpace(string(out))
	if err != nil || container == "" {
		r.t.Fatalf("no container of %s: %q, %v", name, out, err)
	}
	return container
}

// Where one of a pod's services dies, the trial ends at once and names it.
func TestReplicaDies(t *testing.T) {
	needDocker(t)
	r := startScenario(t, "proxied", proxied, "--wait")
	id := r.id()
	r.measuring(id, 6)
	r.until("the load begins", time.Minute, func() bool {
		engine := r.service(id, "engine")
		said, err := exec.Command("docker", "logs", engine).Output()
		return err == nil && strings.Contains(string(said), `"progress"`)
	})
	if out, err := exec.Command("docker", "kill", r.service(id, "app-3")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	<-r.ended
	if code := r.cmd.ProcessState.ExitCode(); code != exitInvalid {
		t.Errorf("exit code %d, want %d", code, exitInvalid)
	}
	trial := r.record(id).Trials[0]
	var exits []string
	for _, reason := range trial.Invalid {
		if reason.Code == results.CodeExit {
			exits = append(exits, reason.Text)
		}
	}
	if len(exits) != 1 || exits[0] != "app-3 ended by itself, exit code 137" {
		t.Errorf("ends %q; all reasons %+v", exits, trial.Invalid)
	}
	if trial.Load == nil || trial.Load.ElapsedS > 30 {
		t.Errorf("the measurement was not cut short: %+v", trial.Load)
	}
	if left := r.containers(id); len(left) > 0 {
		t.Errorf("%d containers are left", len(left))
	}
}
