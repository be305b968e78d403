package ab

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// sample has an account with every line that ab knows, and doubtful times.
func sample() *Account {
	return &Account{
		Command: Command{
			Target: Target{Host: "h", Port: 81, Path: "/p?<a>"}, Concurrency: 2, HasBody: true, KeepAlive: true, Tag: "z", Row: "y", Table: "x",
		},
		Software: "s<1>", Taken: 2 * time.Second, DocumentLength: 5, Complete: 4, Non2xx: 1, KeptAlive: 3,
		Connect: 1, Receive: 2, Length: 3, Exceptions: 4, LongHeads: 5, WriteErrors: 6, Received: 4096, Bodies: 20, Sent: 2048,
		Times: []Times{{0, 0, 400, 400}, {0, 0, 1500, 1500}, {0, 0, 1500, 1500}, {0, 0, 1500, 1499}},
	}
}

func TestText(t *testing.T) {
	const want = `

Server Software:        s<1>
Server Hostname:        h
Server Port:            81

Document Path:          /p?<a>
Document Length:        5 bytes

Concurrency Level:      2
Time taken for tests:   2.000 seconds
Complete requests:      4
Failed requests:        15
   (Connect: 1, Receive: 2, Length: 3, Exceptions: 4)
Write errors:           6
Non-2xx responses:      1
Keep-Alive requests:    3
Total transferred:      4096 bytes
Total body sent:        2048
HTML transferred:       20 bytes
Requests per second:    2.00 [#/sec] (mean)
Time per request:       1000.000 [ms] (mean)
Time per request:       500.000 [ms] (mean, across all concurrent requests)
Transfer rate:          2.00 [Kbytes/sec] received
                        1.00 kb/s sent
                        3.00 kb/s total

Connection Times (ms)
              min  mean[+/-sd] median   max
Connect:        0    0   0.0      0       0
Processing:     0    1   0.6      2       2
Waiting:        0    1   0.5      2       2
Total:          0    1   0.6      2       2
WARNING: The median and mean for the processing time are not within a normal deviation
        These results are probably not that reliable.
WARNING: The median and mean for the waiting time are not within a normal deviation
        These results are probably not that reliable.
WARNING: The median and mean for the total time are not within a normal deviation
        These results are probably not that reliable.

Percentage of the requests served within a certain time (ms)
  50%      2
  66%      2
  75%      2
  80%      2
  90%      2
  95%      2
  98%      2
  99%      2
 100%      2 (longest request)
`
	var b strings.Builder
	if err := sample().Text(&b); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestErrorLine(t *testing.T) {
	const want = "ERROR: The median and mean for the total time are more than twice the standard\n       deviation apart. These results are NOT reliable.\n"
	if got := warning("the total time", 2); got != want {
		t.Errorf("%q", got)
	}
}

// Nothing complete has neither rates nor times.
func TestTextOfNothing(t *testing.T) {
	var b strings.Builder
	if err := (&Account{Taken: time.Second}).Text(&b); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(b.String(), "HTML transferred:       0 bytes\n") {
		t.Error(b.String())
	}
}

func TestHTMLIsEscaped(t *testing.T) {
	var b strings.Builder
	if err := sample().HTML(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<table x>", "<td colspan=2 z>s&lt;1&gt;</td>", "<td colspan=2 z>/p?&lt;a&gt;</td>", "(Connect: 1, Length: 3, Exceptions: 4)", "<tr y><td colspan=2 z>&nbsp;</td><td colspan=2 z>3.00 kb/s total</td></tr>"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
