// Package results holds what a run leaves behind: the record, its codec, and
// the judgement that is made of it.
//
// A record is a file of JSON lines. The first line is a Run, each further line
// is a Trial, and the last line of a run that ended by itself is an End. Lines
// are appended and synced one by one, so that whatever ends a run, all that was
// measured before stays readable. Every field is described in docs/record.md.
//
// Nothing here measures, and nothing here renders: trials come from package
// orchestrator, and package report shows judgements.
package results

import "time"

// Schema is the version of the record's format. It rises when a field changes
// its meaning or goes away, not when one is added.
const Schema = 2

// Facts are named properties of a machine or a program, such as "cpu.model".
// A value is a string, a number, a bool, a list of strings, or nil where the
// property could not be found out.
type Facts map[string]any

// A Run is the first line of a record: all that is known before the first trial.
type Run struct {
	Type       string     `json:"type"`        // "run"
	Schema     int        `json:"schema"`      // the format's version, see Schema
	ID         string     `json:"id"`          // unique; the file's name without its ending
	Dyno       string     `json:"dyno"`        // dyno's own version
	Started    time.Time  `json:"started"`     // UTC
	Command    []string   `json:"command"`     // the command line, for repeating it
	Scenario   Scenario   `json:"scenario"`    // the file that was run
	Seed       uint64     `json:"seed"`        // of the order of targets within rounds, of when requests start at random, and of which of several comes next
	Rounds     int        `json:"rounds"`      // planned visits of each target and workload
	Isolation  string     `json:"isolation"`   // "split" or "shared"
	ServerCPUs string     `json:"server_cpus"` // cpuset of the services, such as "0-2"
	EngineCPUs string     `json:"engine_cpus"` // cpuset of the load container
	Limits     Limits     `json:"limits"`      // beyond which a trial is invalid
	Targets    []Target   `json:"targets"`     // in the scenario's order
	Workloads  []Workload `json:"workloads"`   // in the scenario's order
	Claims     []Claim    `json:"claims"`      // what the source said came out
	Stacks     []Stack    `json:"stacks"`      // one for each stack and choice of parameters
	Host       Facts      `json:"host"`        // hardware, kernel and operating system
	Docker     Facts      `json:"docker"`      // engine, storage driver, runtime
	Warnings   []string   `json:"warnings"`    // doubts that hold for the whole run

	Imported *Imported `json:"imported,omitempty"` // where reports that dyno only read come from; null: it measured
}

// A Scenario is the file that a run was made from, whole.
type Scenario struct {
	Name   string `json:"name"`
	About  string `json:"about"`
	Source string `json:"source,omitempty"` // the experiment that it repeats
	SHA256 string `json:"sha256"`           // of Text, hexadecimal
	Text   string `json:"text"`
}

// Limits are the figures beyond which a trial is invalid.
type Limits struct {
	Errors      float64 `json:"errors"`       // share of requests that failed
	EngineBusy  float64 `json:"engine_busy"`  // share of its CPU that the load engine used while the server had some left
	HostBusy    float64 `json:"host_busy"`    // share of the host's CPU used by neither server nor engine
	Steal       float64 `json:"steal"`        // share of the host's CPU taken by the hypervisor
	Offered     float64 `json:"offered"`      // share of the requests that a rate offers which have to start
	Account     float64 `json:"account"`      // relative error of Little's law and of the byte account
	MinRequests int64   `json:"min_requests"` // right answers that a trial needs
}

// A Target is a row of the comparison: a stack, a request and its right answer.
type Target struct {
	Name      string            `json:"name"`
	ControlOf string            `json:"control_of,omitempty"` // the target that this one repeats, to show how much one differs from itself
	Stack     string            `json:"stack"`
	Params    map[string]string `json:"params,omitempty"`
	Asked
	Also    []Asked `json:"also,omitempty"`    // further requests: which comes next is drawn by their weights
	Missing string  `json:"missing,omitempty"` // why it could not be had where the run was, and was not visited
}

// An Asked is one request of a target, and its right answer.
type Asked struct {
	Weight      int    `json:"weight,omitempty"`       // how often it is drawn, against the sum of all weights; 0 stands for 1
	Request     string `json:"request"`                // the bytes sent, as text
	Status      int    `json:"status"`                 // expected
	Length      *int64 `json:"length"`                 // expected bytes of body; null: any
	BodySHA256  string `json:"body_sha256,omitempty"`  // expected, hexadecimal
	ContentType string `json:"content_type,omitempty"` // expected
	Varies      bool   `json:"varies"`                 // the body may differ from answer to answer
}

