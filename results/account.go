package results

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// checkAccounts holds the engine's figures against each other. They are counted
// in different places, so that a mistake in one shows in the others.
func (i *inspection) checkAccounts() {
	i.checkSum()
	if i.found(CodeErrors) || i.found(CodeContract) || i.found(CodeInterrupted) {
		return
	}
	i.checkLittle()
	i.checkBytes()
	i.checkBody()
}

// checkSum: each request has one outcome.
func (i *inspection) checkSum() {
	var sum int64
	for _, n := range i.Load.Outcomes {
		sum += n
	}
	switch l := i.Load; {
	case sum != l.Started:
		i.invalid(CodeSum, float64(sum), float64(l.Started), "%s requests started, and %s have an outcome", count(l.Started), count(sum))
	case l.Outcomes[OutcomeOK] != l.OK:
		i.invalid(CodeSum, float64(l.OK), float64(l.Outcomes[OutcomeOK]), "%s right answers here, %s there", count(l.OK), count(l.Outcomes[OutcomeOK]))
	case l.Parts != nil:
		i.checkParts()
		i.checkDraw()
	}
}

// checkParts: each request of a mix has its part in the outcomes.
func (i *inspection) checkParts() {
	sums := map[string]int64{}
	for _, part := range i.Load.Parts {
		for outcome, n := range part {
			sums[outcome] += n
		}
	}
	if !maps.Equal(sums, i.Load.Outcomes) {
		i.invalid(CodeSum, 1, 0, "the outcomes of the target's requests are not those of all: %s, and %s", tally(sums), tally(i.Load.Outcomes))
	}
}

// tally writes outcomes with their counts.
func tally(outcomes map[string]int64) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(outcomes)) {
		all = append(all, count(outcomes[name])+" × "+name)
	}
	return strings.Join(all, ", ")
}

// checkLittle: in a closed loop each connection has one request in flight, which
// begins with opening the connection where it has to be opened. So the time in
// flight over the window is the number of connections (Little, A Proof for the
// Queuing Formula L = λW, 1961). Less means that the engine let connections lie
// idle, more that it counted time twice. A load by count ends with its last
// request, for which the other connections may have waited.
func (i *inspection) checkLittle() {
	if i.workload.Rate > 0 {
		i.checkOpenLittle()
		return
	}
	l, n := i.Load, float64(i.workload.Connections)
	if l.LatencySumS <= 0 || l.Latency == nil || n <= 0 {
		i.doubt("Little's law could not be checked: a figure that it needs is missing")
		return
	}
	flying, allowed := l.LatencySumS/l.ElapsedS, i.run.Limits.Account
	if i.workload.Requests > 0 && flying < n {
		allowed += l.Latency.MaxUS / 1e6 / l.ElapsedS
	}
	if off := math.Abs(flying/n - 1); off > allowed {
		i.invalid(CodeLittle, off, allowed, "%s requests in flight on average where the load has %d: off by %s, limit %s",
			digits(flying), i.workload.Connections, percent(off), percent(allowed))
	}
}

// checkBytes: what came in is the heads, the bodies, and the framing, which is
// that of the contract's answers each time. Exact but for failed requests, and for
// servers that cut their chunks anew.
func (i *inspection) checkBytes() {
	l := i.Load
	framing, ok := i.framing()
	if l.HeadBytes+l.BodyBytes == 0 || !ok {
		i.doubt("the account of bytes could not be checked: a figure that it needs is missing")
		return
	}
	expected := l.HeadBytes + l.BodyBytes + framing
	off := float64(l.BytesIn)/float64(expected) - 1
	if limit := i.run.Limits.Account; math.Abs(off) > limit {
		i.invalid(CodeBytes, math.Abs(off), limit, "%s B received, and the answers counted have %s B: off by %s, limit %s",
			count(l.BytesIn), count(expected), percent(math.Abs(off)), percent(limit))
	}
}

// framing returns the bytes of all right answers that are neither head nor body.
func (i *inspection) framing() (bytes int64, ok bool) {
	answers := i.answers()
	right, ok := i.Load.right(len(answers))
	if len(answers) != len(i.target.Mix()) || !ok {
		return 0, false
	}
	for n, a := range answers {
		switch {
		case a.Framing != "chunked":
		case a.WireBytes > 0:
			bytes += right[n] * (a.WireBytes - a.HeadBytes - a.BodyBytes)
		default:
			return 0, false
		}
	}
	return bytes, true
}

// checkBody: the right answers have the contract's lengths, so the bytes tell how
// many there were, whatever the engine counted. Of a mix in which some vary the others
// say how many bytes there are at least.
func (i *inspection) checkBody() {
	l, mix, answers := i.Load, i.target.Mix(), i.answers()
	right, ok := l.right(len(answers))
	if len(answers) != len(mix) || !ok || l.OK == 0 || l.HeadBytes+l.BodyBytes == 0 {
		return
	}
	var expected int64
	fixed, varies := false, false
	for n, a := range answers {
		if expected += right[n] * a.HeadBytes; mix[n].Varies {
			varies = true
			continue
		}
		fixed = true
		expected += right[n] * a.BodyBytes
	}
	if !fixed || expected == 0 {
		return
	}
	got := l.HeadBytes + l.BodyBytes
	off := float64(got)/float64(expected) - 1
	if limit := i.run.Limits.Account; off < -limit || off > limit && !varies {
		each := func(bytes int64) string { return digits(float64(bytes) / float64(l.OK)) }
		least := ""
		if varies {
			least = " at least"
		}
		i.invalid(CodeBytes, math.Abs(off), limit, "%s B an answer, head and body, where the contract has %s B%s: off by %s, limit %s",
			each(got), each(expected), least, percent(math.Abs(off)), percent(limit))
	}
}
