package load

import (
	"slices"
	"time"
)

// A Result is what one phase saw.
type Result struct {
	Backend string // what moved the bytes: "epoll" or "io_uring"

	// Fallback says why it was not io_uring where Config left the choice.
	Fallback string

	// Started is the number of requests started: the sum of Outcomes.
	Started  int64
	Outcomes Outcomes
	Parts    []Outcomes         // the same for each of [Config.Mix]
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
	// the engine did since nothing was answered ([Config.Patience]), and Steady
	// whether [Phase.Steady] did.
	Interrupted, GaveUp, Steady bool

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
	//
	// In an open loop Latency counts from the intended start, and Service is
	// what it else would be. In a closed loop Service is empty.
	Latency, Service, FirstByte, Connect *Histogram

	// Offered is the number of requests that an open loop was meant to start by
	// the end of the window, or, by count, by its last start; see [Result.Achieved].
	// Queued is the number of those started that had to wait for a connection,
	// and Lag how late the others were: the engine's own delay. All are empty in
	// a closed loop.
	Offered, Queued int64
	Lag             *Histogram

	// Series is what was seen in each second, as far as [Config.Series] goes.
	Series []Second

	// SumLatency is the time for which requests were in flight, connects
	// included and whatever became of them, cut at the window's end.
	// SumLatency / Elapsed is the mean concurrency (Little's law).
	SumLatency time.Duration

	// UserCPU and SystemCPU are what the worker threads took over the phase,
	// drain included. Syscalls and Wakeups are their system calls, and the waits
	// among them that found something.
	UserCPU, SystemCPU time.Duration
	Syscalls, Wakeups  int64

	// ClockError is the age of the clock's reading as the request leaves, from
	// one write in 256; with io_uring, where requests leave together, that of the
	// first of them. To that comes Window, the longest for which a wait may have
	// gathered answers ([Config.Window]); 0 if none did.
	ClockError *Histogram
	Window     time.Duration

	seconds   series
	lastStart time.Duration                  // since the phase's start
	firstAt   [len(Outcomes{})]time.Duration // when First was seen, likewise
}

// Achieved returns the share of the offered requests that were started, 0 to 1:
// where it is below 0.99, connections were lacking and the rate was not held. 1
// if none was offered, as in a closed loop.
func (r *Result) Achieved() float64 {
	if r.Offered == 0 {
		return 1
	}
	return float64(r.Started) / float64(r.Offered)
}

func newResult(cfg Config) *Result {
	return &Result{
		Parts:      make([]Outcomes, len(cfg.Mix)),
		seconds:    make(series, cfg.Series),
		Status:     map[int]int64{},
		First:      map[Outcome]string{},
		Latency:    NewHistogram(),
		Service:    NewHistogram(),
		Lag:        NewHistogram(),
		FirstByte:  NewHistogram(),
		Connect:    NewHistogram(),
		ClockError: NewHistogram(),
	}
}

// add merges what another worker saw in the same phase.
func (r *Result) add(o *Result) {
	r.Backend = o.Backend
	r.Window = max(r.Window, o.Window)
	r.Started += o.Started
	r.Outcomes.add(&o.Outcomes)
	for i := range o.Parts {
		r.Parts[i].add(&o.Parts[i])
	}
	for status, n := range o.Status {
		r.Status[status] += n
	}
	for outcome, text := range o.First {
		if _, ok := r.First[outcome]; !ok || o.firstAt[outcome] < r.firstAt[outcome] {
			r.First[outcome], r.firstAt[outcome] = text, o.firstAt[outcome]
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
	r.Steady = r.Steady || o.Steady
	r.Offered += o.Offered
	r.Queued += o.Queued
	r.Lag.Merge(o.Lag)
	r.seconds.add(o.seconds)
	r.lastStart = max(r.lastStart, o.lastStart)
	r.Reconnects += o.Reconnects
	r.Resent += o.Resent
	r.BytesIn += o.BytesIn
	r.BytesOut += o.BytesOut
	r.HeadBytes += o.HeadBytes
	r.BodyBytes += o.BodyBytes
	r.Latency.Merge(o.Latency)
	r.Service.Merge(o.Service)
	r.FirstByte.Merge(o.FirstByte)
	r.Connect.Merge(o.Connect)
	r.SumLatency += o.SumLatency
	r.UserCPU += o.UserCPU
	r.SystemCPU += o.SystemCPU
	r.Syscalls += o.Syscalls
	r.Wakeups += o.Wakeups
	r.ClockError.Merge(o.ClockError)
}
