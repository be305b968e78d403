package report

import (
	"testing"

	"dyno/results"
)

// What the targets were asked is told where it is more than one thing: once where it
// is the same for all.
func TestAsked(t *testing.T) {
	request := func(line string, weight int) results.Asked {
		return results.Asked{Request: line + " HTTP/1.1\r\nHost: x\r\n\r\n", Weight: weight}
	}
	one := results.Target{Name: "one", Asked: request("GET /", 0)}
	several := func(name string) results.Target {
		return results.Target{Name: name, Asked: request("GET /", 8), Also: []results.Asked{request("POST /visit", 1)}}
	}
	control := several("a again")
	control.ControlOf = "a"
	for want, targets := range map[string][]results.Target{
		"":                           {one, one},
		"8 × GET /, 1 × POST /visit": {several("a"), several("b"), control},
		"a and b: 8 × GET /, 1 × POST /visit; one: GET /": {several("a"), one, several("b")},
	} {
		if got := bare(asked(targets)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
