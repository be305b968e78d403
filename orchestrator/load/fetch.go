package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"time"
)

const (
	maxBody  = 64 << 20       // the longest body that an [Answer] holds
	maxHeads = 4 * maxSection // all heads of an answer, interim ones included
)

// An Answer is one response read in full, for checks outside of measuring.
type Answer struct {
	Status    int
	Head      []byte  // as received, blank line included; the final one's
	Fields    []Field // its header lines, unfolded, in order
	Body      []byte  // without chunk lines
	Framing   Framing
	KeepAlive bool // the connection may be used again

	HeadBytes int64 // all heads, interim ones included
	WireBytes int64 // all that came

	// Connect is the time that the session's connect took, the same for all its
	// answers. FirstByte and Total count from the write of the request.
	Connect, FirstByte, Total time.Duration

	Notes []string // oddities, such as LF-only line ends
}

// Fetch sends req on a connection of its own and reads the answer. Errors are
// those of [Dial] and [Session.Do].
func Fetch(ctx context.Context, addr netip.AddrPort, req Request) (Answer, error) {
	s, err := Dial(ctx, addr)
	if err != nil {
		return Answer{}, err
	}
	a, err := s.Do(ctx, req)
	return a, errors.Join(err, s.Close())
}

// A Session is one connection for several requests, one after the other. It is
// for one goroutine.
type Session struct {
	conn    net.Conn
	connect time.Duration
	over    bool // the last answer was the connection's last
}

// Dial connects to addr. The error wraps the system's, syscall.ECONNREFUSED for
// one.
func Dial(ctx context.Context, addr netip.AddrPort) (*Session, error) {
	start := time.Now()
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", addr.String())
	if err != nil {
		return nil, fmt.Errorf("connecting: %w", err)
	}
	return &Session{conn: conn, connect: time.Since(start)}, nil
}

// Close closes the connection.
func (s *Session) Close() error { return s.conn.Close() }

// Do sends req and reads its answer. It fails if the answer before was the last
// on this connection, if ctx ends, if the connection breaks, or if the answer
// is malformed, in which case what was understood of it is returned too.
func (s *Session) Do(ctx context.Context, req Request) (Answer, error) {
	if err := req.check(); err != nil {
		return Answer{}, fmt.Errorf("checking the request: %w", err)
	}
	if s.over {
		return Answer{}, errors.New("sending a request: the connection ended with the answer before")
	}
	defer context.AfterFunc(ctx, func() { s.conn.SetDeadline(time.Unix(1, 0)) })()
	r := reading{start: time.Now(), exchange: exchange{req: req, head: req.Method == "HEAD"}}
	err := r.talk(s.conn)
	if ctx.Err() != nil {
		err = errors.Join(err, context.Cause(ctx))
	}
	a := r.answer()
	a.Connect = s.connect
	s.over = err != nil || !a.KeepAlive
	return a, err
}

// A reading is an answer on its way in.
type reading struct {
	exchange
	start  time.Time
	parser parser
	heads  []byte // interim ones included
	got    Answer
}

func (r *reading) talk(conn net.Conn) error {
	if _, err := conn.Write(r.req.Wire()); err != nil {
		return fmt.Errorf("sending a request: %w", err)
	}
	r.parser.reset(r.head)
	buf := make([]byte, readRoom)
	for !r.parser.ended() {
		n, err := conn.Read(buf)
		if n > 0 && r.got.FirstByte == 0 {
			r.got.FirstByte = time.Since(r.start)
		}
		if err := r.feed(buf[:n]); err != nil {
			return fmt.Errorf("reading an answer: %w", err)
		}
		if err := r.stop(err); err != nil {
			return fmt.Errorf("reading an answer: %w", err)
		}
	}
	r.got.Total = time.Since(r.start)
	if r.parser.state == failed {
		return fmt.Errorf("reading an answer: %w", r.parser.fault)
	}
	return nil
}

// feed parses b and keeps its head and body.
func (r *reading) feed(b []byte) error {
	r.got.WireBytes += int64(len(b))
	for len(b) > 0 && !r.parser.ended() {
		inHead := r.parser.state <= atField
		n, body := r.parser.next(b)
		if inHead {
			r.heads = append(r.heads, b[:n]...)
		}
		r.got.Body = append(r.got.Body, body...)
		b = b[n:]
	}
	switch {
	case len(b) > 0 && r.parser.state == done:
		return excess
	case len(r.heads) > maxHeads:
		return fmt.Errorf("heads above %d KiB, interim ones (1xx) included", maxHeads>>10)
	case len(r.got.Body) > maxBody:
		return fmt.Errorf("body above %d MiB", maxBody>>20)
	}
	return nil
}

// stop tells what an error of the connection means for the answer.
func (r *reading) stop(err error) error {
	if !errors.Is(err, io.EOF) {
		return err
	}
	if r.got.WireBytes == 0 {
		return io.ErrUnexpectedEOF
	}
	r.parser.eof()
	return nil
}

// answer returns what was read so far.
func (r *reading) answer() Answer {
	a, p := r.got, &r.parser
	a.Status, a.Framing, a.HeadBytes = p.status, p.framing, p.headBytes
	a.KeepAlive = p.state == done && p.keepAlive() && r.req.KeepAlive
	a.Head = lastHead(r.heads)
	a.Fields = fieldsOf(a.Head)
	a.Notes = r.remarks(p).texts()
	return a
}

// lastHead returns the last of several heads, each of which ends in a blank
// line.
func lastHead(heads []byte) []byte {
	start, blank := 0, false
	for at := 0; at < len(heads); {
		end := at + bytes.IndexByte(heads[at:], '\n') + 1
		if end == at {
			break
		}
		if blank {
			start = at
		}
		blank = len(bytes.TrimRight(heads[at:end], "\r\n")) == 0
		at = end
	}
	return heads[start:]
}

// fieldsOf returns the header lines of a well-formed head.
func fieldsOf(head []byte) []Field {
	var fs []Field
	_, lines, _ := bytes.Cut(head, []byte("\n"))
	for line := range bytes.Lines(lines) {
		text := bytes.TrimRight(line, "\r\n")
		if len(text) > 0 && (text[0] == ' ' || text[0] == '\t') && len(fs) > 0 {
			fs[len(fs)-1].Value += " " + string(bytes.Trim(text, " \t"))
			continue
		}
		if name, value, ok := bytes.Cut(text, []byte(":")); ok {
			fs = append(fs, Field{string(name), string(bytes.Trim(value, " \t"))})
		}
	}
	return fs
}
