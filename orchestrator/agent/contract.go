package agent

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"mime"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"

	"dyno/orchestrator/load"
)

// A mismatch is how an answer differs from the contract.
type mismatch struct{ error }

// holds returns a mismatch, or nil.
func (c Contract) holds(a load.Answer) error {
	if err := c.differs(a); err != nil {
		return mismatch{err}
	}
	return nil
}

func (c Contract) differs(a load.Answer) error {
	if a.Status != c.Status {
		return fmt.Errorf("status %d instead of %d; the answer begins %q", a.Status, c.Status, begin(a))
	}
	if c.ContentType != "" {
		if got := field(a, "Content-Type"); !sameType(got, c.ContentType) {
			return fmt.Errorf("Content-Type %q instead of %q", got, c.ContentType)
		}
	}
	if c.Varies {
		return nil
	}
	if c.Body != nil && !bytes.Equal(a.Body, c.Body) {
		return fmt.Errorf("a body of %d bytes, %q, instead of %d bytes, %q", len(a.Body), clip(a.Body), len(c.Body), clip(c.Body))
	}
	if c.Length != nil && int64(len(a.Body)) != *c.Length {
		return fmt.Errorf("a body of %d bytes instead of %d: %q", len(a.Body), *c.Length, clip(a.Body))
	}
	if c.SHA256 != "" {
		if sum := sha256.Sum256(a.Body); !strings.EqualFold(hex.EncodeToString(sum[:]), c.SHA256) {
			return fmt.Errorf("a body whose SHA-256 is %x instead of %s: %q", sum, c.SHA256, clip(a.Body))
		}
	}
	return nil
}

// field returns the value of a header field; empty where the answer has none.
func field(a load.Answer, name string) string {
	i := slices.IndexFunc(a.Fields, func(f load.Field) bool { return strings.EqualFold(f.Name, name) })
	if i < 0 {
		return ""
	}
	return a.Fields[i].Value
}

// sameType compares media types; parameters such as charset do not count.
func sameType(got, want string) bool {
	media, _, err := mime.ParseMediaType(got)
	return err == nil && strings.EqualFold(media, want)
}

func begin(a load.Answer) []byte { return clip(append(bytes.Clone(a.Head), a.Body...)) }

func clip(b []byte) []byte { return b[:min(len(b), 120)] }

// ContractRequests is how many answers are checked before load is put on a server.
const ContractRequests = 3

// checkContract checks several answers to each request in full, and returns the last
// of each.
func checkContract(ctx context.Context, addr netip.AddrPort, job Job) (answers []load.Answer, err error) {
	for n, part := range job.Mix {
		answer, err := part.check(ctx, addr, job.Timeout)
		if err != nil {
			return nil, job.about(n, err)
		}
		answers = append(answers, answer)
	}
	return answers, nil
}

// about says which of several requests an error is about.
func (j Job) about(request int, err error) error {
	if len(j.Mix) == 1 {
		return err
	}
	r := j.Mix[request].Request
	return fmt.Errorf("request %d, %s %s: %w", request+1, cmp.Or(r.Method, "GET"), r.Path, err)
}

// check checks several answers, on one connection where the request keeps it alive.
func (p Part) check(ctx context.Context, addr netip.AddrPort, timeout time.Duration) (last load.Answer, err error) {
	ctx, cancel := context.WithTimeout(ctx, ContractRequests*timeout)
	defer cancel()
	var session *load.Session
	for i := range ContractRequests {
		if session == nil {
			if session, err = load.Dial(ctx, addr); err != nil {
				return last, err
			}
			defer session.Close()
		}
		answer, err := session.Do(ctx, p.Request)
		if err != nil {
			return answer, err
		}
		if err := p.Contract.holds(answer); err != nil {
			return answer, err
		}
		if p.Request.KeepAlive && !answer.KeepAlive {
			return answer, errors.New("the server does not keep the connection alive; set keepalive = false, or configure it to")
		}
		if i > 0 && !p.Contract.Varies && !bytes.Equal(answer.Body, last.Body) {
			return answer, fmt.Errorf("the body differs from one answer to the next, %q and %q; if it may, set varies = true", clip(last.Body), clip(answer.Body))
		}
		if last = answer; !answer.KeepAlive {
			session = nil
		}
	}
	return last, nil
}

// pollInterval is the pause between two looks at a server that is starting.
const pollInterval = 2 * time.Millisecond

// waitReady asks until the contract holds for every request. Its error is what was wrong at last,
// a mismatch if there was an answer.
func waitReady(ctx context.Context, addr netip.AddrPort, job Job) error {
	ctx, cancel := context.WithTimeout(ctx, job.Ready)
	defer cancel()
	last := errors.New("no answer at all")
	right := 0 // requests that were answered rightly: they are not asked again, since each may leave something behind
	for {
		err := job.Mix[right].look(ctx, addr, job.Timeout)
		if err == nil {
			if right++; right == len(job.Mix) {
				return nil
			}
			continue
		}
		err = job.about(right, err)
		// A look that ran out of time says less than the one before it.
		if late, ok := errors.AsType[net.Error](err); !ok || !late.Timeout() {
			last = err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("no right answer within %v; at last: %w", job.Ready, last)
		case <-time.After(pollInterval):
		}
	}
}

// look asks once, on a connection of its own.
func (p Part) look(ctx context.Context, addr netip.AddrPort, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	once := p.Request
	once.KeepAlive = false
	answer, err := load.Fetch(ctx, addr, once)
	if err != nil {
		return err
	}
	return p.Contract.holds(answer)
}
