package main

import (
	"context"
	"fmt"
	"html"
	"io"
	"strings"
	"time"

	"dyno/orchestrator/load"
	"dyno/orchestrator/load/ab"
)

const (
	abGlance = 20 * time.Millisecond // between two looks at the progress
	hopeless = time.Second           // with failures and no answer

	softwarePatience = time.Second // for the answer that names the server
)

// measureAB runs what line asks for, tells of its progress as ab does, and
// accounts for it. The fault is one of this host.
func measureAB(ctx context.Context, line ab.Command, engine *load.Engine, cfg load.Config, stderr io.Writer) (abReport, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w := abWatch{every: int64(line.Heartbeat()), out: stderr, giveUp: cancel}
	done := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		w.until(done, engine)
	}()
	began := time.Now()
	result, fault := undisturbed(ctx, engine, line.Phase())
	close(done)
	<-watched
	account := ab.NewAccount(line, began, result, cfg.Trace.Entries())
	w.tell(account.Complete)
	r := abReport{account: account, result: result}
	if ctx.Err() == nil && asksSoftware(cfg, result) {
		r.asked, r.account.Software = true, software(ctx, cfg)
	}
	return r, fault
}

// An abWatch tells of completed requests, and ends a run that only fails: the
// engine pauses after each refused connection, where ab would rush on.
type abWatch struct {
	every  int64 // 0: never
	told   int64
	out    io.Writer
	giveUp func()
	good   load.Progress // when the last answer was seen
	failed time.Time     // the first failure behind it; zero: none
}

func (w *abWatch) until(done <-chan struct{}, engine *load.Engine) {
	tick := time.NewTicker(abGlance)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
			w.look(engine.Live())
		}
	}
}

func (w *abWatch) look(live load.Progress) {
	w.tell(live.OK + live.Failed)
	switch {
	case live.OK > w.good.OK:
		w.good, w.failed = live, time.Time{}
	case live.Failed == w.good.Failed:
	case w.failed.IsZero():
		w.failed = time.Now()
	case time.Since(w.failed) > hopeless:
		w.giveUp()
	}
}

// tell writes ab's line for each further multiple of every.
func (w *abWatch) tell(complete int64) {
	for w.every > 0 && w.told+w.every <= complete {
		w.told += w.every
		fmt.Fprintf(w.out, "Completed %d requests\n", w.told)
	}
}

// asksSoftware reports whether one more request is to ask for the server's name:
// the server answers, and the request cannot change anything on it.
func asksSoftware(cfg load.Config, result load.Result) bool {
	m := cfg.Mix[0].Method
	return result.Outcomes[load.OK] > 0 && (m == "GET" || m == "HEAD")
}

// software returns what the server calls itself, up to the first blank as ab
// does. The engine keeps no head, so one more request asks for it, after the
// run.
func software(ctx context.Context, cfg load.Config) string {
	ctx, cancel := context.WithTimeout(ctx, softwarePatience)
	defer cancel()
	answer, _ := load.Fetch(ctx, cfg.Addr, cfg.Mix[0].Request) // a broken answer may still have its head
	for _, f := range answer.Fields {
		if strings.EqualFold(f.Name, "Server") {
			name, _, _ := strings.Cut(f.Value, " ")
			return name
		}
	}
	return ""
}

// truth says what became of the requests, in dyno's terms.
func (r *abReport) truth() string {
	a, res := &r.account, r.result
	rows := []outcomeRow{
		{"ok", a.Right, ""},
		{"status is not 2xx", a.OtherStatus, statuses(res.Status, func(s int) bool { return s/100 != 2 })},
		{"length differs", a.OtherLength, fmt.Sprintf("from the %d bytes of the first", a.DocumentLength)},
	}
	rows = append(rows, failureRows(res)...)
	b := new(strings.Builder)
	fmt.Fprintf(b, "\nTrue outcomes of %s started (dyno %s, %s)\n", plural(res.Started, "request"), version(), res.Backend)
	writeRows(b, rows)
	for _, note := range r.notes() {
		fmt.Fprintf(b, "  %s\n", note)
	}
	if a.Command.HTML {
		return "<pre>" + html.EscapeString(b.String()) + "</pre>\n"
	}
	return b.String()
}

// notes are what ab would have done otherwise, and what it does not tell.
func (r *abReport) notes() []string {
	a, res := &r.account, r.result
	var notes []string
	if a.Abort != "" {
		notes = append(notes, fmt.Sprintf("ab would have ended here without a report, after %s: %s", plural(a.AbortAt, "request"), a.Abort))
	}
	if a.Unfinished > 0 {
		notes = append(notes, fmt.Sprintf("%s unfinished in the report above", plural(a.Unfinished, "request")))
	}
	if res.Resent > 0 {
		notes = append(notes, fmt.Sprintf("%s sent twice: the server closed the reused connection before it answered; ab would have counted a failure each", plural(res.Resent, "request")))
	}
	if res.Interrupted {
		notes = append(notes, "the run ended early")
	}
	if r.asked {
		notes = append(notes, "one request more was sent after the run, to ask for the Server Software")
	}
	return append(notes, res.Notes...)
}
