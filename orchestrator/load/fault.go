package load

// A fault is why a response could not be read. It is an error.
type fault uint8

const (
	noFault fault = iota
	badStatusLine
	badField
	longHead
	cutHead
	badLength
	twoLengths
	badCoding
	lengthAndChunked
	chunkedOld
	badChunkSize
	badChunkEnd
	badTrailer
	bareLF
	longChunkLine
	cutBody
	excess
)

// Error says what was wrong.
func (f fault) Error() string {
	return [...]string{
		noFault:          "no fault",
		badStatusLine:    "status line is not one of HTTP/1.x",
		badField:         "malformed header line",
		longHead:         "head above 64 KiB",
		cutHead:          "connection closed within the head",
		badLength:        "Content-Length is not a number",
		twoLengths:       "two Content-Length headers that differ",
		badCoding:        "Transfer-Encoding is not chunked alone",
		lengthAndChunked: "both Content-Length and chunked",
		chunkedOld:       "chunked in an HTTP/1.0 answer",
		badChunkSize:     "chunk size is not a number",
		badChunkEnd:      "no CRLF behind a chunk",
		badTrailer:       "malformed trailer",
		bareLF:           "chunk size or trailer line ends in LF only",
		longChunkLine:    "chunk size line or trailers above 64 KiB",
		cutBody:          "connection closed within the body",
		excess:           "bytes behind the end of the answer",
	}[f]
}

// outcome returns what a request ends in whose answer has the fault.
func (f fault) outcome() Outcome {
	switch f {
	case noFault:
		return OK
	case badStatusLine, badField, longHead, cutHead:
		return BadHead
	case cutBody:
		return ShortBody
	case excess:
		return ExcessBytes
	}
	return FramingError
}

// notes are what is worth telling of answers that were understood.
type notes uint16

const (
	lfOnly notes = 1 << iota
	folded
	interim
	extensions
	trailers
	keptUnasked
	keptByVersion
)

// texts returns the notes in words.
func (n notes) texts() []string {
	var s []string
	for i, text := range [...]string{
		"head has LF-only line ends",
		"folded header line",
		"interim answer (1xx) before the final one",
		"chunk extensions",
		"trailers",
		"server keeps the connection alive unasked",
		"HTTP/1.1 answer without Connection to an HTTP/1.0 keep-alive request",
	} {
		if n&(1<<i) != 0 {
			s = append(s, text)
		}
	}
	return s
}

// remarks returns the notes on a whole answer, those included that only the
// request makes remarkable.
func (x *exchange) remarks(p *parser) notes {
	n := p.notes
	switch {
	case !x.req.KeepAlive && p.keepAlive():
		n |= keptUnasked
	case x.req.KeepAlive && x.req.Proto == HTTP10 && p.minor >= 1 && !p.saysOpen && !p.saysEnd:
		n |= keptByVersion
	}
	return n
}
