package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dyno/orchestrator/load"
)

const body = "hello dyno world\n"

// serve starts a server on the loopback and returns its port.
func serve(t *testing.T, handler http.HandlerFunc) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: handler}
	go server.Serve(listener)
	t.Cleanup(func() { server.Close() })
	return listener.Addr().(*net.TCPAddr).Port
}

func hello(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	io.WriteString(w, body)
}

func job(port int) Job {
	return Job{
		Port: port, Mix: []Part{{Request: load.Request{Path: "/", KeepAlive: true}, Contract: Contract{Status: 200, Body: []byte(body), ContentType: "text/plain"}}},
		Connections: 4, Requests: 200, Timeout: 5 * time.Second, Ready: 5 * time.Second,
	}
}

// do hands a job to an agent, gives it the word to measure, and returns its events.
func do(t *testing.T, ctx context.Context, j Job) []Event {
	t.Helper()
	line, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Serve(ctx, strings.NewReader(string(line)+"\nmeasure\n"), &out); err != nil {
		t.Fatal(err)
	}
	var events []Event
	for decoder := json.NewDecoder(&out); decoder.More(); {
		var e Event
		if err := decoder.Decode(&e); err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	return events
}

func kinds(events []Event) (kinds []string) {
	for _, e := range events {
		if e.Kind != Progress {
			kinds = append(kinds, e.Kind)
		}
	}
	return kinds
}

// The phases follow each other, and the measured requests are those that the job asked for.
func TestOrderOfEvents(t *testing.T) {
	var served atomic.Int64
	port := serve(t, func(w http.ResponseWriter, r *http.Request) { served.Add(1); hello(w, r) })
	j := job(port)
	j.Warmup = 50 * time.Millisecond
	events := do(t, t.Context(), j)
	if want := []string{Ready, Checked, Warmed, Measured}; !slices.Equal(kinds(events), want) {
		t.Fatalf("events %v, want %v", kinds(events), want)
	}
	checked, warmed, measured := events[1].Answers, events[2].Load, events[len(events)-1].Load
	if len(checked) != 1 || string(checked[0].Body) != body || !checked[0].KeepAlive {
		t.Errorf("the checked answer is %+v", checked)
	}
	if measured.Started != j.Requests || measured.Outcomes[load.OK] != j.Requests {
		t.Errorf("%d measured, %d right; want %d of both", measured.Started, measured.Outcomes[load.OK], j.Requests)
	}
	if want := 1 + ContractRequests + warmed.Started + measured.Started; served.Load() != want {
		t.Errorf("the server saw %d requests, the agent reports %d", served.Load(), want)
	}
}

// Of several requests each is checked, and each has its part in the load, by weight.
func TestMix(t *testing.T) {
	var about, visits atomic.Int64
	port := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.Method + r.URL.Path {
		case "GET/about":
			about.Add(1)
			io.WriteString(w, "about")
		case "POST/visit":
			w.WriteHeader(http.StatusCreated)
			fmt.Fprint(w, visits.Add(1))
		default:
			hello(w, r)
		}
	})
	j := job(port)
	j.Warmup, j.Requests = 0, 4000
	j.Mix[0].Weight = 2
	j.Mix = append(j.Mix,
		Part{Weight: 1, Request: load.Request{Path: "/about", KeepAlive: true}, Contract: Contract{Status: 200, Length: new(int64(5))}},
		Part{Weight: 1, Request: load.Request{Method: "POST", Path: "/visit", Body: []byte("a=1"), KeepAlive: true}, Contract: Contract{Status: 201, Varies: true}},
	)
	events := do(t, t.Context(), j)
	if want := []string{Ready, Checked, Warmed, Measured}; !slices.Equal(kinds(events), want) {
		t.Fatalf("events %v, want %v: %s", kinds(events), want, events[len(events)-1].Text)
	}
	answers, measured := events[1].Answers, events[len(events)-1].Load
	if len(answers) != 3 || string(answers[1].Body) != "about" || answers[2].Status != 201 {
		t.Errorf("answers %+v", answers)
	}
	if measured.Outcomes[load.OK] != 4000 || len(measured.Parts) != 3 {
		t.Fatalf("%d right of 4000, in %d parts", measured.Outcomes[load.OK], len(measured.Parts))
	}
	for i, want := range []int64{2000, 1000, 1000} {
		if n := measured.Parts[i][load.OK]; n < want-200 || n > want+200 {
			t.Errorf("request %d was right %d times, by weight it is %d", i+1, n, want)
		}
	}
	if want := 1 + ContractRequests + measured.Parts[1][load.OK]; about.Load() != want {
		t.Errorf("the server saw %d requests for /about, the agent reports %d", about.Load(), want)
	}
}

