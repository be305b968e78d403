package history

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
)

// abReader reads ab's report: that of httpd 1.3, 2.0 and 2.4, which differ in
// digits and in some words.
type abReader struct {
	*sheet
	met state

	host, port, path string
	secure           bool
	varies           bool   // -l was given: lengths are not compared
	bad              *int64 // "Failed requests"
	kinds            *abKinds
	beyond           bool   // a line stands behind the place of "Non-2xx responses"
	non2xx           *int64 // nil: the line is missing, which says 0 where beyond is set
	writeErrors      int64
	keptAlive        *int64
	each, eachOfAll  *num // ms, "Time per request"
	progress         abProgress
	gaveUp           string // ab's last words, where it ended without a report
	own              []string
}

// abKinds are what failures are made of. ab counts a reset connection under
// Receive, under Length and under Exceptions.
type abKinds struct{ connect, receive, length, exceptions int64 }

// abProgress is what ab says on standard error while it works.
type abProgress struct {
	step     int64 // a tenth of the requests asked for; 0: not told
	said     int64 // so many were complete
	finished bool
}

func newAB(s *sheet) reader { return &abReader{sheet: s} }

func (r *abReader) take(line string) meaning { return take(abRules, &r.met, r, line) }

var abOpens = regexp.MustCompile(`^(?:This is ApacheBench|Benchmarking \S.* \(be patient\)|(?:Server Software|Server Hostname|Server Port|Document Path|Document Length|Concurrency Level|Time taken for tests|Complete requests|Failed requests|Write errors|Non-2xx responses|Keep-Alive requests|Total transferred|HTML transferred|Requests per second|Transfer rate):(?: |$)|Time per request: .*\[ms\]|Connn?ection Times \(ms\)|Percentage of the requests served)`)

type abRule = rule[*abReader]

