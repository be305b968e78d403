package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"dyno/results"
)

// endless is a scenario that would measure for minutes.
const endless = `
about = "long enough to be ended"
rounds = 3
control = false
[workload]
connections = 4
duration = "60s"
warmup = "100ms"
[[target]]
name = "static"
stack = "nginx-static"
path = "/hello"
expect = { body = "hello dyno world\n" }
`

// A running is a dyno run under way.
type running struct {
	t      *testing.T
	cmd    *exec.Cmd
	folder string        // of its record
	ended  chan struct{} // closed when the process has
}

// end sends a signal and waits until the process has ended.
func (r *running) end(signal syscall.Signal) {
	r.t.Helper()
	if err := r.cmd.Process.Signal(signal); err != nil {
		r.t.Fatal(err)
	}
	<-r.ended
}

func start(t *testing.T, args ...string) *running {
	t.Helper()
	return startScenario(t, "endless", endless, args...)
}

func startScenario(t *testing.T, name, text string, args ...string) *running {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, name+".toml")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	r := &running{t: t, folder: filepath.Join(dir, "runs")}
	r.cmd = exec.Command(binary, append([]string{"run", file, "--results", r.folder, "--idle-wait", "0"}, args...)...)
	r.cmd.Stdout, r.cmd.Stderr = t.Output(), t.Output()
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r.ended = make(chan struct{})
	go func() { r.cmd.Wait(); close(r.ended) }()
	t.Cleanup(func() { r.cmd.Process.Kill(); <-r.ended })
	return r
}

// id waits for the record and returns the run's id.
func (r *running) id() string {
	r.t.Helper()
	var id string
	r.until("a record is begun", 15*time.Minute, func() bool {
		found, _ := filepath.Glob(filepath.Join(r.folder, "*.jsonl"))
		if len(found) == 1 {
			id = strings.TrimSuffix(filepath.Base(found[0]), ".jsonl")
		}
		return id != "" || r.over()
	})
	if id == "" {
		r.t.Fatal("the run ended before it began a record")
	}
	return id
}

// over reports whether the process has ended.
func (r *running) over() bool {
	select {
	case <-r.ended:
		return true
	default:
		return false
	}
}

func (r *running) until(what string, patience time.Duration, holds func() bool) {
	r.t.Helper()
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			r.t.Fatalf("waited %v until %s", patience, what)
		}
	}
}

// containers lists those that carry the run's label.
func (r *running) containers(id string) []string {
	r.t.Helper()
	out, err := exec.Command("docker", "ps", "-aq", "--filter", "label=dyno.run="+id).Output()
	if err != nil {
		r.t.Fatal(err)
	}
	return strings.Fields(string(out))
}

// measuring waits until the pod has so many services and its load container has
// been sending for a moment.
func (r *running) measuring(id string, services int) {
	r.t.Helper()
	r.until("all containers are there", time.Minute, func() bool { return len(r.containers(id)) == services+1 })
	time.Sleep(2 * time.Second)
}

func (r *running) record(id string) results.Record {
	r.t.Helper()
	record, err := results.Read(filepath.Join(r.folder, id+".jsonl"))
	if err != nil {
		r.t.Fatal(err)
	}
	return record
}

// However a run is ended, nothing of it stays, and what it measured does.
func TestEndings(t *testing.T) {
	needDocker(t)
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(signal.String(), func(t *testing.T) {
			r := start(t, "--wait")
			id := r.id()
			r.measuring(id, 1)
			r.end(signal)
			r.until("its containers are gone", 30*time.Second, func() bool { return len(r.containers(id)) == 0 })
			record := r.record(id)
			if signal == syscall.SIGKILL {
				if record.End != nil || len(record.Trials) != 0 {
					t.Errorf("a killed run closed its record: %+v", record.End)
				}
				return
			}
			if code := r.cmd.ProcessState.ExitCode(); code != exitInterrupted {
				t.Errorf("exit code %d, want %d", code, exitInterrupted)
			}
			if record.End == nil || record.End.Status != "interrupted" {
				t.Fatalf("the record ends with %+v, want interrupted", record.End)
			}
			if len(record.Trials) != 1 || record.Trials[0].Load == nil || record.Trials[0].Load.OK == 0 {
				t.Fatalf("the trial that was cut short is not in the record: %+v", record.Trials)
			}
			if reasons := record.Trials[0].Invalid; len(reasons) == 0 || reasons[0].Code != results.CodeInterrupted {
				t.Errorf("the trial that was cut short has reasons %+v, want %s", reasons, results.CodeInterrupted)
			}
		})
	}
}

