// Package agent is what runs inside the load container: it waits for the server,
// checks its contract, warms it up and measures it. One job comes in, events go out.
//
// The agent knows neither scenarios nor Docker, and judges nothing: it reports
// what happened, and the orchestrator on the other side of the pipe decides.
package agent

import (
	"time"

	"dyno/orchestrator/load"
)

// What the load engine gives and takes is part of the protocol as it is.
type (
	Request   = load.Request
	Field     = load.Field
	Answer    = load.Answer
	Result    = load.Result
	Outcome   = load.Outcome
	Outcomes  = load.Outcomes
	Histogram = load.Histogram
	Arrivals  = load.Arrivals
)

// OK is the outcome of a right answer.
const OK = load.OK

// How the intended starts of a job with a rate are spread.
const (
	Constant = load.Constant
	Poisson  = load.Poisson
)

// A Job is all that the agent needs to know. It is the first line of its input.
type Job struct {
	Port        int           `json:"port"` // on the loopback
	Mix         []Part        `json:"mix"`  // what is asked, one at least; of several, which comes next is drawn by their weights
	Connections int           `json:"connections"`
	Rate        float64       `json:"rate"`     // requests a second, warm-up included; 0: a closed loop
	Arrivals    Arrivals      `json:"arrivals"` // with a rate
	Seed        uint64        `json:"seed"`     // of random arrivals, and of which request comes next
	Requests    int64         `json:"requests"` // 0: by duration
	Duration    time.Duration `json:"duration"` // 0: by count
	Warmup      time.Duration `json:"warmup"`   // 0: none
	Timeout     time.Duration `json:"timeout"`  // of one request
	Ready       time.Duration `json:"ready"`    // longest wait for the first right answer
}

// A Part is one of the requests of a job, and its right answer.
type Part struct {
	Weight   int      `json:"weight"` // how often it is drawn, against the sum of all weights
	Request  Request  `json:"request"`
	Contract Contract `json:"contract"`
}

// A Contract is what a right answer is.
type Contract struct {
	Status      int    `json:"status"`
	Body        []byte `json:"body"`         // exact bytes; nil: not given
	Length      *int64 `json:"length"`       // bytes of body; nil: not given
	SHA256      string `json:"sha256"`       // of the body, hexadecimal; empty: not given
	ContentType string `json:"content_type"` // empty: any
	Varies      bool   `json:"varies"`       // the body may differ from answer to answer
}

// The kinds of events, in the order in which a job that goes well emits them.
const (
	Ready    = "ready"    // the first right answer came
	Checked  = "checked"  // the contract holds in full; Answers is set
	Warmed   = "warmed"   // warm-up is over and the agent waits for a line; Load is set if there was one
	Progress = "progress" // twice a second while measuring; Done and Failed are set
	Measured = "measured" // Load is set; the last event
	Fault    = "fault"    // Phase and Text are set; the last event
)

// An Event is one line of the agent's output.
type Event struct {
	Kind    string    `json:"kind"`
	At      time.Time `json:"at"`
	Answers []Answer  `json:"answers,omitempty"` // one for each of Job.Mix
	Load    *Result   `json:"load,omitempty"`
	Done    int64     `json:"done,omitempty"`   // requests that ended, right or not
	Failed  int64     `json:"failed,omitempty"` // of them, not right
	Phase   string    `json:"phase,omitempty"`  // "startup", "contract", "warmup" or "measure"
	Text    string    `json:"text,omitempty"`
}
