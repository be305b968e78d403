package load

import (
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"dyno/orchestrator/load/truth"
)

// The engine recovers the delays that the server measures itself, in both loops,
// to a hundredth or to its clock's error. A busy host may spoil a try, since it
// delays what is between the two; a wrong account fails each.
func TestTruthServer(t *testing.T) {
	for _, tt := range []struct {
		name string
		ph   Phase
	}{
		{"closed loop", Phase{Requests: 3000}},
		{"open loop", Phase{Requests: 3000, Rate: 1000, Arrivals: Poisson}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var wrong string
			for range 3 {
				if wrong = tellTruth(t, tt.ph); wrong == "" {
					return
				}
			}
			t.Error(wrong)
		})
	}
}

// tellTruth returns where the engine and a server differ over its delays.
func tellTruth(t *testing.T, ph Phase) (wrong string) {
	s, err := truth.Listen(1)
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Addr: s.Addr(), Mix: []Part{{Request: Request{KeepAlive: true}, Expect: Expect{Body: []byte(truth.Body)}}}, Connections: 100, Timeout: 5 * time.Second}
	e := engine(t, cfg)
	runOn(t, e, Phase{Requests: 100}) // connects
	r := runOn(t, e, ph)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	service := r.Latency
	if ph.Rate > 0 {
		service = r.Service
	}
	delays := s.Delays(100)
	if int64(len(delays)) != ph.Requests {
		t.Fatalf("the server answered %d requests, want %d", len(delays), ph.Requests)
	}
	bound := r.ClockError.Quantile(0.99) + r.Window
	for _, q := range []float64{0.5, 0.9, 0.99, 0.999} {
		got, want := service.Quantile(q), delays[int(q*float64(len(delays)))-1]
		if (got - want).Abs() > max(want/100, bound) {
			wrong += fmt.Sprintf("quantile %v is %v, the server's own %v\n", q, got, want)
		}
	}
	return wrong
}

// A server that stalls now and then is seen by those who would have come in the
// meantime, but not by one who waits with his next request.
func TestStallServer(t *testing.T) {
	const stall, period = 300 * time.Millisecond, time.Second
	var gate sync.RWMutex
	over := make(chan struct{})
	var stalls sync.WaitGroup
	stalls.Go(func() {
		for {
			select {
			case <-over:
				return
			case <-time.After(period - stall):
			}
			gate.Lock()
			time.Sleep(stall)
			gate.Unlock()
		}
	})
	defer stalls.Wait()
	defer close(over)
	s := serve(t, func(c net.Conn, n int64) bool {
		gate.RLock()
		defer gate.RUnlock()
		return steady(c, n)
	})
	cfg := config(s)
	cfg.Connections = 4
	closed := run(t, cfg, Phase{Duration: 2 * period})
	open := run(t, cfg, Phase{Duration: 2 * period, Rate: 500})
	if p99 := open.Latency.Quantile(0.99); p99 < stall/2 || open.Queued == 0 {
		t.Errorf("open loop: p99 is %v, %d requests queued: it does not see stalls of %v", p99, open.Queued, stall)
	}
	if p99 := closed.Latency.Quantile(0.99); p99 > stall/10 || closed.Latency.Max() < stall/2 {
		t.Errorf("closed loop: p99 is %v, longest %v", p99, closed.Latency.Max())
	}
}