// Whenever a run is ended, while it boots or between two calls of Docker, nothing of it stays.
func TestEndingsAtAnyMoment(t *testing.T) {
	needDocker(t)
	for i := range 10 {
		signal := []syscall.Signal{syscall.SIGINT, syscall.SIGKILL}[i%2]
		name := fmt.Sprintf("moment-%d-%d", os.Getpid(), i)
		r := startScenario(t, name, endless, "--wait")
		r.until("it has the lock", 10*time.Minute, func() bool {
			holder, err := os.ReadFile("/tmp/dyno.lock")
			return err == nil && strings.Contains(string(holder), name) || r.over()
		})
		time.Sleep(time.Duration(i) * 90 * time.Millisecond)
		r.end(signal)
		if code := r.cmd.ProcessState.ExitCode(); signal == syscall.SIGINT && code != exitInterrupted {
			t.Errorf("after %d × 90 ms: exit code %d, want %d", i, code, exitInterrupted)
		}
		left := func() string {
			out, err := exec.Command("docker", "ps", "-a", "--filter", "label=dyno.run", "--format", `{{.ID}} {{.Label "dyno.run"}}`).Output()
			if err != nil {
				t.Fatal(err)
			}
			var ours []string
			for line := range strings.Lines(string(out)) {
				if strings.Contains(line, name) {
					ours = append(ours, line)
				}
			}
			return strings.Join(ours, "")
		}
		r.until("its containers are gone", 30*time.Second, func() bool { return left() == "" })
		time.Sleep(300 * time.Millisecond) // one that Docker was still making would show up now
		if late := left(); late != "" && signal == syscall.SIGINT {
			t.Errorf("after %d × 90 ms and %v, left: %s", i, signal, late)
		}
	}
}

// A build that is under way ends with the run.
func TestEndingWhileBuilding(t *testing.T) {
	needDocker(t)
	stacks := t.TempDir()
	if err := os.Mkdir(filepath.Join(stacks, "slow"), 0o755); err != nil {
		t.Fatal(err)
	}
	marker := fmt.Sprintf("sleep 6%d", os.Getpid())
	for name, text := range map[string]string{
		"stack.toml": "about = \"takes long to build\"\n[[service]]\nname = \"web\"\nbuild = \".\"\n",
		"Dockerfile": "FROM dyno/base/debian\nRUN " + marker + "\n",
	} {
		if err := os.WriteFile(filepath.Join(stacks, "slow", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := startScenario(t, "slow", strings.Replace(endless, "nginx-static", "slow", 1), "--wait", "--stacks", stacks)
	building := func() bool {
		out, err := exec.Command("docker", "ps", "-a", "--no-trunc", "--format", "{{.Command}}").Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.Contains(string(out), marker)
	}
	r.until("it builds", 15*time.Minute, func() bool { return building() || r.over() })
	r.end(syscall.SIGINT)
	if code := r.cmd.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
	r.until("the build's container is gone", 30*time.Second, func() bool { return !building() })
}

// Two runs on one machine would measure each other.
func TestSecondRunIsRefused(t *testing.T) {
	needDocker(t)
	first := start(t, "--wait")
	id := first.id()
	second := exec.Command(binary, "run", "mruby-vs-lua", "--results", t.TempDir())
	out, err := second.CombinedOutput()
	if second.ProcessState.ExitCode() != exitFault || !strings.Contains(string(out), id) {
		t.Errorf("a second run: %v, %s; want exit code %d and the first one's name, %s", err, out, exitFault, id)
	}
	queued := start(t, "--wait")
	time.Sleep(time.Second)
	if found, _ := filepath.Glob(filepath.Join(queued.folder, "*.jsonl")); len(found) > 0 {
		t.Error("a queued run did not wait")
	}
	first.end(syscall.SIGTERM)
	next := queued.id()
	queued.measuring(next, 1)
	queued.end(syscall.SIGTERM)
	queued.until("its containers are gone", 30*time.Second, func() bool { return len(queued.containers(next)) == 0 })
}

// Containers of a run that is gone are removed by hand, others never.
func TestCleanRemovesOnlyWhatIsDead(t *testing.T) {
	needDocker(t)
	r := start(t, "--wait")
	id := r.id()
	r.measuring(id, 1)
	image, err := exec.Command("docker", "inspect", "--format", "{{.Image}}", r.containers(id)[0]).Output()
	if err != nil {
		t.Fatal(err)
	}
	make := func(labels ...string) string {
		args := []string{"create"}
		for _, l := range labels {
			args = append(args, "--label", l)
		}
		out, err := exec.Command("docker", append(args, strings.TrimSpace(string(image)), "none")...).Output()
		if err != nil {
			t.Fatal(err)
		}
		id := strings.TrimSpace(string(out))
		t.Cleanup(func() { exec.Command("docker", "rm", "-f", id).Run() })
		return id
	}
	dead, foreign := make("dyno.run=gone", "dyno.owner=no-such-boot pid:[1] 1 1"), make()
	if out, err := exec.Command(binary, "clean").CombinedOutput(); err != nil {
		t.Fatalf("dyno clean: %v\n%s", err, out)
	}
	exists := func(id string) bool { return exec.Command("docker", "inspect", id).Run() == nil }
	if exists(dead) || !exists(foreign) || len(r.containers(id)) != 2 {
		t.Errorf("after dyno clean: dead run's there: %t, foreign one there: %t, live run's: %d", exists(dead), exists(foreign), len(r.containers(id)))
	}
	r.end(syscall.SIGTERM)
}
