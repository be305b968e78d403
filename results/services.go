package results

import "slices"

// checkServices looks for what died.
func (i *inspection) checkServices() {
	if _, ok := servicesCPU(i.Trial); !ok && !i.found(CodeFault) {
		i.doubt("the services' CPU is not known")
	}
	for _, u := range i.Services {
		i.checkEnd(u)
		i.checkProcesses(u)
		i.checkUsers(u)
		i.checkStorage(u)
		if u.StopS != nil && *u.StopS >= stopTime {
			i.invalid(CodeStop, *u.StopS, stopTime, "%s did not end within %.0f s of its stop signal", u.Name, float64(stopTime))
		}
	}
	i.checkOpenFiles()
	for _, log := range i.Logs {
		if n := int64(len(log.Crashes)); n > 0 {
			i.invalid(CodeCrash, float64(n), 0, "%s tells of a crash in %s, such as: %s", log.Service, plural(n, "line"), line(log.Crashes[0], exampleLength))
		}
	}
}

// checkQuota looks for CPU quotas that bit. dyno sets none, so they are those of
// something that Docker or its containers live in, and a server that is held up for
// the rest of each period looks as one that waits.
func (i *inspection) checkQuota() {
	all := i.Services
	if i.Engine != nil {
		all = append(all[:len(all):len(all)], *i.Engine)
	}
	for _, u := range all {
		if u.ThrottledS == nil {
			continue
		}
		window, limit := i.Load.ElapsedS+i.Load.DrainS, i.run.Limits.Steal
		if share := *u.ThrottledS / window; share > limit {
			i.invalid(CodeQuota, share, limit, "a CPU quota of the machine's held %s up: %s s, summed over CPUs, in %s s, limit %s", u.Name, digits(*u.ThrottledS), digits(window), percent(limit))
			return // a quota above them is all containers'
		}
	}
}

func (i *inspection) checkEnd(u Usage) {
	switch {
	case u.OOMKilled:
		i.invalid(CodeOOM, 1, 0, "%s was killed for want of memory", u.Name)
	case u.OOMKills != nil && *u.OOMKills > 0:
		i.invalid(CodeOOM, float64(*u.OOMKills), 0, "%s lost %s for want of memory", u.Name, plural(*u.OOMKills, "process"))
	case u.ExitCode != nil:
		i.invalid(CodeExit, float64(*u.ExitCode), 0, "%s ended by itself, exit code %d", u.Name, *u.ExitCode)
	}
}

// checkProcesses compares the number of processes before and after. A pool that
// fits itself to the load, as prefork does, starts and retires processes by
// right, but a process that is retired has no request: only where requests failed
// as well, one died.
func (i *inspection) checkProcesses(u Usage) {
	if i.found(CodeFault) {
		return
	}
	if u.Processes == nil || u.ProcessesWas == nil {
		i.doubt("how many processes %s had is not known", u.Name)
		return
	}
	was, is := *u.ProcessesWas, *u.Processes
	switch {
	case is < was && i.Load.OK < i.Load.Started:
		i.invalid(CodeProcesses, float64(is), float64(was), "%s went from %d to %d processes while requests failed", u.Name, was, is)
	case is != was:
		i.doubt("%s went from %d to %d processes while it was measured", u.Name, was, is)
	}
}

// stopTime is how long a service may take to stop, in seconds: Docker's patience
// before it kills.
const stopTime = 10

// storageShare is the part of a service's CPU that the storage driver may use
// beside it without a word.
const storageShare = 0.05

// checkStorage looks for files that cost more than they should: on a kernel's own
// overlay they cost the service a little, here a process outside it a lot.
func (i *inspection) checkStorage(u Usage) {
	if u.StorageS == nil || u.CPUS == nil || i.Load == nil || i.Load.Started == 0 || *u.StorageS < storageShare**u.CPUS {
		return
	}
	i.doubt("Docker's storage driver used %.1f µs of CPU a request for the files of %s, beside its own", *u.StorageS/float64(i.Load.Started)*1e6, u.Name)
}

// checkOpenFiles looks for a server none of whose services may have as many files open
// as there are connections. Where several processes share these, that is no fault.
func (i *inspection) checkOpenFiles() {
	var most int64
	for _, u := range i.Services {
		if u.OpenFiles == nil {
			return
		}
		most = max(most, *u.OpenFiles)
	}
	if n := int64(i.workload.Connections); len(i.Services) > 0 && most <= n {
		i.doubt("a process may have %s open, for %s", plural(most, "file"), plural(n, "connection"))
	}
}

// checkUsers looks for services that stayed root's. A server that is started as
// root and may not change its user can go on as root without a word.
func (i *inspection) checkUsers(u Usage) {
	if u.Rootful() {
		i.doubt("all processes of %s are root's", u.Name)
	}
}

// Rootful reports whether it is known that no process of the service gave up
// being root's.
func (u Usage) Rootful() bool { return slices.Equal(u.Users, []int64{0}) }

// servicesCPU is what all services spent over the window, in seconds. It is not
// ok where that of one is not known.
func servicesCPU(t Trial) (seconds float64, ok bool) {
	for _, u := range t.Services {
		if u.CPUS == nil {
			return 0, false
		}
		seconds += *u.CPUS
	}
	return seconds, len(t.Services) > 0
}
