package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dyno/orchestrator/load"
)

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
	if got := sumOf(t, text); got != (load.Second{Started: 200, OK: 196, Failed: 4}) {
		t.Errorf("%+v in\n%s", got, text)
	}
	if text, err := os.ReadFile(percentiles); err != nil || !strings.Contains(string(text), "#[Max     =") || !strings.Contains(string(text), "Total count    =          196]") {
		t.Errorf("%v\n%s", err, text)
	}
}

// sumOf adds up the lines of a CSV file.
func sumOf(t *testing.T, text []byte) (sum load.Second) {
	t.Helper()
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(lines) < 2 {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, line := range lines[1:] {
		var s load.Second
		if _, err := fmt.Sscan(strings.Join(line[1:4], " "), &s.Started, &s.OK, &s.Failed); err != nil {
			t.Fatal(err)
		}
		sum.Started, sum.OK, sum.Failed = sum.Started+s.Started, sum.OK+s.OK, sum.Failed+s.Failed
	}
	return sum
}

// What is answered in the drain has a line of its own, so that the sums are the
// outcomes.
func TestCSVHoldsTheDrain(t *testing.T) {
	server := serveScript(t, func(n int) reply {
		if n > 1 {
			time.Sleep(1100 * time.Millisecond)
		}
		return reply{hello11, keeps}
	})
	file := filepath.Join(t.TempDir(), "csv")
	got := runOurs(t, "load", "http://"+server.addr, "-d", "1s", "-c", "2", "--csv", file)
	text, err := os.ReadFile(file)
	if err != nil || got.code != 0 {
		t.Fatalf("%v, %+v", err, got)
	}
	if got := sumOf(t, text); got != (load.Second{Started: 2, OK: 2}) || !strings.HasSuffix(string(text), "\nlater,0,2,0,,,\n") {
		t.Errorf("%+v in\n%s", got, text)
	}
}

// What was asked for, and the warm-up, stand in the JSON.
func TestLoadJSON(t *testing.T) {
	server := serveScript(t, func(n int) reply {
		if n == 5 { // of the warm-up
			return reply{error11, keeps}
		}
		return reply{hello11, keeps}
	})
	got := runOurs(t, "load", "http://"+server.addr, "-n", "20", "-d", "1m", "-c", "2", "--rate", "5000", "--poisson", "--seed", "7", "--ramp", "1ms",
		"--timeout", "3s", "--backend", "epoll", "--window", "-1us", "--warmup", "10", "--json")
	var j jsonReport
	if err := json.Unmarshal([]byte(got.stdout), &j); err != nil {
		t.Fatalf("%v, %+v", err, got)
	}
	asked := jsonAsked{
		Connections: 2, Requests: 20, Duration: 60, Rate: 5000, Arrivals: "poisson", Ramp: 0.001, Timeout: 3,
		Workers: 1, Backend: "epoll", Window: -1e-6, Seed: 7,
	}
	if diff := cmp.Diff(asked, j.Asked); diff != "" {
		t.Error(diff)
	}
	warmup := &jsonWarmup{Requests: 10, Until: "requests", Started: 10, Failed: 1, Outcomes: map[string]int64{"ok": 9, "unexpected status": 1}}
	if j.Warmup == nil || j.Warmup.Elapsed <= 0 {
		t.Fatalf("the warm-up is %+v", j.Warmup)
	}
	j.Warmup.Elapsed = 0
	if diff := cmp.Diff(warmup, j.Warmup); diff != "" {
		t.Error(diff)
	}
}

// Of several requests each is told of.
func TestLoadMix(t *testing.T) {
	server := serveScript(t, always(hello11, keeps))
	flags := []string{"load", "http://" + server.addr + "/a", "-n", "400", "-c", "2", "--seed", "1", "--weight", "3", "--also", "1 OPTIONS /b", "--body", "x", "--expect-body", "hello"}
	got := runOurs(t, append(flags, "--json")...)
	var j jsonReport
	if err := json.Unmarshal([]byte(got.stdout), &j); err != nil || len(j.Requests) != 2 {
		t.Fatalf("%v, %+v", err, got)
	}
	sent := map[string]int64{}
	for _, request := range server.forget()[1:] {
		sent[request]++
	}
	for i, start := range []string{"POST /a HTTP/1.1\r\n", "OPTIONS /b HTTP/1.1\r\n"} {
		r := j.Requests[i]
		var sum int64
		for _, n := range r.Outcomes {
			sum += n
		}
		if !strings.HasPrefix(r.Wire, start) || sum == 0 || sum != sent[r.Wire] {
			t.Errorf("%+v, of which the server saw %d", r, sent[r.Wire])
		}
	}
	if a, b := sent[j.Requests[0].Wire], sent[j.Requests[1].Wire]; a < 2*b {
		t.Errorf("%d of weight 3, %d of weight 1", a, b)
	}
	if got = runOurs(t, flags...); got.code != 0 {
		t.Errorf("%+v", got)
	}
	for _, want := range []string{"2 requests by weight over HTTP/1.1", "POST /a", "weight 3; ok: ", "OPTIONS /b", "weight 1; "} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("no %q in\n%s", want, got.stdout)
		}
	}
}
