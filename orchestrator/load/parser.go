package load

import "bytes"

// maxSection is the most bytes that a head, a chunk's size line or a trailer
// section may take.
const maxSection = 64 << 10

// lineRoom is the room kept for a line that is split between two reads. Longer
// ones make it grow, once.
const lineRoom = 256

// A state is what the parser expects next.
type state uint8

const (
	atStatus state = iota
	atField
	atChunkSize
	atTrailer
	atChunkCR // behind a chunk's data
	atChunkLF
	inBody
	inChunk
	untilEOF
	done
	failed
)

// A parser reads one response from pieces of any size. It knows neither clock
// nor socket: bytes go in by next, the end of input by eof, and state, fault
// and the fields below tell what was read. The zero value needs reset.
type parser struct {
	state state
	fault fault // why state is failed
	notes notes

	head    bool // the request was HEAD: no body follows
	status  int
	minor   byte // the version is HTTP/1.minor
	framing Framing
	left    int64 // bytes left of the body or chunk

	length   int64 // Content-Length, -1 without
	chunked  bool
	saysOpen bool // Connection: keep-alive
	saysEnd  bool // Connection: close
	saysHow  bool // there is a Keep-Alive field

	headBytes int64 // all heads, interim ones included
	size      int   // bytes of the section so far
	fields    int   // header lines of the head so far
	field     field // the field whose value is being collected
	value     []byte
	line      []byte // the start of a line split between reads

	learned *learned // a head known from before; nil: every head is parsed
}

// reset makes p ready for an answer to a request, HEAD or not.
func (p *parser) reset(head bool) {
	if p.line == nil {
		p.line, p.value = make([]byte, 0, lineRoom), make([]byte, 0, lineRoom)
	}
	p.head, p.notes, p.fault, p.headBytes = head, 0, noFault, 0
	p.line = p.line[:0]
	p.newHead()
}

// newHead makes p ready for a status line: the first, or one behind a 1xx.
func (p *parser) newHead() {
	p.state, p.status, p.framing = atStatus, 0, FramingNone
	p.length, p.chunked, p.saysOpen, p.saysEnd, p.saysHow = -1, false, false, false, false
	p.size, p.fields, p.field = 0, 0, otherField
}

// ended reports whether p takes no more bytes.
func (p *parser) ended() bool { return p.state >= done }

// keepAlive reports whether the server is to keep the connection, once done.
func (p *parser) keepAlive() bool {
	if p.framing == FramingEOF || p.saysEnd {
		return false
	}
	return p.minor >= 1 || p.saysOpen
}

// next consumes the first n bytes of b, which is not empty, and returns those
// of them that belong to the body. It must not be called once p has ended.
func (p *parser) next(b []byte) (n int, body []byte) {
	switch p.state {
	case inBody, inChunk:
		n = int(min(p.left, int64(len(b))))
		if p.left -= int64(n); p.left == 0 {
			p.dataOver()
		}
		return n, b[:n]
	case untilEOF:
		return len(b), b
	case atChunkCR, atChunkLF:
		p.chunkEnd(b[0])
		return 1, nil
	}
	whole := p.learned != nil && p.state == atStatus && p.size == 0 && p.headBytes == 0
	if whole && p.learned.matches(b) {
		p.learned.recall(p)
		return p.learned.size(), nil
	}
	n = p.section(b)
	if whole && p.state > atField {
		p.learned.learn(b[:n], p)
	}
	return n, nil
}

// section consumes lines up to the end of the head, or of b.
func (p *parser) section(b []byte) (n int) {
	for {
		line, k := p.cut(b[n:])
		if line != nil {
			p.take(line)
		}
		if n += k; n == len(b) || p.state > atField {
			return n
		}
	}
}

// eof says that the input has ended.
func (p *parser) eof() {
	switch p.state {
	case done, failed:
	case untilEOF:
		p.state = done
	case atStatus, atField:
		p.fail(cutHead)
	default:
		p.fail(cutBody)
	}
}

func (p *parser) fail(f fault) { p.state, p.fault = failed, f }

// cut takes a line off b: nil if b ends first, in which case the part is kept,
// or if the line breaks a rule. The line keeps its CR and loses its LF.
func (p *parser) cut(b []byte) (line []byte, n int) {
	i := bytes.IndexByte(b, '\n')
	n = i + 1
	if i < 0 {
		n = len(b)
	}
	if p.size += n; p.size > maxSection {
		p.fail(p.tooLong())
		return nil, n
	}
	if i < 0 {
		p.line = append(p.line, b...)
		p.checkStart()
		return nil, n
	}
	line = b[:i]
	if len(p.line) > 0 {
		p.line = append(p.line, line...)
		line, p.line = p.line, p.line[:0]
	}
	return line, n
}

// checkStart fails p as soon as the start of a status line cannot become one,
// so that a server that speaks something else is not waited for.
func (p *parser) checkStart() {
	n := min(len(p.line), len(versionPrefix))
	if p.state == atStatus && string(p.line[:n]) != versionPrefix[:n] {
		p.fail(badStatusLine)
	}
}

// take reads a whole line in the state that it came in.
func (p *parser) take(line []byte) {
	crlf := len(line) > 0 && line[len(line)-1] == '\r'
	if crlf {
		line = line[:len(line)-1]
	}
	switch p.state {
	case atStatus, atField:
		if !crlf {
			p.notes |= lfOnly
		}
		p.headLine(line)
	case atChunkSize, atTrailer:
		if !crlf {
			p.fail(bareLF)
			return
		}
		p.chunkLine(line)
	}
}

func (p *parser) tooLong() fault {
	if p.state == atStatus || p.state == atField {
		return longHead
	}
	return longChunkLine
}
