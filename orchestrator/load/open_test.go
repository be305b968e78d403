package load

import (
	"net"
	"testing"
	"time"
)

// slow answers each request after 20 ms.
func slow(c net.Conn, n int64) bool {
	time.Sleep(20 * time.Millisecond)
	return steady(c, n)
}

// Two connections to a slow server hold 100 a second at most: what was offered
// beyond is told, and the times of what waited count from when it was meant.
func TestOpenLoopThatCannotHoldItsRate(t *testing.T) {
	for _, a := range []Arrivals{Constant, Poisson} {
		for _, ph := range []Phase{
			{Duration: 500 * time.Millisecond, Rate: 500, Arrivals: a},
			{Requests: 40, Rate: 500, Arrivals: a},
		} {
			cfg := config(serve(t, slow))
			cfg.Connections, cfg.Workers = 2, 2
			r := run(t, cfg, ph)
			if r.Achieved() > 0.5 || r.Queued == 0 || r.Started > 60 {
				t.Errorf("%v %+v: achieved %v of %d, queued %d of %d", a, ph, r.Achieved(), r.Offered, r.Queued, r.Started)
			}
			if ph.Duration > 0 && a == Constant && r.Offered != 250 {
				t.Errorf("offered %d, want 250", r.Offered)
			}
			if r.Latency.Max() < r.Service.Max()+50*time.Millisecond {
				t.Errorf("longest latency %v, longest service %v: the wait for a connection is missing", r.Latency.Max(), r.Service.Max())
			}
		}
	}
}

// An open loop starts what was offered, each at its time, and ends with its
// window, even where nothing is offered towards its end.
func TestOpenLoopHoldsItsRate(t *testing.T) {
	s := serve(t, steady)
	cfg := config(s)
	cfg.Connections, cfg.Workers = 64, 2
	cfg.Trace = NewTrace(1000)
	for _, tt := range []struct {
		ph      Phase
		offered int64
	}{
		{Phase{Duration: 200 * time.Millisecond, Rate: 500}, 100},
		{Phase{Duration: 100 * time.Millisecond, Rate: 0.5}, 1},
		{Phase{Requests: 50, Rate: 1000}, 50},
		{Phase{Requests: 50, Duration: time.Hour, Rate: 1000}, 50},
	} {
		r := run(t, cfg, tt.ph)
		if r.Started != tt.offered || r.Outcomes[OK] != tt.offered {
			t.Errorf("%+v: %d right of %d started, want %d", tt.ph, r.Outcomes[OK], r.Started, tt.offered)
		}
		if tt.ph.Requests == 0 && r.Elapsed != tt.ph.Duration {
			t.Errorf("%+v took %v", tt.ph, r.Elapsed)
		}
		slots := newSchedule(tt.ph.Rate, Constant, 0)
		if last := slots.next.at + time.Duration(float64(tt.offered-1)*slots.gap); r.lastStart < last {
			t.Errorf("%+v: the last start was after %v, before its time %v", tt.ph, r.lastStart, last)
		}
	}
}

func TestOpenLoopOfUnansweredRequests(t *testing.T) {
	cfg := config(serve(t, func(net.Conn, int64) bool { return true }))
	cfg.Connections, cfg.Workers, cfg.Timeout = 3, 3, 30*time.Millisecond
	r := run(t, cfg, Phase{Requests: 12, Rate: 1000})
	if r.Outcomes[RequestTimeout] != 12 || r.Achieved() > 0.9 {
		t.Errorf("%v, achieved %v", r.Outcomes, r.Achieved())
	}
}

// No answer for a while is no reason to give up where none was asked for.
func TestOpenLoopIsPatientWhileIdle(t *testing.T) {
	cfg := config(serve(t, steady))
	cfg.Patience = 100 * time.Millisecond
	if r := run(t, cfg, Phase{Requests: 3, Rate: 4}); r.GaveUp || r.Outcomes[OK] != 3 {
		t.Errorf("gave up: %v, right %d of 3", r.GaveUp, r.Outcomes[OK])
	}
}