var abRules = []abRule{
	{pattern: regexp.MustCompile(`^This is ApacheBench, Version (\S+)`), read: func(r *abReader, m []string) bool { r.version = m[1]; return true }},
	{pattern: regexp.MustCompile(`^Benchmarking (\S+).*\(be patient\)(.*)`), read: (*abReader).benchmarking},
	{pattern: regexp.MustCompile(`^Completed ([\d,]+) requests$`), repeats: true, read: (*abReader).completed},
	{pattern: regexp.MustCompile(`^Finished ([\d,]+) requests$`), read: func(r *abReader, m []string) bool { r.progress.finished = true; return true }},
	{pattern: regexp.MustCompile(`^(apr_\w+(?:\(\))?: .*|Test aborted after \d+ failures)$`), repeats: true, read: func(r *abReader, m []string) bool { r.gaveUp = cmp.Or(r.gaveUp, m[1]); return true }},
	{pattern: regexp.MustCompile(`^Total of ([\d,]+) requests completed$`), read: func(r *abReader, m []string) bool { return set(&r.complete, whole(m[1])) }},

	{pattern: regexp.MustCompile(`^Server Software: ?(.*)`), read: func(r *abReader, m []string) bool { r.server = m[1]; return true }},
	{pattern: regexp.MustCompile(`^Server Hostname: ?(.*)`), read: func(r *abReader, m []string) bool { r.host = m[1]; return true }},
	{pattern: regexp.MustCompile(`^Server Port: ?(.*)`), read: func(r *abReader, m []string) bool { r.port = m[1]; return true }},
	{pattern: regexp.MustCompile(`^SSL/TLS Protocol: `), read: func(r *abReader, m []string) bool { r.secure = true; return true }},
	{pattern: regexp.MustCompile(`^(?:Server Temp Key|TLS Server Name): `), repeats: true, read: func(r *abReader, m []string) bool { return true }},
	{pattern: regexp.MustCompile(`^Document Path: ?(.*)`), read: func(r *abReader, m []string) bool { r.path = m[1]; return true }},
	{pattern: regexp.MustCompile(`^Document Length: ?(.*)`), read: func(r *abReader, m []string) bool {
		r.varies = m[1] == "Variable"
		return r.varies || set(&r.length, whole(m[1]))
	}},
	{pattern: regexp.MustCompile(`^Concurrency Level: ?(.*)`), read: func(r *abReader, m []string) bool { return set(&r.connections, whole(m[1])) }},
	{pattern: regexp.MustCompile(`^Time taken for tests: ?(.*)`), read: func(r *abReader, m []string) bool { return set(&r.elapsed, figure(m[1])) }},
	{pattern: regexp.MustCompile(`^Complete requests: ?(.*)`), read: func(r *abReader, m []string) bool { return set(&r.complete, whole(m[1])) }},
	{pattern: regexp.MustCompile(`^Failed requests: ?(.*)`), read: func(r *abReader, m []string) bool { return set(&r.bad, whole(m[1])) }},
	{pattern: regexp.MustCompile(`^\(Connect: (\d+), (?:Receive: (\d+), )?Length: (\d+), Exceptions: (\d+)\)$`), read: (*abReader).failures},
	{pattern: regexp.MustCompile(`^(?:Write errors|Broken pipe errors): ?(.*)`), read: (*abReader).writes},
	{pattern: regexp.MustCompile(`^Non-2xx responses: ?(.*)`), read: func(r *abReader, m []string) bool { return set(&r.non2xx, whole(m[1])) }},
	{pattern: regexp.MustCompile(`^Keep-Alive requests: ?(.*)`), read: func(r *abReader, m []string) bool { r.beyond = true; return set(&r.keptAlive, whole(m[1])) }},
	{pattern: regexp.MustCompile(`^Total (?:POSTed|body sent|PUT): ?(.*)`), read: func(r *abReader, m []string) bool { return true }},
	{pattern: regexp.MustCompile(`^Total transferred: ?(.*)`), read: func(r *abReader, m []string) bool { r.beyond = true; return set(&r.total, figure(m[1])) }},
	{pattern: regexp.MustCompile(`^HTML transferred: ?(.*)`), read: func(r *abReader, m []string) bool { r.beyond = true; return set(&r.body, figure(m[1])) }},
	{pattern: regexp.MustCompile(`^Requests per second: ?(.*)`), read: func(r *abReader, m []string) bool { r.beyond = true; return set(&r.rate, figure(m[1])) }},
	{pattern: regexp.MustCompile(`^Time per request: ?(.*)`), repeats: true, read: (*abReader).perRequest},
	{pattern: regexp.MustCompile(`^Transfer rate: ?(.*)`), read: func(r *abReader, m []string) bool { r.beyond = true; return set(&r.transfer, figure(m[1])) }},
	{pattern: regexp.MustCompile(`^[\d.]+ kb/s (?:sent|total)$`), repeats: true, read: func(r *abReader, m []string) bool { return true }},

	{pattern: regexp.MustCompile(`^Connn?ection Times \(ms\)`), read: func(r *abReader, m []string) bool { r.beyond = true; return true }},
	{pattern: regexp.MustCompile(`^min (?:mean\[\+/-sd\] median|avg) max$`), read: func(r *abReader, m []string) bool { return true }},
	{pattern: regexp.MustCompile(`^(?:Connect|Processing|Waiting): [\d.]+ [\d. ]+$`), repeats: true, read: func(r *abReader, m []string) bool { return true }},
	{pattern: regexp.MustCompile(`^Total: ([\d.]+) ([\d.]+)(?: ([\d.]+) ([\d.]+))? ([\d.]+)$`), read: (*abReader).totals},
	{pattern: regexp.MustCompile(`^((?:WARNING|ERROR): The median and mean .*)$`), repeats: true, read: func(r *abReader, m []string) bool { r.own = append(r.own, m[1]); return true }},
	{pattern: regexp.MustCompile(`^(deviation apart\. These results are NOT reliable\.|These results are probably not that reliable\.)$`), repeats: true, read: (*abReader).goesOn},
	{pattern: regexp.MustCompile(`^Percentage of the requests served`), read: func(r *abReader, m []string) bool { r.beyond = true; return true }},
	{pattern: regexp.MustCompile(`^(\d{1,3})%(?: <=)? ([\d.]+)(?: \((?:longest|last) request\))?$`), repeats: true, read: (*abReader).percentile},
}

