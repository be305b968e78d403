package ab

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dyno/orchestrator/load"
)

// answer is a whole one of 100 bytes of head.
func answer(body int64) load.Entry {
	return load.Entry{
		Start: 1 * time.Microsecond, Connected: 3 * time.Microsecond, Written: 4 * time.Microsecond,
		FirstByte: 9 * time.Microsecond, Done: 11 * time.Microsecond,
		Received: 100 + body, Head: 100, Body: body, Status: 200,
	}
}

func with(e load.Entry, change func(*load.Entry)) load.Entry {
	change(&e)
	return e
}

func whole(entries []load.Entry) (n int64) {
	for _, e := range entries {
		if e.Outcome == load.OK {
			n++
		}
	}
	return n
}

func failed(o load.Outcome, received int64) load.Entry {
	return load.Entry{Done: time.Microsecond, Outcome: o, Received: received}
}

// Each end of a request counts as the installed ab was seen to count it.
func TestAccount(t *testing.T) {
	for name, c := range map[string]struct {
		command Command
		entries []load.Entry
		want    Account
	}{
		"equal": {Command{}, []load.Entry{answer(5), answer(5)}, Account{DocumentLength: 5, Complete: 2, Received: 210, Bodies: 10}},
		"length": {
			Command{},
			[]load.Entry{answer(5), answer(6), answer(5)},
			Account{DocumentLength: 5, Complete: 3, Length: 1, OtherLength: 1, Received: 316, Bodies: 16},
		},
		"variable length": {Command{Variable: true}, []load.Entry{answer(5), answer(6)}, Account{DocumentLength: 5, Complete: 2, Received: 211, Bodies: 11}},
		"status": {
			Command{},
			[]load.Entry{answer(5), with(answer(5), func(e *load.Entry) { e.Status = 404 })},
			Account{DocumentLength: 5, Complete: 2, Non2xx: 1, OtherStatus: 1, Received: 210, Bodies: 10},
		},
		"keep-alive": {
			Command{KeepAlive: true},
			[]load.Entry{with(answer(5), func(e *load.Entry) { e.KeepAlive = true }), answer(5)},
			Account{DocumentLength: 5, Complete: 2, KeptAlive: 1, Received: 210, Bodies: 10},
		},
		"keep-alive with bytes behind": {
			Command{KeepAlive: true},
			[]load.Entry{answer(5), with(answer(5), func(e *load.Entry) { e.KeepAlive, e.Outcome, e.Received = true, load.ExcessBytes, 106 })},
			Account{DocumentLength: 5, Complete: 2, KeptAlive: 1, Length: 1, Received: 211, Bodies: 11},
		},
		"reset": {
			Command{},
			[]load.Entry{answer(5), failed(load.Reset, 0)},
			Account{DocumentLength: 5, Complete: 2, Receive: 1, Length: 1, Exceptions: 1, Received: 105, Bodies: 5},
		},
		"refused from the start": {Command{}, []load.Entry{failed(load.ConnectRefused, 0)}, Account{Complete: 1, Receive: 1, Exceptions: 1}},
		"closed at once":         {Command{}, []load.Entry{answer(5), failed(load.EOFFresh, 0)}, Account{DocumentLength: 5, Complete: 2, Length: 1, Received: 105, Bodies: 5}},
		"cut off": {
			Command{},
			[]load.Entry{answer(5), with(answer(3), func(e *load.Entry) { e.Outcome = load.ShortBody })},
			Account{DocumentLength: 5, Complete: 2, Length: 1, Received: 208, Bodies: 8},
		},
		"more than announced": {
			Command{},
			[]load.Entry{with(answer(5), func(e *load.Entry) { e.Received, e.Outcome = 108, load.ExcessBytes })},
			Account{DocumentLength: 8, Complete: 1, Received: 108, Bodies: 8},
		},
		"endless head": {Command{}, []load.Entry{failed(load.BadHead, 9000)}, Account{LongHeads: 1, Non2xx: 1, Received: 9000, Bodies: 9000}},
		"no port left": {Command{}, []load.Entry{failed(load.NoLocalPort, 0)}, Account{Connect: 1}},
		"not written":  {Command{}, []load.Entry{answer(5), failed(load.WriteError, 0)}, Account{DocumentLength: 5, Complete: 2, Length: 1, WriteErrors: 1, Received: 105, Bodies: 5}},
		"timed out":    {Command{}, []load.Entry{failed(load.RequestTimeout, 0), failed(load.ConnectTimedOut, 0), failed(load.InFlight, 0)}, Account{Unfinished: 3}},
		"behind the limit": {
			Command{Limit: time.Second},
			[]load.Entry{answer(5), with(answer(5), func(e *load.Entry) { e.Done = time.Minute })},
			Account{DocumentLength: 5, Complete: 1, Received: 105, Bodies: 5, Unfinished: 1},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := NewAccount(c.command, time.Time{}, load.Result{Elapsed: time.Second}, c.entries)
			if int64(len(got.Times)) != got.Complete {
				t.Errorf("%d times of %d complete", len(got.Times), got.Complete)
			}
			if got.Right+got.OtherStatus+got.OtherLength != whole(c.entries) {
				t.Errorf("%d, %d and %d whole answers of %d", got.Right, got.OtherStatus, got.OtherLength, whole(c.entries))
			}
			got.Command, got.Taken, got.Times, got.Right, got.Abort, got.AbortAt = Command{}, 0, nil, 0, "", 0
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFailedIsTheSumOfAll(t *testing.T) {
	a := Account{Connect: 1, Receive: 2, Length: 4, Exceptions: 8, LongHeads: 16, WriteErrors: 32, Non2xx: 64}
	if a.Failed() != 31 {
		t.Errorf("failed %d", a.Failed())
	}
}

// Time stamps are cut to microseconds before they are subtracted.
func TestTimes(t *testing.T) {
	for name, c := range map[string]struct {
		entry load.Entry
		want  Times
	}{
		"whole":      {answer(0), Times{1, 2, 10, 5}},
		"reused":     {with(answer(0), func(e *load.Entry) { e.Connected = e.Start }), Times{1, 0, 10, 5}},
		"cut":        {load.Entry{Start: 1999, Connected: 2000, Written: 2999, FirstByte: 3998, Done: 4999}, Times{1, 1, 3, 1}},
		"no connect": {load.Entry{Start: 5000, Done: 9000}, Times{5, 0, 4, 0}},
		"no answer":  {load.Entry{Start: 0, Connected: 1000, Written: 2000, Done: 9000}, Times{0, 1, 9, 0}},
	} {
		if got := timesOf(&c.entry); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// The figures were worked out by hand from the definitions; doubts compare
// rounded milliseconds.
func TestSpread(t *testing.T) {
	for name, c := range map[string]struct {
		values []int64
		want   Spread
		doubt  int
	}{
		"none":             {nil, Spread{}, 0},
		"one":              {[]int64{7}, Spread{7, 7, 7, 7, 0}, 0},
		"even":             {[]int64{40, 10, 30, 20}, Spread{10, 25, 30, 40, 12.909944487358056}, 0},
		"odd":              {[]int64{10, 20, 60}, Spread{10, 30, 40, 60, 26.457513110645905}, 0},
		"mean is cut":      {[]int64{1, 2}, Spread{1, 1, 2, 2, 1}, 0},
		"rounded up apart": {[]int64{1499, 1500, 1500, 1500}, Spread{1499, 1499, 1500, 1500, 1}, 2},
		"rounded apart":    {[]int64{400, 1500, 1500, 1500}, Spread{400, 1225, 1500, 1500, 550}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			var times []Times
			for _, v := range c.values {
				times = append(times, Times{Total: v})
			}
			got := spreadOf(times, func(t Times) int64 { return t.Total })
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if got.doubt() != c.doubt {
				t.Errorf("doubt %d, want %d", got.doubt(), c.doubt)
			}
		})
	}
}

func TestCSV(t *testing.T) {
	a := Account{Times: []Times{{Total: 3000}, {Total: 1000}, {Total: 2500}}}
	var b strings.Builder
	if err := a.CSV(&b); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	if len(lines) != 103 {
		t.Fatalf("%d lines", len(lines))
	}
	for at, want := range map[int]string{0: "Percentage served,Time in ms", 1: "0,1.000", 17: "16,1.000", 18: "17,2.500", 50: "49,2.500", 51: "50,3.000", 100: "99,3.000", 101: "100,3.000"} {
		if lines[at] != want {
			t.Errorf("line %d is %q, want %q", at, lines[at], want)
		}
	}
}

func TestGnuplot(t *testing.T) {
	a := Account{Began: time.Unix(1000000000, 0), Times: []Times{{Start: 2_500_000, Connect: 600, Total: 3000, Wait: 1500}, {Total: 1499}}}
	var b strings.Builder
	if err := a.Gnuplot(&b); err != nil {
		t.Fatal(err)
	}
	date := func(s int64) string { return time.Unix(s, 0).Format("Mon Jan 02 15:04:05 2006") }
	want := "starttime\tseconds\tctime\tdtime\tttime\twait\n" +
		date(1000000000) + "\t1000000000\t0\t1\t1\t0\n" +
		date(1000000002) + "\t1000000002\t1\t2\t3\t2\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

// Without -r ab ends at the first error of receiving, and in any case once more
// than ten failed.
func TestAbort(t *testing.T) {
	reset := []load.Entry{answer(5), answer(5), failed(load.Reset, 0), failed(load.Reset, 0)}
	long := []load.Entry{}
	for range 12 {
		long = append(long, failed(load.BadHead, 9000))
	}
	for name, c := range map[string]struct {
		command Command
		entries []load.Entry
		at      int64
		text    string
	}{
		"reset":      {Command{}, reset, 2, "apr_socket_recv: Connection reset by peer (104)"},
		"with -r":    {Command{KeepOnErrors: true}, reset, 0, ""},
		"refused":    {Command{}, []load.Entry{failed(load.ConnectRefused, 0)}, 0, "apr_socket_recv: Connection refused (111)"},
		"long heads": {Command{KeepOnErrors: true}, long, 0, "Test aborted after 10 failures"},
		"few":        {Command{KeepOnErrors: true}, long[:11], 0, ""},
	} {
		a := NewAccount(c.command, time.Time{}, load.Result{}, c.entries)
		if a.Abort != c.text || a.AbortAt != c.at {
			t.Errorf("%s: %q after %d, want %q after %d", name, a.Abort, a.AbortAt, c.text, c.at)
		}
	}
}

// The time taken ends with the last event, or when the run was cut short.
func TestTaken(t *testing.T) {
	entries := []load.Entry{answer(5), with(answer(5), func(e *load.Entry) { e.Done = 3 * time.Second })}
	for name, c := range map[string]struct {
		limit time.Duration
		res   load.Result
		taken time.Duration
		done  int64
	}{
		"by count":     {0, load.Result{Elapsed: 4 * time.Second}, 3 * time.Second, 2},
		"limit spared": {5 * time.Second, load.Result{Elapsed: 4 * time.Second}, 3 * time.Second, 2},
		"limit":        {2 * time.Second, load.Result{Elapsed: 2 * time.Second}, 2 * time.Second, 1},
		"interrupted":  {0, load.Result{Elapsed: time.Second, Interrupted: true}, time.Second, 1},
	} {
		a := NewAccount(Command{Limit: c.limit}, time.Time{}, c.res, entries)
		if a.Taken != c.taken || a.Complete != c.done || a.Right != 2 {
			t.Errorf("%s: %d in %v, %d right", name, a.Complete, a.Taken, a.Right)
		}
	}
}
