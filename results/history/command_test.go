package history

import "testing"

func TestCommands(t *testing.T) {
	type want struct {
		tool                  string
		connections, requests int64
		rate                  float64
		limited, keepAlive    bool
		streams               int64
	}
	for text, w := range map[string]want{
		"ab -c 100 -n 100000 http://127.0.0.1/":                                 {"ab", 100, 100000, -1, false, false, -1},
		"$ ab -kc 10 -n 1000 http://127.0.0.1/":                                 {"ab", 10, 1000, -1, false, true, -1},
		"ab -n100 -c5 -k -l http://127.0.0.1/":                                  {"ab", 5, 100, -1, false, true, -1},
		"[root@client ~]# ab -t 30 -c 2000 http://192.168.4.5/":                 {"ab", 2000, -1, -1, true, false, -1},
		"me@host ~/x (master) # ab -c 1000 -n 10000 -k http://10.0.0.1/":        {"ab", 1000, 10000, -1, false, true, -1},
		"sudo /usr/bin/ab -q -n 50 http://h/":                                   {"ab", -1, 50, -1, false, false, -1},
		"wrk -t12 -c400 -d30s http://127.0.0.1:8080/index.html":                 {"wrk", 400, -1, -1, false, false, -1},
		"taskset -c 1 wrk --threads 2 --connections=1k --duration 5s http://h/": {"wrk", 1000, -1, -1, false, false, -1},
		"wrk -t2 -c100 -d30s -R2000 http://h/":                                  {"wrk2", 100, -1, 2000, false, false, -1},
		"wrk2 -t2 -c100 -d30s --rate 50k http://h/":                             {"wrk2", 100, -1, 50000, false, false, -1},
		"hey -n 3000 -c 10 http://h/":                                           {"hey", 10, 3000, -1, false, false, -1},
		"boom -n 3000 -c 10 http://h/":                                          {"hey", 10, 3000, -1, false, false, -1},
		"hey -z 10s -c 10 http://h/":                                            {"hey", 10, -1, -1, true, false, -1},
		"h2load -n100000 -c 16 -m 10 https://h/":                                {"h2load", 16, 100000, -1, false, false, 10},
		"h2load --h1 -D 5 --clients=16 --max-concurrent-streams=4 https://h/":   {"h2load", 16, -1, -1, true, false, 4},
		"ab is what we used":                                                    {},
		"the lab -n 5":                                                          {},
		"Requests per second: 5":                                                {},
		"Document Path: /ab -c 5 http":                                          {},
	} {
		c, ok := readCommand(text)
		if ok != (w.tool != "") {
			t.Errorf("%q: is a command: %t", text, ok)
			continue
		}
		if !ok {
			continue
		}
		got := want{c.tool, known(c.connections), known(c.requests), knownFloat(c.rate.float()), c.limited, c.keepAlive, known(c.streams)}
		if got != w {
			t.Errorf("%q: %+v, want %+v", text, got, w)
		}
	}
}
