package load

import (
	"sync"
	"time"
)

// A Progress is how far a phase has come, at most 50 ms ago.
type Progress struct {
	Started, OK, Failed int64
	Elapsed             time.Duration // in the phase, or in the last one if none runs
}

// A stand is how far a worker has come at a time.
type stand struct {
	started, ok, failed int64
	at                  time.Duration // since the phase's start
}

// A progress is one worker's stand, written by its thread and read by others.
type progress struct {
	mu   sync.Mutex
	last stand
}

func (p *progress) set(s stand) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = s
}

func (p *progress) get() stand {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last
}

// Live returns how far the running phase has come. Any goroutine may call it at
// any time.
func (e *Engine) Live() Progress {
	p := Progress{Elapsed: time.Duration(e.took.Load())}
	if p.Elapsed < 0 {
		p.Elapsed = e.clock.now() - time.Duration(e.begun.Load())
	}
	for _, w := range e.workers {
		s := w.progress.get()
		p.Started += s.started
		p.OK += s.ok
		p.Failed += s.failed
	}
	return p
}
