package load

import (
	"fmt"
	"testing"
	"time"
)

// nginxAnswer is what nginx answers for a small static file.
const nginxAnswer = "HTTP/1.1 200 OK\r\n" +
	"Server: nginx/1.22.1\r\n" +
	"Date: Sun, 30 Nov 2025 22:09:34 GMT\r\n" +
	"Content-Type: text/html\r\n" +
	"Content-Length: 18\r\n" +
	"Last-Modified: Sun, 30 Nov 2025 22:09:34 GMT\r\n" +
	"Connection: keep-alive\r\n" +
	"ETag: \"692cbfde-12\"\r\n" +
	"Accept-Ranges: bytes\r\n\r\n" +
	"<html>hello</html>"

const chunkedAnswer = "HTTP/1.1 200 OK\r\n" +
	"Date: Sun, 30 Nov 2025 22:09:34 GMT\r\n" +
	"Transfer-Encoding: chunked\r\n\r\n" +
	"5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n"

func BenchmarkParser(b *testing.B) {
	for _, bb := range []struct{ name, wire string }{
		{"length", nginxAnswer},
		{"chunked", chunkedAnswer},
	} {
		for _, piece := range []int{1 << 16, 100, 1} {
			b.Run(fmt.Sprintf("%s/pieces=%d", bb.name, piece), func(b *testing.B) {
				wire := []byte(bb.wire)
				b.SetBytes(int64(len(wire)))
				b.ReportAllocs()
				var p parser
				for b.Loop() {
					p.reset(false)
					for rest := wire; len(rest) > 0 && !p.ended(); {
						n, _ := p.next(rest[:min(len(rest), piece)])
						rest = rest[n:]
					}
				}
				if p.state != done {
					b.Fatal(p.fault)
				}
			})
		}
	}
}

func BenchmarkHistogramRecord(b *testing.B) {
	h := NewHistogram()
	for d := time.Duration(1); b.Loop(); d = d*7%time.Second + 1 {
		h.Record(d)
	}
}

// BenchmarkEngine loads a server in this process, so that its ns/op are those
// of both; cpu-ns/op are the engine's thread alone.
func BenchmarkEngine(b *testing.B) {
	for _, connections := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("connections=%d", connections), func(b *testing.B) {
			s := serve(b, steady)
			cfg := config(s)
			cfg.Connections = connections
			e := engine(b, cfg)
			if _, err := e.Run(b.Context(), Phase{Requests: int64(connections)}); err != nil {
				b.Fatal(err)
			}
			b.ResetTimer()
			r, err := e.Run(b.Context(), Phase{Requests: int64(b.N)})
			if err != nil || r.Outcomes[OK] != int64(b.N) {
				b.Fatal(err, r.Outcomes)
			}
			b.ReportMetric(float64(r.UserCPU+r.SystemCPU)/float64(b.N), "cpu-ns/op")
			b.ReportMetric(float64(r.Syscalls)/float64(b.N), "syscalls/op")
		})
	}
}