// A Workload is the load that every target is put under.
type Workload struct {
	Name        string  `json:"name"`
	Connections int     `json:"connections"` // with a rate, at most
	KeepAlive   bool    `json:"keepalive"`
	Rate        float64 `json:"rate"`               // requests a second that are meant to start, whatever becomes of them; 0: a closed loop
	Arrivals    string  `json:"arrivals,omitempty"` // with a rate: "poisson" or "constant"
	Requests    int64   `json:"requests"`           // 0: by duration
	DurationS   float64 `json:"duration_s"`         // 0: by count
	WarmupS     float64 `json:"warmup_s"`
	TimeoutS    float64 `json:"timeout_s"` // of one request
}

// A Claim is a result that the source reports: one target served more right
// answers a second than another.
type Claim struct {
	Faster string  `json:"faster"` // name of a target
	Than   string  `json:"than"`   // name of another
	Ratio  float64 `json:"ratio"`  // how many times as many, above 1; 0: no size is claimed
}

// A Stack is a system under test as it was built and booted.
type Stack struct {
	Name     string            `json:"name"`
	About    string            `json:"about"`
	Params   map[string]string `json:"params,omitempty"`
	SHA256   string            `json:"sha256"` // of Files, in order
	Services []Service         `json:"services"`
	Files    []File            `json:"files"` // recipe, configuration and application
}

// A Service is one container of a stack.
type Service struct {
	Name        string            `json:"name"`
	Of          string            `json:"of,omitempty"` // the service that it is a replica of
	Image       string            `json:"image"`        // reference it was started by
	ImageID     string            `json:"image_id"`     // digest of the image's configuration
	Command     []string          `json:"command"`
	Env         map[string]string `json:"env,omitempty"`
	User        string            `json:"user"`
	Tmpfs       []string          `json:"tmpfs"`
	CapAdd      []string          `json:"cap_add"` // capabilities kept; all others are dropped
	MemoryBytes int64             `json:"memory_bytes"`
	PidsLimit   int64             `json:"pids_limit"`
	Packages    map[string]string `json:"packages"` // name to version; null where the image has no package list that dyno reads
	Facts       Facts             `json:"facts"`    // what the image's own programs say of themselves, by the stack's name for it; null: no answer
}

// A File is part of a stack's folder.
type File struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
	Text   string `json:"text,omitempty"` // of a text file up to 64 KiB
}

// A Trial is one target under one workload in one round.
type Trial struct {
	Type         string    `json:"type"` // "trial"
	Round        int       `json:"round"`
	Visit        int       `json:"visit"` // place within the run, from 1
	Target       string    `json:"target"`
	Workload     string    `json:"workload"`
	Started      time.Time `json:"started"`
	Phases       Phases    `json:"phases"`
	Contract     *Answer   `json:"contract"`                // the answer that was checked; null where none came
	AlsoContract []Answer  `json:"also_contract,omitempty"` // the same for each of the target's further requests
	Warmup       *Load     `json:"warmup"`                  // null where there was none; not part of any figure
	Load         *Load     `json:"load"`                    // null where nothing was measured
	Services     []Usage   `json:"services"`                // what each service spent over the measured window
	Engine       *Usage    `json:"engine"`                  // what the load container spent over the measured window
	Host         *HostUse  `json:"host"`                    // the machine over the measured window
	Readings     []Reading `json:"readings"`                // through the whole trial
	Logs         []Log     `json:"logs"`                    // the end of each service's output
	Invalid      []Reason  `json:"invalid"`                 // empty: the trial counts
	Warnings     []string  `json:"warnings"`                // doubts that do not make it invalid
	Bound        Bound     `json:"bound_by,omitempty"`      // what kept it from serving more; empty: not known
	Fault        *Fault    `json:"fault"`                   // why nothing was measured; null where something was
}

// Phases are the durations of a trial's parts, in seconds, in their order.
type Phases struct {
	BootS     float64 `json:"boot_s"`     // Docker creating and starting the containers
	StartupS  float64 `json:"startup_s"`  // start of the last service to the first right answer
	ContractS float64 `json:"contract_s"` // checking the contract in full
	WarmupS   float64 `json:"warmup_s"`
	MeasureS  float64 `json:"measure_s"`
	TakedownS float64 `json:"takedown_s"` // collecting logs and removing the containers
	TotalS    float64 `json:"total_s"`
	OverheadS float64 `json:"overhead_s"` // total less boot, start-up, warm-up and measurement
}

