package results

import (
	"fmt"
	"strings"
)

// Mix returns all that a target is asked, its first request first.
func (t Target) Mix() []Asked { return append([]Asked{t.Asked}, t.Also...) }

// Share returns the weight of a request, which counts from 1.
func (a Asked) Share() int64 { return int64(max(a.Weight, 1)) }

// Line returns the request's first line, without the version: "GET /hello".
func (a Asked) Line() string {
	first, _, _ := strings.Cut(a.Request, "\r\n")
	return strings.TrimSuffix(first, " HTTP/1.1")
}

// lines names all that a target is asked: "GET /hello", or "8 × GET /, 1 × GET /about".
func (t Target) lines() string {
	mix := t.Mix()
	if len(mix) == 1 {
		return t.Line()
	}
	var all []string
	for _, a := range mix {
		all = append(all, fmt.Sprintf("%d × %s", a.Share(), a.Line()))
	}
	return strings.Join(all, ", ")
}

// answers returns what the contract check saw, an answer for each request, and
// nothing where none came.
func (t Trial) answers() []Answer {
	if t.Contract == nil {
		return nil
	}
	return append([]Answer{*t.Contract}, t.AlsoContract...)
}

// right returns how many right answers each of so many requests had, and false where
// that is not known.
func (l *Load) right(requests int) (counts []int64, ok bool) {
	if requests == 1 {
		return []int64{l.OK}, true
	}
	if len(l.Parts) != requests {
		return nil, false
	}
	for _, part := range l.Parts {
		counts = append(counts, part[OutcomeOK])
	}
	return counts, true
}
