package load

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// A Proto is the HTTP version that a request names.
type Proto uint8

const (
	HTTP11 Proto = iota // HTTP/1.1
	HTTP10              // HTTP/1.0
)

// String returns the version as the request line has it.
func (p Proto) String() string {
	if p == HTTP10 {
		return "HTTP/1.0"
	}
	return "HTTP/1.1"
}

// A Field is one header line.
type Field struct {
	Name, Value string
}

// A Request is what is sent.
type Request struct {
	Method string  // "" is GET
	Path   string  // target of the request line; "" is "/"
	Host   string  // value of the Host header; "" is "localhost"
	Header []Field // sent in this order, after Host
	Body   []byte

	// KeepAlive reports whether the connection is to serve further requests.
	// False is one request a connection: "Connection: close", which HTTP/1.0
	// need not say.
	KeepAlive bool

	Proto Proto // the zero value is HTTP/1.1
}

// Wire returns the exact bytes that are sent. Host, Content-Length and
// Connection are added where they are needed, unless Header names them.
func (r Request) Wire() []byte {
	w := fmt.Appendf(nil, "%s %s %s\r\n", r.method(), r.path(), r.Proto)
	for _, f := range r.fields() {
		w = fmt.Appendf(w, "%s: %s\r\n", f.Name, f.Value)
	}
	w = append(w, "\r\n"...)
	return append(w, r.Body...)
}

func (r Request) method() string {
	if r.Method == "" {
		return "GET"
	}
	return r.Method
}

func (r Request) path() string {
	if r.Path == "" {
		return "/"
	}
	return r.Path
}

func (r Request) fields() []Field {
	var fs []Field
	add := func(name, value string) {
		if !r.names(name) {
			fs = append(fs, Field{name, value})
		}
	}
	if r.Host != "" {
		add("Host", r.Host)
	} else if r.Proto == HTTP11 {
		add("Host", "localhost")
	}
	fs = append(fs, r.Header...)
	if len(r.Body) > 0 || r.carriesBody() {
		add("Content-Length", fmt.Sprint(len(r.Body)))
	}
	switch {
	case !r.KeepAlive && r.Proto == HTTP11:
		add("Connection", "close")
	case r.KeepAlive && r.Proto == HTTP10:
		add("Connection", "Keep-Alive")
	}
	return fs
}

func (r Request) names(name string) bool {
	for _, f := range r.Header {
		if strings.EqualFold(f.Name, name) {
			return true
		}
	}
	return false
}

// carriesBody reports whether the method gives a body a meaning, so that even
// an empty one needs its length.
func (r Request) carriesBody() bool {
	switch r.Method {
	case "POST", "PUT", "PATCH":
		return true
	}
	return false
}

// idempotent reports whether the request may be sent again after its
// connection died unanswered (RFC 9110, section 9.2.2).
func (r Request) idempotent() bool {
	switch r.method() {
	case "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE":
		return true
	}
	return false
}

// check reports what would make the bytes of r something else than one request.
func (r Request) check() error {
	if !isToken(r.method()) {
		return fmt.Errorf("method %q is not a token", r.Method)
	}
	if p := r.path(); strings.ContainsAny(p, " \r\n\t\x00") {
		return fmt.Errorf("path %q holds white space", p)
	}
	if r.Proto > HTTP10 {
		return errors.New("protocol is neither HTTP/1.1 nor HTTP/1.0")
	}
	for _, f := range r.fields() {
		if !isToken(f.Name) {
			return fmt.Errorf("header name %q is not a token", f.Name)
		}
		if strings.ContainsAny(f.Value, "\r\n\x00") {
			return fmt.Errorf("value of header %s holds a line end", f.Name)
		}
	}
	return nil
}

func isToken(s string) bool {
	return s != "" && tokenLen([]byte(s)) == len(s)
}

// anyStatus is the expected status that every answer has.
const anyStatus = -1

// An Expect is what a right answer is.
type Expect struct {
	Status int    // 0 is 200, -1 is any
	Body   []byte // compared byte by byte; nil is not compared

	// Length is the body's length, compared where Body is nil: 0 is an empty
	// body, -1 is not compared. Of an answer to HEAD no body is expected.
	Length int64
}

func (e Expect) check(head bool) error {
	if e.Status != 0 && e.Status != anyStatus && (e.Status < 200 || e.Status > 999) {
		return fmt.Errorf("expected status %d is neither -1 nor a final one, 200 to 999", e.Status)
	}
	if e.Body == nil && e.Length < -1 {
		return fmt.Errorf("expected length %d is neither -1 nor a length", e.Length)
	}
	if head && len(e.Body) > 0 {
		return errors.New("a body is expected of an answer to HEAD")
	}
	return nil
}

// An exchange is a request made ready: its bytes, and what is to come back.
type exchange struct {
	part   int // index in [Config.Mix]
	wire   []byte
	req    Request
	head   bool // the request is HEAD
	status int
	body   []byte
	length int64 // -1: any
}

func newExchange(r Request, e Expect) (*exchange, error) {
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("checking the request: %w", err)
	}
	x := &exchange{wire: r.Wire(), req: r, head: r.Method == "HEAD", status: e.Status, length: e.Length}
	if err := e.check(x.head); err != nil {
		return nil, fmt.Errorf("checking what is expected: %w", err)
	}
	if x.status == 0 {
		x.status = 200
	}
	switch {
	case x.head:
		x.length = -1
	case e.Body != nil:
		x.body, x.length = bytes.Clone(e.Body), int64(len(e.Body))
	}
	return x, nil
}