// What was answered rightly is not asked again while the rest starts, since it may
// leave something behind.
func TestMixIsReadyOnce(t *testing.T) {
	var visits, abouts atomic.Int64
	port := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == "POST":
			visits.Add(1)
			io.WriteString(w, "ok")
		case abouts.Add(1) < 20:
			http.Error(w, "starting", http.StatusServiceUnavailable)
		default:
			io.WriteString(w, "about")
		}
	})
	j := job(port)
	j.Warmup, j.Requests = 0, 100
	j.Mix = []Part{
		{Weight: 1, Request: load.Request{Method: "POST", Path: "/visit", Body: []byte("a"), KeepAlive: true}, Contract: Contract{Status: 200, Varies: true}},
		{Weight: 1, Request: load.Request{Path: "/about", KeepAlive: true}, Contract: Contract{Status: 200, Length: new(int64(5))}},
	}
	events := do(t, t.Context(), j)
	measured := events[len(events)-1].Load
	if measured == nil {
		t.Fatalf("%+v", events[len(events)-1])
	}
	if want := 1 + ContractRequests + measured.Parts[0][load.OK]; visits.Load() != want {
		t.Errorf("%d visits, want %d: one until it was ready, and those of the check and of the load", visits.Load(), want)
	}
}

// A request that is wrong only once the server was ready is told by name as well.
func TestMixChecked(t *testing.T) {
	var abouts atomic.Int64
	port := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/about" && abouts.Add(1) > 1 {
			http.NotFound(w, r)
			return
		}
		hello(w, r)
	})
	j := job(port)
	j.Mix = append(j.Mix, Part{Request: load.Request{Path: "/about"}, Contract: Contract{Status: 200, Varies: true}})
	events := do(t, t.Context(), j)
	if last := events[len(events)-1]; last.Kind != Fault || last.Phase != "contract" || !strings.HasPrefix(last.Text, "request 2, GET /about: status 404") {
		t.Errorf("%+v", last)
	}
}

// Which request has the wrong answer is told.
func TestMixMismatch(t *testing.T) {
	port := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/about" {
			http.NotFound(w, r)
			return
		}
		hello(w, r)
	})
	j := job(port)
	j.Ready = 200 * time.Millisecond
	j.Mix = append(j.Mix, Part{Request: load.Request{Path: "/about"}, Contract: Contract{Status: 200, Varies: true}})
	events := do(t, t.Context(), j)
	last := events[len(events)-1]
	if last.Kind != Fault || last.Phase != "contract" || !strings.Contains(last.Text, "request 2, GET /about: status 404 instead of 200") {
		t.Errorf("%+v", last)
	}
}

// With a rate the requests are those of the schedule, whatever the server takes
// for them, warm-up included; latencies count from there.
func TestRate(t *testing.T) {
	var served atomic.Int64
	port := serve(t, func(w http.ResponseWriter, r *http.Request) {
		served.Add(1)
		time.Sleep(2 * time.Millisecond)
		hello(w, r)
	})
	j := job(port)
	j.Connections, j.Rate, j.Requests, j.Duration, j.Warmup = 50, 200, 0, 500*time.Millisecond, 100*time.Millisecond
	events := do(t, t.Context(), j)
	warmed, measured := events[2].Load, events[len(events)-1].Load
	if warmed == nil || measured == nil || warmed.Offered != 20 || measured.Offered != 100 {
		t.Fatalf("20 and 100 requests were to start: %+v, %+v", warmed, measured)
	}
	if ok := measured.Outcomes[load.OK]; measured.Service.Count() != ok || measured.Latency.Count() != ok || measured.Latency.Mean() < measured.Service.Mean() {
		t.Errorf("%d right; %d times of service, %v on average; %d from the intended start, %v", ok,
			measured.Service.Count(), measured.Service.Mean(), measured.Latency.Count(), measured.Latency.Mean())
	}
	j.Arrivals, j.Seed = Poisson, 1
	first := do(t, t.Context(), j)
	again := do(t, t.Context(), j)
	j.Seed = 2
	other := do(t, t.Context(), j)
	offered := func(events []Event) int64 { return events[len(events)-1].Load.Offered }
	if offered(first) != offered(again) || offered(first) == offered(other) {
		t.Errorf("%d and %d with one seed, %d with another", offered(first), offered(again), offered(other))
	}
}