// set stores a figure, and reports whether there was one.
func set[T any](to **T, figure *T) bool {
	if figure == nil {
		return false
	}
	*to = figure
	return true
}

// benchmarking is the line on which ab also says how a short run went.
func (r *abReader) benchmarking(m []string) bool {
	r.host = m[1]
	rest := strings.TrimLeft(m[2], ".")
	switch {
	case rest == "done":
		r.progress.finished = true
	case rest != "":
		r.gaveUp = strings.TrimSpace(rest)
	}
	return true
}

func (r *abReader) completed(m []string) bool {
	n := whole(m[1])
	if n == nil {
		return false
	}
	if r.progress.step == 0 {
		r.progress.step = *n // the first comes after one step
	}
	r.progress.said = max(r.progress.said, *n)
	return true
}

func (r *abReader) failures(m []string) bool {
	var n [5]int64
	for i, text := range m[1:] {
		if text == "" {
			continue // ab 2.0 knows no Receive
		}
		v := whole(text)
		if v == nil {
			return false
		}
		n[i] = *v
	}
	r.kinds = &abKinds{n[0], n[1], n[2], n[3]}
	for i, kind := range []string{"connect", "receive", "length", "exceptions"} {
		if n[i] > 0 {
			r.failed(kind, n[i])
		}
	}
	return true
}

func (r *abReader) writes(m []string) bool {
	n := whole(m[1])
	if n == nil {
		return false
	}
	r.writeErrors = *n
	if *n > 0 {
		r.failed("write", *n)
	}
	return true
}

// perRequest reads the mean over the connections, and then the one over all of
// them together.
func (r *abReader) perRequest(m []string) bool {
	r.beyond = true
	if r.each == nil && !strings.Contains(m[1], "across") {
		return set(&r.each, figure(m[1]))
	}
	return set(&r.eachOfAll, figure(m[1]))
}

// totals reads the row of whole requests: min, mean, sd, median and max, or as
// ab 1.3 has it min, avg and max.
func (r *abReader) totals(m []string) bool {
	r.beyond = true
	us := func(text string) *num { return r.whole(figure(text)) }
	r.latency.min, r.latency.mean, r.latency.max = us(m[1]), us(m[2]), us(m[5])
	if m[3] != "" {
		r.latency.sd = figure(m[3]).by(1e3)
	}
	return r.latency.min != nil && r.latency.mean != nil && r.latency.max != nil
}

func (r *abReader) percentile(m []string) bool {
	r.beyond = true
	share, err := strconv.Atoi(m[1])
	at := r.whole(figure(m[2]))
	if err != nil || share > 100 || at == nil {
		return false
	}
	if share == 100 {
		if r.latency.max == nil {
			r.latency.max = at
		}
		return true
	}
	r.latency.quantiles = append(r.latency.quantiles, quantile{float64(share) / 100, *at})
	return true
}

// whole turns milliseconds into microseconds. ab 2.3 rounds to whole ones, and
// versions before it cut both the times and their mean, so that a mean may be two
// of them too small.
func (r *abReader) whole(ms *num) *num {
	if ms != nil && !strings.HasPrefix(r.version, "2.3") {
		ms.digit *= 2
	}
	return ms.by(1e3)
}

// goesOn completes a remark of ab's own that has two lines.
func (r *abReader) goesOn(m []string) bool {
	if n := len(r.own); n > 0 {
		r.own[n-1] += " " + m[1]
	}
	return true
}
