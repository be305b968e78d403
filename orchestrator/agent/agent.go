package agent

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"dyno/orchestrator/load"
)

// Serve does one job: it reads it from in, and writes events to out, a JSON
// object a line. After warm-up it waits for a further line of in before it
// measures, so that the other side can read its counters while the server idles,
// and it returns only when in ends.
// What goes wrong with the server is an event; the error is one of in or out.
func Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	input := bufio.NewReader(in)
	line, err := input.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("reading the job: %w", err)
	}
	var job Job
	if err := json.Unmarshal(line, &job); err != nil {
		return fmt.Errorf("reading the job: %w", err)
	}
	// A single CPU still has to run the engine's locked thread and whoever reports its progress.
	runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0)))
	a := &agent{job: job, in: input, out: json.NewEncoder(out), addr: netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(job.Port))}
	if phase, err := a.serve(ctx); err != nil {
		a.emit(Event{Kind: Fault, Phase: phase, Text: err.Error()})
	}
	// The container stays until the other side has taken its last reading of it.
	if _, err := io.Copy(io.Discard, input); err != nil && a.err == nil {
		return fmt.Errorf("waiting for the end: %w", err)
	}
	return a.err
}

type agent struct {
	job  Job
	addr netip.AddrPort
	in   *bufio.Reader

	mu  sync.Mutex // guards out and err
	out *json.Encoder
	err error // of the first write that went wrong
}

func (a *agent) emit(e Event) {
	a.mu.Lock()
	defer a.mu.Unlock()
	e.At = time.Now()
	if err := a.out.Encode(e); err != nil && a.err == nil {
		a.err = fmt.Errorf("writing an event: %w", err)
	}
}

// serve runs the job's phases and names the one that an error belongs to.
func (a *agent) serve(ctx context.Context) (phase string, err error) {
	if err := waitReady(ctx, a.addr, a.job); err != nil {
		if _, answered := errors.AsType[mismatch](err); answered {
			return "contract", err
		}
		return "startup", err
	}
	a.emit(Event{Kind: Ready})
	answers, err := checkContract(ctx, a.addr, a.job)
	if err != nil {
		return "contract", err
	}
	a.emit(Event{Kind: Checked, Answers: answers})
	engine, err := load.New(a.config(answers))
	if err != nil {
		return "warmup", err
	}
	defer engine.Close()
	var warm *load.Result
	if a.job.Warmup > 0 {
		result, err := engine.Run(ctx, load.Phase{Duration: a.job.Warmup, Rate: a.job.Rate, Arrivals: a.job.Arrivals})
		if err != nil {
			return "warmup", err
		}
		warm = &result
	}
	a.emit(Event{Kind: Warmed, Load: warm})
	if _, err := a.in.ReadBytes('\n'); err != nil {
		return "measure", fmt.Errorf("waiting for the word to measure: %w", err)
	}
	result, err := a.measure(ctx, engine)
	if err != nil {
		return "measure", err
	}
	a.emit(Event{Kind: Measured, Load: &result})
	return "", nil
}

// config returns the engine's configuration. It holds answers to the bodies that
// the contract check saw, so that the comparison is of bytes whatever form the contract has.
func (a *agent) config(checked []load.Answer) load.Config {
	var mix []load.Part
	for i, part := range a.job.Mix {
		expect := load.Expect{Status: part.Contract.Status, Length: -1}
		if !part.Contract.Varies {
			expect.Body, expect.Length = checked[i].Body, int64(len(checked[i].Body))
		}
		mix = append(mix, load.Part{Request: part.Request, Expect: expect, Weight: part.Weight})
	}
	return load.Config{
		Addr: a.addr, Mix: mix,
		Connections: a.job.Connections, Timeout: a.job.Timeout, Workers: 1, Seed: a.job.Seed,
	}
}

// measure runs the measured phase, without the garbage collector, and tells of its progress.
func (a *agent) measure(ctx context.Context, engine *load.Engine) (load.Result, error) {
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	done := make(chan struct{})
	var reporter sync.WaitGroup
	reporter.Go(func() {
		tick := time.NewTicker(500 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				live := engine.Live()
				a.emit(Event{Kind: Progress, Done: live.OK + live.Failed, Failed: live.Failed})
			}
		}
	})
	result, err := engine.Run(ctx, load.Phase{Requests: a.job.Requests, Duration: a.job.Duration, Rate: a.job.Rate, Arrivals: a.job.Arrivals})
	close(done)
	reporter.Wait()
	return result, err
}
