package orchestrator

import (
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"strconv"
	"time"

	"dyno/containers"
	"dyno/orchestrator/agent"
	"dyno/results"
	"dyno/scenarios"
)

// requestOf is what is asked under a workload.
func requestOf(p scenarios.Part, keepAlive bool) agent.Request {
	r := agent.Request{Method: p.Method, Path: p.Path, Body: p.Body, KeepAlive: keepAlive}
	for _, h := range p.Headers {
		r.Header = append(r.Header, agent.Field{Name: h.Name, Value: h.Value})
	}
	return r
}

// seedOf is what a round's requests and their times are drawn from: the same for all
// its targets, and no other round's, of whatever run.
func seedOf(run uint64, round int) uint64 { return rand.NewPCG(run, uint64(round)).Uint64() }

// jobOf is a trial's job. The seed decides when its requests start and which they
// are, where that is random.
func jobOf(t scenarios.Target, w scenarios.Workload, ready time.Duration, seed uint64) agent.Job {
	var mix []agent.Part
	for _, p := range t.Mix {
		contract := agent.Contract{Status: p.Expect.Status, Body: p.Expect.Body, SHA256: p.Expect.SHA256, ContentType: p.Expect.ContentType, Varies: p.Expect.Varies}
		if p.Expect.Length >= 0 {
			contract.Length = &p.Expect.Length
		}
		mix = append(mix, agent.Part{Weight: p.Weight, Request: requestOf(p, w.KeepAlive), Contract: contract})
	}
	arrivals := agent.Constant
	if w.Arrivals == scenarios.Poisson {
		arrivals = agent.Poisson
	}
	return agent.Job{
		Port: containers.Port, Mix: mix,
		Connections: w.Connections, Rate: w.Rate, Arrivals: arrivals, Seed: seed, Requests: w.Requests, Duration: w.Duration, Warmup: w.Warmup, Timeout: w.Timeout, Ready: ready,
	}
}

func targetOf(t scenarios.Target) results.Target {
	out := results.Target{Name: t.Name, Stack: t.Stack, Params: t.Params, ControlOf: t.ControlOf, Asked: askedOf(t.Mix[0])}
	for _, p := range t.Mix[1:] {
		out.Also = append(out.Also, askedOf(p))
	}
	if out.Also == nil {
		out.Weight = 0 // is of no meaning
	}
	return out
}

func askedOf(p scenarios.Part) results.Asked {
	out := results.Asked{
		Weight: p.Weight, Request: string(requestOf(p, true).Wire()),
		Status: p.Expect.Status, BodySHA256: p.Expect.SHA256, ContentType: p.Expect.ContentType, Varies: p.Expect.Varies,
	}
	if p.Expect.Length >= 0 {
		out.Length = &p.Expect.Length
	}
	return out
}

func workloadOf(w scenarios.Workload) results.Workload {
	return results.Workload{
		Name: w.Name(), Connections: w.Connections, KeepAlive: w.KeepAlive, Rate: w.Rate, Arrivals: string(w.Arrivals), Requests: w.Requests,
		DurationS: w.Duration.Seconds(), WarmupS: w.Warmup.Seconds(), TimeoutS: w.Timeout.Seconds(),
	}
}

func answerOf(a agent.Answer) results.Answer {
	sum := sha256.Sum256(a.Body)
	return results.Answer{
		Status: a.Status, Head: string(a.Head), HeadBytes: a.HeadBytes, BodyBytes: int64(len(a.Body)), WireBytes: a.WireBytes,
		BodySHA256: hex.EncodeToString(sum[:]), Framing: a.Framing.String(), KeepAlive: a.KeepAlive,
	}
}

// loadOf writes down what the engine counted. It is an error if a histogram cannot be encoded.
func loadOf(r agent.Result) (*results.Load, error) {
	out := &results.Load{
		Backend: r.Backend, Fallback: r.Fallback, Workers: 1, ElapsedS: r.Elapsed.Seconds(), DrainS: r.Drain.Seconds(),
		Started: r.Started, OK: r.Outcomes[agent.OK], LateOK: r.LateOK,
		Outcomes: outcomesOf(r.Outcomes), Statuses: map[string]int64{}, Examples: map[string]string{}, Notes: r.Notes,
		Reconnects: r.Reconnects, Resent: r.Resent,
		BytesIn: r.BytesIn, BytesOut: r.BytesOut, HeadBytes: r.HeadBytes, BodyBytes: r.BodyBytes,
		LatencySumS: r.SumLatency.Seconds(),
		EngineCPUS:  (r.UserCPU + r.SystemCPU).Seconds(), EngineUserS: r.UserCPU.Seconds(),
		Syscalls: r.Syscalls, Wakeups: r.Wakeups, ClockErrorS: r.ClockError.Quantile(0.99).Seconds(), WindowS: r.Window.Seconds(),
		Offered: r.Offered, Queued: r.Queued, Interrupted: r.Interrupted, GaveUp: r.GaveUp,
	}
	if len(r.Parts) > 1 {
		for _, part := range r.Parts {
			out.Parts = append(out.Parts, outcomesOf(part))
		}
	}
	for status, n := range r.Status {
		out.Statuses[strconv.Itoa(status)] = n
	}
	for outcome, text := range r.First {
		out.Examples[outcome.String()] = text
	}
	for _, d := range []struct {
		to   **results.Distribution
		from *agent.Histogram
	}{{&out.Latency, r.Latency}, {&out.Service, r.Service}, {&out.FirstByte, r.FirstByte}, {&out.Connect, r.Connect}, {&out.ReleaseLag, r.Lag}} {
		var err error
		if *d.to, err = distributionOf(d.from); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// outcomesOf leaves out those that nothing came to.
func outcomesOf(counts agent.Outcomes) map[string]int64 {
	out := map[string]int64{}
	for outcome, n := range counts {
		if n > 0 {
			out[agent.Outcome(outcome).String()] = n
		}
	}
	return out
}

// distributionOf returns nil for a histogram that holds nothing.
func distributionOf(h *agent.Histogram) (*results.Distribution, error) {
	if h.Count() == 0 {
		return nil, nil
	}
	text, err := h.Encode()
	return &results.Distribution{
		Count: h.Count(), MinUS: micros(h.Min()), MeanUS: micros(h.Mean()), MaxUS: micros(h.Max()),
		P50US: micros(h.Quantile(0.5)), P90US: micros(h.Quantile(0.9)), P99US: micros(h.Quantile(0.99)), P999US: micros(h.Quantile(0.999)),
		HDR: text,
	}, err
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
