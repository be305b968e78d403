package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"dyno/orchestrator/load"
)

const (
	mostWeight = 1_000_000
	nameRoom   = 40 // characters for a request's name in the report
)

// mix returns the requests of the load: that of the URL, and those of --also,
// which differ from it in method and path, have no body, and may be answered
// with any.
func (l *loading) mix(first load.Part) ([]load.Part, error) {
	first.Weight = l.weight
	parts := []load.Part{first}
	for _, text := range l.also {
		p := load.Part{Request: first.Request, Expect: load.Expect{Status: first.Expect.Status, Length: -1}}
		p.Body = nil
		words := strings.Fields(text)
		if len(words) != 3 || !strings.HasPrefix(words[2], "/") {
			return nil, fmt.Errorf("--also %q is not a weight, a method and a path: write 3 GET /path", text)
		}
		n, err := strconv.Atoi(words[0])
		if err != nil || n < 1 || n > mostWeight {
			return nil, fmt.Errorf("--also %q: weight %s is not within 1 and %d", text, words[0], mostWeight)
		}
		p.Weight, p.Method, p.Path = n, words[1], words[2]
		parts = append(parts, p)
	}
	return parts, nil
}

// requests tells of each of several requests what became of it.
func (r loadReport) requests(b *strings.Builder) {
	if len(r.result.Parts) < 2 {
		return
	}
	fmt.Fprintf(b, "\nOf these, by request\n")
	var rows []outcomeRow
	for i, o := range r.result.Parts {
		p := r.plan.cfg.Mix[i]
		var words []string
		for k, n := range o {
			if n > 0 {
				words = append(words, load.Outcome(k).String()+": "+grouped(n))
			}
		}
		rows = append(rows, outcomeRow{nameOf(p.Request), o.Sum(), fmt.Sprintf("weight %d; %s", p.Weight, strings.Join(words, ", "))})
	}
	alignRows(b, rows)
}

// nameOf returns method and path, cut to nameRoom.
func nameOf(r load.Request) string {
	name := methodOf(r) + " " + r.Path
	if utf8.RuneCountInString(name) > nameRoom {
		name = string([]rune(name)[:nameRoom-1]) + "…"
	}
	return name
}

func methodOf(r load.Request) string {
	if r.Method == "" {
		return "GET"
	}
	return r.Method
}

// A jsonRequest is one of the requests sent.
type jsonRequest struct {
	Wire     string           `json:"wire"` // the bytes sent
	Weight   int              `json:"weight"`
	Outcomes map[string]int64 `json:"outcomes"` // null: nothing was measured
}

func (r loadReport) jsonRequests() []jsonRequest {
	var all []jsonRequest
	for i, p := range r.plan.cfg.Mix {
		j := jsonRequest{Wire: string(p.Wire()), Weight: p.Weight}
		if i < len(r.result.Parts) {
			j.Outcomes = named(r.result.Parts[i])
		}
		all = append(all, j)
	}
	return all
}
