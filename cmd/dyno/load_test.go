package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dyno/orchestrator/load"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const (
	hello11 = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
	error11 = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 2\r\n\r\nno"
)

// Every failure is named, counted, and makes the exit code.
func TestLoadOutcomes(t *testing.T) {
	right := reply{hello11, keeps}
	every := func(n int, other reply) script {
		return func(i int) reply {
			if i > 1 && i%n == 0 { // the first is the question beforehand
				return other
			}
			return right
		}
	}
	for name, c := range map[string]struct {
		flags  string
		script script
		code   int
		says   []string
	}{
		"right":            {"-n 50 -c 5", always(hello11, keeps), 0, []string{"Failed   none of 50 requests", "ok  50"}},
		"status":           {"-n 50 -c 1", every(10, reply{error11, keeps}), 3, []string{"Failed   5 of 50 requests, 10.0 %", "unexpected status   5  503: 5; the first: last received"}},
		"any status":       {"-n 50 -c 1 --expect-status -1", every(10, reply{error11, keeps}), 0, []string{"ok  50"}},
		"body":             {"-n 50 -c 1 --expect-body hello", every(10, reply{strings.Replace(hello11, "hello", "hallo", 1), keeps}), 3, []string{"wrong body   5"}},
		"length":           {"-n 50 -c 1 --expect-length 4", always(hello11, keeps), 3, []string{"wrong body  50"}},
		"reset":            {"-n 50 -c 1", every(10, reply{"", resets}), 3, []string{"reset   5  the first: connection reset by peer"}},
		"cut off":          {"-n 50 -c 1", every(10, reply{hello11[:len(hello11)-2], closes}), 3, []string{"short body   5"}},
		"excess":           {"-n 50 -c 1", every(10, reply{hello11 + "!", keeps}), 3, []string{"excess bytes   5"}},
		"one request each": {"-n 20 -c 2 --no-keepalive", always(hello11, closes), 0, []string{"one request each", "connect "}},
		"warm-up by count": {"-n 20 -c 2 --warmup 30", always(hello11, keeps), 0, []string{"after a warm-up of 30"}},
		"ramp, workers":    {"-n 40 -c 4 --workers 2 --ramp 20ms --backend epoll", always(hello11, keeps), 0, []string{"epoll, 2 workers"}},
		"by time":          {"-d 50ms -c 2 --warmup 20ms", always(hello11, keeps), 0, []string{"50.0 ms after a warm-up of 20.0 ms"}},
	} {
		t.Run(name, func(t *testing.T) {
			server := serveScript(t, c.script)
			got := runOurs(t, append([]string{"load", "http://" + server.addr}, strings.Fields(c.flags)...)...)
			if got.code != c.code || got.stderr != "" {
				t.Errorf("exit %d, want %d; %s", got.code, c.code, got.stderr)
			}
			for _, want := range c.says {
				if !strings.Contains(got.stdout, want) {
					t.Errorf("no %q in\n%s", want, got.stdout)
				}
			}
		})
	}
}

// An open loop tells both latencies, and how late the engine was. Whether it
// held the rate is up to the machine.
func TestLoadOpenLoop(t *testing.T) {
	server := serveScript(t, always(hello11, keeps))
	got := runOurs(t, "load", "http://"+server.addr, "-n", "40", "-c", "8", "--rate", "400", "--poisson", "--seed", "3")
	if got.code != 0 && got.code != exitInvalid {
		t.Errorf("%+v", got)
	}
	for _, want := range []string{"open loop at 400 req/s, poisson", "of 400 req/s offered", "from the intended start", "from the actual start", "Release  requests started", "ok  40"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("no %q in\n%s", want, got.stdout)
		}
	}
}

