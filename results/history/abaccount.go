package history

import (
	"cmp"
	"math"

	"dyno/results"
)

// close reckons what follows from several lines.
func (r *abReader) close() {
	if r.gaveUp != "" && r.complete == nil {
		r.complete = new(int64(0)) // it says how many were complete where any was
	}
	r.counted = r.complete
	r.request = r.url()
	switch {
	case r.keptAlive != nil || r.command.keepAlive:
		r.keepAlive = new(true)
	case r.bad != nil && r.beyond:
		r.keepAlive = new(false) // ab would have said how many
	}
	if r.non2xx == nil && r.bad != nil && r.beyond {
		r.non2xx = new(int64(0))
	}
	if n := value64(r.non2xx); n > 0 {
		r.answered("not 2xx", n)
	}
	r.checked = "2xx"
	switch {
	case r.varies:
		r.checked = "2xx, of any length"
	case r.length != nil:
		r.checked = "2xx and " + count(*r.length) + " B"
	}
	r.parts = []part{
		{`"Document Path"`, r.path != ""},
		{`"Complete requests"`, r.complete != nil},
		{`"Failed requests"`, r.bad != nil},
		{`"Total transferred"`, r.total != nil},
		{`"HTML transferred"`, r.body != nil},
		{`"Requests per second"`, r.rate != nil},
		{`"Connection Times"`, r.latency.mean != nil},
		{`"Percentage of the requests"`, len(r.latency.quantiles) > 0},
	}
	if r.gaveUp != "" {
		r.parts = nil // ab prints no report then
	}
	r.ending()
	r.account()
	r.bytes()
	r.eachRequest()
	r.kept()
	for _, text := range r.own {
		r.doubt("ab itself says: %s", cutLine(text, 200))
	}
}

// url is what was requested.
func (r *abReader) url() string {
	scheme, usual := "http", "80"
	if r.secure {
		scheme, usual = "https", "443"
	}
	switch {
	case r.host == "":
		return r.path
	case r.port == "" || r.port == usual:
		return scheme + "://" + r.host + r.path
	}
	return scheme + "://" + r.host + ":" + r.port + r.path
}

