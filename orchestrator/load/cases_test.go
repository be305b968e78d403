package load

import "strings"

// An answerCase is one answer of a server, and what is right to make of it.
type answerCase struct {
	name    string
	req     Request // as it stands, but for KeepAlive
	oneShot bool    // KeepAlive is false
	wire    string
	fin     bool // the server closes behind it

	status  int
	body    string
	framing Framing
	keep    bool // the connection stays usable
	fault   fault
	notes   notes
	loose   int // splits from here on let the answer end before its excess bytes; 0: none do
}

func answerCases() []answerCase {
	ok := "HTTP/1.1 200 OK\r\n"
	head := Request{Method: "HEAD"}
	http10 := Request{Proto: HTTP10}
	return []answerCase{
		{name: "content length", wire: ok + "Content-Length: 5\r\n\r\nhello", status: 200, body: "hello", framing: FramingLength, keep: true},
		{name: "upper case name", wire: ok + "CONTENT-LENGTH: 5\r\n\r\nhello", status: 200, body: "hello", framing: FramingLength, keep: true},
		{name: "no space behind the colon", wire: ok + "content-length:5\r\n\r\nhello", status: 200, body: "hello", framing: FramingLength, keep: true},
		{name: "no reason", wire: "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", status: 200, framing: FramingLength, keep: true},
		{name: "same length twice", wire: ok + "Content-Length: 2\r\nContent-Length: 2\r\n\r\nhi", status: 200, body: "hi", framing: FramingLength, keep: true},

		{name: "chunked", wire: ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n", status: 200, body: "hello world", framing: FramingChunked, keep: true},
		{name: "chunk extensions", wire: ok + "Transfer-Encoding: Chunked\r\n\r\n5;a=b;c\r\nhello\r\n0;last\r\n\r\n", status: 200, body: "hello", framing: FramingChunked, keep: true, notes: extensions},
		{name: "two trailers", wire: ok + "Transfer-Encoding: chunked\r\n\r\nA\r\n0123456789\r\n0\r\nX-Sum: 1\r\nX-End: 2\r\n\r\n", status: 200, body: "0123456789", framing: FramingChunked, keep: true, notes: trailers},
		{name: "junk behind a chunk", wire: ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhelloXX0\r\n\r\n", status: 200, body: "hello", framing: FramingChunked, fault: badChunkEnd},
		{name: "chunk size no number", wire: ok + "Transfer-Encoding: chunked\r\n\r\nhello\r\n", status: 200, framing: FramingChunked, fault: badChunkSize},
		{name: "chunk size too large", wire: ok + "Transfer-Encoding: chunked\r\n\r\n8000000000000000\r\n", status: 200, framing: FramingChunked, fault: badChunkSize},
		{name: "chunk size ends in LF", wire: ok + "Transfer-Encoding: chunked\r\n\r\n5\nhello", status: 200, framing: FramingChunked, fault: bareLF},
		{name: "trailer without colon", wire: ok + "Transfer-Encoding: chunked\r\n\r\n0\r\nX-Sum\r\n", status: 200, framing: FramingChunked, fault: badTrailer},
		{name: "chunked cut off", wire: ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhel", fin: true, status: 200, body: "hel", framing: FramingChunked, fault: cutBody},
		{name: "coding unknown", wire: ok + "Transfer-Encoding: gzip\r\n\r\n", status: 200, fault: badCoding},
		{name: "chunked in HTTP/1.0", wire: "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", status: 200, fault: chunkedOld},

		{name: "until eof", wire: ok + "\r\nhello", fin: true, status: 200, body: "hello", framing: FramingEOF},
		{name: "until eof, HTTP/1.0", wire: "HTTP/1.0 200 OK\r\n\r\nhello", fin: true, status: 200, body: "hello", framing: FramingEOF},
		{name: "HTTP/1.0 without keep-alive", req: http10, wire: "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", fin: true, status: 200, body: "hi", framing: FramingLength},
		{name: "HTTP/1.0 with keep-alive", req: http10, wire: "HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\nhi", status: 200, body: "hi", framing: FramingLength, keep: true},
		{name: "HTTP/1.1 to HTTP/1.0 keep-alive", req: http10, wire: ok + "Content-Length: 2\r\n\r\nhi", status: 200, body: "hi", framing: FramingLength, keep: true, notes: keptByVersion},
		{name: "kept alive unasked", oneShot: true, wire: ok + "Content-Length: 2\r\n\r\nhi", status: 200, body: "hi", framing: FramingLength, keep: true, notes: keptUnasked},
		{name: "connection close", wire: ok + "Connection: close\r\nContent-Length: 2\r\n\r\nhi", fin: true, status: 200, body: "hi", framing: FramingLength},
		{name: "connection list", wire: ok + "Connection: foo , CLOSE\r\nContent-Length: 2\r\n\r\nhi", fin: true, status: 200, body: "hi", framing: FramingLength},

		{name: "short body", wire: ok + "Content-Length: 5\r\n\r\nhel", fin: true, status: 200, body: "hel", framing: FramingLength, fault: cutBody},
		{name: "excess bytes", wire: ok + "Content-Length: 3\r\n\r\nhello", status: 200, body: "hel", framing: FramingLength, fault: excess, loose: len(ok) + 24},
		{name: "head cut off", wire: ok + "Content-Le", fin: true, status: 200, fault: cutHead},

		{name: "head with length", req: head, wire: ok + "Content-Length: 5\r\n\r\n", status: 200, keep: true},
		{name: "204 with length", wire: "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n", status: 204, keep: true},
		{name: "204 without", wire: "HTTP/1.1 204 No Content\r\n\r\n", status: 204, keep: true},
		{name: "304 with length", wire: "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", status: 304, keep: true},
		{name: "304 without", wire: "HTTP/1.1 304 Not Modified\r\n\r\n", status: 304, keep: true},
		{name: "100, 103, 200", wire: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nContent-Length: 9\r\nLink: x\r\n\r\n" + ok + "Content-Length: 2\r\n\r\nhi", status: 200, body: "hi", framing: FramingLength, keep: true, notes: interim},

		{name: "folded", wire: ok + "X-Long: a\r\n b\r\n\tc\r\nContent-Length: 2\r\n\r\nhi", status: 200, body: "hi", framing: FramingLength, keep: true, notes: folded},
		{name: "folded length", wire: ok + "Content-Length:\r\n 2\r\nX: y\r\n\r\nhi", status: 200, body: "hi", framing: FramingLength, keep: true, notes: folded},
		{name: "length folded in two", wire: ok + "Content-Length: 1\r\n 2\r\n\r\n", status: 200, fault: badLength, notes: folded},
		{name: "folded before any field", wire: ok + " x: y\r\n\r\n", status: 200, fault: badField},
		{name: "head of 40 KiB", wire: ok + "X-Big: " + strings.Repeat("x", 40<<10) + "\r\nContent-Length: 2\r\n\r\nhi", status: 200, body: "hi", framing: FramingLength, keep: true},
		{name: "300 headers", wire: ok + strings.Repeat("X-Field: value\r\n", 300) + "Content-Length: 2\r\n\r\nhi", status: 200, body: "hi", framing: FramingLength, keep: true},
		{name: "head above 64 KiB", wire: ok + "X-Big: " + strings.Repeat("x", 64<<10), status: 200, fault: longHead},
		{name: "LF only", wire: "HTTP/1.1 200 OK\nContent-Length: 2\n\nhi", status: 200, body: "hi", framing: FramingLength, keep: true, notes: lfOnly},

		{name: "lengths that differ", wire: ok + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n", status: 200, fault: twoLengths},
		{name: "length and chunked", wire: ok + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n", status: 200, fault: lengthAndChunked},
		{name: "length below zero", wire: ok + "Content-Length: -2\r\n\r\n", status: 200, fault: badLength},
		{name: "length empty", wire: ok + "Content-Length: \r\n\r\n", status: 200, fault: badLength},
		{name: "length too large", wire: ok + "Content-Length: 9223372036854775808\r\n\r\n", status: 200, fault: badLength},
		{name: "not HTTP", wire: "SSH-2.0-OpenSSH_9", fault: badStatusLine},
		{name: "status of two digits", wire: "HTTP/1.1 20 OK\r\n", fault: badStatusLine},
		{name: "field without colon", wire: ok + "Content-Length\r\n", status: 200, fault: badField},
		{name: "space before the colon", wire: ok + "Content-Length : 2\r\n", status: 200, fault: badField},
	}
}

// request returns what the case's answer is an answer to.
func (c answerCase) request() Request {
	r := c.req
	r.KeepAlive = !c.oneShot
	return r
}
