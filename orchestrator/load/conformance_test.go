package load

import (
	"bytes"
	"net"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// pieces cuts the n-th answer of a case: whole, byte by byte, then at every
// split that leaves its outcome certain.
func (c answerCase) pieces(n int) [][]byte {
	wire := []byte(c.wire)
	switch n {
	case 0:
		return [][]byte{wire}
	case 1:
		if c.loose == 0 {
			return bytes.SplitAfter(wire, nil)
		}
		return [][]byte{wire}
	}
	at := 1 + (n-2)*c.stride()
	return [][]byte{wire[:at], wire[at:]}
}

func (c answerCase) stride() int { return 1 + len(c.wire)/200 }

// plays is the number of ways to cut the case's answer.
func (c answerCase) plays() int {
	last := len(c.wire) - 1
	if c.loose > 0 {
		last = c.loose
	}
	return 2 + (last-1)/c.stride()
}

func TestEngineOnEveryAnswer(t *testing.T) {
	eachBackend(t, func(t *testing.T, backend string) {
		for _, c := range answerCases() {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				plays := c.plays()
				s := serve(t, func(conn net.Conn, n int64) bool {
					pause := 100 * time.Microsecond
					if len(c.wire) > 4096 {
						pause = 0
					}
					write(conn, pause, c.pieces(int(n)-1)...)
					return !c.fin
				})
				cfg := configOn(s, backend)
				cfg.Connections = 32 // so that the pauses overlap
				cfg.Mix[0].Request = c.request()
				cfg.Mix[0].Expect = Expect{Status: max(c.status, 200), Body: []byte(c.body)}
				if c.req.Method == "HEAD" {
					cfg.Mix[0].Expect.Body = nil
				}
				r := run(t, cfg, Phase{Requests: int64(plays)})
				var want Outcomes
				want[c.fault.outcome()] = int64(plays)
				if diff := cmp.Diff(want, r.Outcomes); diff != "" {
					t.Errorf("%v (-want +got):\n%s", r.First, diff)
				}
				if c.fault == noFault {
					if diff := cmp.Diff(c.notes.texts(), r.Notes); diff != "" {
						t.Errorf("notes (-want +got):\n%s", diff)
					}
					if n := int64(plays); r.BodyBytes != n*int64(len(c.body)) || r.BytesIn != n*int64(len(c.wire)) {
						t.Errorf("%d answers of %d B, body %d: %d B in, bodies %d B", n, len(c.wire), len(c.body), r.BytesIn, r.BodyBytes)
					}
				}
				if n := s.requests.Load(); n != r.Started+r.Resent || r.Resent != 0 {
					t.Errorf("server read %d requests, started %d, resent %d", n, r.Started, r.Resent)
				}
			})
		}
	})
}
