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

// An Engine loads one server with its requests over its connections, which stay
// open from one phase to the next.
type Engine struct {
	cfg     Config
	clock   clock
	unable  error // why the backend is not io_uring, which was to be tried
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
	ramp       time.Duration
	quota      int64
	table      *timetable // of an open loop, else nil
	stop       *stopper
	report     chan<- report
}

// A verdict is why no further requests are started before the phase's end.
type verdict int32

const (
	goOn verdict = iota
	interrupted
	settled
)

// A stopper tells the workers to start no further requests. To be interrupted
// outweighs to be settled.
type stopper struct{ verdict atomic.Int32 }

func (s *stopper) interrupt()    { s.verdict.Store(int32(interrupted)) }
func (s *stopper) settle()       { s.verdict.CompareAndSwap(int32(goOn), int32(settled)) }
func (s *stopper) said() verdict { return verdict(s.verdict.Load()) }

type report struct {
	res *Result
	err error
}

// New returns an engine that has sent nothing yet. It reports what is wrong
// with cfg ([ErrUsage]), and what this host lacks for it: file descriptors, local
// ports, epoll. For the whole process it raises the soft limit of open files as needed
// and GOMAXPROCS above the number of workers, which else would keep all other
// goroutines waiting.
func New(cfg Config) (*Engine, error) {
	if err := cfg.check(); err != nil {
		return nil, usageError{fmt.Errorf("checking the load: %w", err)}
	}
	m, err := newMix(cfg.Mix, cfg.Seed)
	if err != nil {
		return nil, usageError{fmt.Errorf("checking the load: %w", err)}
	}
	if err := checkHost(cfg); err != nil {
		return nil, err
	}
	if n := cfg.workers() + 1; runtime.GOMAXPROCS(0) < n {
		runtime.GOMAXPROCS(n)
	}
	e := &Engine{cfg: cfg, clock: clock{time.Now()}}
	for i := range cfg.workers() {
		if err := e.addWorker(m, i); err != nil {
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
func (e *Engine) addWorker(m *mix, index int) error {
	connections := int(share(int64(e.cfg.Connections), e.cfg.workers(), index))
	made := make(chan error)
	jobs := make(chan job)
	e.threads.Go(func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		b, err := e.newBackend(connections)
		if err != nil {
			made <- err
			return
		}
		w := newWorker(e.cfg, m, b, index, connections, e.clock)
		e.workers, e.jobs = append(e.workers, w), append(e.jobs, jobs)
		made <- nil
		for j := range jobs {
			res, err := w.run(j)
			j.report <- report{res, err}
		}
		w.closed = b.close()
	})
	return <-made
}

// newBackend returns the backend of the next worker. The first one's choice holds
// for all: what they see is one result.
func (e *Engine) newBackend(connections int) (b backend, err error) {
	if len(e.workers) > 0 {
		b, _, err = newBackend(e.workers[0].backend.name(), e.cfg.Addr, connections)
		return b, err
	}
	b, e.unable, err = newBackend(e.cfg.Backend, e.cfg.Addr, connections)
	return b, err
}

// Backend returns the name of what moves the bytes and, where it is not io_uring
// though [Config.Backend] left the choice, why not.
func (e *Engine) Backend() (name string, unable error) {
	return e.workers[0].backend.name(), e.unable
}

// Run performs a phase. No request is started once its count is reached, its
// duration is over, or ctx has ended; requests in flight then are let finish,
// for Timeout or 10 s, for 1 s if ctx has ended, and count. An ended context is
// no error: the result says that it was interrupted.
//
// An error that is not [ErrUsage] is a fault of this host, such as no file
// descriptor left; the result then holds what was seen before it. One phase runs
// at a time.
func (e *Engine) Run(ctx context.Context, ph Phase) (Result, error) {
	if err := e.checkPhase(ph); err != nil {
		return Result{}, usageError{fmt.Errorf("checking a phase: %w", err)}
	}
	if !e.running.CompareAndSwap(false, true) {
		return Result{}, usageError{errors.New("checking a phase: another one is running")}
	}
	defer e.running.Store(false)

	var stop stopper
	defer context.AfterFunc(ctx, stop.interrupt)()
	j := job{start: e.clock.now(), ramp: ph.Ramp, stop: &stop}
	if ph.Rate > 0 {
		j.table = newTimetable(ph, e.cfg.Seed)
	}
	reports := make(chan report)
	e.dispatch(ph, j, reports)
	var watch sync.WaitGroup
	over := make(chan struct{})
	if ph.Steady.Window > 0 {
		watch.Go(func() { e.settle(ph.Steady, &stop, over) })
	}
	res, err := e.gather(j, reports)
	close(over)
	watch.Wait()
	e.took.Store(int64(e.clock.now()) - e.begun.Load())
	return *res, err
}

func (e *Engine) checkPhase(ph Phase) error {
	if e.cfg.Lead && ph.Rate > 0 {
		return errors.New("one connection can lead a closed loop only")
	}
	return ph.check()
}

// dispatch gives every worker its part.
func (e *Engine) dispatch(ph Phase, j job, reports chan<- report) {
	for _, w := range e.workers {
		w.progress.set(stand{})
	}
	j.report = reports
	e.begun.Store(int64(j.start))
	if e.cfg.Trace != nil {
		e.cfg.Trace.reset()
	}
	e.took.Store(-1)
	if ph.Duration > 0 {
		j.end = j.start + ph.Duration
	}
	for i, jobs := range e.jobs {
		if j.quota = math.MaxInt64; ph.Requests > 0 && j.table == nil {
			j.quota = share(ph.Requests, len(e.jobs), i)
		}
		jobs <- j
	}
}

// gather merges what the workers report. The first error stops them all.
func (e *Engine) gather(j job, reports <-chan report) (*Result, error) {
	total := newResult(e.cfg)
	if e.unable != nil {
		total.Fallback = e.unable.Error()
	}
	var errs []error
	for range e.workers {
		r := <-reports
		total.add(r.res)
		if r.err != nil {
			errs = append(errs, r.err)
			j.stop.interrupt()
		}
	}
	if j.table != nil {
		total.Offered += j.table.missed(total)
	}
	total.Series = total.seconds.through(total.Elapsed + total.Drain)
	return total, errors.Join(errs...)
}

// Close closes all connections. No phase may be running. An error is of what the
// system should have taken back.
func (e *Engine) Close() error {
	for _, jobs := range e.jobs {
		close(jobs)
	}
	e.threads.Wait()
	e.jobs = nil
	var errs []error
	for _, w := range e.workers {
		errs = append(errs, w.closed)
	}
	return errors.Join(errs...)
}
