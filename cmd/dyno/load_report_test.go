package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dyno/orchestrator/load"
)

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
