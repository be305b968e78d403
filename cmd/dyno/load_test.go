package main

import (
	"bytes"
	"context"
	"flag"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
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

// A server may take for its first answer what requests may take.
func TestLoadWaitsForSlowServers(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than the patience of a connect")
	}
	server := serveScript(t, func(n int) reply {
		if n == 1 {
			time.Sleep(dialPatience + 200*time.Millisecond)
		}
		return reply{hello11, keeps}
	})
	if got := runOurs(t, "load", "http://"+server.addr, "-n", "2", "-c", "1"); got.code != 0 {
		t.Errorf("%+v", got)
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
		if text := stdout.String(); args[0] == "ab" && (!strings.Contains(text, "the run ended early") || strings.Contains(text, "one request more")) || args[0] == "load" && !strings.Contains(text, "interrupted") {
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
