package load

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
)

// An asked is a request as a server read it, with net/http's parser.
type asked struct {
	method, path, proto, body string
}

// serveRequests is a server whose answers depend on the request.
func serveRequests(t testing.TB, answer func(asked) string) *server {
	t.Helper()
	return serveTalk(t, func(s *server, c net.Conn) {
		for r := bufio.NewReader(c); ; {
			req, err := http.ReadRequest(r)
			if err != nil {
				return
			}
			body, err := io.ReadAll(req.Body)
			if err != nil {
				return
			}
			s.requests.Add(1)
			write(c, 0, []byte(answer(asked{req.Method, req.URL.Path, req.Proto, string(body)})))
		}
	})
}

func answerOf(status int, body string) string {
	return fmt.Sprintf("HTTP/1.1 %d X\r\nConnection: keep-alive\r\nContent-Length: %d\r\n\r\n%s", status, len(body), body)
}
