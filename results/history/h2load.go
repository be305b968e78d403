package history

import (
	"regexp"
	"strings"

	"dyno/results"
)

// h2loadReader reads the report of h2load.
type h2loadReader struct {
	*sheet
	met state

	protocol         string
	clients, planned int64 // of all threads
	warmup           *num  // seconds that count for nothing; nil: it is a run by number
	counts           *h2loadCounts
	classes          *[4]int64 // answers of 2xx, 3xx, 4xx and 5xx
	columns          []string
}

type h2loadCounts struct{ total, started, done, succeeded, failed, errored, timeout int64 }

func newH2load(s *sheet) reader { return &h2loadReader{sheet: s} }

func (r *h2loadReader) take(line string) meaning { return take(h2loadRules, &r.met, r, line) }

var h2loadOpens = regexp.MustCompile(`^(?:starting benchmark\.\.\.$|finished in .* req/s|requests: \d+ total|status codes: \d+ 2xx)`)

var h2loadRules = []rule[*h2loadReader]{
	{pattern: regexp.MustCompile(`^starting benchmark\.\.\.$`), read: func(r *h2loadReader, m []string) bool { return true }},
	{pattern: regexp.MustCompile(`^spawning thread #\d+: (\d+) (?:total client\(s\)|concurrent clients)[.,] (.*)$`), repeats: true, read: (*h2loadReader).thread},
	{pattern: regexp.MustCompile(`^(?:Warm-up |Main benchmark |Stopped all clients|progress: |TLS Protocol: |Cipher: |Server Temp Key: |No protocol negotiated|Server does not support)`), repeats: true, read: func(r *h2loadReader, m []string) bool { return true }},
	{pattern: regexp.MustCompile(`^Application protocol: (\S+)`), repeats: true, read: func(r *h2loadReader, m []string) bool { r.protocol = m[1]; return true }},
	{pattern: regexp.MustCompile(`^finished in (.+), (\S+) req/s(?:, (.+)/s)?$`), read: (*h2loadReader).finished},
	{pattern: regexp.MustCompile(`^requests: (.+)$`), read: (*h2loadReader).requests},
	{pattern: regexp.MustCompile(`^status codes: (\d+) 2xx, (\d+) 3xx, (\d+) 4xx, (\d+) 5xx$`), read: (*h2loadReader).statusCodes},
	{pattern: regexp.MustCompile(`^traffic: (?:\S+ )?\(?(\d+)\)?(?: bytes)? total, .*?\(?(\d+)\)?(?: bytes)? data$`), read: func(r *h2loadReader, m []string) bool {
		return set(&r.total, figure(m[1])) && set(&r.body, figure(m[2]))
	}},
	{pattern: regexp.MustCompile(`^(min .*mean .*)$`), read: func(r *h2loadReader, m []string) bool { r.columns = strings.Fields(m[1]); return true }},
	{pattern: regexp.MustCompile(`^(?:time for request|request ?): (.*)$`), read: (*h2loadReader).times},
	{pattern: regexp.MustCompile(`^(?:time for connect: |time to 1st byte: |req/s |connect : |TTFB : |min RTT : |smoothed RTT: |UDP datagram: )`), repeats: true, read: func(r *h2loadReader, m []string) bool { return true }},
}

var h2loadTimed = regexp.MustCompile(`^Timing-based test with (\S+) of warm-up time and (\S+) of main duration`)

func (r *h2loadReader) thread(m []string) bool {
	n := whole(m[1])
	if n == nil || r.clients+*n > most {
		return false
	}
	r.clients += *n
	if t := h2loadTimed.FindStringSubmatch(m[2]); t != nil {
		return set(&r.warmup, seconds(t[1])) && set(&r.asked, seconds(t[2]))
	}
	if n := whole(m[2]); n != nil && r.planned+*n <= most {
		r.planned += *n
	}
	return true
}

// finished reads the time, which old versions print as "1 sec, 2 millisec and 3
// microsec", and the rates.
func (r *h2loadReader) finished(m []string) bool {
	var sum num
	words := strings.Fields(strings.NewReplacer(",", " ", " and ", " ").Replace(m[1]))
	for i := 0; i < len(words); i++ {
		word := words[i]
		if i+1 < len(words) && whole(word) != nil {
			i++
			word += words[i]
		}
		t := seconds(word)
		if t == nil {
			return false
		}
		sum.value, sum.digit = sum.value+t.value, t.digit
	}
	if m[3] != "" && !set(&r.transfer, size(m[3])) {
		return false
	}
	r.elapsed = &sum
	return set(&r.rate, figure(m[2]))
}

