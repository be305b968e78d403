package load

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A reply is what a parser made of its input.
type reply struct {
	Done      bool
	Status    int
	Body      string
	Framing   string
	KeepAlive bool
	Fault     string
	Notes     []string
	Rest      string
}

// parse feeds the pieces, and then the end if fin, until the parser has ended.
func parse(x *exchange, fin bool, pieces ...[]byte) reply {
	var p parser
	p.reset(x.head)
	var body, rest []byte
	for _, b := range pieces {
		for len(b) > 0 && !p.ended() {
			n, part := p.next(b)
			body = append(body, part...)
			b = b[n:]
		}
		rest = append(rest, b...)
	}
	if fin {
		p.eof()
	}
	r := reply{Done: p.state == done, Status: p.status, Body: string(body), Framing: p.framing.String(), Fault: p.fault.Error(), Notes: x.remarks(&p).texts(), Rest: string(rest)}
	r.KeepAlive = r.Done && p.keepAlive()
	return r
}

func (c answerCase) reply() reply {
	r := reply{Done: c.fault == noFault, Status: c.status, Body: c.body, Framing: c.framing.String(), KeepAlive: c.keep, Fault: c.fault.Error(), Notes: c.notes.texts()}
	if c.fault == excess { // found by those who feed the parser
		r.Done, r.KeepAlive, r.Fault, r.Rest = true, true, noFault.Error(), "lo"
	}
	return r
}

func TestParserAtEverySplit(t *testing.T) {
	for _, c := range answerCases() {
		t.Run(c.name, func(t *testing.T) {
			x, err := newExchange(c.request(), Expect{Length: -1})
			if err != nil {
				t.Fatal(err)
			}
			wire := []byte(c.wire)
			want := c.reply()
			check := func(how string, pieces ...[]byte) {
				t.Helper()
				got := parse(x, c.fin, pieces...)
				if c.fault != noFault && c.fault != excess {
					got.Rest = "" // depends on how much came with the fault
					got.Notes = want.Notes
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("%s (-want +got):\n%s", how, diff)
				}
			}
			check("whole", wire)
			for i := 1; i < len(wire); i += 1 + len(wire)/1000 {
				check(fmt.Sprint("split at ", i), wire[:i], wire[i:])
			}
			check("byte by byte", bytes.SplitAfter(wire, nil)...)
		})
	}
}

func TestParserCountsHeadBytes(t *testing.T) {
	heads := "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
	var p parser
	p.reset(false)
	for b := []byte(heads + "hi"); len(b) > 0; {
		n, _ := p.next(b)
		b = b[n:]
	}
	if p.headBytes != int64(len(heads)) {
		t.Errorf("head bytes = %d, want %d", p.headBytes, len(heads))
	}
}

func TestParserAllocatesNothing(t *testing.T) {
	for _, c := range answerCases() {
		wire := []byte(c.wire)
		var p parser
		p.reset(false)
		parseAll := func() {
			p.reset(false)
			for b := wire; len(b) > 0 && !p.ended(); {
				n, _ := p.next(b[:min(len(b), 100)])
				b = b[n:]
			}
		}
		if n := testing.AllocsPerRun(10, parseAll); n != 0 {
			t.Errorf("%s: %v allocations", c.name, n)
		}
	}
}

func TestNotesHaveTexts(t *testing.T) {
	for n := notes(1); n <= keptByVersion; n <<= 1 {
		if s := n.texts(); len(s) != 1 || s[0] == "" {
			t.Errorf("note %#x: texts %q", uint16(n), s)
		}
	}
}

func TestFaultsHaveTextsAndOutcomes(t *testing.T) {
	want := map[Outcome]int{OK: 1, BadHead: 4, ShortBody: 1, ExcessBytes: 1, FramingError: 10}
	got := map[Outcome]int{}
	for f := noFault; f <= excess; f++ {
		if f.Error() == "" {
			t.Errorf("fault %d has no text", f)
		}
		got[f.outcome()]++
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("faults by outcome (-want +got):\n%s", diff)
	}
}
