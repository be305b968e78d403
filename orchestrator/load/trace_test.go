package load

import (
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var noTimes = cmpopts.IgnoreFields(Entry{}, "Start", "Connected", "Written", "FirstByte", "Done")

func TestTraceOfEachKindOfRequest(t *testing.T) {
	const (
		keep = "HTTP/1.0 200 OK\r\nConnection: KEEP-ALIVE\r\nContent-Length: 2\r\n\r\nhi"
		how  = "HTTP/1.1 404 No\r\nKeep-Alive: timeout=5\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
	)
	answers := []string{keep, how, okAnswer[:len(okAnswer)-1]}
	s := serve(t, func(c net.Conn, n int64) bool {
		write(c, 0, []byte(answers[n-1]))
		return n < 3
	})
	cfg := config(s)
	cfg.Mix[0].Expect = Expect{Status: -1, Length: -1}
	cfg.Trace = NewTrace(10)
	r := run(t, cfg, Phase{Requests: 3})
	want := []Entry{
		{Received: int64(len(keep)), Head: int64(len(keep) - 2), Body: 2, Status: 200, KeepAlive: true},
		{Received: int64(len(how)), Head: int64(strings.Index(how, "3\r\nabc")), Body: 3, Status: 404, Reused: true, KeepAlive: true},
		{Received: int64(len(okAnswer) - 1), Head: int64(len(okAnswer) - 5), Body: 4, Status: 200, Reused: true, Outcome: ShortBody},
	}
	got := cfg.Trace.Entries()
	if diff := cmp.Diff(want, got, noTimes); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	for i, e := range got {
		if e.Start < 0 || e.Connected < e.Start || e.Written <= e.Connected || e.FirstByte < e.Written || e.Done < e.FirstByte || e.Done > r.Elapsed {
			t.Errorf("times of request %d are out of order, or after %v: %+v", i+1, r.Elapsed, e)
		}
		if i > 0 && (e.Start != got[i-1].Done || e.Connected != e.Start) {
			t.Errorf("request %d started at %v, connected at %v; the one before ended at %v", i+1, e.Start, e.Connected, got[i-1].Done)
		}
	}
}

func TestTraceOfWhatNeverConnected(t *testing.T) {
	s := serve(t, steady)
	s.die()
	cfg := config(s)
	cfg.Trace = NewTrace(2)
	run(t, cfg, Phase{Requests: 3})
	want := []Entry{{Outcome: ConnectRefused}, {Outcome: ConnectRefused}}
	if diff := cmp.Diff(want, cfg.Trace.Entries(), cmpopts.IgnoreFields(Entry{}, "Start", "Done")); diff != "" || cfg.Trace.Dropped() != 1 {
		t.Errorf("dropped %d of 1 (-want +got):\n%s", cfg.Trace.Dropped(), diff)
	}
}

// The trace is one for all workers, and holds the last phase alone.
func TestTraceAgreesWithTheResult(t *testing.T) {
	s := serve(t, steady)
	cfg := config(s)
	cfg.Connections, cfg.Workers = 10, 2
	cfg.Trace = NewTrace(1000)
	e := engine(t, cfg)
	runOn(t, e, Phase{Requests: 600})
	r := runOn(t, e, Phase{Requests: 1000})
	var outcomes Outcomes
	var received, heads, bodies int64
	var total time.Duration
	for _, e := range cfg.Trace.Entries() {
		outcomes[e.Outcome]++
		received, heads, bodies = received+e.Received, heads+e.Head, bodies+e.Body
		total += e.Done - e.Start
	}
	if outcomes != r.Outcomes || received != r.BytesIn || heads != r.HeadBytes || bodies != r.BodyBytes || total != r.SumLatency {
		t.Errorf("%v, %d B, head %d, body %d, %v in flight; the result has %v, %d, %d, %d, %v",
			outcomes, received, heads, bodies, total, r.Outcomes, r.BytesIn, r.HeadBytes, r.BodyBytes, r.SumLatency)
	}
}

// As ab starts: one connection first, the others at its first whole head.
func TestLead(t *testing.T) {
	var connections, early atomic.Int64
	s := serve(t, func(c net.Conn, n int64) bool {
		if connections.Add(1); n > 1 {
			return steady(c, n)
		}
		head, body, _ := strings.Cut(okAnswer, "hello")
		write(c, 0, []byte(head[:20]))
		time.Sleep(30 * time.Millisecond)
		early.Store(connections.Load() - 1)
		write(c, 0, []byte(head[20:]))
		for connections.Load() == 1 {
			time.Sleep(time.Millisecond) // the body waits for the others
		}
		write(c, 0, []byte("hello"+body))
		return true
	})
	cfg := config(s)
	cfg.Connections, cfg.Lead = 5, true
	r := run(t, cfg, Phase{Requests: 20})
	if r.Outcomes[OK] != 20 || early.Load() != 0 || r.Connect.Count() != 5 {
		t.Errorf("ok %d of 20, %d requests before the first head, %d of 5 connections", r.Outcomes[OK], early.Load(), r.Connect.Count())
	}
}

func TestLeadThatFailsLetsTheOthersGo(t *testing.T) {
	s := serve(t, func(c net.Conn, n int64) bool { return n > 1 && steady(c, n) })
	cfg := config(s)
	cfg.Connections, cfg.Lead = 5, true
	if r := run(t, cfg, Phase{Requests: 20}); r.Outcomes[OK] != 19 || r.Outcomes[EOFFresh] != 1 {
		t.Errorf("%v: %v", r.Outcomes, r.First)
	}
}

func TestCountAndDurationWhicheverIsFirst(t *testing.T) {
	s := serve(t, steady)
	e := engine(t, config(s))
	if r := runOn(t, e, Phase{Requests: 100, Duration: time.Hour}); r.Started != 100 || r.Elapsed > time.Minute || r.LateOK != 0 {
		t.Errorf("started %d of 100, elapsed %v, late %d", r.Started, r.Elapsed, r.LateOK)
	}
	if r := runOn(t, e, Phase{Requests: 1 << 40, Duration: 20 * time.Millisecond}); r.Elapsed != 20*time.Millisecond || r.Started == 0 {
		t.Errorf("started %d, elapsed %v, want 20 ms", r.Started, r.Elapsed)
	}
}
