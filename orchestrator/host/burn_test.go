package host

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"testing"
	"time"
)

// ownGroup makes a control group in every hierarchy that has figures, puts a new
// shell into it and returns the shell's pid. The shell spends CPU time and memory
// and then waits. It skips where this process may not make groups.
func ownGroup(t testing.TB) (pid int, end func()) {
	t.Helper()
	// 4 MiB: the kernel sums up a group's memory only once enough has changed.
	shell := exec.Command("/bin/sh", "-c", `read go; x=0123456789abcdef; i=0; while [ $i -lt 18 ]; do x=$x$x; i=$((i+1)); done; echo burnt; read end`)
	in, err := shell.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := shell.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	ended := false
	end = func() {
		if !ended {
			ended = true
			in.Close()
			shell.Wait()
		}
	}
	t.Cleanup(end)
	for _, dir := range testGroups() {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Skip(err)
		}
		t.Cleanup(func() { end(); removeGroup(t, dir) })
		if err := os.WriteFile(path.Join(dir, "cgroup.procs"), fmt.Appendf(nil, "%d\n", shell.Process.Pid), 0); err != nil {
			t.Skip(err)
		}
	}
	io.WriteString(in, "go\n")
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "burnt\n" {
		t.Fatalf("the shell said %q, %v", line, err)
	}
	return shell.Process.Pid, end
}

// testGroups names the group's folders: in each version 1 hierarchy of interest
// if there is any, in version 2 otherwise.
func testGroups() []string {
	var v1, v2 []string
	for _, mt := range parseMounts(here().text("proc/self/mountinfo")) {
		dir := path.Join(mt.dir, fmt.Sprintf("dyno-test-%d", os.Getpid()))
		if mt.v2 {
			v2 = append(v2, dir)
		} else if mt.has("cpuacct") || mt.has("memory") || mt.has("pids") {
			v1 = append(v1, dir)
		}
	}
	if len(v1) > 0 {
		return v1
	}
	return v2
}

// removeGroup tries a few times: the kernel lets go of the last process late.
func removeGroup(t testing.TB, dir string) {
	var err error
	for range 50 {
		if err = os.Remove(dir); err == nil || errors.Is(err, fs.ErrNotExist) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error(err)
}

// Guards the whole way on this machine's kernel: what one process in a group of
// its own spends, and the group's end.
func TestCgroupOfOwn(t *testing.T) {
	pid, end := ownGroup(t)
	c, err := OpenCgroup(pid)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r := c.Read()
	if r.CPU.Usage == nil || *r.CPU.Usage <= 0 || r.CPU.User == nil || r.CPU.System == nil {
		t.Errorf("CPU %+v", r.CPU)
	}
	if r.Memory.Current == nil || *r.Memory.Current <= 0 || r.Memory.Anon == nil || *r.Memory.Anon <= 0 {
		t.Errorf("memory %+v", r.Memory)
	}
	if r.Procs == nil || *r.Procs != 1 || r.Threads == nil || *r.Threads != 1 {
		t.Errorf("counted %v processes, %v threads", r.Procs, r.Threads)
	}
	if r.OOMKills == nil || *r.OOMKills != 0 {
		t.Errorf("OOM kills %v", r.OOMKills)
	}
	end()
	for _, dir := range testGroups() {
		removeGroup(t, dir)
	}
	if r := c.Read(); r.CPU.Usage != nil || r.Memory.Current != nil || r.Procs != nil {
		t.Errorf("the group is gone and spends %+v", r)
	}
}
