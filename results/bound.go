package results

import (
	"cmp"
	"slices"
)

// A Bound says in a word what kept a trial from serving more.
type Bound string

// The bounds.
const (
	BoundHost    Bound = "host"    // others, or the hypervisor, took CPU that server or load engine had use for
	BoundServer  Bound = "server"  // the services' CPUs were used up
	BoundEngine  Bound = "engine"  // the load engine's were
	BoundNothing Bound = "nothing" // no CPU was used up: something waited
)

// usedUp is the share of its time from which on a CPU counts as used up: the
// window of the readings is a little longer than that of the requests, and a CPU
// that is never idle for long still is between two requests.
const usedUp = 0.9

// BoundOf returns what trial was bound by under the limits of run, by the rules of
// docs/method.md. It is empty where nothing was measured, and where a figure that
// it takes is missing.
func BoundOf(trial Trial, run Run) Bound {
	i := inspect(trial, run)
	if i.found(CodeFault) {
		return ""
	}
	server, serverKnown := i.serverUse()
	engine, engineKnown := i.engineUse()
	switch {
	case i.hostBound():
		return BoundHost
	case server >= usedUp && !i.engineTookMore():
		return BoundServer
	case engine >= usedUp || server >= usedUp:
		return BoundEngine
	case serverKnown && engineKnown:
		return BoundNothing
	}
	return ""
}

// hostBound reports whether more than the limits allow of CPUs that were used up
// went elsewhere.
func (i *inspection) hostBound() bool {
	h, limit := i.Host, i.run.Limits
	if h == nil || 1-h.Idle < usedUp {
		return false
	}
	foreign, ok := h.foreign()
	return h.Steal > limit.Steal || ok && foreign > limit.HostBusy
}

// serverUse returns how much of the CPU time open to the services was used, by
// them or by interrupts on their behalf, which a kernel may charge to nobody.
func (i *inspection) serverUse() (share float64, ok bool) {
	if share, ok = i.serverBusy(); !ok {
		share = 0
	}
	if h := i.Host; h != nil && h.ServerIdle != nil {
		return max(share, 1-*h.ServerIdle), true
	}
	return share, ok
}

// engineUse returns how much of the CPU time that its threads can use the load
// engine used, by itself or through interrupts. On CPUs that it shares with the
// services, their idle time does not tell.
func (i *inspection) engineUse() (share float64, ok bool) {
	if share, ok = i.EngineBusy(), i.Load.EngineCPUS > 0; !ok {
		share = 0
	}
	if h := i.Host; h != nil && h.EngineIdle != nil && !i.shared() {
		busy := (1 - *h.EngineIdle) * float64(cpuCount(i.run.EngineCPUs)) // in CPUs
		return max(share, busy/float64(max(i.Load.Workers, 1))), true
	}
	return share, ok
}

// shared reports whether services and load engine have the same CPUs.
func (i *inspection) shared() bool { return i.run.ServerCPUs == i.run.EngineCPUs }

// ServerCPUCount returns how many CPUs the services had; 0: not known.
func (r Run) ServerCPUCount() int { return cpuCount(r.ServerCPUs) }

// engineTookMore reports whether, of CPUs that both have, the load engine used
// more than the services did.
func (i *inspection) engineTookMore() bool {
	used, ok := servicesCPU(i.Trial)
	return i.shared() && ok && i.Load.EngineCPUS > used
}

// Bounds counts the trials of a target that were bound by one thing.
type Bounds struct {
	By     Bound
	Trials int
}

// boundsOf counts what trials were bound by, the most frequent first. Those of
// which it is not known are in none.
func boundsOf(trials []Trial) (all []Bounds) {
	for _, t := range trials {
		if t.Bound == "" {
			continue
		}
		at := slices.IndexFunc(all, func(b Bounds) bool { return b.By == t.Bound })
		if at < 0 {
			at, all = len(all), append(all, Bounds{By: t.Bound})
		}
		all[at].Trials++
	}
	slices.SortStableFunc(all, func(a, b Bounds) int { return cmp.Compare(b.Trials, a.Trials) })
	return all
}
