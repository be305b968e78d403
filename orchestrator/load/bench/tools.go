package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// reference is the tool that the others are compared with.
const reference = "wrk"

// A task is what every tool is to do.
type task struct {
	addr        netip.AddrPort
	connections int
	keepAlive   bool
	seconds     int
	cpu         int
}

func (l task) String() string {
	if l.keepAlive {
		return fmt.Sprintf("keep-alive, c = %d", l.connections)
	}
	return fmt.Sprintf("one request a connection, c = %d", l.connections)
}

func (l task) url() string { return "http://" + l.addr.String() + "/" }

// A tool is a load generator.
type tool struct {
	name     string
	args     func(task) []string
	requests *regexp.Regexp // finds their number in what it prints
	reuses   bool           // it cannot do one request a connection
}

func tools() []tool {
	engine := func(backend, window string) func(task) []string {
		return func(l task) []string {
			self, _ := os.Executable() // Linux always knows
			return []string{
				self, engineVerb, "-addr", l.addr.String(), "-backend", backend, "-window", window,
				"-c", fmt.Sprint(l.connections), "-k=" + strconv.FormatBool(l.keepAlive), "-d", fmt.Sprintf("%ds", l.seconds),
			}
		}
	}
	right := regexp.MustCompile(`(\d+) right`)
	return []tool{
		{name: "dyno epoll", args: engine("epoll", "-1ns"), requests: right},
		{name: "dyno io_uring", args: engine("io_uring", "-1ns"), requests: right},
		{name: "dyno io_uring, window", args: engine("io_uring", "0"), requests: right},
		{name: reference, requests: regexp.MustCompile(`(\d+) requests in`), args: func(l task) []string {
			args := []string{"wrk", "-t1", "-c" + fmt.Sprint(l.connections), fmt.Sprintf("-d%ds", l.seconds)}
			if !l.keepAlive {
				args = append(args, "-H", "Connection: close")
			}
			return append(args, l.url())
		}},
		{name: "ab", requests: regexp.MustCompile(`Complete requests:\s+(\d+)`), args: func(l task) []string {
			args := []string{"ab", "-q", "-t", fmt.Sprint(l.seconds), "-n", "100000000", "-c", fmt.Sprint(l.connections)}
			if l.keepAlive {
				args = append(args, "-k")
			}
			return append(args, l.url())
		}},
		{name: "h2load --h1", requests: regexp.MustCompile(`(\d+) succeeded`), reuses: true, args: func(l task) []string {
			return []string{"h2load", "--h1", "-t1", "-c" + fmt.Sprint(l.connections), "-D" + fmt.Sprint(l.seconds), l.url()}
		}},
	}
}

func (t tool) can(l task) bool { return l.keepAlive || !t.reuses }

// A spending is what one run of a tool took.
type spending struct {
	user, system float64 // µs a request
	rate         float64 // requests a second
	peak         float64 // MiB resident
}

func (s spending) total() float64 { return s.user + s.system }

// measure runs the tool once. CPU time is that of the whole process, its start
// and end included.
func (t tool) measure(ctx context.Context, l task) (spending, error) {
	end, requests, err := t.run(ctx, l)
	if err != nil {
		return spending{}, err
	}
	each := func(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) / requests }
	return spending{
		user:   each(end.state.UserTime()),
		system: each(end.state.SystemTime()),
		rate:   requests / float64(l.seconds),
		peak:   end.peak,
	}, nil
}

// An end is how a tool's process ended.
type end struct {
	state *os.ProcessState
	peak  float64 // MiB resident
}

// run runs the tool, behind the words of another command if there are any, and
// returns how many requests it made.
func (t tool) run(ctx context.Context, l task, before ...string) (end, float64, error) {
	args := append([]string{"taskset", "-c", fmt.Sprint(l.cpu)}, before...)
	args = append(args, t.args(l)...)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		return end{}, 0, fmt.Errorf("running %s: %w", t.name, err)
	}
	peak := watch(cmd.Process.Pid)
	err := cmd.Wait()
	e := end{cmd.ProcessState, peak()}
	if err != nil {
		return e, 0, fmt.Errorf("running %s: %w\n%s", t.name, err, stderr.String())
	}
	found := t.requests.FindStringSubmatch(stdout.String())
	if found == nil {
		return e, 0, fmt.Errorf("running %s: no number of requests in its report:\n%s", t.name, stdout.String())
	}
	requests, err := strconv.ParseFloat(found[1], 64)
	if err == nil && requests == 0 {
		err = errors.New("it made no request")
	}
	if err != nil {
		return e, 0, fmt.Errorf("running %s: %w", t.name, err)
	}
	return e, requests, nil
}

// watch follows the largest resident size of a process, in MiB, until it is asked
// for it. What wait4 tells is no use: it counts this program before the exec.
func watch(pid int) (peak func() float64) {
	tick := time.NewTicker(200 * time.Millisecond)
	asked, told := make(chan struct{}), make(chan float64)
	go func() {
		defer tick.Stop()
		var largest float64
		for {
			select {
			case <-asked:
				told <- largest
				return
			case <-tick.C:
				largest = max(largest, residentPeak(pid))
			}
		}
	}()
	return func() float64 { close(asked); return <-told }
}

// residentPeak reads the largest resident size so far, 0 if the process is gone.
func residentPeak(pid int) float64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(text)) {
		var kib float64
		if n, _ := fmt.Sscanf(line, "VmHWM: %f kB", &kib); n == 1 {
			return kib / 1024
		}
	}
	return 0
}

// callsCounted makes perf count a command's system calls into a file.
func callsCounted(file string) []string {
	return []string{"perf", "stat", "-x,", "-e", "raw_syscalls:sys_enter", "-o", file, "--"}
}

// canCountCalls reports why perf cannot count system calls here: it is not
// installed, or the kernel does not let it.
func canCountCalls(ctx context.Context) error {
	args := append(callsCounted(os.DevNull), "true")
	if out, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("counting system calls: %w\n%s", err, out)
	}
	return nil
}

// countCalls returns the system calls a request in a run of its own, NaN where
// perf does not say.
func (t tool) countCalls(ctx context.Context, l task) (float64, error) {
	counts, err := os.CreateTemp("", "dyno-bench-calls")
	if err != nil {
		return 0, fmt.Errorf("counting system calls: %w", err)
	}
	defer os.Remove(counts.Name())
	defer counts.Close()
	_, requests, err := t.run(ctx, l, callsCounted(counts.Name())...)
	if err != nil {
		return 0, err
	}
	text, err := os.ReadFile(counts.Name())
	if err != nil {
		return 0, fmt.Errorf("counting system calls: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		if n, rest, _ := strings.Cut(line, ","); strings.Contains(rest, "sys_enter") {
			if calls, err := strconv.ParseFloat(n, 64); err == nil {
				return calls / requests, nil
			}
		}
	}
	return math.NaN(), nil
}
