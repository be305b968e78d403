package load

import "time"

const (
	// longestWindow is the ceiling of the window unless another is asked for.
	longestWindow = 50 * time.Microsecond
	// shortestWindow is the least worth its timer.
	shortestWindow = 10 * time.Microsecond
	// windowShare is the part of the median latency that a window may take.
	windowShare = 50
	// mostGathered is how many events a window waits for at most.
	mostGathered = 32
	// reviewEarly is how often a window is fitted to the latency in a phase's first
	// second, and reviewLater from then on.
	reviewEarly = 100 * time.Millisecond
	reviewLater = time.Second
)

// A window lets a wait gather several events where the server is saturated:
// what is left to save per request is the engine's wake-ups. It holds back the
// answers found, and the requests that follow them, by its length at most.
type window struct {
	most   time.Duration // the ceiling, 0: never gathers
	length time.Duration // now; 0: does not gather
	review time.Duration // the next fitting is due
	early  time.Duration // end of the phase's first second
}

// newWindow returns a window as [Config.Window] asks for it. epoll has none: a
// second look behind a sleep would cost the wake-up that it saves.
func newWindow(asked time.Duration, backend string) window {
	switch {
	case asked < 0 || backend != backendUring:
		return window{}
	case asked == 0:
		asked = longestWindow
	}
	return window{most: asked}
}

// begin keeps the length of the phase before until the new one has latencies.
func (w *window) begin(now time.Duration) {
	w.review, w.early = now+reviewEarly, now+time.Second
}

// fit sets the length by the latencies of the phase so far, once in a while: those
// that the server is to answer for, without a wait for a connection.
func (w *window) fit(now time.Duration, service *Histogram) {
	if w.most == 0 || now < w.review {
		return
	}
	w.review = now + reviewLater
	if now < w.early {
		w.review = now + reviewEarly
	}
	w.length = min(w.most, service.Quantile(0.5)/windowShare)
	if w.length < shortestWindow {
		w.length = 0
	}
}

// gather returns how many events a wait may gather while so many requests are
// in flight. The server keeps at least as many to work on, so that it does not
// idle for the window's sake.
func (w *window) gather(flying int) int {
	if w.length == 0 {
		return 1
	}
	return min(flying/2, mostGathered)
}
