package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"dyno/results"
)

// scenario is one that would measure for minutes.
const endless = `
about = "long enough to be ended"
rounds = 3
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
	folder string // of its record
}

func start(t *testing.T, args ...string) *running {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "endless.toml")
	if err := os.WriteFile(file, []byte(endless), 0o644); err != nil {
		t.Fatal(err)
	}
	r := &running{t: t, folder: filepath.Join(dir, "runs")}
	r.cmd = exec.Command(binary, append([]string{"run", file, "--results", r.folder}, args...)...)
	r.cmd.Stdout, r.cmd.Stderr = t.Output(), t.Output()
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.cmd.Process.Kill(); r.cmd.Wait() })
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
		return id != ""
	})
	return id
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

// measuring waits until the pod's load container has been sending for a moment.
func (r *running) measuring(id string) {
	r.t.Helper()
	r.until("both containers are there", time.Minute, func() bool { return len(r.containers(id)) == 2 })
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
			r.measuring(id)
			if err := r.cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			err := r.cmd.Wait()
			r.until("its containers are gone", 30*time.Second, func() bool { return len(r.containers(id)) == 0 })
			record := r.record(id)
			if signal == syscall.SIGKILL {
				if record.End != nil || len(record.Trials) != 0 {
					t.Errorf("a killed run closed its record: %+v", record.End)
				}
				return
			}
			if code := r.cmd.ProcessState.ExitCode(); code != exitInterrupted {
				t.Errorf("exit code %d (%v), want %d", code, err, exitInterrupted)
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
	first.cmd.Process.Signal(syscall.SIGTERM)
	first.cmd.Wait()
	next := queued.id()
	queued.measuring(next)
	queued.cmd.Process.Signal(syscall.SIGTERM)
	queued.cmd.Wait()
	queued.until("its containers are gone", 30*time.Second, func() bool { return len(queued.containers(next)) == 0 })
}

// Containers of a run that is gone are removed by hand, others never.
func TestCleanRemovesOnlyWhatIsDead(t *testing.T) {
	needDocker(t)
	r := start(t, "--wait")
	id := r.id()
	r.measuring(id)
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
	dead, foreign := make("dyno.run=gone", "dyno.owner=no-such-boot 1 1"), make()
	if out, err := exec.Command(binary, "clean").CombinedOutput(); err != nil {
		t.Fatalf("dyno clean: %v\n%s", err, out)
	}
	exists := func(id string) bool { return exec.Command("docker", "inspect", id).Run() == nil }
	if exists(dead) || !exists(foreign) || len(r.containers(id)) != 2 {
		t.Errorf("after dyno clean: dead run's there: %t, foreign one there: %t, live run's: %d", exists(dead), exists(foreign), len(r.containers(id)))
	}
	r.cmd.Process.Signal(syscall.SIGTERM)
	r.cmd.Wait()
}
