package load

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzParser holds the parser against net/http's reading of the same bytes, up
// to the end of the connection, and against itself at another split.
//
// The two differ on purpose, where RFC 9112 leaves a choice or says so:
//   - here chunked beside Content-Length, or in HTTP/1.0, is a framing error;
//     net/http lets chunked, or 1.0, win;
//   - here lengths 5 and 05 are the same; to net/http they differ;
//   - here a status has three digits from 100 up, and the version is HTTP/1.x;
//     net/http takes 000, +10 and other versions;
//   - here names are tokens; net/http takes some with white space;
//   - here values are not looked into; net/http refuses control bytes;
//   - here white space before a chunk's extension is fine, as the grammar has
//     it, and there may be 64 KiB of extensions; net/http refuses both;
//   - here the bytes of an unfinished or malformed answer are a fault; net/http
//     reads a body only as far as it is asked to.
func FuzzParser(f *testing.F) {
	for _, c := range answerCases() {
		if len(c.wire) < 4096 {
			f.Add([]byte(c.wire), c.req.Method == "HEAD", uint16(len(c.wire)/2))
		}
	}
	f.Fuzz(func(t *testing.T, wire []byte, head bool, split uint16) {
		method := "GET"
		if head {
			method = "HEAD"
		}
		x := &exchange{req: Request{Method: method, KeepAlive: true}, head: head}
		got := parse(x, true, wire)
		at := min(int(split), len(wire))
		again := parse(x, true, wire[:at], wire[at:])
		if !got.Done {
			got.Rest, again.Rest = "", "" // depend on how much came with the fault
			got.Notes, again.Notes = nil, nil
		}
		if diff := cmp.Diff(got, again); diff != "" {
			t.Errorf("split at %d (-whole +split):\n%s", at, diff)
		}
		if deliberate(wire) {
			return
		}
		want, err := reference(wire, method)
		if (err == nil) != got.Done {
			t.Fatalf("net/http: %v; here: %+v", err, got)
		}
		if err != nil {
			return
		}
		got.Framing, got.Fault, got.Notes, got.Rest = "", "", nil, ""
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-net/http +here):\n%s", diff)
		}
	})
}

// reference is net/http's reading.
func reference(wire []byte, method string) (reply, error) {
	br := bufio.NewReader(bytes.NewReader(wire))
	for {
		res, err := http.ReadResponse(br, &http.Request{Method: method})
		if err != nil {
			return reply{}, err
		}
		body, err := io.ReadAll(res.Body)
		if err != nil {
			return reply{}, err
		}
		if res.StatusCode >= 200 || res.StatusCode == 101 {
			return reply{Done: true, Status: res.StatusCode, Body: string(body), KeepAlive: !res.Close && res.StatusCode != 101}, nil
		}
	}
}

// deliberate reports whether wire holds what the two read differently on
// purpose.
func deliberate(wire []byte) bool {
	s := string(wire)
	lower := strings.ToLower(s)
	lengths := strings.Count(lower, "content-length")
	coding := strings.Contains(lower, "transfer-encoding")
	switch {
	case coding && (lengths > 0 || strings.Contains(s, "HTTP/1.0")):
	case lengths > 1 && regexp.MustCompile(`content-length:\s*0`).MatchString(lower):
	case !regexp.MustCompile(`^(HTTP/1\.[01] 1\d\d( [^\n]*)?\n([^\r\n][^\n]*\n)*\r?\n)*HTTP/1\.[01] (101|[2-9]\d\d)( |\r?\n)`).MatchString(s):
	case regexp.MustCompile(`(?m)^[^:\n]*[ \t][^:\n]*:`).MatchString(s):
	case regexp.MustCompile(`[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r[^\n]|\r$`).MatchString(s):
	case coding && strings.Contains(s, ";"):
	default:
		return false
	}
	return true
}
