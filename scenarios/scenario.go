// Package scenarios reads what is to be compared: a TOML file names the stacks, what is asked of each, what a right answer is, and
// the load. Some scenarios are shipped inside the program, others are files of the user's own.
//
// Its stance: everything that can be checked before anything is built is checked here, every mistake is told with file, line and
// key, and a [Scenario] holds only what is settled: defaults are filled in and lists are spelt out. It knows stacks through
// [Catalog] only, and it neither runs nor judges anything.
package scenarios

import (
	"fmt"
	"strconv"
	"time"
)

// A Scenario is one comparison, ready to be planned. Treat it as read-only; [Scenario.With] makes a changed one.
type Scenario struct {
	Name      string    // the file's name without folder and .toml
	About     string    // one line
	Source    string    // the row of the seeds that it repeats; empty if none
	Story     string    // what was claimed, what was wrong, how this mends it; empty if untold
	Text      []byte    // the file, byte for byte
	Hash      string    // SHA-256 of Text, lower-case hex
	Rounds    int       // 1 to 1000
	Isolation Isolation // Split or Shared
	Limits    Limits
	Targets   []Target   // at least one; the order is the file's, the first is the baseline; then the control, if there is one
	Workloads []Workload // at least one, no two alike
	Claims    []Claim    // what the source said came out; may be empty
}

// Isolation says how server and load engine share the processors.
type Isolation string

// The two ways: each has processors of its own, or both use all of them as in the old posts.
const (
	Split  Isolation = "split"
	Shared Isolation = "shared"
)

// Limits are what a trial must hold to be valid.
type Limits struct {
	Errors float64 // share of requests that may fail, 0 to 1; 0 allows none
}

// A Target is one row of the comparison: a stack, a request, and the right answer to it.
type Target struct {
	Name      string            // unique; "mruby", or "mruby[config=stock]" where the file gives config a list
	Stack     string            // known to the catalog
	Params    map[string]string // one value for each parameter of the stack
	Mix       []Part            // what it is asked, one at least; of several, which comes next is drawn by their weights
	MayFail   string            // why its server may fail under load, where that is what the scenario shows; empty: it should not
	ControlOf string            // name of the target that this one repeats, so that the noise shows; empty: it is one of its own
}

// A Part is one of the requests that a target is asked, and its right answer.
type Part struct {
	Weight int // how often it is drawn, against the sum of all weights; 1 to 1,000,000
	Request
	Expect Expect
}

// A Request is what a target is asked, over and over.
type Request struct {
	Method  string   // a token, not CONNECT
	Path    string   // begins with "/", visible ASCII only
	Headers []Header // in the order of their names; never Connection, Content-Length or Transfer-Encoding
	Body    []byte   // nil for none
}

// A Header is a field of a request. It holds no line ends.
type Header struct{ Name, Value string }

// Expect is the contract: what a right answer is.
type Expect struct {
	Status      int    // 200 to 599
	Body        []byte // exact; nil when only its length or hash is known. Length and SHA256 agree with it
	Length      int64  // of the body in bytes, 0 for an answer that has none; -1 is not compared
	SHA256      string // of the body, lower-case hex; empty is not compared
	Varies      bool   // the body may differ between answers: neither its length nor its bytes are compared
	ContentType string // media type in lower case without parameters, such as "text/plain"; empty is not compared
}

// A Workload is what load is put on a target. Of Requests and Duration one is 0: the other ends it.
type Workload struct {
	Connections int           // 1 to 60000; with a Rate, how many there are at most
	KeepAlive   bool          // whether a connection serves more than one request
	Rate        float64       // requests a second that start whatever becomes of those before (an open loop), 0.001 to 10 million; 0 starts one as another ends. It ends by Duration
	Arrivals    Arrivals      // with a Rate, else empty
	Requests    int64         // at least Connections, or 0
	Duration    time.Duration // at most 24h, or 0
	Warmup      time.Duration // before measuring, at most 1h; 0 is none
	Timeout     time.Duration // of each request, at most 1h, never 0
}

// Arrivals is how the intended starts of a workload with a rate are spread.
type Arrivals string

// The two ways: independent of each other, as many users are, or at even distances.
const (
	Poisson  Arrivals = "poisson"
	Constant Arrivals = "constant"
)

// Name returns the workload in short, unique within its scenario: "c=100 keepalive", "c=100 close" or "c=100 keepalive 5000/s".
func (w Workload) Name() string {
	name := fmt.Sprintf("c=%d close", w.Connections)
	if w.KeepAlive {
		name = fmt.Sprintf("c=%d keepalive", w.Connections)
	}
	if w.Rate > 0 {
		name += " " + strconv.FormatFloat(w.Rate, 'f', -1, 64) + "/s"
	}
	return name
}

// A Claim is a result that the source reports and a run can answer.
type Claim struct {
	Faster, Than string  // names of targets: the first served more right answers a second than the second
	Ratio        float64 // how many times as many, above 1 to a million; 0 when no size is claimed
}

// A Catalog knows the stacks that can be named.
type Catalog interface {
	// Stacks returns their names.
	Stacks() []string
	// Params returns a stack's parameters, each with the values it may have: at least one, the default first.
	Params(stack string) map[string][]string
	// Refuse returns why a stack cannot be had with a choice of all its parameters, or at all; nil where it can.
	Refuse(stack string, params map[string]string) error
}
