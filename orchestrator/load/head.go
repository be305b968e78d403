package load

const versionPrefix = "HTTP/1."

// A Framing is how the end of a body is told.
type Framing uint8

const (
	FramingNone   Framing = iota // no body: an answer to HEAD, 204, 304
	FramingLength                // Content-Length
	FramingChunked
	FramingEOF // the connection's end is the body's
)

// String returns the framing's name.
func (f Framing) String() string {
	return [...]string{"none", "content-length", "chunked", "eof"}[f&3]
}

// A field is one of the header fields that the parser understands.
type field uint8

const (
	otherField field = iota
	contentLength
	transferEncoding
	connection
	keepAliveHow
)

func fieldOf(name []byte) field {
	switch len(name) {
	case len("connection"):
		if equalFold(name, "connection") {
			return connection
		}
		if equalFold(name, "keep-alive") {
			return keepAliveHow
		}
	case len("content-length"):
		if equalFold(name, "content-length") {
			return contentLength
		}
	case len("transfer-encoding"):
		if equalFold(name, "transfer-encoding") {
			return transferEncoding
		}
	}
	return otherField
}

func (p *parser) headLine(line []byte) {
	switch {
	case p.state == atStatus:
		p.statusLine(line)
	case len(line) == 0:
		p.headOver()
	case isBlank(line[0]):
		p.fold(line)
	default:
		p.fieldLine(line)
	}
}

// statusLine reads "HTTP/1.x SP 3DIGIT [ SP reason ]".
func (p *parser) statusLine(line []byte) {
	const code = len(versionPrefix) + 2
	if len(line) < code+3 || string(line[:len(versionPrefix)]) != versionPrefix ||
		!isDigit(line[code-2]) || line[code-1] != ' ' ||
		len(line) > code+3 && line[code+3] != ' ' {
		p.fail(badStatusLine)
		return
	}
	p.minor, p.status = line[code-2]-'0', 0
	for _, c := range line[code : code+3] {
		if !isDigit(c) {
			p.fail(badStatusLine)
			return
		}
		p.status = p.status*10 + int(c-'0')
	}
	if p.status < 100 {
		p.fail(badStatusLine)
		return
	}
	p.state = atField
}

func (p *parser) fieldLine(line []byte) {
	if p.commit(); p.state == failed {
		return
	}
	n := tokenLen(line)
	if n == 0 || n == len(line) || line[n] != ':' {
		p.fail(badField)
		return
	}
	p.fields++
	if p.field = fieldOf(line[:n]); p.field != otherField {
		p.value = append(p.value[:0], trimBlanks(line[n+1:])...)
	}
}

// fold adds a continuation line (obs-fold) to the field before it.
func (p *parser) fold(line []byte) {
	if p.fields == 0 {
		p.fail(badField)
		return
	}
	p.notes |= folded
	if line = trimBlanks(line); p.field == otherField || len(line) == 0 {
		return
	}
	if len(p.value) > 0 {
		p.value = append(p.value, ' ')
	}
	p.value = append(p.value, line...)
}

// commit gives the collected value, now known to be whole, its meaning.
func (p *parser) commit() {
	switch p.field {
	case contentLength:
		p.setLength(p.value)
	case transferEncoding:
		p.setCoding(p.value)
	case connection:
		p.setConnection(p.value)
	case keepAliveHow:
		p.saysHow = true
	}
	p.field = otherField
}

func (p *parser) setLength(v []byte) {
	n, ok := parseInt(v, 10)
	switch {
	case !ok:
		p.fail(badLength)
	case p.length >= 0 && p.length != n:
		p.fail(twoLengths)
	}
	p.length = n
}

func (p *parser) setCoding(v []byte) {
	if p.chunked || !equalFold(v, "chunked") {
		p.fail(badCoding)
	}
	p.chunked = true
}

func (p *parser) setConnection(v []byte) {
	for len(v) > 0 {
		token, rest := cutAt(v, ',')
		switch token = trimBlanks(token); {
		case equalFold(token, "close"):
			p.saysEnd = true
		case equalFold(token, "keep-alive"):
			p.saysOpen = true
		}
		v = rest
	}
}

// headOver decides how the body is framed (RFC 9112, section 6.3). Where that
// section lets a client guess, the answer is rejected.
func (p *parser) headOver() {
	if p.commit(); p.state == failed {
		return
	}
	p.headBytes += int64(p.size)
	p.size = 0
	switch {
	case p.chunked && p.length >= 0:
		p.fail(lengthAndChunked)
	case p.chunked && p.minor == 0:
		p.fail(chunkedOld)
	case p.status == 101:
		p.saysEnd, p.state = true, done // what follows is not HTTP
	case p.status < 200:
		p.notes |= interim
		p.newHead()
	case p.head || p.status == 204 || p.status == 304:
		p.state = done
	case p.chunked:
		p.framing, p.state = FramingChunked, atChunkSize
	case p.length < 0:
		p.framing, p.state = FramingEOF, untilEOF
	default:
		p.framing, p.state, p.left = FramingLength, inBody, p.length
		if p.left == 0 {
			p.state = done
		}
	}
}
