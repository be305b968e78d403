package results

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNothingWrong(t *testing.T) {
	if got := Reasons(sampleTrial("a"), sampleRun()); got != nil {
		t.Errorf("reasons: %+v", got)
	}
	if got := Doubts(sampleTrial("a"), sampleRun()); got != nil {
		t.Errorf("doubts: %q", got)
	}
}

// Each case has a trial that is invalid for one reason, and its neighbour just
// within the limit, which is not. Every code has one.
func TestReasons(t *testing.T) {
	// Those of historic reports are package history's to give.
	missing := slices.DeleteFunc(reasonCodes(t), func(code string) bool { return code == CodeArithmetic || code == CodeRate })
	for name, c := range map[string]struct {
		beyond, within func(*Trial, *Run)
		want           []string // codes
		text           string   // in the first reason
	}{
		"fault": {
			beyond: func(t *Trial, _ *Run) { t.Load, t.Fault = nil, &Fault{"boot", "no such image"} },
			want:   []string{CodeFault}, text: "boot: no such image",
		},
		"fault unsaid": {
			beyond: func(t *Trial, _ *Run) { t.Load = nil },
			want:   []string{CodeFault}, text: "does not say why",
		},
		"no window": {
			beyond: func(t *Trial, _ *Run) { t.Load.ElapsedS = 0 },
			want:   []string{CodeFault}, text: "no length",
		},
		"interrupted": {
			beyond: func(t *Trial, _ *Run) { t.Load.Interrupted = true },
			want:   []string{CodeInterrupted}, text: "after 10 s",
		},
		"silent": {
			beyond: func(t *Trial, _ *Run) { t.Load.GaveUp = true },
			want:   []string{CodeSilent}, text: "no answer came any more",
		},
		"errors": {
			beyond: func(t *Trial, _ *Run) { fail(t, "reset", 401) },
			within: func(t *Trial, _ *Run) { fail(t, "reset", 400) },
			want:   []string{CodeErrors}, text: "errors 0.1 % > 0.1 %: 401 × reset; the first reset: read: connection reset",
		},
		"errors of two kinds": {
			beyond: func(t *Trial, _ *Run) { fail(t, "short body", 7000); fail(t, "reset", 2200) },
			want:   []string{CodeErrors}, text: "errors 2.3 % > 0.1 %: 7,000 × short body, 2,200 × reset; the first short body",
		},
		"one wrong body": {
			beyond: func(t *Trial, _ *Run) { fail(t, OutcomeBody, 1) },
			within: func(t *Trial, _ *Run) { fail(t, "short body", 1) },
			want:   []string{CodeContract}, text: "1 wrong answer of 400,000 requests: 1 × wrong body",
		},
		"all wrong": {
			beyond: func(t *Trial, _ *Run) { fail(t, OutcomeStatus, 400_000) },
			want:   []string{CodeContract, CodeErrors}, text: "400,000 × unexpected status",
		},
		"contract's status": {
			beyond: func(t *Trial, _ *Run) { t.Contract.Status = 302 },
			want:   []string{CodeContract}, text: "status 302 where 200 is right",
		},
		"contract's length": {
			beyond: func(t *Trial, r *Run) { r.Targets[0].Length = new(int64(22)) },
			within: func(t *Trial, r *Run) { r.Targets[0].Length = nil },
			want:   []string{CodeContract}, text: "body of 21 B where 22 B is right",
		},
		"contract's body": {
			beyond: func(t *Trial, r *Run) { r.Targets[0].BodySHA256, t.Contract.BodySHA256 = "aa", "bb" },
			within: func(t *Trial, r *Run) { r.Targets[0].BodySHA256, t.Contract.BodySHA256 = "aa", "aa" },
			want:   []string{CodeContract}, text: "not the right one",
		},
		"too few": {
			beyond: func(_ *Trial, r *Run) { r.Limits.MinRequests = 400_001 },
			within: func(_ *Trial, r *Run) { r.Limits.MinRequests = 400_000 },
			want:   []string{CodeFew}, text: "400,000 right answers, and 400,001 are needed",
		},
		"rate not held": {
			beyond: func(t *Trial, r *Run) { offer(t, r, 404_041) },
			within: func(t *Trial, r *Run) { offer(t, r, 404_040) },
			want:   []string{CodeOffered}, text: "4,041 of 404,041 requests that were to start did not, 1 %, limit 1 %: the load engine was late",
		},
		"rate not held, connections lacking": {
			beyond: func(t *Trial, r *Run) { offer(t, r, 500_000); t.Load.Queued = 4001 },
			want:   []string{CodeOffered}, text: "100,000 of 500,000 requests that were to start did not, 20 %, limit 1 %: connections were lacking",
		},
		"an outcome too many": {
			beyond: func(t *Trial, _ *Run) { t.Load.Started++ },
			want:   []string{CodeSum}, text: "400,001 requests started, and 400,000 have an outcome",
		},
		"right answers differ": {
			beyond: func(t *Trial, _ *Run) { t.Load.Outcomes = map[string]int64{"ok": 399_999, "reset": 1} },
			want:   []string{CodeSum}, text: "400,000 right answers here, 399,999 there",
		},
		"Little's law": {
			beyond: func(t *Trial, _ *Run) { t.Load.LatencySumS = 640 * 0.979 },
			within: func(t *Trial, _ *Run) { t.Load.LatencySumS = 640 * 0.981 },
			want:   []string{CodeLittle}, text: "62.7 requests in flight on average where the load has 64: off by 2.1 %, limit 2 %",
		},
		"bytes": {
			beyond: func(t *Trial, _ *Run) { t.Load.BytesIn += t.Load.BytesIn * 21 / 1000 },
			within: func(t *Trial, _ *Run) { t.Load.BytesIn += t.Load.BytesIn * 19 / 1000 },
			want:   []string{CodeBytes}, text: "58,809,600 B received, and the answers counted have 57,600,000 B: off by 2.1 %, limit 2 %",
		},
		"load engine bound": {
			beyond: func(t *Trial, _ *Run) { t.Load.EngineCPUS, t.Services[0].CPUS = 9.5, new(9.4) },
			within: func(t *Trial, _ *Run) { t.Load.EngineCPUS, t.Services[0].CPUS = 9.4, new(5.0) },
			want:   []string{CodeEngine}, text: "load engine 95 % busy while the server used 94 % of its CPUs",
		},
		"load engine at two threads": {
			beyond: func(t *Trial, _ *Run) { t.Load.Workers, t.Load.EngineCPUS, t.Services[0].CPUS = 2, 19.2, new(5.0) },
			within: func(t *Trial, _ *Run) { t.Load.Workers, t.Load.EngineCPUS, t.Services[0].CPUS = 2, 18, new(5.0) },
			want:   []string{CodeEngine},
		},
		"server on three CPUs has one left": {
			beyond: func(t *Trial, r *Run) { r.ServerCPUs, t.Load.EngineCPUS, t.Services[0].CPUS = "0-1,3", 9.9, new(20.0) },
			within: func(t *Trial, r *Run) { r.ServerCPUs, t.Load.EngineCPUS, t.Services[0].CPUS = "0-1,3", 9.9, new(29.0) },
			want:   []string{CodeEngine}, text: "used 67 % of its CPUs",
		},
		"server shares its CPUs": {
			beyond: func(t *Trial, r *Run) {
				r.EngineCPUs, r.ServerCPUs, t.Load.EngineCPUS, t.Services[0].CPUS = "0-1", "0-1", 9.9, new(9.0)
			},
			within: func(t *Trial, r *Run) {
				r.EngineCPUs, r.ServerCPUs, t.Load.EngineCPUS, t.Services[0].CPUS = "0-1", "0-1", 9.9, new(9.9)
			},
			want: []string{CodeEngine},
		},
		"load engine bound, server unknown": {
			beyond: func(t *Trial, r *Run) { r.ServerCPUs, t.Load.EngineCPUS = "", 9.9 },
			within: func(t *Trial, r *Run) { r.ServerCPUs = "" },
			want:   []string{CodeEngine}, text: "is not known",
		},
		"busy host": {
			beyond: func(t *Trial, _ *Run) { t.Host.SoftIRQ, t.Host.Other = 0.2, new(0.12) },
			within: func(t *Trial, _ *Run) { t.Host.SoftIRQ, t.Host.Other = 0.2, new(0.05) },
			want:   []string{CodeHost}, text: "12 % of the host's CPU",
		},
		"busy host beside interrupts": {
			beyond: func(t *Trial, _ *Run) { t.Host.SoftIRQ, t.Host.Other = 0.2, new(0.26) },
			within: func(t *Trial, _ *Run) { t.Host.SoftIRQ, t.Host.Other = 0.2, new(0.24) },
			want:   []string{CodeHost}, text: "6 % of the host's CPU",
		},
		"steal": {
			beyond: func(t *Trial, _ *Run) { t.Host.Steal = 0.021 },
			within: func(t *Trial, _ *Run) { t.Host.Steal = 0.02 },
			want:   []string{CodeSteal}, text: "the hypervisor took 2.1 % of the host's CPU, limit 2 %",
		},
		"quota": {
			beyond: func(t *Trial, _ *Run) { t.Services[0].ThrottledS = new(0.21) },
			within: func(t *Trial, _ *Run) { t.Services[0].ThrottledS = new(0.2) },
			want:   []string{CodeQuota}, text: "a CPU quota of the machine's held web up: 0.21 s, summed over CPUs, in 10 s, limit 2 %",
		},
		"the load engine's quota": {
			beyond: func(t *Trial, _ *Run) { t.Engine = &Usage{Name: "engine", ThrottledS: new(4.2)} },
			within: func(t *Trial, _ *Run) { t.Engine = &Usage{Name: "engine", ThrottledS: new(0.0)} },
			want:   []string{CodeQuota}, text: "held engine up: 4.2 s",
		},
		"crash": {
			beyond: func(t *Trial, _ *Run) {
				t.Logs = []Log{{Service: "httpd", Crashes: []string{"child pid 7 exit signal Segmentation fault (11)", "again"}}}
			},
			within: func(t *Trial, _ *Run) { t.Logs = []Log{{Service: "httpd", Tail: "all is well"}} },
			want:   []string{CodeCrash}, text: "httpd tells of a crash in 2 lines, such as: child pid 7",
		},
		"a process died": {
			beyond: func(t *Trial, _ *Run) { fail(t, "reset", 1); t.Services[0].Processes = new(int64(1)) },
			within: func(t *Trial, _ *Run) { t.Services[0].Processes = new(int64(1)) },
			want:   []string{CodeProcesses}, text: "web went from 2 to 1 processes while requests failed",
		},
		"a service ended": {
			beyond: func(t *Trial, _ *Run) { t.Services[0].ExitCode = new(0) },
			want:   []string{CodeExit}, text: "web ended by itself, exit code 0",
		},
		"a service was killed": {
			beyond: func(t *Trial, _ *Run) { t.Services[0].OOMKilled, t.Services[0].ExitCode = true, new(137) },
			want:   []string{CodeOOM}, text: "web was killed for want of memory",
		},
		"a process was killed": {
			beyond: func(t *Trial, _ *Run) { t.Services[0].OOMKills = new(int64(3)) },
			within: func(t *Trial, _ *Run) { t.Services[0].OOMKills = new(int64(0)) },
			want:   []string{CodeOOM}, text: "web lost 3 processes for want of memory",
		},
		"a stop signal not heeded": {
			beyond: func(t *Trial, _ *Run) { t.Services[0].StopS = new(10.0) },
			within: func(t *Trial, _ *Run) { t.Services[0].StopS = new(9.9) },
			want:   []string{CodeStop}, text: "web did not end within 10 s of its stop signal",
		},
		"fault and exit": {
			beyond: func(t *Trial, _ *Run) {
				t.Load, t.Fault, t.Services[0].ExitCode = nil, &Fault{"startup", "no right answer in 30 s"}, new(1)
			},
			want: []string{CodeFault, CodeExit},
		},
	} {
		trial, run := sampleTrial("a"), sampleRun()
		c.beyond(&trial, &run)
		got := Reasons(trial, run)
		missing = slices.DeleteFunc(missing, func(code string) bool { return slices.Contains(c.want, code) })
		if diff := cmp.Diff(c.want, codes(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s\n%+v", name, diff, got)
		} else if !strings.Contains(got[0].Text, c.text) {
			t.Errorf("%s: %q, want %q in it", name, got[0].Text, c.text)
		}
		if c.within != nil {
			trial, run := sampleTrial("a"), sampleRun()
			c.within(&trial, &run)
			if got := Reasons(trial, run); len(got) > 0 {
				t.Errorf("%s, just within: %+v", name, got)
			}
		}
	}
	if len(missing) > 0 {
		t.Errorf("no case has %q", missing)
	}
}

// offer turns the trial's load into one with a rate, under which so many requests
// were to start.
func offer(t *Trial, r *Run, offered int64) {
	r.Workloads[0].Rate, r.Workloads[0].Arrivals = 40_000, "poisson"
	service := *t.Load.Latency
	t.Load.Offered, t.Load.Service = offered, &service
	t.Load.ReleaseLag = &Distribution{Count: t.Load.Started, P99US: 1500}
}

// A figure that is missing leaves a doubt, never a silent pass.
func TestDoubts(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Trial, *Run)
		want   string
	}{
		"no contract":             {func(t *Trial, _ *Run) { t.Contract = nil }, "contract check"},
		"no bytes":                {func(t *Trial, _ *Run) { t.Load.HeadBytes, t.Load.BodyBytes = 0, 0 }, "account of bytes"},
		"chunked, wire unknown":   {func(t *Trial, _ *Run) { t.Contract.Framing, t.Contract.WireBytes = "chunked", 0 }, "account of bytes"},
		"no latency":              {func(t *Trial, _ *Run) { t.Load.Latency = nil }, "Little's law"},
		"no sum of latencies":     {func(t *Trial, _ *Run) { t.Load.LatencySumS = 0 }, "Little's law"},
		"no engine CPU":           {func(t *Trial, _ *Run) { t.Load.EngineCPUS = 0 }, "load engine's CPU"},
		"both busy":               {func(t *Trial, _ *Run) { t.Load.EngineCPUS = 9.9 }, "though the server was 99 % busy too"},
		"offered not known":       {func(t *Trial, r *Run) { offer(t, r, 0) }, "how many requests were to start"},
		"late by itself":          {func(t *Trial, r *Run) { offer(t, r, 400_000); t.Load.ReleaseLag.P99US = 1501 }, "itself started requests 1.5 ms late at the 99th percentile, where latency is 3 ms"},
		"no time of service":      {func(t *Trial, r *Run) { offer(t, r, 400_000); t.Load.Service = nil }, "Little's law"},
		"no host":                 {func(t *Trial, _ *Run) { t.Host = nil }, "host's CPU over"},
		"no other":                {func(t *Trial, _ *Run) { t.Host.Other = nil }, "what else"},
		"interrupts or others":    {func(t *Trial, _ *Run) { t.Host.SoftIRQ, t.Host.Other = 0.2, new(0.22) }, "up to 20 %"},
		"no services":             {func(t *Trial, _ *Run) { t.Services = nil }, "services' CPU"},
		"files that cost":         {func(t *Trial, _ *Run) { t.Services[0].StorageS = new(0.1 * *t.Services[0].CPUS) }, "storage driver used"},
		"root alone":              {func(t *Trial, _ *Run) { t.Services[0].Users = []int64{0} }, "all processes of"},
		"fewer files than needed": {func(t *Trial, _ *Run) { t.Services[0].OpenFiles = new(int64(64)) }, "a process may have 64 files open, for 64 connections"},
		"no services' CPU":        {func(t *Trial, _ *Run) { t.Services[0].CPUS = nil }, "services' CPU"},
		"odd answers":             {func(t *Trial, _ *Run) { t.Load.Notes = []string{"LF-only line ends"} }, "odd: LF-only"},
		"processes not counted":   {func(t *Trial, _ *Run) { t.Services[0].ProcessesWas = nil }, "how many processes"},
		"a pool still growing":    {func(t *Trial, _ *Run) { t.Services[0].Processes = new(int64(9)) }, "from 2 to 9"},
		"a pool that is retired":  {func(t *Trial, _ *Run) { t.Services[0].Processes = new(int64(1)) }, "from 2 to 1"},
	} {
		trial, run := sampleTrial("a"), sampleRun()
		c.change(&trial, &run)
		if got := Doubts(trial, run); !strings.Contains(strings.Join(got, "\n"), c.want) {
			t.Errorf("%s: %q, want %q in it", name, got, c.want)
		}
		if got := Reasons(trial, run); len(got) > 0 {
			t.Errorf("%s is invalid: %+v", name, got)
		}
	}
}

