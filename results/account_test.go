package results

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each workload keeps the engine's account differently, and none may be taken for
// a mistake.
func TestAccounts(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Trial, *Run)
		want   []string
	}{
		"two percent of a connection idle": {
			change: func(t *Trial, _ *Run) { t.Load.LatencySumS = 640 * 0.981 },
		},
		"three percent": {
			change: func(t *Trial, _ *Run) { t.Load.LatencySumS = 640 * 0.969 },
			want:   []string{CodeLittle},
		},
		"time counted twice": {
			change: func(t *Trial, _ *Run) { t.Load.LatencySumS = 640 * 1.03 },
			want:   []string{CodeLittle},
		},
		"by count, the last request is waited for": {
			change: func(t *Trial, r *Run) {
				r.Workloads[0].Requests = 400_000
				t.Load.Latency.MaxUS = 2e6
				t.Load.LatencySumS = 640 * 0.79
			},
		},
		"by count, longer than the longest request": {
			change: func(t *Trial, r *Run) {
				r.Workloads[0].Requests = 400_000
				t.Load.Latency.MaxUS = 2e6
				t.Load.LatencySumS = 640 * 0.77
			},
			want: []string{CodeLittle},
		},
		"by duration, no request excuses an idle connection": {
			change: func(t *Trial, _ *Run) {
				t.Load.Latency.MaxUS = 2e6
				t.Load.LatencySumS = 640 * 0.79
			},
			want: []string{CodeLittle},
		},
		"with a rate, half of the connections idle": {
			change: func(t *Trial, r *Run) {
				offer(t, r, 400_000)
				t.Load.LatencySumS, t.Load.Service.MeanUS = 320, 800
			},
		},
		"with a rate, time in flight not counted": {
			change: func(t *Trial, r *Run) {
				offer(t, r, 400_000)
				t.Load.LatencySumS = 640 * 0.979
			},
			want: []string{CodeLittle},
		},
		"with a rate, time counted twice": {
			change: func(t *Trial, r *Run) {
				offer(t, r, 400_000)
				t.Load.LatencySumS = 640 * 1.021
			},
			want: []string{CodeLittle},
		},
		"with a rate, the wait for a connection is no time in flight": {
			change: func(t *Trial, r *Run) {
				offer(t, r, 400_000)
				t.Load.Latency.MeanUS = 5000
			},
		},
		"with a rate, late answers are cut off": {
			change: func(t *Trial, r *Run) {
				offer(t, r, 400_000)
				t.Load.LateOK, t.Load.DrainS = 200, 0.1
				t.Load.LatencySumS = 640 * 0.951
			},
		},
		"with a rate, more than was cut off": {
			change: func(t *Trial, r *Run) {
				offer(t, r, 400_000)
				t.Load.LateOK, t.Load.DrainS = 200, 0.1
				t.Load.LatencySumS = 640 * 0.948
			},
			want: []string{CodeLittle},
		},
		"with a rate, failed requests took their time": {
			change: func(t *Trial, r *Run) {
				offer(t, r, 400_000)
				fail(t, "request timeout", 100)
				t.Load.Service.Count -= 100
				t.Load.LatencySumS += 500
			},
		},
		"with a rate, connecting is in flight": {
			change: func(t *Trial, r *Run) {
				offer(t, r, 400_000)
				t.Load.Connect = &Distribution{Count: 40_000, MeanUS: 1000, MaxUS: 5000}
				t.Load.LatencySumS += 40
			},
		},
		"with a rate and one request a connection, it is in their time": {
			change: func(t *Trial, r *Run) {
				offer(t, r, 400_000)
				r.Workloads[0].KeepAlive = false
				t.Load.Connect = &Distribution{Count: 400_000, MeanUS: 100, MaxUS: 5000}
			},
		},
		"with a rate, a connection for a second attempt": {
			change: func(t *Trial, r *Run) {
				offer(t, r, 400_000)
				t.Load.Connect = &Distribution{Count: 40_000, MeanUS: 1000, MaxUS: 5000}
				t.Load.Resent = 8000
				t.Load.LatencySumS += 1
			},
		},
		"bytes of more answers than were counted": {
			change: func(t *Trial, _ *Run) { t.Load.BytesIn = t.Load.BytesIn * 103 / 100 },
			want:   []string{CodeBytes},
		},
		"bytes within the limit": {
			change: func(t *Trial, _ *Run) { t.Load.BytesIn = t.Load.BytesIn * 101 / 100 },
		},
		"empty bodies counted as right": {
			change: func(t *Trial, _ *Run) {
				t.Load.BodyBytes /= 2
				t.Load.BytesIn = t.Load.HeadBytes + t.Load.BodyBytes
			},
			want: []string{CodeBytes},
		},
		"bodies that vary": {
			change: func(t *Trial, r *Run) {
				r.Targets[0].Varies = true
				t.Load.BodyBytes *= 2
				t.Load.BytesIn = t.Load.HeadBytes + t.Load.BodyBytes
			},
		},
		"no body at all, as 204 has": {
			change: func(t *Trial, r *Run) {
				r.Targets[0].Length = new(int64(0))
				t.Contract.BodyBytes, t.Contract.Framing = 0, "none"
				t.Load.BodyBytes, t.Load.BytesIn = 0, t.Load.HeadBytes
			},
		},
		"chunked": {
			change: func(t *Trial, _ *Run) {
				t.Contract.Framing = "chunked"
				t.Contract.WireBytes += 11 // "15\r\n", "\r\n0\r\n\r\n"
				t.Load.BytesIn += 11 * t.Load.OK
			},
		},
		"chunked, framing not received": {
			change: func(t *Trial, _ *Run) {
				t.Contract.Framing = "chunked"
				t.Contract.WireBytes += 11
			},
			want: []string{CodeBytes},
		},
		"failures have a part that cannot be known": {
			change: func(t *Trial, _ *Run) {
				fail(t, "reset", 4000)
				t.Load.BytesIn, t.Load.LatencySumS = 1, 1
			},
			want: []string{CodeErrors},
		},
	} {
		trial, run := sampleTrial("a"), sampleRun()
		c.change(&trial, &run)
		got := Reasons(trial, run)
		if diff := cmp.Diff(c.want, codes(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s\n%+v", name, diff, got)
		}
	}
}

