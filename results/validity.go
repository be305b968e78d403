package results

import (
	"fmt"
	"slices"
	"strings"
)

// Codes of a Reason.
const (
	CodeFault       = "fault"       // nothing was measured
	CodeInterrupted = "interrupted" // the measurement was stopped
	CodeSilent      = "silent"      // the server stopped answering
	CodeContract    = "contract"    // an answer was not the right one, before or while measuring
	CodeErrors      = "errors"      // too many requests failed
	CodeFew         = "few"         // too few right answers
	CodeOffered     = "offered"     // too few of the requests that a rate offers were started
	CodeSum         = "sum"         // the engine's outcomes do not add up
	CodeLittle      = "little"      // Little's law does not hold
	CodeBytes       = "bytes"       // the bytes received are not those of the answers counted
	CodeEngine      = "engine"      // the load engine was the bottleneck
	CodeHost        = "host"        // something else used the machine
	CodeSteal       = "steal"       // the hypervisor took the CPU
	CodeQuota       = "quota"       // a CPU quota held the services or the load engine up
	CodeCrash       = "crash"       // the service's output tells of a crash
	CodeProcesses   = "processes"   // processes went away while requests failed
	CodeExit        = "exit"        // a service ended
	CodeOOM         = "oom"         // a process was killed for want of memory
	CodeArithmetic  = "arithmetic"  // of a report made elsewhere: its figures contradict each other
	CodeRate        = "rate"        // of a report made elsewhere: the rate asked for was not reached
	CodeStop        = "stop"        // a service did not heed its stop signal
)

// Names of those outcomes that the judgement of a trial depends on. The engine
// has more; each is a failure.
const (
	OutcomeOK     = "ok"
	OutcomeStatus = "unexpected status"
	OutcomeBody   = "wrong body"
)

// DefaultLimits returns the limits of a scenario that states none.
func DefaultLimits() Limits {
	return Limits{
		Errors:      0.001,
		EngineBusy:  0.95,
		HostBusy:    0.05,
		Steal:       0.02,
		Offered:     0.99,
		Account:     0.02,
		MinRequests: 1000, // so that ten answers at least lie beyond the 99th percentile
	}
}

// Reasons returns why trial is invalid under the limits of run, the plainest
// first, and nothing where it is valid. Consequences are left out: a trial that
// measured nothing is not also short of requests, and the accounts of bytes and
// of time are judged only where the requests succeeded, since a failed request
// has a part in them that cannot be known.
func Reasons(trial Trial, run Run) []Reason { return inspect(trial, run).reasons }

// Doubts returns what could not be checked in trial, and what looks odd yet
// proves nothing: sentences for Trial.Warnings.
func Doubts(trial Trial, run Run) []string { return inspect(trial, run).doubts }

// An inspection is a trial under scrutiny, and what was found.
type inspection struct {
	Trial
	run      Run
	target   Target
	workload Workload
	reasons  []Reason
	doubts   []string
}

func inspect(trial Trial, run Run) *inspection {
	i := &inspection{Trial: trial, run: run}
	for _, t := range run.Targets {
		if t.Name == trial.Target {
			i.target = t
		}
	}
	for _, w := range run.Workloads {
		if w.Name == trial.Workload {
			i.workload = w
		}
	}
	i.checkFault()
	if !i.found(CodeFault) {
		i.checkContract()
		i.checkErrors()
		i.checkRate()
		i.checkAccounts()
		i.checkEngine()
		i.checkHost()
		i.checkQuota()
		for _, note := range i.Load.Notes {
			i.doubt("the answers are odd: %s", line(note, exampleLength))
		}
	}
	i.checkServices()
	return i
}

func (i *inspection) invalid(code string, figure, limit float64, format string, args ...any) {
	i.reasons = append(i.reasons, Reason{Code: code, Text: fmt.Sprintf(format, args...), Figure: figure, Limit: limit})
}

