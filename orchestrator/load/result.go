package load

import (
	"slices"
	"time"
)

// A Result is what one phase saw.
type Result struct {
	Backend string // what moved the bytes: "epoll"

	// Started is the number of requests started: the sum of Outcomes.
	Started  int64
	Outcomes Outcomes
	Status   map[int]int64      // whole answers by status
	First    map[Outcome]string // what was seen of the first failure of each kind
	Notes    []string           // oddities of answers that were understood

	// Elapsed is the time in which requests were started: by duration exactly
	// the window, by count up to the last event. Drain is what was then waited
	// for requests in flight.
	Elapsed, Drain time.Duration

	// LateOK is the number of right answers that came after the window, so that
	// (Outcomes[OK] − LateOK) / Elapsed is the goodput. 0 by count.
	LateOK int64

	// Interrupted reports whether the context ended the phase, GaveUp whether
	// the engine did since nothing was answered ([Config.Patience]).
	Interrupted, GaveUp bool

	// Reconnects is the number of connections that the server closed between
	// requests, as it announced or while they were idle. Resent is the number
	// of requests sent a second time, since the reused connection of the first
	// was closed before any answer.
	Reconnects, Resent int64

	BytesIn, BytesOut int64
	HeadBytes         int64 // whole heads, interim ones included
	BodyBytes         int64 // bodies, whole or not, without chunk lines

	// Latency and FirstByte are those of right answers, so that they hold
	// Outcomes[OK] values. They count from the first write of the request, or,
	// with one request a connection, from the start of connect. Connect is that
	// of every connection made.
	Latency, FirstByte, Connect *Histogram

	// SumLatency is the time for which requests were in flight, connects
	// included and whatever became of them, cut at the window's end.
	// SumLatency / Elapsed is the mean concurrency (Little's law).
	SumLatency time.Duration

	// UserCPU and SystemCPU are what the worker threads took over the phase,
	// drain included. Syscalls and Wakeups are their system calls, and the waits
	// among them that found something.
	UserCPU, SystemCPU time.Duration
	Syscalls, Wakeups  int64

	// ClockError is the age of the clock's reading at its use, from one write
	// in 256.
	ClockError *Histogram
}

func newResult() *Result {
	return &Result{
		Status:     map[int]int64{},
		First:      map[Outcome]string{},
		Latency:    NewHistogram(),
		FirstByte:  NewHistogram(),
		Connect:    NewHistogram(),
		ClockError: NewHistogram(),
	}
}

// add merges what another worker saw in the same phase.
func (r *Result) add(o *Result) {
	r.Backend = o.Backend
	r.Started += o.Started
	for i, n := range o.Outcomes {
		r.Outcomes[i] += n
	}
	for status, n := range o.Status {
		r.Status[status] += n
	}
	for outcome, text := range o.First {
		if _, ok := r.First[outcome]; !ok {
			r.First[outcome] = text
		}
	}
	for _, text := range o.Notes {
		if !slices.Contains(r.Notes, text) {
			r.Notes = append(r.Notes, text)
		}
	}
	r.Elapsed, r.Drain = max(r.Elapsed, o.Elapsed), max(r.Drain, o.Drain)
	r.LateOK += o.LateOK
	r.Interrupted = r.Interrupted || o.Interrupted
	r.GaveUp = r.GaveUp || o.GaveUp
	r.Reconnects += o.Reconnects
	r.Resent += o.Resent
	r.BytesIn += o.BytesIn
	r.BytesOut += o.BytesOut
	r.HeadBytes += o.HeadBytes
	r.BodyBytes += o.BodyBytes
	r.Latency.Merge(o.Latency)
	r.FirstByte.Merge(o.FirstByte)
	r.Connect.Merge(o.Connect)
	r.SumLatency += o.SumLatency
	r.UserCPU += o.UserCPU
	r.SystemCPU += o.SystemCPU
	r.Syscalls += o.Syscalls
	r.Wakeups += o.Wakeups
	r.ClockError.Merge(o.ClockError)
}