func TestOpenLoopOfARefusingServer(t *testing.T) {
	s := serve(t, steady)
	s.die()
	cfg := config(s)
	cfg.Connections = 4
	r := run(t, cfg, Phase{Duration: 100 * time.Millisecond, Rate: 10_000})
	if r.Outcomes[ConnectRefused] != r.Started || r.Started == 0 || r.Started > 4*20 || r.Offered != 1000 {
		t.Errorf("%v of %d offered: the connections did not pause", r.Outcomes, r.Offered)
	}
}

// Connections join one after the other: none before its time.
func TestRamp(t *testing.T) {
	const connections, ramp = 10, 300 * time.Millisecond
	for _, rate := range []float64{0, 1000} {
		accepted := make(chan time.Time, connections)
		s := serveTalk(t, func(s *server, c net.Conn) {
			accepted <- time.Now()
			buf := make([]byte, 1024)
			for {
				if _, err := c.Read(buf); err != nil || !steady(c, 1) {
					return
				}
			}
		})
		cfg := config(s)
		cfg.Connections, cfg.Workers = connections, 3
		start := time.Now()
		r := run(t, cfg, Phase{Duration: ramp + 100*time.Millisecond, Ramp: ramp, Rate: rate})
		if r.Connect.Count() != connections || r.Outcomes[OK] != r.Started {
			t.Fatalf("rate %v: %d connections joined, %v", rate, r.Connect.Count(), r.Outcomes)
		}
		for i := range connections {
			if early := start.Add(time.Duration(i) * ramp / connections).Sub(<-accepted); early > 0 {
				t.Errorf("rate %v: connection %d of %d came %v too early", rate, i+1, connections, early)
			}
		}
	}
}

// Timeouts of many connections at once: each request has its own.
func TestManyTimeouts(t *testing.T) {
	const connections = 2000
	cfg := config(serve(t, func(net.Conn, int64) bool { return true }))
	cfg.Connections, cfg.Timeout = connections, 500*time.Millisecond
	r := run(t, cfg, Phase{Requests: connections})
	if n := r.Outcomes[RequestTimeout] + r.Outcomes[ConnectTimedOut]; n != connections || r.Outcomes[RequestTimeout] == 0 {
		t.Errorf("%v, want %d timeouts", r.Outcomes, connections)
	}
}

func TestPhaseIsChecked(t *testing.T) {
	cfg := config(serve(t, steady))
	cfg.Lead = true
	e := engine(t, cfg)
	second := Phase{Duration: time.Second}
	for name, change := range map[string]func(*Phase){
		"no end":            func(p *Phase) { p.Duration = 0 },
		"requests below 0":  func(p *Phase) { p.Requests = -1 },
		"rate below 0":      func(p *Phase) { p.Rate = -1 },
		"rate too high":     func(p *Phase) { p.Rate = 2e7 },
		"led open loop":     func(p *Phase) { p.Rate = 1 },
		"arrivals":          func(p *Phase) { p.Arrivals = 2 },
		"ramp below 0":      func(p *Phase) { p.Ramp = -1 },
		"windows too short": func(p *Phase) { p.Steady.Window = time.Millisecond },
		"windows too few":   func(p *Phase) { p.Steady = Steady{Window: time.Second, Windows: 2} },
		"change of 1":       func(p *Phase) { p.Steady = Steady{Window: time.Second, Change: 1} },
	} {
		ph := second
		change(&ph)
		if _, err := e.Run(t.Context(), ph); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// The timer of a request that was answered does not free its connection again.
func TestTimersOfAnsweredRequestsMeanNothing(t *testing.T) {
	for _, rate := range []float64{0, 40} {
		cfg := config(serve(t, steady))
		cfg.Connections, cfg.Timeout = 4, 200*time.Millisecond // more than a busy host holds an answer up
		e := engine(t, cfg)
		r := runOn(t, e, Phase{Duration: 700 * time.Millisecond, Rate: rate})
		if r.Outcomes.Failed() > 0 || r.Connect.Count() != 4 {
			t.Errorf("rate %v: %v on %d connections", rate, r.Outcomes, r.Connect.Count())
		}
		if n := e.workers[0].pool.waiting; rate > 0 && n != 4 {
			t.Errorf("%d of 4 connections are in the pool", n)
		}
	}
}