func (i *inspection) doubt(format string, args ...any) {
	i.doubts = append(i.doubts, fmt.Sprintf(format, args...))
}

func (i *inspection) found(code string) bool {
	for _, r := range i.reasons {
		if r.Code == code {
			return true
		}
	}
	return false
}

func (i *inspection) checkFault() {
	switch {
	case i.Fault != nil:
		i.invalid(CodeFault, 1, 0, "%s: %s", i.Fault.Phase, line(i.Fault.Text, textLength))
	case i.Load == nil:
		i.invalid(CodeFault, 1, 0, "nothing was measured, and the record does not say why")
	case i.Load.ElapsedS <= 0:
		i.invalid(CodeFault, i.Load.ElapsedS, 0, "the measured window has no length")
	case i.Load.Interrupted && !i.serviceEnded():
		i.invalid(CodeInterrupted, i.Load.ElapsedS, 0, "interrupted after %s s of measuring", digits(i.Load.ElapsedS))
	case i.Load.GaveUp:
		i.invalid(CodeSilent, i.Load.ElapsedS, 0, "no answer came any more, and the load engine gave up after %s s", digits(i.Load.ElapsedS))
	}
}

// checkContract looks for a wrong answer: one is too many, for a server that
// answers wrongly does other work than the rest.
func (i *inspection) checkContract() {
	mix, answers := i.target.Mix(), i.answers()
	if len(answers) != len(mix) {
		i.doubt("the answer that the contract check saw is not in the record")
	} else {
		for n, a := range answers {
			prefix := ""
			if len(mix) > 1 {
				prefix = mix[n].Line() + ": "
			}
			i.checkAnswer(prefix, mix[n], a)
		}
	}
	status, body := i.Load.Outcomes[OutcomeStatus], i.Load.Outcomes[OutcomeBody]
	if wrong := status + body; wrong > 0 {
		names := frequent(i.Load.Outcomes, OutcomeStatus, OutcomeBody)
		i.invalid(CodeContract, float64(wrong), 0, "%s of %s requests: %s%s",
			plural(wrong, "wrong answer"), count(i.Load.Started), i.listed(names)+i.to(names...), i.example(names[0]))
	}
}

func (i *inspection) checkAnswer(prefix string, asked Asked, a Answer) {
	switch {
	case a.Status != asked.Status:
		i.invalid(CodeContract, float64(a.Status), float64(asked.Status), "%sstatus %d where %d is right", prefix, a.Status, asked.Status)
	case asked.Length != nil && a.BodyBytes != *asked.Length:
		i.invalid(CodeContract, float64(a.BodyBytes), float64(*asked.Length), "%sbody of %d B where %d B is right", prefix, a.BodyBytes, *asked.Length)
	case asked.BodySHA256 != "" && a.BodySHA256 != asked.BodySHA256:
		i.invalid(CodeContract, 1, 0, "%sbody is not the right one, though as long", prefix)
	}
}

func (i *inspection) checkErrors() {
	l := i.Load
	if l.Started > 0 {
		if share := float64(l.Started-l.OK) / float64(l.Started); share > i.run.Limits.Errors {
			names, example := frequent(i.Load.Outcomes), ""
			if len(names) > 0 && !i.found(CodeContract) {
				example = i.example(names[0])
			}
			i.invalid(CodeErrors, share, i.run.Limits.Errors, "errors %s > %s: %s%s",
				percent(share), percent(i.run.Limits.Errors), i.listed(names)+i.to(names...), example)
		}
	}
	if l.OK < i.run.Limits.MinRequests && !i.found(CodeErrors) {
		i.invalid(CodeFew, float64(l.OK), float64(i.run.Limits.MinRequests), "%s right answers, and %s are needed",
			count(l.OK), count(i.run.Limits.MinRequests))
	}
}

// listed writes outcomes with their counts: "1,203 × reset, 4 × short body".
func (i *inspection) listed(outcomes []string) string {
	parts := make([]string, len(outcomes))
	for n, name := range outcomes {
		parts[n] = count(i.Load.Outcomes[name]) + " × " + name
	}
	return strings.Join(parts, ", ")
}