// An Answer is one response, as the contract check saw it.
type Answer struct {
	Status     int    `json:"status"`
	Head       string `json:"head"` // status line and header, as sent
	HeadBytes  int64  `json:"head_bytes"`
	BodyBytes  int64  `json:"body_bytes"` // without framing
	WireBytes  int64  `json:"wire_bytes"` // head, body and framing; 0: not known
	BodySHA256 string `json:"body_sha256"`
	Framing    string `json:"framing"` // "content-length", "chunked", "eof" or "none"
	KeepAlive  bool   `json:"keepalive"`
}

// A Load is what the load engine counted over one phase.
type Load struct {
	Backend     string             `json:"backend"`               // "epoll" or "io_uring"
	Fallback    string             `json:"fallback,omitempty"`    // why it is not io_uring
	Workers     int                `json:"workers"`               // threads that sent and received; 0 stands for 1
	ElapsedS    float64            `json:"elapsed_s"`             // the window that rates refer to: requests were started in it
	DrainS      float64            `json:"drain_s"`               // waited after it for requests in flight
	Started     int64              `json:"started"`               // requests; equals the sum of Outcomes
	Offered     int64              `json:"offered,omitempty"`     // requests that were meant to start in the window; 0: a closed loop
	Queued      int64              `json:"queued,omitempty"`      // of those started with a rate, such as had to wait for a connection
	OK          int64              `json:"ok"`                    // right answers
	LateOK      int64              `json:"late_ok"`               // of OK, those that ended after the window
	Outcomes    map[string]int64   `json:"outcomes"`              // what became of each request, see OutcomeOK; zero counts left out
	Parts       []map[string]int64 `json:"parts,omitempty"`       // Outcomes of each request of a target that has several, in their order
	Statuses    map[string]int64   `json:"statuses"`              // answers by status code
	Examples    map[string]string  `json:"examples"`              // for each outcome but ok, the first one seen
	Notes       []string           `json:"notes"`                 // oddities of answers that were understood
	Reconnects  int64              `json:"reconnects"`            // planned
	Resent      int64              `json:"resent"`                // after an idle keep-alive close
	BytesIn     int64              `json:"bytes_in"`              // all bytes received
	BytesOut    int64              `json:"bytes_out"`             // all bytes sent
	HeadBytes   int64              `json:"head_bytes"`            // of all answers, interim and cut off ones too
	BodyBytes   int64              `json:"body_bytes"`            // of all answers, cut off ones too, without framing
	Latency     *Distribution      `json:"latency"`               // write (or connect, without keep-alive) to last byte, of right answers; with a rate, from the intended start
	Service     *Distribution      `json:"service,omitempty"`     // with a rate: what Latency else would be
	FirstByte   *Distribution      `json:"first_byte"`            // the same to first byte
	Connect     *Distribution      `json:"connect"`               // of connections opened
	ReleaseLag  *Distribution      `json:"release_lag,omitempty"` // with a rate: how late requests started for which a connection was free
	LatencySumS float64            `json:"latency_sum_s"`         // for which requests were in flight, connecting included, right or not, up to the window's end
	EngineCPUS  float64            `json:"engine_cpu_s"`          // of the engine's threads, draining included
	EngineUserS float64            `json:"engine_user_s"`         // of it, user time
	Syscalls    int64              `json:"syscalls"`
	Wakeups     int64              `json:"wakeups"`
	ClockErrorS float64            `json:"clock_error_s"` // 99th percentile of a time stamp's age at its use
	WindowS     float64            `json:"window_s"`      // longest for which a wait may have gathered answers; the error of a time stamp grows by it
	Interrupted bool               `json:"interrupted"`
	GaveUp      bool               `json:"gave_up"` // the engine ended it, since nothing was answered any more
}

// A Distribution is a set of durations: its exact count, minimum, mean and
// maximum, some quantiles, and all of it as an HdrHistogram.
type Distribution struct {
	Count  int64   `json:"count"`
	MinUS  float64 `json:"min_us"`
	MeanUS float64 `json:"mean_us"`
	MaxUS  float64 `json:"max_us"`
	P50US  float64 `json:"p50_us"`
	P90US  float64 `json:"p90_us"`
	P99US  float64 `json:"p99_us"`
	P999US float64 `json:"p999_us"`
	HDR    string  `json:"hdr"` // HdrHistogram V2, compressed, base64; values in nanoseconds
}

