package history

import (
	"math"
	"regexp"
)

// wrkReader reads the reports of wrk and of wrk2, which has more of them and
// starts requests by a clock.
type wrkReader struct {
	*sheet
	met state

	threads    *int64
	answers    *int64
	socket     *wrkErrors
	status     *int64 // answers of 400 and above
	quantiling bool   // quantiles follow, and count
}

type wrkErrors struct{ connect, read, write, timeout int64 }

func newWrk(s *sheet) reader { return &wrkReader{sheet: s} }

func (r *wrkReader) take(line string) meaning { return take(wrkRules, &r.met, r, line) }

var wrkOpens = regexp.MustCompile(`^(?:Running \S+ test @ |\d+ threads? and \d+ connections?$|Thread Stats Avg|Thread calibration: |\d+ requests in \S+, \S+ read$|Requests/sec: |Transfer/sec: )`)

var wrkRules = []rule[*wrkReader]{
	{pattern: regexp.MustCompile(`^Running (\S+) test @ (.+)$`), read: func(r *wrkReader, m []string) bool { r.request = m[2]; return set(&r.asked, seconds(m[1])) }},
	{pattern: regexp.MustCompile(`^(\d+) threads? and (\d+) connections?$`), read: func(r *wrkReader, m []string) bool {
		return set(&r.threads, whole(m[1])) && set(&r.connections, whole(m[2]))
	}},
	{pattern: regexp.MustCompile(`^(?:Thread calibration: |Initiali[sz]ed \d+ threads?)`), repeats: true, read: func(r *wrkReader, m []string) bool { r.tool = "wrk2"; return true }},
	{pattern: regexp.MustCompile(`^Thread Stats Avg`), read: func(r *wrkReader, m []string) bool { return true }},
	{pattern: regexp.MustCompile(`^Latency (\d\S*) (\S+) (\S+) \S+%$`), read: (*wrkReader).latencies},
	{pattern: regexp.MustCompile(`^Req/Sec `), read: func(r *wrkReader, m []string) bool { return true }},
	{pattern: regexp.MustCompile(`^Latency Distribution(.*)$`), repeats: true, read: func(r *wrkReader, m []string) bool {
		if m[1] != "" {
			r.tool = "wrk2"
		}
		r.quantiling = len(r.latency.quantiles) == 0 // a second table is of another kind of time
		return true
	}},
	{pattern: regexp.MustCompile(`^Uncorrected Latency`), repeats: true, read: func(r *wrkReader, m []string) bool { r.quantiling = false; return true }},
	{pattern: regexp.MustCompile(`^(\d+(?:\.\d+)?)% (\d\S*)$`), repeats: true, read: (*wrkReader).percentile},
	{pattern: regexp.MustCompile(`^(?:Detailed Percentile spectrum:|#\[|-{20,}$)`), repeats: true, read: func(r *wrkReader, m []string) bool { r.quantiling = false; return true }},
	{pattern: regexp.MustCompile(`^([\d,]+) requests in (\S+), (\S+) read$`), read: func(r *wrkReader, m []string) bool {
		return set(&r.answers, whole(m[1])) && set(&r.elapsed, seconds(m[2])) && set(&r.total, size(m[3]))
	}},
	{pattern: regexp.MustCompile(`^Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)$`), read: (*wrkReader).errors},
	{pattern: regexp.MustCompile(`^Non-2xx or 3xx responses: (.+)$`), read: func(r *wrkReader, m []string) bool { return set(&r.status, whole(m[1])) }},
	{pattern: regexp.MustCompile(`^Requests/sec: (.+)$`), read: func(r *wrkReader, m []string) bool { return set(&r.rate, figure(m[1])) }},
	{pattern: regexp.MustCompile(`^Transfer/sec: (.+)$`), read: func(r *wrkReader, m []string) bool { return set(&r.transfer, size(m[1])) }},
}

func (r *wrkReader) latencies(m []string) bool {
	return set(&r.latency.mean, duration(m[1])) && set(&r.latency.sd, duration(m[2])) && set(&r.latency.max, duration(m[3]))
}

func (r *wrkReader) percentile(m []string) bool {
	share, at := figure(m[1]), duration(m[2])
	if share == nil || at == nil || share.value > 100 {
		return false
	}
	if r.quantiling && share.value < 100 {
		r.latency.quantiles = append(r.latency.quantiles, quantile{math.Round(share.value*1e6) / 1e8, *at})
	}
	return true
}

func (r *wrkReader) errors(m []string) bool {
	var n [4]int64
	for i, kind := range []string{"connect", "read", "write", "timeout"} {
		v := whole(m[i+1])
		if v == nil {
			return false
		}
		if n[i] = *v; *v > 0 {
			r.failed(kind, *v)
		}
	}
	r.socket = &wrkErrors{n[0], n[1], n[2], n[3]}
	return true
}

// close reckons what follows from several lines. wrk prints errors only where
// there are some, between the count of requests and their rate.
func (r *wrkReader) close() {
	r.checked = "status below 400"
	r.counted = r.answers
	if r.threads != nil && r.connections != nil && *r.threads > 0 {
		if open := *r.connections / *r.threads * *r.threads; open != *r.connections {
			r.doubt("%s share %s evenly: %s were open", plural(*r.threads, "thread"), plural(*r.connections, "connection"), count(open))
			r.connections = &open
		}
	}
	r.parts = []part{
		{`"Running"`, r.request != ""},
		{`"Thread Stats"`, r.latency.mean != nil},
		{`"requests in"`, r.answers != nil},
		{`"Requests/sec"`, r.rate != nil},
		{`"Transfer/sec"`, r.transfer != nil},
	}
	r.stopped()
	if r.answers == nil {
		return
	}
	if *r.answers == 0 {
		r.latency = times{} // it prints 0 where there is none
	}
	r.complete = new(*r.answers)
	if r.socket != nil {
		*r.complete += r.socket.connect + r.socket.read + r.socket.write
	}
	if n := value64(r.status); n > 0 {
		r.answered("400 and above", n)
	}
	r.account()
}

// account finds out how many answers were right: those below 400, within the
// limit of time.
func (r *wrkReader) account() {
	wrong := value64(r.status)
	switch {
	case wrong > *r.answers:
		r.right = new(int64(0))
	case r.status == nil && r.socket == nil && r.rate == nil:
		return // it may break off before its errors
	default:
		r.right = new(*r.answers - wrong)
	}
	wrongAnswers(r.sheet, wrong, *r.answers, "400 or above")
	late := int64(0)
	if r.socket != nil {
		late = r.socket.timeout
	}
	switch {
	case late == 0:
	case r.tool == "wrk":
		// Each is an answer that came, too late for the times to have it.
		*r.right = max(0, *r.right-late)
		r.doubt("%s came after wrk's limit of time: its times leave them out", plural(late, "answer"))
	default:
		r.doubt("wrk2 saw connections wait longer than its limit of time %s: it looks every two seconds, and one may be seen again and again, or have been idle", plural(late, "time"))
	}
}

// stopped compares the time taken with the time asked for.
func (r *wrkReader) stopped() {
	if r.asked == nil || r.elapsed == nil {
		return
	}
	stoppedEarly(r.sheet)
	if r.elapsed.value > r.asked.value*1.05+1 {
		r.doubt("it took %s s, and %s s were asked for", digits(r.elapsed.value), digits(r.asked.value))
	}
}
