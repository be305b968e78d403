package history

import (
	"fmt"
	"slices"
	"strings"

	"dyno/results"
)

// judge finds what the figures say about each other. What follows from one tool's
// ways was found when the sheet was closed.
func (s *sheet) judge(limits results.Limits) {
	s.checkErrors(limits)
	s.checkRate()
	s.checkTransfer()
	s.checkOrder()
	s.checkFlight(limits)
	s.checkOffered()
	s.checkWhole()
}

// checkErrors puts the rule of a trial to what is known of right answers.
func (s *sheet) checkErrors(limits results.Limits) {
	if s.right == nil || s.complete == nil || s.found(results.CodeErrors) {
		return
	}
	done, right := *s.complete, *s.right
	switch {
	case done == 0:
		s.invalid(results.CodeFew, 0, float64(limits.MinRequests), "no request ended")
	case float64(done-right)/float64(done) > limits.Errors:
		share := float64(done-right) / float64(done)
		s.invalid(results.CodeErrors, share, limits.Errors, "errors %s > %s: %s of %s got no right answer%s",
			percent(share), percent(limits.Errors), count(done-right), plural(done, "request"), s.listed())
	case right < limits.MinRequests:
		s.invalid(results.CodeFew, float64(right), float64(limits.MinRequests), "%s, and %s are needed", plural(right, "right answer"), count(limits.MinRequests))
	}
}

// listed writes the failures in the tool's words.
func (s *sheet) listed() string {
	var parts []string
	for _, kind := range frequent(s.failures) {
		parts = append(parts, count(s.failures[kind])+" × "+kind)
	}
	if len(parts) == 0 {
		return ""
	}
	return "; " + s.tool + " counts " + strings.Join(parts, ", ")
}

// checkRate: rate times time is the number of requests.
func (s *sheet) checkRate() {
	if s.rate == nil || s.elapsed == nil || s.counted == nil {
		return
	}
	if made := s.rate.span().times(s.elapsed.span()); !made.meets(exactly(*s.counted)) {
		product := s.rate.value * s.elapsed.value
		s.invalid(results.CodeArithmetic, product, float64(*s.counted), "%s a second for %s s make %s requests, and it counts %s",
			digits(s.rate.value), digits(s.elapsed.value), digits(product), count(*s.counted))
	}
}

// checkTransfer: the same of bytes, for tools other than ab.
func (s *sheet) checkTransfer() {
	if s.tool == "ab" || s.transfer == nil || s.elapsed == nil || s.total == nil {
		return
	}
	if made := s.transfer.span().times(s.elapsed.span()); !made.meets(s.total.span()) {
		product := s.transfer.value * s.elapsed.value
		s.invalid(results.CodeBytes, product, s.total.value, "%s B a second for %s s make %s B, and it counts %s B",
			digits(s.transfer.value), digits(s.elapsed.value), digits(product), digits(s.total.value))
	}
}

// checkOrder: quantiles rise, between the least and the greatest time.
func (s *sheet) checkOrder() {
	type point struct {
		name string
		at   *num
	}
	points := []point{{"least time", s.latency.min}}
	for _, q := range s.latency.quantiles {
		points = append(points, point{fmt.Sprintf("time of %s", percent(q.share)), &q.at})
	}
	points = append(points, point{"longest time", s.latency.max})
	points = slices.DeleteFunc(points, func(p point) bool { return p.at == nil })
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		if a.at.span().low > b.at.span().high {
			s.invalid(results.CodeArithmetic, a.at.value, b.at.value, "its %s, %s, is above its %s, %s", a.name, a.at.ms(), b.name, b.at.ms())
			return
		}
	}
	if mean, least := s.latency.mean, s.latency.min; mean != nil && least != nil && mean.span().high < least.span().low {
		s.invalid(results.CodeArithmetic, mean.value, least.value, "its mean time, %s, is below its least, %s", mean.ms(), least.ms())
	}
	if mean, most := s.latency.mean, s.latency.max; mean != nil && most != nil && mean.span().low > most.span().high {
		s.invalid(results.CodeArithmetic, mean.value, most.value, "its mean time, %s, is above its longest, %s", mean.ms(), most.ms())
	}
}