// A Usage is what one container spent over the measured window.
type Usage struct {
	Name         string   `json:"name"`
	Of           string   `json:"of,omitempty"`     // the service that it is a replica of
	Source       string   `json:"source"`           // "cgroup v1", "cgroup v2" or "docker stats"
	CPUS         *float64 `json:"cpu_s"`            // user and system
	UserS        *float64 `json:"user_s"`           // null: not told apart
	SystemS      *float64 `json:"system_s"`         // null: not told apart
	ThrottledS   *float64 `json:"throttled_s"`      // CPU quotas kept it from running, summed over CPUs; null: not known
	PeakBytes    *int64   `json:"peak_bytes"`       // highest memory since all were started, with page cache
	MeanBytes    *int64   `json:"mean_bytes"`       // mean memory over the window
	AnonBytes    *int64   `json:"anon_bytes"`       // memory without page cache at the window's end
	Processes    *int64   `json:"processes"`        // at the window's end
	ProcessesWas *int64   `json:"processes_before"` // at the window's begin
	Threads      *int64   `json:"threads"`          // at the window's end
	Users        []int64  `json:"users"`            // effective user ids of its processes at the window's end, sorted; null: not known
	OpenFiles    *int64   `json:"open_files"`       // that its first process may have open at the window's end, sockets among them; null: not known
	OOMKills     *int64   `json:"oom_kills"`        // since start
	ExitCode     *int     `json:"exit_code"`        // null: was running at the end, as it should
	OOMKilled    bool     `json:"oom_killed"`
	StorageS     *float64 `json:"storage_s"` // CPU of the process of Docker's storage driver that serves its files; null: there is none, or it is not known
	StopS        *float64 `json:"stop_s"`    // from its stop signal to its end; null: it was not asked to stop
}

// HostUse is where CPU time went over the measured window, as shares (0 to 1) of
// the services' CPUs or of the load engine's: of those that others used more.
type HostUse struct {
	CPUs       string   `json:"cpus"` // that the shares are of
	User       float64  `json:"user"`
	System     float64  `json:"system"`
	SoftIRQ    float64  `json:"softirq"`
	Steal      float64  `json:"steal"`
	Idle       float64  `json:"idle"`
	Other      *float64 `json:"other"`       // busy, less what is ours (docs/record.md); null: not known
	ServerIdle *float64 `json:"server_idle"` // share of the services' CPUs; null: not known
	EngineIdle *float64 `json:"engine_idle"` // share of the load engine's CPUs; null: not known
}

// A Reading is one observation of host and containers.
type Reading struct {
	AtS            float64            `json:"at_s"`           // since the trial's start
	Mark           string             `json:"mark,omitempty"` // "measure begins", "measure ends"
	User           float64            `json:"user_s"`         // cumulative CPU seconds since boot, over all CPUs
	System         float64            `json:"system_s"`
	SoftIRQ        float64            `json:"softirq_s"`
	Steal          float64            `json:"steal_s"`
	Idle           float64            `json:"idle_s"`
	AvailableBytes int64              `json:"available_bytes"`
	Load1          float64            `json:"load1"`
	Containers     []ContainerReading `json:"containers,omitempty"`
}

// A ContainerReading is one container's part of a Reading.
type ContainerReading struct {
	Name        string   `json:"name"`
	CPUS        *float64 `json:"cpu_s"` // cumulative since start
	MemoryBytes *int64   `json:"memory_bytes"`
}

// A Log is the end of a service's output.
type Log struct {
	Service string   `json:"service"`
	Tail    string   `json:"tail"`
	Crashes []string `json:"crashes"` // lines that match the stack's crash patterns
}

// A Reason says why a trial is invalid.
type Reason struct {
	Code   string  `json:"code"`   // one of the Code constants
	Text   string  `json:"text"`   // for a person
	Figure float64 `json:"figure"` // what was seen
	Limit  float64 `json:"limit"`  // what would have been allowed
}

// A Fault says why a trial measured nothing.
type Fault struct {
	Phase string `json:"phase"` // "boot", "startup", "contract", "warmup", "measure"
	Text  string `json:"text"`
}

// How a run ended.
const (
	Complete    = "complete"
	Interrupted = "interrupted"
	Faulted     = "fault" // of dyno or Docker
)

// An End is the last line of a record whose run ended by itself.
type End struct {
	Type     string    `json:"type"` // "end"
	Finished time.Time `json:"finished"`
	Status   string    `json:"status"` // Complete, Interrupted or Faulted
	Trials   int       `json:"trials"` // written
	Planned  int       `json:"planned"`
	Fault    string    `json:"fault,omitempty"`
}

// A Record is a whole file.
type Record struct {
	Run      Run
	Trials   []Trial
	Historic []Historic // in place of trials, where Run.Imported is not nil
	End      *End       // nil: the run was killed
	Torn     bool       // the last line was cut off in the middle
	Runs     []Run      // that were merged into this record; nil: it is of one
	Notes    []string   // on these runs
}
