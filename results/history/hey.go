package history

import (
	"regexp"
	"strings"
)

// heyReader reads the summary of hey, and of boom, as it was called before.
type heyReader struct {
	*sheet
	met state

	coded bool // the statuses were listed
	bytes *num // of one answer
	lost  int64
}

// heyMost is the number of requests whose times hey keeps. Its mean is that of all
// times over the number of those kept, so it is wrong where there were more.
const heyMost = 1_000_000

func newHey(s *sheet) reader { return &heyReader{sheet: s} }

func (r *heyReader) take(line string) meaning { return take(heyRules, &r.met, r, line) }

var heyOpens = regexp.MustCompile(`^(?:Summary:$|Response time histogram:$|Status code distribution:$)`)

var heyRules = []rule[*heyReader]{
	{pattern: regexp.MustCompile(`^Summary:$`), read: func(r *heyReader, m []string) bool { return true }},
	{pattern: regexp.MustCompile(`^Total: (.*)`), read: func(r *heyReader, m []string) bool { return set(&r.elapsed, seconds(m[1])) }},
	{pattern: regexp.MustCompile(`^Slowest: (.*)`), read: func(r *heyReader, m []string) bool { return set(&r.latency.max, duration(m[1])) }},
	{pattern: regexp.MustCompile(`^Fastest: (.*)`), read: func(r *heyReader, m []string) bool { return set(&r.latency.min, duration(m[1])) }},
	{pattern: regexp.MustCompile(`^Average: (.*)`), read: func(r *heyReader, m []string) bool {
		return strings.HasPrefix(m[1], "NaN") || set(&r.latency.mean, duration(m[1]))
	}},
	{pattern: regexp.MustCompile(`^Requests/sec: (.*)`), read: func(r *heyReader, m []string) bool {
		return m[1] == "NaN" || set(&r.rate, figure(m[1]))
	}},
	{pattern: regexp.MustCompile(`(?i)^Total data(?: received)?: (\S+) bytes`), read: func(r *heyReader, m []string) bool { return set(&r.body, figure(m[1])) }},
	{pattern: regexp.MustCompile(`(?i)^(?:Size/request|Response size per request): (\S+) bytes`), read: func(r *heyReader, m []string) bool { return set(&r.bytes, figure(m[1])) }},
	{pattern: regexp.MustCompile(`^Note: Distributions are for first`), read: func(r *heyReader, m []string) bool { return true }},
	{pattern: regexp.MustCompile(`^Response time histogram:$`), read: func(r *heyReader, m []string) bool { return true }},
	{pattern: regexp.MustCompile(`^[\d.]+ \[[\d,]+\] \|`), repeats: true, read: func(r *heyReader, m []string) bool { return true }},
	{pattern: regexp.MustCompile(`^Latency distribution:$`), read: func(r *heyReader, m []string) bool { return true }},
	{pattern: regexp.MustCompile(`^(\d+)%%? in (.*)`), repeats: true, read: (*heyReader).percentile},
	{pattern: regexp.MustCompile(`^Details \(average, fastest, slowest\):$`), read: func(r *heyReader, m []string) bool { return true }},
	{pattern: regexp.MustCompile(`^(?:DNS\+dialup|DNS-lookup|req write|resp wait|resp read): `), repeats: true, read: func(r *heyReader, m []string) bool { return true }},
	{pattern: regexp.MustCompile(`^Status code distribution:$`), read: func(r *heyReader, m []string) bool { r.coded = true; return true }},
	{pattern: regexp.MustCompile(`^\[(\d{3})\] ([\d,]+) responses$`), repeats: true, read: (*heyReader).status},
	{pattern: regexp.MustCompile(`^Error distribution:$`), read: func(r *heyReader, m []string) bool { return true }},
	{pattern: regexp.MustCompile(`^\[([\d,]+)\] (\S.*)$`), repeats: true, read: (*heyReader).lostRequests},
}

// ownPort is what differs in each error: the connection's own end.
var ownPort = regexp.MustCompile(`\S+:\d+->`)

func (r *heyReader) percentile(m []string) bool {
	share, at := figure(m[1]), duration(m[2])
	if share == nil || at == nil || share.value >= 100 {
		return false
	}
	if share.value > 0 { // an empty place in its list is printed as 0
		r.latency.quantiles = append(r.latency.quantiles, quantile{share.value / 100, *at})
	}
	return true
}

func (r *heyReader) status(m []string) bool {
	n := whole(m[2])
	if n == nil {
		return false
	}
	r.answered(m[1], *n)
	return true
}

func (r *heyReader) lostRequests(m []string) bool {
	n := whole(m[1])
	if n == nil || r.lost+*n > most {
		return false
	}
	r.lost += *n
	r.failed(cutLine(ownPort.ReplaceAllString(m[2], ""), 120), *n)
	return true
}

// close reckons what follows from several lines.
func (r *heyReader) close() {
	r.checked = "2xx"
	if r.bytes != nil {
		r.length = r.bytes.count()
	}
	r.parts = []part{
		{`"Summary"`, r.elapsed != nil && r.rate != nil},
		{`"Latency distribution"`, len(r.latency.quantiles) > 0 || r.coded && len(r.statuses) == 0},
		{`"Status code distribution"`, r.coded},
	}
	if !r.coded {
		r.length = nil // a mean of who knows how many
		return
	}
	answers, right := int64(0), int64(0)
	for code, n := range r.statuses {
		answers += n
		if code[0] == '2' {
			right += n
		}
	}
	if answers == 0 {
		r.latency = times{} // hey prints 0 where there is none
	}
	r.right, r.complete, r.counted = &right, new(answers+r.lost), new(answers+r.lost)
	wrongAnswers(r.sheet, answers-right, answers, "not 2xx")
	if n := value64(r.requested); n > 0 && n != *r.complete && !r.command.limited {
		r.doubt("%s ended, and %s were asked for: hey gives each of its workers as many", plural(*r.complete, "request"), count(n))
	}
	r.reckoned(answers)
}

// reckoned finds out which requests hey reckoned with: old versions leave those
// out that failed, and all those behind the first million.
func (r *heyReader) reckoned(answers int64) {
	if answers > heyMost && r.latency.mean != nil {
		r.doubt("hey keeps the times of %s requests, and divides the sum of all by these: its mean is wrong", count(heyMost))
		r.latency.mean = nil
	}
	if r.rate == nil || r.elapsed == nil {
		return
	}
	for _, n := range []int64{answers + r.lost, answers, min(answers, heyMost)} {
		if r.rate.span().times(r.elapsed.span()).meets(exactly(n)) {
			r.counted = &n
			return
		}
	}
}