func (r *h2loadReader) requests(m []string) bool {
	var c h2loadCounts
	to := map[string]*int64{
		"total": &c.total, "started": &c.started, "done": &c.done, "succeeded": &c.succeeded,
		"failed": &c.failed, "errored": &c.errored, "timeout": &c.timeout,
	}
	for item := range strings.SplitSeq(m[1], ", ") {
		number, name, _ := strings.Cut(item, " ")
		n := whole(number)
		if n == nil || to[name] == nil {
			return false
		}
		*to[name] = *n
	}
	r.counts = &c
	for _, name := range []string{"failed", "errored", "timeout"} {
		if n := *to[name]; n > 0 {
			r.failed(name, n)
		}
	}
	return true
}

func (r *h2loadReader) statusCodes(m []string) bool {
	var n [4]int64
	for i, class := range []string{"2xx", "3xx", "4xx", "5xx"} {
		v := whole(m[i+1])
		if v == nil {
			return false
		}
		if n[i] = *v; *v > 0 {
			r.answered(class, *v)
		}
	}
	r.classes = &n
	return true
}

// times reads the row of whole requests by the columns' names, of which later
// versions have more.
func (r *h2loadReader) times(m []string) bool {
	columns, l := r.columns, &r.latency
	if columns == nil {
		columns = []string{"min", "max", "mean", "sd"}
	}
	for i, word := range strings.Fields(m[1]) {
		if i >= len(columns) || columns[i] == "+/-" {
			break
		}
		t := duration(word)
		if t == nil {
			return false
		}
		switch columns[i] {
		case "min":
			l.min = t
		case "max":
			l.max = t
		case "mean":
			l.mean = t
		case "sd":
			l.sd = t
		case "median":
			l.quantiles = append(l.quantiles, quantile{0.5, *t})
		case "p95":
			l.quantiles = append(l.quantiles, quantile{0.95, *t})
		case "p99":
			l.quantiles = append(l.quantiles, quantile{0.99, *t})
		}
	}
	return l.mean != nil
}

// close reckons what follows from several lines.
func (r *h2loadReader) close() {
	r.checked = "2xx"
	if r.clients > 0 {
		r.connections = &r.clients
	}
	if r.planned > 0 {
		r.requested = &r.planned
	}
	switch {
	case r.command.streams != nil:
		r.streams = *r.command.streams
	case r.protocol != "http/1.1":
		r.streams = 0 // requests share a connection, and how many is not printed
	}
	r.parts = []part{
		{`"finished in"`, r.rate != nil},
		{`"requests"`, r.counts != nil},
		{`"status codes"`, r.classes != nil},
		{`"traffic"`, r.total != nil},
		{`"time for request"`, r.latency.mean != nil},
	}
	if r.counts != nil {
		r.account()
	}
	r.window()
}

// window finds the time that the rate is of. What "finished in" says of a run by
// time has the warm-up in it, and what came after the end.
func (r *h2loadReader) window() {
	switch {
	case r.elapsed == nil:
	case r.warmup != nil && r.asked != nil:
		r.elapsed = &num{max(0, r.elapsed.value-r.warmup.value), r.elapsed.digit}
		stoppedEarly(r.sheet)
		r.elapsed.value = min(r.elapsed.value, r.asked.value)
	case r.planned == 0 && r.rate != nil && r.rate.value > 0 && r.counted != nil:
		made := r.rate.span().times(r.elapsed.span())
		if all := float64(*r.counted); made.low > all {
			r.doubt("it took %s s, and its rate is of %s s: as of a run by time, with a warm-up", digits(r.elapsed.value), digits(all/r.rate.value))
			r.elapsed = &num{all / r.rate.value, r.elapsed.digit}
		}
	}
}

// account finds out how many answers were right. h2load takes 3xx for success.
func (r *h2loadReader) account() {
	c := *r.counts
	r.complete, r.counted = new(c.succeeded+c.failed), &c.done
	if c.succeeded > c.done || c.done > c.started {
		r.invalid(results.CodeSum, float64(c.done), float64(c.started), "%s started, %s done, %s succeeded: a later count exceeds an earlier one",
			count(c.started), count(c.done), count(c.succeeded))
	}
	if c.done == 0 {
		r.latency = times{} // it prints 0 where there is none
	}
	if r.classes == nil {
		return
	}
	n := *r.classes
	// Answers that came after the end of a run by time are among the statuses.
	r.right = new(max(0, c.succeeded-n[1]))
	wrongAnswers(r.sheet, n[1]+n[2]+n[3], n[0]+n[1]+n[2]+n[3], "not 2xx")
}