// value64 is 0 where nothing is known.
func value64(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

// ending asks whether ab went on to the end.
func (r *abReader) ending() {
	p, done := r.progress, value64(r.complete)
	if r.gaveUp != "" {
		r.invalid(results.CodeInterrupted, float64(done), float64(value64(r.requested)), "ab gave up after %s: %s",
			plural(done, "request"), cutLine(r.gaveUp, 120))
		return
	}
	if r.complete == nil {
		return
	}
	asked, about := value64(r.requested), ""
	if asked == 0 {
		asked, about = 10*p.step, "about " // it speaks ten times
	}
	switch {
	case p.said > done:
		r.invalid(results.CodeArithmetic, float64(done), float64(p.said), "its progress says %s requests and its report %s", count(p.said), count(done))
	case r.requested != nil && done > asked:
		r.invalid(results.CodeSum, float64(done), float64(asked), "%s complete, and %s were asked for", plural(done, "request"), count(asked))
	case done >= asked:
	case r.command.limited || p.finished && about != "":
		r.doubt("%s of %s%s: a limit of time ended it", count(done), about, plural(asked, "request"))
	default:
		r.invalid(results.CodeInterrupted, float64(done), float64(asked), "it was stopped after %s of %s%s", count(done), about, plural(asked, "request"))
	}
}

// account finds out how many answers were right: 2xx and, where ab compares them,
// as long as the first.
func (r *abReader) account() {
	if r.complete == nil || r.gaveUp != "" {
		return
	}
	done, wrong := *r.complete, value64(r.non2xx)
	if wrong > 0 {
		r.invalid(results.CodeContract, float64(wrong), 0, "%s of %s were not 2xx%s", count(wrong), plural(done, "answer"), r.asLongAs(wrong, done))
	}
	if wrong > done {
		r.invalid(results.CodeSum, float64(wrong), float64(done), "%s answers were not 2xx, of %s: more than were asked for", count(wrong), plural(done, "request"))
	}
	switch {
	case wrong >= done:
		r.right = new(int64(0))
	case r.bad == nil || r.non2xx == nil:
		return // how many failed, or were not 2xx, is not said
	case *r.bad > done && r.kinds == nil:
		r.invalid(results.CodeSum, float64(*r.bad), float64(done), "%s failed, of %s", count(*r.bad), plural(done, "request"))
		return
	case *r.bad == 0:
		r.right = new(done - wrong - min(r.writeErrors, done-wrong))
	default:
		r.takeApart(done, wrong)
	}
}

// asLongAs says that all answers had one length, as error pages have.
func (r *abReader) asLongAs(wrong, done int64) string {
	if wrong >= done && r.length != nil && value64(r.bad) == 0 {
		return ", each of " + count(*r.length) + " B"
	}
	return ""
}

// takeApart takes failed requests apart. Those that ab counts overlap: one that
// was reset is counted three times, and one that is not 2xx may fail by its length
// too. The bytes tell: where whole bodies of the one length account for all of
// them, and their number is that of the requests which did not fail by length,
// the others had no body at all.
func (r *abReader) takeApart(done, wrong int64) {
	least := *r.bad // failed at least
	byLength := *r.bad
	if p := r.kinds; p != nil {
		least = max(p.connect, p.receive, p.length, p.exceptions)
		byLength = p.length
	}
	bodies, ok := r.bodies()
	ok = ok && math.Abs(float64(bodies-(done-byLength))) <= max(float64(value64(r.connections)), float64(done)/1000)
	switch {
	case ok:
		right := min(bodies, done) - wrong
		r.right = new(max(0, right))
		if empty := done - min(bodies, done); empty > 0 {
			r.doubt("%s got no body: its %s B of bodies are %s of %s B%s", plural(empty, "request"), digits(r.body.value), count(bodies), count(*r.length), r.keptToo(bodies))
		}
	case byLength > 0 && r.kinds != nil && r.body != nil && r.length != nil && !r.varies:
		r.invalid(results.CodeContract, float64(byLength), 0,
			"%s of %s bodies were not as long as the first, %s B (mean %s B): either the page varies, which ab has to be told by -l, or answers were wrong; it does not say which",
			count(byLength), count(done), count(*r.length), digits(r.body.value/float64(done)))
		return
	case wrong == 0 && r.kinds != nil && least == *r.bad, wrong == 0 && r.kinds == nil:
		r.right = new(done - min(least, done))
	default:
		r.doubt("failures that are counted twice cannot be told apart: between %s and %s requests failed", count(max(least, wrong)), count(min(done, *r.bad+wrong)))
		r.invalid(results.CodeErrors, float64(max(least, wrong))/float64(done), results.DefaultLimits().Errors, "at least %s of %s failed", count(max(least, wrong)), plural(done, "request"))
	}
}

// bodies returns how many bodies of the document's length the bytes are.
func (r *abReader) bodies() (n int64, ok bool) {
	if r.body == nil || value64(r.length) == 0 || r.varies {
		return 0, false
	}
	all := int64(r.body.value)
	return all / *r.length, all%*r.length == 0
}

// keptToo says that the count of kept connections bears the bytes out.
func (r *abReader) keptToo(bodies int64) string {
	if r.keptAlive != nil && *r.keptAlive == bodies {
		return ", and as many connections were kept"
	}
	return ""
}

// bytes holds the bytes against the answers.
func (r *abReader) bytes() {
	if r.total != nil && r.body != nil && r.total.value < r.body.value {
		r.invalid(results.CodeBytes, r.total.value, r.body.value, "%s B in all, and %s B of bodies alone", digits(r.total.value), digits(r.body.value))
	}
	r.surplus()
	if r.transfer == nil || r.total == nil || r.elapsed == nil {
		return
	}
	// ab 1.3 has kilobytes of 1000 B, and 2.0 drops what is less than a whole one.
	taken := r.elapsed.span()
	for _, kilobyte := range []float64{1000, 1024} {
		if r.transfer.by(kilobyte).span().times(taken).meets(span{r.total.value - 1024, r.total.value}) {
			return
		}
	}
	made := r.transfer.value * 1024 * r.elapsed.value
	r.invalid(results.CodeBytes, made, r.total.value, "its transfer rate makes %s B, and it counts %s B", digits(made), digits(r.total.value))
}

// surplus: where nothing failed all bodies have the length of the first. Versions
// of ab differ in whether answers count that come after the last one asked for.
func (r *abReader) surplus() {
	if r.bad == nil || *r.bad > 0 || r.complete == nil || r.body == nil || value64(r.length) == 0 || r.varies {
		return
	}
	all, expected := r.body.value, float64(*r.complete)*float64(*r.length)
	after := (all - expected) / float64(*r.length)
	switch {
	case all == expected:
	case all > expected && after <= float64(cmp.Or(value64(r.connections), 1000)):
		r.doubt("it read the bodies of %s more than the %s that it counts: answers after the last one asked for", plural(int64(math.Ceil(after)), "answer"), count(*r.complete))
	default:
		r.invalid(results.CodeBytes, all, expected, "%s B of bodies, where %s of %s B are %s B", digits(all), plural(*r.complete, "answer"), count(*r.length), digits(expected))
	}
}

// eachRequest holds "Time per request", which is derived, against what it is
// derived from.
func (r *abReader) eachRequest() {
	if r.elapsed == nil || r.complete == nil || *r.complete == 0 {
		return
	}
	all := r.elapsed.by(1e3).span().over(exactly(*r.complete))
	if r.eachOfAll != nil && !r.eachOfAll.span().meets(all) {
		r.invalid(results.CodeArithmetic, r.eachOfAll.value, all.high, "%s ms for each of %s make %s s, not %s s",
			digits(r.eachOfAll.value), plural(*r.complete, "request"), digits(r.eachOfAll.value*float64(*r.complete)/1e3), digits(r.elapsed.value))
	}
	if r.each == nil || value64(r.connections) == 0 {
		return
	}
	if one := all.times(exactly(*r.connections)); !r.each.span().meets(one) {
		r.invalid(results.CodeArithmetic, r.each.value, one.high, "a mean of %s ms over %s makes %s s for %s, not %s s",
			digits(r.each.value), plural(*r.connections, "connection"), digits(r.each.value*float64(*r.complete)/float64(*r.connections)/1e3),
			plural(*r.complete, "request"), digits(r.elapsed.value))
	}
}

// kept looks at connections that the server closed though they were to be kept.
func (r *abReader) kept() {
	if r.keptAlive == nil || r.complete == nil || *r.complete == 0 {
		return
	}
	allRight := r.right != nil && *r.right == *r.complete // else what failed closed connections too
	kept, done := *r.keptAlive, *r.complete
	switch {
	case kept > done+value64(r.connections):
		r.invalid(results.CodeSum, float64(kept), float64(done), "%s kept their connection, of %s", count(kept), plural(done, "request"))
	case kept == 0:
		r.doubt("connections were to be kept, and the server kept none: each request has the time of a connect")
	case kept < done && allRight:
		r.doubt("the server closed the connection after %s of %s answers, about one in %s: the next request has the time of a connect",
			count(done-kept), count(done), digits(math.Round(float64(done)/float64(done-kept))))
	}
}
