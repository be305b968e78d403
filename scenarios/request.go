package scenarios

import (
	"cmp"
	"slices"
	"strings"

	"dyno/scenarios/strict"
)

const maxWeight = 1_000_000

// part checks one of the requests that a target is asked.
func (c *checker) part(n *strict.Node, t partTable) Part {
	p := Part{Weight: 1, Request: c.request(n, t)}
	if n.Has("weight") {
		p.Weight = t.Weight
	}
	within(c, n.At("weight"), p.Weight, 1, maxWeight)
	p.Expect = c.expect(n.At("expect"), t.Expect, p.Method)
	return p
}

// request checks what a target is asked. Nothing it lets through can end a line, so a file cannot smuggle a second request in.
func (c *checker) request(n *strict.Node, t partTable) Request {
	r := Request{Method: "GET", Path: t.Path}
	if n.Has("method") {
		r.Method = t.Method
	}
	if n.Has("body") {
		r.Body = []byte(t.Body)
	}
	if !isToken(r.Method) {
		c.Add(n.At("method").Errorf("%q is not a method", r.Method))
	}
	if r.Method == "CONNECT" {
		c.Add(n.At("method").Errorf("CONNECT opens a tunnel; there is no answer to compare"))
	}
	if r.Method == "HEAD" && r.Body != nil {
		c.Add(n.At("body").Errorf("a HEAD request has no body"))
	}
	if !strings.HasPrefix(r.Path, "/") {
		c.Add(n.At("path").Errorf(`%q must begin with "/"`, r.Path))
	}
	if strings.ContainsFunc(r.Path, notInPath) {
		c.Add(n.At("path").Errorf("%q must be visible ASCII without #; write other bytes as %%XX", r.Path))
	}
	r.Headers = c.headers(n.At("headers"), t.Headers)
	return r
}

// headers checks header fields and returns them in the order of their names.
func (c *checker) headers(n *strict.Node, fields map[string]string) []Header {
	var all []Header
	for name, value := range fields {
		all = append(all, Header{name, value})
	}
	slices.SortFunc(all, func(a, b Header) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.Name, b.Name))
	})
	for i, h := range all {
		c.header(n.At(h.Name), h)
		if i > 0 && strings.EqualFold(all[i-1].Name, h.Name) {
			c.Add(n.At(h.Name).Errorf("stands twice: case does not matter in header names"))
		}
	}
	return all
}

// header checks one header field (RFC 9110, section 5.5).
func (c *checker) header(n *strict.Node, h Header) {
	if !isToken(h.Name) {
		c.Add(n.Errorf("%q is not a header name", h.Name))
	}
	switch strings.ToLower(h.Name) {
	case "connection":
		c.Add(n.Errorf("follows from workload.keepalive"))
	case "content-length", "transfer-encoding":
		c.Add(n.Errorf("follows from the body"))
	}
	if strings.ContainsFunc(h.Value, notInValue) || strings.Trim(h.Value, " \t") != h.Value {
		c.Add(n.Errorf("%q must hold no control characters and no blanks at its ends", h.Value))
	}
}

// notInPath reports whether r cannot stand in the path of a request.
func notInPath(r rune) bool { return !visible(r) || r == '#' }

// notInValue reports whether r cannot stand in a header's value.
func notInValue(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

// isToken reports whether s is a token (RFC 9110, section 5.6.2).
func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !visible(r) || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}

// visible reports whether r is printable ASCII other than a blank.
func visible(r rune) bool { return r > ' ' && r < 0x7f }