// example writes what was seen of the first request with an outcome.
func (i *inspection) example(outcome string) string {
	text := i.Load.Examples[outcome]
	if text == "" {
		return ""
	}
	return fmt.Sprintf("; the first %s: %s", outcome, line(text, exampleLength))
}

// checkEngine asks whether the load engine was at its limit while the services
// were not at theirs. Where both are, the engine is still the suspect unless the
// services used all that their cpuset allows.
func (i *inspection) checkEngine() {
	l, limit := i.Load, i.run.Limits.EngineBusy
	if l.EngineCPUS <= 0 {
		i.doubt("the load engine's CPU is not known")
		return
	}
	busy := i.EngineBusy()
	if busy < limit {
		return
	}
	server, ok := i.serverBusy()
	switch {
	case !ok:
		i.invalid(CodeEngine, busy, limit, "load engine %s busy, and how busy the server was is not known", percent(busy))
	case server < limit:
		i.invalid(CodeEngine, busy, limit, "load engine %s busy while the server used %s of its CPUs", percent(busy), percent(server))
	default:
		i.doubt("the load engine was %s busy, though the server was %s busy too", percent(busy), percent(server))
	}
}

// serverBusy returns the services' share of the CPU time open to them: that of
// their cpuset, less the engine's where both share one.
func (i *inspection) serverBusy() (share float64, ok bool) {
	open := float64(cpuCount(i.run.ServerCPUs)) * (i.Load.ElapsedS + i.Load.DrainS)
	if i.shared() {
		open -= i.Load.EngineCPUS
	}
	used, ok := servicesCPU(i.Trial)
	return used / open, ok && open > 0
}

// checkHost looks for work that is neither the server's nor the engine's.
func (i *inspection) checkHost() {
	h, limit := i.Host, i.run.Limits
	switch {
	case h == nil:
		i.doubt("the host's CPU over the measurement is not known")
		return
	case h.Steal > limit.Steal:
		i.invalid(CodeSteal, h.Steal, limit.Steal, "the hypervisor took %s of %s, limit %s", percent(h.Steal), cpusOf(h), percent(limit.Steal))
	}
	if h.Other == nil {
		i.doubt("what else used the host's CPU is not known")
		return
	}
	foreign, _ := h.foreign()
	switch {
	case foreign > limit.HostBusy:
		i.invalid(CodeHost, foreign, limit.HostBusy, "%s of %s went to neither server nor load engine, limit %s",
			percent(foreign), cpusOf(h), percent(limit.HostBusy))
	case *h.Other > limit.HostBusy:
		i.doubt("%s of %s went to neither server nor load engine; up to %s may be their own network traffic",
			percent(*h.Other), cpusOf(h), percent(h.SoftIRQ))
	}
}

// foreign returns the share that surely went to neither server nor engine, and
// false where that is not known. On a kernel that accounts interrupts on their
// own, the load's traffic is soft interrupts that no container is charged with:
// there, Other holds all of SoftIRQ, and only what exceeds it is surely foreign.
// Where Other is less than SoftIRQ, the kernel is not of that kind, and all of
// it is.
func (h *HostUse) foreign() (share float64, ok bool) {
	switch {
	case h.Other == nil:
		return 0, false
	case *h.Other >= h.SoftIRQ:
		return *h.Other - h.SoftIRQ, true
	}
	return *h.Other, true
}

// cpusOf names the CPUs that a HostUse is about.
func cpusOf(h *HostUse) string {
	if h.CPUs == "" {
		return "the host's CPU"
	}
	return "CPU " + h.CPUs
}

// serviceEnded reports whether a service ended by itself, which also ends the
// measurement.
func (i *inspection) serviceEnded() bool {
	return slices.ContainsFunc(i.Services, func(u Usage) bool { return u.ExitCode != nil })
}
