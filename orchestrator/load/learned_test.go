package load

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzLearnedHead holds a parser that has learned the head of one answer against
// one that has not, over another that differs in a few bytes.
func FuzzLearnedHead(f *testing.F) {
	f.Add([]byte(nginxAnswer), false, uint16(strings.Index(nginxAnswer, "30 Nov")), []byte("31 Dec"))
	f.Add([]byte(nginxAnswer), false, uint16(strings.Index(nginxAnswer, "30 Nov")), []byte("\n"))
	f.Add([]byte(nginxAnswer), false, uint16(strings.Index(nginxAnswer, "18")), []byte("17"))
	f.Add([]byte(nginxAnswer), true, uint16(9), []byte("304"))
	for _, c := range answerCases() {
		if len(c.wire) < 4096 {
			f.Add([]byte(c.wire), c.req.Method == "HEAD", uint16(0), []byte(nil))
		}
	}
	f.Fuzz(func(t *testing.T, wire []byte, head bool, at uint16, change []byte) {
		var known learned
		read(wire, head, &known)
		other := []byte(string(wire))
		copy(other[min(int(at), len(other)):], change)
		want, got := read(other, head, nil), read(other, head, &known)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q after %q (-parsed +learned):\n%s", other, wire, diff)
		}
	})
}

// read returns all that a parser knows after an answer and the end behind it.
func read(wire []byte, head bool, known *learned) any {
	var p parser
	p.learned = known
	p.reset(head)
	var body []byte
	rest := wire
	for len(rest) > 0 && !p.ended() {
		n, part := p.next(rest)
		body, rest = append(body, part...), rest[n:]
	}
	end := p.state
	p.eof()
	return []any{
		int(end), int(p.state), p.fault.Error(), p.notes.texts(), p.status, int(p.minor), p.framing.String(), p.left, p.length,
		p.chunked, p.saysOpen, p.saysEnd, p.saysHow, p.headBytes, string(body), string(rest),
	}
}

// What the comparison is for: most heads of a server are known.
func TestHeadIsLearned(t *testing.T) {
	var known learned
	read([]byte(nginxAnswer), false, &known)
	later := strings.Replace(nginxAnswer, "Date: Sun, 30 Nov 2025 22:09:34", "Date: Mon, 01 Dec 2025 00:00:00", 1)
	if !known.matches([]byte(later)) {
		t.Error("an answer that differs in its Date is parsed anew")
	}
	if known.matches([]byte(later[:200])) {
		t.Error("a part of a head is taken for all of it")
	}
}

func BenchmarkHead(b *testing.B) {
	for name, known := range map[string]*learned{"parsed": nil, "learned": {}} {
		b.Run(name, func(b *testing.B) {
			wire := []byte(nginxAnswer)
			b.ReportAllocs()
			var p parser
			p.learned = known
			for b.Loop() {
				p.reset(false)
				p.next(wire)
			}
		})
	}
}