// ab's own report of half-failed-keepalive.txt: 100,000 answers counted, and the
// bytes of 50,000 bodies.
func TestBytesTellWhatTheCountHides(t *testing.T) {
	trial, run := sampleTrial("a"), sampleRun()
	run.Targets[0].Length = new(int64(96))
	const n, head, body = 100_000, 180, 96
	trial.Contract.HeadBytes, trial.Contract.BodyBytes = head, body
	l := trial.Load
	l.Started, l.OK, l.Outcomes = n, n, map[string]int64{"ok": n}
	l.HeadBytes, l.BodyBytes = n*head, 4_800_000
	l.BytesIn = l.HeadBytes + l.BodyBytes
	if diff := cmp.Diff([]string{CodeBytes}, codes(Reasons(trial, run))); diff != "" {
		t.Error(diff)
	}
}

func TestCPUCount(t *testing.T) {
	for set, want := range map[string]int{"0": 1, "0-2": 3, "0-1,4,6-7": 5, "": 0, "a": 0, "3-1": 0, "0,": 0} {
		if got := cpuCount(set); got != want {
			t.Errorf("%q has %d CPUs, want %d", set, got, want)
		}
	}
}

func TestWording(t *testing.T) {
	for got, want := range map[string]string{
		count(0):             "0",
		count(999):           "999",
		count(1234567):       "1,234,567",
		count(-1234):         "-1,234",
		digits(47.26):        "47.3",
		digits(1234.5):       "1,235",
		percent(0.0226):      "2.3 %",
		percent(0.001):       "0.1 %",
		percent(0.00000123):  "0.00012 %",
		percent(0.964):       "96 %",
		percent(1.5):         "150 %",
		plural(1, "line"):    "1 line",
		plural(2, "process"): "2 processes",
		line(" a\n\tb ", 9):  "a b",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
