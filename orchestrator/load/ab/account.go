package ab

import (
	"time"

	"dyno/orchestrator/load"
)

// An Account is what ab would have counted.
type Account struct {
	Command  Command
	Software string    // the first answer's Server header, up to its first blank
	Began    time.Time // just before the first connect

	Taken          time.Duration // up to the last event
	DocumentLength int64         // bytes of the first good answer's body

	Complete  int64 // answers read to their end, and connections that closed or failed before it
	Non2xx    int64 // heads whose status does not begin with 2
	KeptAlive int64 // whole answers that announced keep-alive, with -k

	// The parts of what ab calls failed. One lost answer counts in several.
	Connect, Receive, Length, Exceptions int64
	LongHeads                            int64 // above 8 KiB and unfinished, in ab's buffer
	WriteErrors                          int64 // no part of the failed

	Received int64 // bytes
	Bodies   int64 // bytes behind the heads, chunk lines included
	Sent     int64 // bytes, heads included

	// Unfinished is the number of requests that ab knows nothing of: still in
	// flight at the end, or timed out.
	Unfinished int64

	// Abort is what ab would have ended with instead of a report, once so many
	// were complete; "" if it would not have.
	Abort   string
	AbortAt int64

	// What whole answers were, Unfinished ones among them: right, with a status
	// other than 2xx, or with another length than the document's.
	Right, OtherStatus, OtherLength int64

	Times []Times // of the complete requests, in the order in which they ended
}

// headRoom is how much of a head ab's buffer holds.
const headRoom = 8191

// NewAccount counts as ab does, in the order in which requests ended. Those
// that ended behind the limit of a run by time are unfinished, as ab stops
// short there.
func NewAccount(c Command, began time.Time, res load.Result, entries []load.Entry) Account {
	a := Account{Command: c, Began: began, Sent: res.BytesOut, Times: make([]Times, 0, len(entries))}
	short := res.Interrupted || c.Limit > 0 && res.Elapsed >= c.Limit
	if short {
		a.Taken = res.Elapsed
	}
	n := counter{Account: &a}
	for i := range entries {
		e := &entries[i]
		if short && e.Done > a.Taken {
			a.Unfinished++
		} else {
			n.count(e)
		}
		n.sort(e)
		if !short {
			a.Taken = max(a.Taken, e.Done)
		}
	}
	return a
}

// Failed returns ab's sum of all failures.
func (a *Account) Failed() int64 {
	return a.Connect + a.Receive + a.Length + a.Exceptions + a.LongHeads
}

// A counter makes an Account out of one entry after the other.
type counter struct {
	*Account
	good bool // an answer gave the document's length
}

// count adds what ab counts of e.
func (a *counter) count(e *load.Entry) {
	a.Received += e.Received
	a.Bodies += e.Received - e.Head
	if e.Head > 0 && e.Status/100 != 2 {
		a.Non2xx++
	}
	switch e.Outcome {
	case load.RequestTimeout, load.ConnectTimedOut, load.InFlight:
		a.Unfinished++
	case load.NoLocalPort:
		a.Connect++
	case load.BadHead:
		a.headless(e)
	case load.Reset, load.ConnectRefused:
		a.broken(e)
	case load.WriteError:
		a.WriteErrors++
		a.measure(e)
	default:
		a.complete(e)
		if a.Command.KeepAlive && e.KeepAlive && cameInFull(e) {
			a.KeptAlive++
		}
	}
}

// cameInFull reports whether the answer came in full, if with more behind it.
func cameInFull(e *load.Entry) bool { return e.Outcome == load.OK || e.Outcome == load.ExcessBytes }

// sort tells right answers from others.
func (a *counter) sort(e *load.Entry) {
	switch {
	case e.Outcome != load.OK:
	case e.Status/100 != 2:
		a.OtherStatus++
	case a.good && e.Body != a.DocumentLength && !a.Command.Variable:
		a.OtherLength++
	default:
		a.Right++
	}
}

// complete counts an answer that came to an end, be it that of its connection.
func (a *counter) complete(e *load.Entry) {
	if !a.good {
		a.good, a.DocumentLength = true, body(e)
	}
	a.measure(e)
}

// headless counts an answer without a head: one that outgrew ab's buffer, or
// one that its connection ended.
func (a *counter) headless(e *load.Entry) {
	if e.Received < headRoom {
		a.complete(e)
		return
	}
	if a.Failed() > 10 {
		a.abort("Test aborted after 10 failures")
	}
	a.LongHeads++
	a.Non2xx++
}

// broken counts a socket that has an error to read and is exceptional to poll.
func (a *counter) broken(e *load.Entry) {
	if !a.Command.KeepOnErrors {
		text := "apr_socket_recv: Connection reset by peer (104)"
		if e.Outcome == load.ConnectRefused {
			text = "apr_socket_recv: Connection refused (111)"
		}
		a.abort(text)
	}
	a.Receive++
	a.Exceptions++
	a.measure(e)
}

func (a *counter) abort(text string) {
	if a.Abort == "" {
		a.Abort, a.AbortAt = text, a.Complete
	}
}

// measure compares the length with the document's and keeps the times.
func (a *counter) measure(e *load.Entry) {
	if body(e) != a.DocumentLength && !a.Command.Variable {
		a.Length++
	}
	a.Complete++
	a.Times = append(a.Times, timesOf(e))
}

// body returns the length of the body, with what was sent behind it.
func body(e *load.Entry) int64 {
	if e.Outcome == load.ExcessBytes {
		return e.Received - e.Head
	}
	return e.Body
}
