package load

import (
	"sync/atomic"
	"time"
)

// A Progress is how far a phase has come, at most 50 ms ago.
type Progress struct {
	Started, OK, Failed int64
	Elapsed             time.Duration // in the phase, or in the last one if none runs
}

// A progress is one worker's part, written by its thread and read by others.
type progress struct {
	started, ok, failed atomic.Int64
}

func (p *progress) set(r *Result) {
	p.started.Store(r.Started)
	p.ok.Store(r.Outcomes[OK])
	p.failed.Store(r.Outcomes.Failed())
}

// Live returns how far the running phase has come. Any goroutine may call it at
// any time.
func (e *Engine) Live() Progress {
	p := Progress{Elapsed: time.Duration(e.took.Load())}
	if p.Elapsed < 0 {
		p.Elapsed = e.clock.now() - time.Duration(e.begun.Load())
	}
	for _, w := range e.workers {
		p.Started += w.progress.started.Load()
		p.OK += w.progress.ok.Load()
		p.Failed += w.progress.failed.Load()
	}
	return p
}
