package load

import "testing"

func TestWire(t *testing.T) {
	for _, tt := range []struct {
		name string
		req  Request
		want string
	}{
		{"zero", Request{}, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"},
		{"keep-alive", Request{Path: "/a?b", Host: "x:80", KeepAlive: true}, "GET /a?b HTTP/1.1\r\nHost: x:80\r\n\r\n"},
		{"HTTP/1.0", Request{Proto: HTTP10}, "GET / HTTP/1.0\r\n\r\n"},
		{"HTTP/1.0 keep-alive", Request{Proto: HTTP10, KeepAlive: true}, "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n"},
		{"body", Request{Method: "POST", KeepAlive: true, Body: []byte("hi")}, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nhi"},
		{"empty body", Request{Method: "PUT", KeepAlive: true}, "PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"},
		{
			"as ab sends it",
			Request{Proto: HTTP10, KeepAlive: true, Header: []Field{{"Connection", "Keep-Alive"}, {"Host", "h"}, {"User-Agent", "ApacheBench/2.3"}, {"Accept", "*/*"}}},
			"GET / HTTP/1.0\r\nConnection: Keep-Alive\r\nHost: h\r\nUser-Agent: ApacheBench/2.3\r\nAccept: */*\r\n\r\n",
		},
	} {
		if got := string(tt.req.Wire()); got != tt.want {
			t.Errorf("%s:\ngot  %q\nwant %q", tt.name, got, tt.want)
		}
	}
}

func TestOutcomesHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for o := range Outcomes(Outcomes{}) {
		name := Outcome(o).String()
		if name == "" || seen[name] {
			t.Errorf("outcome %d is named %q", o, name)
		}
		seen[name] = true
	}
}