// What cannot be loaded is told in one line, and nothing is reported.
func TestLoadRefusals(t *testing.T) {
	silent := serveScript(t, func(int) reply { time.Sleep(200 * time.Millisecond); return reply{"", closes} })
	for name, c := range map[string]struct {
		text string // what the server says
		url  string
		says string
	}{
		"not HTTP":     {"SSH-2.0-OpenSSH\r\n", "", "status line is not one of HTTP/1.x"},
		"endless head": {"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 70_000), "", "head above 64 KiB"},
		"nothing":      {"", "", "reading an answer: unexpected EOF"},
		"silent":       {"", "http://" + silent.addr, "no whole answer within 50ms"},
		"refused":      {"", "http://127.0.0.1:1/", "connection refused"},
		"no such name": {"", "http://no.such.name.invalid/", "cannot be resolved"},
		"remote":       {"", "http://192.0.2.1/", "give --allow-remote"},
		"https":        {"", "https://127.0.0.1/", "https is not supported"},
	} {
		t.Run(name, func(t *testing.T) {
			url := c.url
			if url == "" {
				url = "http://" + serveScript(t, always(c.text, closes)).addr
			}
			got := runOurs(t, "load", url, "-n", "5", "--timeout", "50ms")
			if got.code != exitUsage || got.stdout != "" || strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stderr, c.says) {
				t.Errorf("%+v, want %q", got, c.says)
			}
		})
	}
}

// Names and all addresses of the loopback can be loaded.
func TestLoadAddresses(t *testing.T) {
	for host, listen := range map[string]string{"localhost": "127.0.0.1", "127.0.0.7": "127.0.0.7", "[::1]": "[::1]"} {
		t.Run(host, func(t *testing.T) {
			l, err := net.Listen("tcp", listen+":0")
			if err != nil {
				t.Skipf("this host has no %s: %v", listen, err)
			}
			port := l.Addr().(*net.TCPAddr).Port
			l.Close()
			server := serveScriptAt(t, fmt.Sprintf("%s:%d", listen, port), always(hello11, keeps))
			if got := runOurs(t, "load", fmt.Sprintf("%s:%d", host, port), "-n", "5"); got.code != 0 {
				t.Errorf("%+v", got)
			}
			if n := len(server.forget()); n != 6 {
				t.Errorf("the server saw %d requests, want 5 and one beforehand", n)
			}
			if got := runOurs(t, "ab", "-kn", "5", fmt.Sprintf("%s:%d/", host, port)); got.code != 0 {
				t.Errorf("%+v", got)
			}
		})
	}
}

