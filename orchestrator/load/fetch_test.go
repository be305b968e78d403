package load

import (
	"context"
	"errors"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestFetchEveryAnswer(t *testing.T) {
	for _, c := range answerCases() {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, func(conn net.Conn, _ int64) bool {
				write(conn, 0, []byte(c.wire))
				return !c.fin
			})
			a, err := Fetch(t.Context(), s.addr, c.request())
			if c.fault != noFault {
				if !errors.Is(err, c.fault) {
					t.Fatalf("error %v, want %v", err, c.fault)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got := reply{Done: true, Status: a.Status, Body: string(a.Body), Framing: a.Framing.String(), KeepAlive: a.KeepAlive, Fault: noFault.Error(), Notes: a.Notes}
			want := c.reply()
			want.KeepAlive = want.KeepAlive && !c.oneShot
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if a.WireBytes != int64(len(c.wire)) || a.Total < a.FirstByte || a.FirstByte <= 0 || a.Connect <= 0 {
				t.Errorf("%d B, want %d; connect %v, first byte %v, total %v", a.WireBytes, len(c.wire), a.Connect, a.FirstByte, a.Total)
			}
		})
	}
}

func TestAnswerHead(t *testing.T) {
	const early = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
	const head = "HTTP/1.1 200 OK\r\nServer:  a b \r\nX-Long: 1\r\n\t2\r\nX-Long: 3\r\nContent-Length: 4\r\n\r\n"
	s := serve(t, func(c net.Conn, _ int64) bool {
		write(c, 0, []byte(early+head+"\r\n\r\n"))
		return true
	})
	got, err := Fetch(t.Context(), s.addr, Request{KeepAlive: true})
	if err != nil {
		t.Fatal(err)
	}
	want := Answer{
		Status:    200,
		Head:      []byte(head),
		Fields:    []Field{{"Server", "a b"}, {"X-Long", "1 2"}, {"X-Long", "3"}, {"Content-Length", "4"}},
		Body:      []byte("\r\n\r\n"),
		Framing:   FramingLength,
		KeepAlive: true,
		HeadBytes: int64(len(early + head)),
		WireBytes: int64(len(early+head) + 4),
		Notes:     []string{"folded header line", "interim answer (1xx) before the final one"},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Answer{}, "Connect", "FirstByte", "Total"),
		cmpopts.SortSlices(func(a, b string) bool { return a < b })); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSessionKeepsItsConnection(t *testing.T) {
	s := serve(t, func(c net.Conn, n int64) bool {
		if n == 3 {
			write(c, 0, []byte("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"))
			return false
		}
		return steady(c, n)
	})
	session, err := Dial(t.Context(), s.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	for n, keep := range []bool{true, true, false} {
		a, err := session.Do(t.Context(), Request{KeepAlive: true})
		if err != nil || a.KeepAlive != keep {
			t.Fatalf("answer %d: keeps %v, error %v", n+1, a.KeepAlive, err)
		}
	}
	if _, err := session.Do(t.Context(), Request{KeepAlive: true}); err == nil {
		t.Error("a request was sent behind the last answer")
	}
	if n := s.requests.Load(); n != 3 {
		t.Errorf("server read %d requests, want 3", n)
	}
}

func TestFetchErrors(t *testing.T) {
	s := serve(t, func(net.Conn, int64) bool { return true })
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := Fetch(ctx, s.addr, Request{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("no answer: error %v", err)
	}
	if _, err := Fetch(t.Context(), s.addr, Request{Path: "/ x"}); err == nil {
		t.Error("a path with a space was sent")
	}
	s.die()
	if _, err := Fetch(t.Context(), s.addr, Request{}); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("nobody listens: error %v", err)
	}
}

func TestFetchOfEndlessInterimAnswers(t *testing.T) {
	s := serve(t, func(c net.Conn, _ int64) bool {
		hint := []byte(strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n", 1000))
		for {
			if _, err := c.Write(hint); err != nil {
				return false
			}
		}
	})
	a, err := Fetch(t.Context(), s.addr, Request{})
	if err == nil || a.HeadBytes > maxHeads+readRoom {
		t.Errorf("error %v after %d B of heads", err, a.HeadBytes)
	}
}