// checkFlight: rate times mean time is the number of requests in flight (Little, A
// Proof for the Queuing Formula L = λW, 1961), and each connection has one. More
// cannot be. Fewer are where connections lie idle: at the begin and the end of a
// run, for as long as the longest request, and while the load generator is busy
// with others.
func (s *sheet) checkFlight(limits results.Limits) {
	if s.rate == nil || s.latency.mean == nil || value64(s.connections) == 0 || s.streams == 0 || s.found(results.CodeErrors) {
		return
	}
	flying := s.rate.span().times(s.latency.mean.per(1e6).span())
	open := float64(*s.connections) * float64(s.streams)
	seen := s.rate.value * s.latency.mean.value / 1e6
	text := fmt.Sprintf("rate times mean time are %s requests in flight, of %s", digits(seen), plural(*s.connections, "connection"))
	edges := 0.0
	if s.latency.max != nil && s.elapsed != nil && s.elapsed.value > 0 {
		edges = 2 * s.latency.max.span().high / 1e6 / s.elapsed.value
	}
	over := flying.low > open*(1+limits.Account)
	switch {
	case over && s.tool == "wrk2":
		s.doubt("%s: requests waited for their turn, and the times have that in them: the rate was more than the server took", text)
	case over && s.tool == "wrk":
		s.doubt("%s: wrk adds times that it thinks it missed, and a script may send several requests at once; these are not times of single requests", text)
	case over && s.tool == "h2load":
		s.doubt("%s: several shared a connection (-m)", text)
	case over:
		s.invalid(results.CodeLittle, seen/open-1, limits.Account, "%s, which cannot be", text)
	case s.tool == "wrk2": // starts by a clock: connections lie idle by intent
	case s.tool == "ab" && flying.high < open*(leastFlying-edges):
		s.invalid(results.CodeLittle, 1-seen/open, 1-leastFlying, "%s, which ab keeps busy", text)
	case s.tool == "ab" && flying.high < open*(1-limits.Account-edges), flying.high < open*leastFlying:
		s.doubt("%s: connections lay idle, or the times leave requests out", text)
	}
}

// leastFlying is the share of connections that have a request in flight, at least,
// in a run whose times may be those of all its requests.
const leastFlying = 0.8

// checkOffered: a rate that was asked for has to be reached, or latencies are
// those of another load.
func (s *sheet) checkOffered() {
	const least = 0.99
	if s.tool != "wrk2" || s.offered == nil || s.rate == nil || s.offered.value == 0 {
		return
	}
	if s.rate.value < least*s.offered.value {
		s.invalid(results.CodeRate, s.rate.value/s.offered.value, least, "%s a second were asked for, and %s reached", digits(s.offered.value), digits(s.rate.value))
	}
}

// checkWhole says what is missing.
func (s *sheet) checkWhole() {
	if s.right == nil && len(s.reasons) == 0 {
		s.doubt("how many answers were right it does not say")
	}
	missing, end := s.missing()
	switch {
	case len(missing) == 0:
		return
	case end != "":
		s.doubt("it breaks off after %s", end)
	default:
		s.doubt("it is part of a report, without %s", strings.Join(missing, ", "))
	}
	if s.cut {
		s.doubt("its last line may be cut: the text ends without the end of a line")
	}
}

// missing returns the parts that are not there, and, where these are the last
// ones, the part before them.
func (s *sheet) missing() (names []string, end string) {
	for i, p := range s.parts {
		switch {
		case !p.there:
			names = append(names, p.name)
		case len(names) > 0:
			end = ""
		case i == 0 || end != "":
			end = p.name
		}
	}
	return names, end
}

// wrongAnswers: one is too many, for a server that answers wrongly does other work.
func wrongAnswers(s *sheet, wrong, answers int64, are string) {
	if wrong > answers {
		s.invalid(results.CodeSum, float64(wrong), float64(answers), "%s were %s, of %s", plural(wrong, "answer"), are, count(answers))
	}
	if wrong > 0 {
		s.invalid(results.CodeContract, float64(wrong), 0, "%s of %s were %s", count(wrong), plural(answers, "answer"), are)
	}
}

// stoppedEarly compares the time taken with the time asked for.
func stoppedEarly(s *sheet) {
	const least = 0.95
	if s.elapsed.value < least*s.asked.value-s.elapsed.digit {
		s.invalid(results.CodeInterrupted, s.elapsed.value, s.asked.value, "it was stopped after %s of %s s", digits(s.elapsed.value), digits(s.asked.value))
	}
}