// The request is what the flags say, the one beforehand too.
func TestLoadRequest(t *testing.T) {
	file := filepath.Join(t.TempDir(), "body")
	if err := os.WriteFile(file, []byte("from a file"), 0o600); err != nil {
		t.Fatal(err)
	}
	for flags, want := range map[string]string{
		"":                        "GET /a?b HTTP/1.1\r\nHost: HOST\r\n\r\n",
		"--http10":                "GET /a?b HTTP/1.0\r\nHost: HOST\r\nConnection: Keep-Alive\r\n\r\n",
		"--no-keepalive":          "GET /a?b HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n",
		"-H A:1 -H Host:other":    "GET /a?b HTTP/1.1\r\nA: 1\r\nHost: other\r\n\r\n",
		"-X DELETE":               "DELETE /a?b HTTP/1.1\r\nHost: HOST\r\n\r\n",
		"--body x=1":              "POST /a?b HTTP/1.1\r\nHost: HOST\r\nContent-Length: 3\r\n\r\nx=1",
		"--body-file FILE -X PUT": "PUT /a?b HTTP/1.1\r\nHost: HOST\r\nContent-Length: 11\r\n\r\nfrom a file",
	} {
		t.Run(flags, func(t *testing.T) {
			server := serveScript(t, always(hello11, keeps))
			args := append([]string{"load", "http://" + server.addr + "/a?b", "-n", "1", "-c", "1"}, strings.Fields(strings.ReplaceAll(flags, "FILE", file))...)
			if got := runOurs(t, args...); got.code != 0 {
				t.Fatalf("%+v", got)
			}
			want := strings.ReplaceAll(want, "HOST", server.addr)
			if diff := cmp.Diff([]string{want, want}, server.forget()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What other programs read agrees with the server's own count.
func TestLoadFiles(t *testing.T) {
	server := serveScript(t, func(n int) reply {
		if n%50 == 0 {
			return reply{error11, keeps}
		}
		return reply{hello11, keeps}
	})
	dir := t.TempDir()
	seconds, percentiles := filepath.Join(dir, "csv"), filepath.Join(dir, "hgrm")
	got := runOurs(t, "load", "http://"+server.addr, "-n", "200", "-c", "4", "--json", "--csv", seconds, "--hgrm", percentiles)
	var j jsonReport
	if err := json.Unmarshal([]byte(got.stdout), &j); err != nil || got.code != exitInvalid {
		t.Fatalf("%v, %+v", err, got)
	}
	if n := int64(len(server.forget())) - 1; j.Started != 200 || n != 200 || j.Outcomes["ok"] != 196 || j.Outcomes["unexpected status"] != 4 {
		t.Errorf("the server saw %d; %d started, outcomes %v", n, j.Started, j.Outcomes)
	}
	if j.Latency.Count != 196 || j.Latency.P50 <= 0 || j.Latency.Max < j.Latency.P99 || j.Service != nil || j.Status[503] != 4 {
		t.Errorf("latency %+v, service %+v, status %v", j.Latency, j.Service, j.Status)
	}
	text, err := os.ReadFile(seconds)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(lines) < 2 {
		t.Fatalf("%v\n%s", err, text)
	}
	var started, ok, failed int
	for _, line := range lines[1:] {
		var second, s, o, f int
		if _, err := fmt.Sscan(strings.Join(line[:4], " "), &second, &s, &o, &f); err != nil {
			t.Fatal(err)
		}
		started, ok, failed = started+s, ok+o, failed+f
	}
	if started != 200 || ok != 196 || failed != 4 {
		t.Errorf("%d started, %d ok, %d failed in\n%s", started, ok, failed, text)
	}
	if text, err := os.ReadFile(percentiles); err != nil || !strings.Contains(string(text), "#[Max     =") || !strings.Contains(string(text), "Total count    =          196]") {
		t.Errorf("%v\n%s", err, text)
	}
}

// Whoever interrupts a load or ab gets the report so far.
func TestInterruptedIsReported(t *testing.T) {
	for _, args := range [][]string{{"load", "URL", "-d", "1m"}, {"load", "URL", "-d", "1m", "--warmup", "1m"}, {"ab", "-k", "-n", "1000000", "URL"}, {"ab", "-t", "60", "-n", "1000000", "URL"}} {
		ctx, cancel := context.WithCancel(t.Context())
		server := serveScript(t, func(n int) reply {
			if n == 100 {
				cancel()
			}
			return reply{helloKeep, keeps}
		})
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "URL", "http://"+server.addr+"/")
		}
		var stdout, stderr bytes.Buffer
		code := run(ctx, args, strings.NewReader(""), &stdout, &stderr)
		if code != exitInterrupted || !strings.Contains(stdout.String(), server.addr[:9]) {
			t.Errorf("%v: exit %d\n%s%s", args, code, stdout.String(), stderr.String())
		}
		if text := stdout.String(); args[0] == "ab" && !strings.Contains(text, "the run ended early") || args[0] == "load" && !strings.Contains(text, "interrupted") {
			t.Errorf("%v does not say that it was interrupted:\n%s", args, text)
		}
	}
}

// A server that dies is reported.
func TestDeathIsReported(t *testing.T) {
	for _, args := range [][]string{{"load", "URL", "-d", "500ms", "-c", "4"}, {"ab", "-n", "400", "-c", "4", "-k", "URL"}} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		var served atomic.Int64
		server := serveOn(t, l, func(n int) reply {
			switch n := served.Add(1); {
			case n < 200:
				return reply{helloKeep, keeps}
			case n == 200:
				l.Close()
			}
			return reply{"", resets}
		})
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "URL", "http://"+server.addr+"/")
		}
		got := runOurs(t, args...)
		if got.code != exitInvalid || !strings.Contains(got.stdout, "connect refused") || !strings.Contains(got.stdout, "reset") {
			t.Errorf("%v: %+v", args, got)
		}
	}
}

