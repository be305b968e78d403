package load

// An Outcome is what became of one request. Each request started has exactly
// one.
type Outcome uint8

const (
	// OK is an answer as expected, read in full.
	OK Outcome = iota
	// UnexpectedStatus is a whole answer of another status.
	UnexpectedStatus
	// WrongBody is a whole answer whose body has other bytes or another length.
	WrongBody
	// ShortBody is an answer cut off within its body.
	ShortBody
	// ExcessBytes is an answer with bytes behind its end; the connection is
	// dropped. Bytes that come only after the next request was sent are counted
	// on that request.
	ExcessBytes
	// FramingError is an answer whose length cannot be told for certain.
	FramingError
	// BadHead is an answer whose head is malformed, cut off, or above 64 KiB.
	BadHead
	// Reset is a connection reset by the server, once connected.
	Reset
	// EOFFresh is a new connection closed before the answer's first byte.
	EOFFresh
	// EOFReused is the same on a connection that had served before, and a
	// request that may not be sent again (POST and the like); see
	// [Result.Resent].
	EOFReused
	// ConnectRefused is a refused connection, or one that failed in a way that
	// no other outcome names; [Result.First] has the reason.
	ConnectRefused
	// ConnectTimedOut is a connection that was not made in time.
	ConnectTimedOut
	// NoLocalPort is a connection for which this host had no port left: a fault
	// of the load engine's host, not of the server.
	NoLocalPort
	// WriteError is a request that could not be written.
	WriteError
	// RequestTimeout is a request not answered in full within [Config.Timeout].
	RequestTimeout
	// InFlight is a request still unanswered when the phase gave up waiting.
	InFlight
)

// Outcomes counts requests by what became of them.
type Outcomes [InFlight + 1]int64

// Sum returns the number of requests counted.
func (o Outcomes) Sum() int64 {
	var n int64
	for _, k := range o {
		n += k
	}
	return n
}

func (o *Outcomes) add(other *Outcomes) {
	for i, n := range other {
		o[i] += n
	}
}

// Failed returns the number of requests that did not end in [OK].
func (o Outcomes) Failed() int64 { return o.Sum() - o[OK] }

// String returns the outcome's name, as it stands in records and reports.
func (o Outcome) String() string {
	names := [...]string{
		OK:               "ok",
		UnexpectedStatus: "unexpected status",
		WrongBody:        "wrong body",
		ShortBody:        "short body",
		ExcessBytes:      "excess bytes",
		FramingError:     "framing error",
		BadHead:          "bad head",
		Reset:            "reset",
		EOFFresh:         "eof before the first byte, fresh connection",
		EOFReused:        "eof before the first byte, reused connection",
		ConnectRefused:   "connect refused",
		ConnectTimedOut:  "connect timed out",
		NoLocalPort:      "no local port",
		WriteError:       "write error",
		RequestTimeout:   "request timeout",
		InFlight:         "in flight at the end",
	}
	if int(o) < len(names) {
		return names[o]
	}
	return "unknown outcome"
}