// Nothing is measured before the word is given.
func TestMeasuringWaitsForTheWord(t *testing.T) {
	var served atomic.Int64
	port := serve(t, func(w http.ResponseWriter, r *http.Request) { served.Add(1); hello(w, r) })
	in, word := io.Pipe()
	out, events := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- Serve(t.Context(), in, events) }()
	if err := json.NewEncoder(word).Encode(job(port)); err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(out)
	var e Event
	for e.Kind != Warmed {
		if err := decoder.Decode(&e); err != nil {
			t.Fatal(err)
		}
	}
	before := served.Load()
	time.Sleep(50 * time.Millisecond)
	if now := served.Load(); now != before {
		t.Errorf("%d requests were sent before the word", now-before)
	}
	go io.WriteString(word, "measure\n")
	for e.Kind != Measured {
		if err := decoder.Decode(&e); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case <-done:
		t.Error("the agent ended before its input did")
	case <-time.After(20 * time.Millisecond):
	}
	word.Close()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// A server that starts late is waited for; one that first answers wrongly, as a
// proxy does whose backend is not up, as well.
func TestReadyIsTheRightAnswer(t *testing.T) {
	var asked atomic.Int64
	port := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) < 5 {
			http.Error(w, "starting", http.StatusBadGateway)
			return
		}
		hello(w, r)
	})
	if events := do(t, t.Context(), job(port)); events[len(events)-1].Kind != Measured {
		t.Errorf("the last event is %+v", events[len(events)-1])
	}
}

func TestFaultsAreNamed(t *testing.T) {
	closed := func() int {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		return l.Addr().(*net.TCPAddr).Port
	}()
	var n atomic.Int64
	for name, c := range map[string]struct {
		handler     http.HandlerFunc
		change      func(*Job)
		phase, text string
	}{
		"nobody listens": {nil, nil, "startup", "connection refused"},
		"status":         {func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no", http.StatusBadGateway) }, nil, "contract", "status 502 instead of 200"},
		"body":           {func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "other") }, func(j *Job) { j.Mix[0].Contract.ContentType = "" }, "contract", `a body of 5 bytes, "other", instead of 17 bytes`},
		"content type":   {hello, func(j *Job) { j.Mix[0].Contract.ContentType = "text/html" }, "contract", `Content-Type "text/plain; charset=utf-8" instead of "text/html"`},
		"length":         {hello, func(j *Job) { j.Mix[0].Contract.Body, j.Mix[0].Contract.Length = nil, new(int64(3)) }, "contract", "a body of 17 bytes instead of 3"},
		"hash":           {hello, func(j *Job) { j.Mix[0].Contract.Body, j.Mix[0].Contract.SHA256 = nil, strings.Repeat("0", 64) }, "contract", "a body whose SHA-256 is 8831"},
		"no keep-alive":  {func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Connection", "close"); hello(w, r) }, nil, "contract", "does not keep the connection alive"},
		"varying body":   {func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, n.Add(1)%10) }, func(j *Job) { j.Mix[0].Contract = Contract{Status: 200, Length: new(int64(1))} }, "contract", "set varies = true"},
	} {
		t.Run(name, func(t *testing.T) {
			j := job(closed)
			if c.handler != nil {
				j = job(serve(t, c.handler))
			}
			j.Ready = 200 * time.Millisecond
			if c.change != nil {
				c.change(&j)
			}
			events := do(t, t.Context(), j)
			last := events[len(events)-1]
			if last.Kind != Fault || last.Phase != c.phase || !strings.Contains(last.Text, c.text) {
				t.Errorf("the last event is %+v; want a fault in %s with %q", last, c.phase, c.text)
			}
		})
	}
}

// An agent that is told to stop reports what it has.
func TestInterruptedMeasurementIsReported(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var served atomic.Int64
	port := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if served.Add(1) == 1000 {
			cancel()
		}
		hello(w, r)
	})
	j := job(port)
	j.Requests, j.Duration = 0, time.Minute
	events := do(t, ctx, j)
	last := events[len(events)-1]
	if last.Kind != Measured || !last.Load.Interrupted || last.Load.Outcomes[load.OK] == 0 {
		t.Errorf("the last event is %+v", last)
	}
}
