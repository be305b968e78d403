package load

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// An Engine loads one server with one request over its connections. They stay
// open from one phase to the next.
type Engine struct {
	cfg     Config
	clock   clock
	workers []*worker
	jobs    []chan job
	running atomic.Bool
	begun   atomic.Int64 // start of the phase, since the clock's epoch
	took    atomic.Int64 // length of the last phase, -1 while one runs
	threads sync.WaitGroup
}

// A job is a worker's part of a phase.
type job struct {
	start, end time.Duration // end is 0 for a phase by count
	quota      int64
	stop       *atomic.Bool
	report     chan<- report
}

type report struct {
	res *Result
	err error
}

// New returns an engine that has sent nothing yet. It reports what is wrong
// with cfg, and what this host lacks for it: file descriptors, local ports,
// epoll. For the whole process it raises the soft limit of open files as needed
// and GOMAXPROCS above the number of workers, which else would keep all other
// goroutines waiting.
func New(cfg Config) (*Engine, error) {
	if err := cfg.check(); err != nil {
		return nil, fmt.Errorf("checking the load: %w", err)
	}
	x, err := newExchange(cfg.Request, cfg.Expect)
	if err != nil {
		return nil, err
	}
	if err := checkHost(cfg); err != nil {
		return nil, err
	}
	if n := cfg.workers() + 1; runtime.GOMAXPROCS(0) < n {
		runtime.GOMAXPROCS(n)
	}
	e := &Engine{cfg: cfg, clock: clock{time.Now()}}
	for i := range cfg.workers() {
		if err := e.addWorker(x, share(int64(cfg.Connections), cfg.workers(), i)); err != nil {
			return nil, errors.Join(err, e.Close())
		}
	}
	return e, nil
}

// share returns the i-th of n nearly equal parts of total.
func share(total int64, n, i int) int64 {
	part := total / int64(n)
	if int64(i) < total%int64(n) {
		part++
	}
	return part
}

// addWorker starts a worker's thread. All that the worker does, the making of
// its backend included, happens there.
func (e *Engine) addWorker(x *exchange, connections int64) error {
	made := make(chan error)
	jobs := make(chan job)
	e.threads.Go(func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		b, err := newEpoll(e.cfg.Addr, int(connections))
		if err != nil {
			made <- err
			return
		}
		defer b.close()
		w := newWorker(e.cfg, x, b, int(connections), e.clock)
		e.workers, e.jobs = append(e.workers, w), append(e.jobs, jobs)
		made <- nil
		for j := range jobs {
			res, err := w.run(j)
			j.report <- report{res, err}
		}
	})
	return <-made
}

// Run performs a phase. No request is started once its count is reached, its
// duration is over, or ctx has ended; requests in flight then are let finish,
// for Timeout or 10 s, for 1 s if ctx has ended, and count. An ended context is
// no error: the result says that it was interrupted.
//
// An error is a fault of this host, such as no file descriptor left; the result
// then holds what was seen before it. One phase runs at a time.
func (e *Engine) Run(ctx context.Context, ph Phase) (Result, error) {
	if err := ph.check(); err != nil {
		return Result{}, err
	}
	if !e.running.CompareAndSwap(false, true) {
		return Result{}, errors.New("a phase is running already")
	}
	defer e.running.Store(false)

	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	reports := make(chan report)
	e.dispatch(ph, &stop, reports)
	res, err := e.gather(&stop, reports)
	e.took.Store(int64(e.clock.now()) - e.begun.Load())
	return *res, err
}

// dispatch gives every worker its part.
func (e *Engine) dispatch(ph Phase, stop *atomic.Bool, reports chan<- report) {
	for _, w := range e.workers {
		w.progress.set(&Result{})
	}
	j := job{start: e.clock.now(), stop: stop, report: reports}
	e.begun.Store(int64(j.start))
	e.took.Store(-1)
	if ph.Duration > 0 {
		j.end = j.start + ph.Duration
	}
	for i, jobs := range e.jobs {
		if j.quota = math.MaxInt64; ph.Requests > 0 {
			j.quota = share(ph.Requests, len(e.jobs), i)
		}
		jobs <- j
	}
}

// gather merges what the workers report. The first error stops them all.
func (e *Engine) gather(stop *atomic.Bool, reports <-chan report) (*Result, error) {
	total := newResult()
	var errs []error
	for range e.workers {
		r := <-reports
		total.add(r.res)
		if r.err != nil {
			errs = append(errs, r.err)
			stop.Store(true)
		}
	}
	return total, errors.Join(errs...)
}

// Close closes all connections. No phase may be running.
func (e *Engine) Close() error {
	for _, jobs := range e.jobs {
		close(jobs)
	}
	e.threads.Wait()
	e.jobs = nil
	return nil
}