func TestForeignTextStaysOnOneLine(t *testing.T) {
	trial := sampleTrial("a")
	fail(&trial, "bad head", 4000)
	trial.Load.Examples["bad head"] = "HTTP/1.1 200 OK\r\nX: \x1b[31m" + strings.Repeat("é", 300)
	text := Reasons(trial, sampleRun())[0].Text
	if strings.ContainsAny(text, "\r\n\x1b") || len([]rune(text)) > 220 {
		t.Errorf("%d characters: %q", len([]rune(text)), text)
	}
}

// fail turns n of the right answers into another outcome.
func fail(t *Trial, outcome string, n int64) {
	l := t.Load
	l.OK -= n
	l.Outcomes["ok"] -= n
	l.Outcomes[outcome] += n
	if l.Examples == nil {
		l.Examples = map[string]string{}
	}
	l.Examples[outcome] = "read: connection " + outcome
}

func codes(reasons []Reason) (codes []string) {
	for _, r := range reasons {
		codes = append(codes, r.Code)
	}
	return codes
}

// A server that dies ends the measurement: the death is the reason, and not the machine's doing.
func TestInterruptedByTheServersEnd(t *testing.T) {
	trial, run := sampleTrial("mruby"), sampleRun()
	trial.Load.Interrupted = true
	trial.Services[0].ExitCode = new(7)
	for _, r := range Reasons(trial, run) {
		if r.Code == CodeInterrupted {
			t.Errorf("a trial whose server ended is called interrupted: %+v", r)
		}
	}
	if trial.Invalid = Reasons(trial, run); disturbed(trial) {
		t.Errorf("a trial whose server ended is set aside: %+v", trial.Invalid)
	}
}
