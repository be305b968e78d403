package history

import (
	"fmt"

	"dyno/results"
)

// A sheet is one report as far as it was read. What is nil was not said.
type sheet struct {
	tool, version   string
	server, request string
	command         command
	lines           []string // as printed, from the first to the last that says something

	connections *int64
	streams     int64 // requests that one connection may have in flight; 0: not known
	keepAlive   *bool
	requested   *int64 // requests asked for
	complete    *int64 // requests that ended
	counted     *int64 // those that the tool reckons its rate by
	right       *int64
	elapsed     *num // seconds
	asked       *num // seconds that were asked for
	rate        *num // requests a second
	offered     *num // requests a second that were asked for
	total, body *num // bytes
	transfer    *num // bytes a second
	length      *int64
	failures    map[string]int64
	statuses    map[string]int64
	latency     times
	checked     string // what the tool looks for in a right answer

	parts []part // of a whole report, in the order in which they are printed
	cut   bool   // the text ends in the report's last line, without its end

	reasons []results.Reason
	doubts  []string
}

// times are in microseconds.
type times struct {
	min, mean, sd, max *num
	quantiles          []quantile
}

type quantile struct {
	share float64
	at    num
}

// A part is what a whole report has.
type part struct {
	name  string
	there bool
}

func (t times) times() *results.Times {
	if t.min == nil && t.mean == nil && t.max == nil && t.quantiles == nil {
		return nil
	}
	r := &results.Times{MinUS: t.min.float(), MeanUS: t.mean.float(), SDUS: t.sd.float(), MaxUS: t.max.float(), Quantiles: []results.Quantile{}}
	for _, q := range t.quantiles {
		r.Quantiles = append(r.Quantiles, results.Quantile{Share: q.share, US: q.at.value})
	}
	return r
}

// quantile returns the time within which a share ended, or nil.
func (t times) quantile(share float64) *num {
	for _, q := range t.quantiles {
		if q.share == share {
			return &q.at
		}
	}
	return nil
}

func (s *sheet) invalid(code string, figure, limit float64, format string, args ...any) {
	s.reasons = append(s.reasons, results.Reason{Code: code, Text: fmt.Sprintf(format, args...), Figure: figure, Limit: limit})
}

func (s *sheet) doubt(format string, args ...any) {
	s.doubts = append(s.doubts, fmt.Sprintf(format, args...))
}

func (s *sheet) found(code string) bool {
	for _, r := range s.reasons {
		if r.Code == code {
			return true
		}
	}
	return false
}

// kindsOfFailure are told apart, at most.
const kindsOfFailure = 20

// failed counts a kind of failure, in the tool's words.
func (s *sheet) failed(kind string, n int64) {
	if s.failures == nil {
		s.failures = map[string]int64{}
	}
	if _, known := s.failures[kind]; !known && len(s.failures) >= kindsOfFailure {
		kind = "other"
	}
	s.failures[kind] = min(s.failures[kind]+n, most)
}

// answered counts answers with a status.
func (s *sheet) answered(status string, n int64) {
	if s.statuses == nil {
		s.statuses = map[string]int64{}
	}
	s.statuses[status] = min(s.statuses[status]+n, most)
}

// says reports whether the sheet has a figure, without which it is no report.
func (s *sheet) says() bool {
	return s.complete != nil || s.rate != nil || s.elapsed != nil || s.latency.mean != nil
}
