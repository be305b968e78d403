package load

import (
	"net"
	"testing"
	"time"
)

func TestSteadyRule(t *testing.T) {
	for _, tt := range []struct {
		name    string
		goodput []float64
		want    bool
	}{
		{"too few windows", []float64{100, 100, 100, 100}, false},
		{"flat", []float64{100, 100, 100, 100, 100}, true},
		{"flat behind a rise", []float64{10, 50, 100, 101, 99, 100, 100}, true},
		{"noise without a slope", []float64{90, 110, 100, 110, 90}, true},
		{"rising by 4 %", []float64{98, 99, 100, 101, 102}, true},
		{"rising by 8 %", []float64{96, 98, 100, 102, 104}, false},
		{"falling", []float64{104, 102, 100, 98, 96}, false},
		{"nothing", []float64{0, 0, 0, 0, 0}, false},
	} {
		if got := (Steady{Window: time.Second}).holds(tt.goodput); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestSteadyEndsThePhase(t *testing.T) {
	cfg := config(serve(t, steady))
	cfg.Connections, cfg.Workers = 4, 2
	rule := Steady{Window: 100 * time.Millisecond, Windows: 3, Change: 0.99}
	r := run(t, cfg, Phase{Duration: time.Hour, Steady: rule})
	if !r.Steady || r.Interrupted || r.GaveUp || r.Elapsed >= time.Hour || r.Outcomes[OK] != r.Started {
		t.Errorf("steady %v, interrupted %v, gave up %v after %v: %v", r.Steady, r.Interrupted, r.GaveUp, r.Elapsed, r.Outcomes)
	}
}

func TestNeverSteadyEndsAtItsLimit(t *testing.T) {
	cfg := config(serve(t, func(net.Conn, int64) bool { return true }))
	cfg.Timeout = 100 * time.Millisecond
	rule := Steady{Window: 100 * time.Millisecond, Windows: 3}
	r := run(t, cfg, Phase{Duration: 600 * time.Millisecond, Steady: rule})
	if r.Steady || r.Elapsed != 600*time.Millisecond {
		t.Errorf("steady %v after %v, want the limit of 600 ms", r.Steady, r.Elapsed)
	}
}