// sampleReports are of a closed loop, an open one, and a run that was
// interrupted early.
func sampleReports() map[string]loadReport {
	histogram := func(times ...time.Duration) *load.Histogram {
		h := load.NewHistogram()
		for _, d := range times {
			for range 250 {
				h.Record(d)
			}
		}
		return h
	}
	ms := time.Millisecond
	request := load.Request{Path: "/hello", Host: "127.0.0.1:8080", KeepAlive: true}
	closed := loadReport{
		dyno: "0.1.0",
		plan: loadPlan{
			url:    "http://127.0.0.1:8080/hello",
			cfg:    load.Config{Mix: []load.Part{{Request: request, Expect: load.Expect{Status: 200, Length: -1}}}, Connections: 64, Workers: 1},
			warmup: load.Phase{Duration: time.Minute, Steady: load.Steady{Window: time.Second}},
			phase:  load.Phase{Duration: 10 * time.Second},
		},
		warm: &load.Result{Elapsed: 6 * time.Second, Steady: true, Started: 5000},
		result: load.Result{
			Backend: "io_uring", Window: 50 * time.Microsecond, Started: 1_000_003,
			Outcomes: load.Outcomes{load.OK: 999_990, load.UnexpectedStatus: 10, load.Reset: 3},
			Status:   map[int]int64{200: 999_990, 404: 4, 503: 6},
			First: map[load.Outcome]string{
				load.UnexpectedStatus: `unexpected status; last received "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 2\r\n\r\nno", 1.2s into the phase`,
				load.Reset:            "reset: connection reset by peer, 4s into the phase",
			},
			Notes: []string{"lines end in LF only"}, Resent: 2, Reconnects: 7,
			Elapsed: 10 * time.Second, Drain: 2 * ms, LateOK: 60,
			BytesIn: 170_000_000, BytesOut: 40_000_000, HeadBytes: 150_000_000, BodyBytes: 20_000_000,
			Latency: histogram(ms/2, ms, 2*ms, 30*ms), Service: histogram(), FirstByte: histogram(ms/2, ms, 2*ms, 29*ms), Connect: histogram(ms / 10),
			UserCPU: 1500 * ms, SystemCPU: 8100 * ms, Syscalls: 220_000, Wakeups: 210_000,
			ClockError: histogram(3 * time.Microsecond), Lag: histogram(),
		},
	}
	open := closed
	open.warm = nil
	open.plan.phase = load.Phase{Requests: 1000, Rate: 12.5, Arrivals: load.Poisson}
	open.result = load.Result{
		Backend: "epoll", Fallback: "io_uring_setup: operation not permitted", Started: 1000, Outcomes: load.Outcomes{load.OK: 1000}, Status: map[int]int64{200: 1000},
		Elapsed: 80 * time.Second, Offered: 1100, Queued: 300, Interrupted: true, BytesIn: 900, BytesOut: 700, HeadBytes: 800, BodyBytes: 100,
		Latency: histogram(ms, ms, 4*ms, 900*ms), Service: histogram(ms, ms, 2*ms, 4*ms), FirstByte: histogram(ms, ms, 2*ms, 3*ms), Connect: histogram(),
		UserCPU: 10 * ms, SystemCPU: 20 * ms, Syscalls: 4000, Wakeups: 1900, ClockError: histogram(), Lag: histogram(20*time.Microsecond, 45*time.Microsecond),
	}
	nothing := loadReport{dyno: "0.1.0", plan: closed.plan, warm: &load.Result{Elapsed: time.Second, Interrupted: true, Started: 10, Outcomes: load.Outcomes{load.OK: 8, load.Reset: 2}}}
	return map[string]loadReport{"closed": closed, "open": open, "nothing": nothing}
}

// The report of given figures.
func TestLoadReport(t *testing.T) {
	for name, r := range sampleReports() {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := r.text(&b); err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata", "load", name+".txt")
			if *update {
				if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), b.String()); diff != "" {
				t.Error(diff)
			}
			for line := range strings.Lines(b.String()) {
				if len([]rune(line)) > reportWidth+1 {
					t.Errorf("%d characters: %s", len([]rune(line)), line)
				}
			}
			if err := r.json(io.Discard); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestFigure(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 0.00123: "0.00123", 0.7184: "0.718", 1.2: "1.20", 12.349: "12.3", 999.6: "1,000", 88_912: "88,900", 1_234_567: "1,230,000", -12.5: "-12.5"} {
		if got := figure(x); got != want {
			t.Errorf("%v is %q, want %q", x, got, want)
		}
	}
}

func TestLocate(t *testing.T) {
	remote := netip.MustParseAddrPort("192.0.2.1:80")
	if got, err := locate(t.Context(), "192.0.2.1", 80, true); got != remote || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	for _, host := range []string{"192.0.2.1", "::ffff:192.0.2.1", "2001:db8::1", "0.0.0.0"} {
		if _, err := locate(t.Context(), host, 80, false); exitCode(err) != exitUsage {
			t.Errorf("%s: %v", host, err)
		}
	}
	if got, err := locate(t.Context(), "::ffff:127.0.0.1", 80, false); got != netip.MustParseAddrPort("127.0.0.1:80") || err != nil {
		t.Errorf("%v, %v", got, err)
	}
}
