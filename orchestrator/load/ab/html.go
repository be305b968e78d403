package ab

import (
	"fmt"
	"html"
	"io"
	"strings"
)

// HTML writes ab's report as a table. Unlike ab it escapes what the server and
// the URL say.
func (a *Account) HTML(w io.Writer) error {
	t := table{row: a.Command.Row, tag: a.Command.Tag}
	fmt.Fprintf(&t, "\n\n<table %s>\n", a.Command.Table)
	a.htmlHead(&t)
	if a.Taken > 0 {
		a.htmlRates(&t)
	}
	if a.Complete > 0 {
		a.htmlTimes(&t)
	}
	t.WriteString("</table>\n")
	_, err := io.WriteString(w, t.String())
	return err
}

// A table writes rows with the attributes of -y and -z.
type table struct {
	strings.Builder
	row, tag string
}

// figure writes a row with its heading.
func (t *table) figure(heading, format string, args ...any) {
	fmt.Fprintf(t, "<tr %s><th colspan=2 %s>%s</th><td colspan=2 %s>%s</td></tr>\n", t.row, t.tag, heading, t.tag, fmt.Sprintf(format, args...))
}

// more writes a row that goes on with the one before.
func (t *table) more(format string, args ...any) {
	fmt.Fprintf(t, "<tr %s><td colspan=2 %s>&nbsp;</td><td colspan=2 %s>%s</td></tr>\n", t.row, t.tag, t.tag, fmt.Sprintf(format, args...))
}

func (t *table) times(heading string, low, mean, high int64) {
	fmt.Fprintf(t, "<tr %[1]s><th %[2]s>%[3]s</th><td %[2]s>%5[4]d</td><td %[2]s>%5[5]d</td><td %[2]s>%5[6]d</td></tr>\n", t.row, t.tag, heading, low, mean, high)
}

func (a *Account) htmlHead(t *table) {
	c := a.Command
	t.figure("Server Software:", "%s", html.EscapeString(a.Software))
	t.figure("Server Hostname:", "%s", html.EscapeString(c.Target.Host))
	t.figure("Server Port:", "%d", c.Target.Port)
	t.figure("Document Path:", "%s", html.EscapeString(c.Target.Path))
	if c.Variable {
		t.figure("Document Length:", "Variable")
	} else {
		t.figure("Document Length:", "%d bytes", a.DocumentLength)
	}
	t.figure("Concurrency Level:", "%d", c.Concurrency)
	t.figure("Time taken for tests:", "%.3f seconds", a.seconds())
	t.figure("Complete requests:", "%d", a.Complete)
	t.figure("Failed requests:", "%d", a.Failed())
	if a.Failed() > 0 {
		fmt.Fprintf(t, "<tr %s><td colspan=4 %s >   (Connect: %d, Length: %d, Exceptions: %d)</td></tr>\n", t.row, t.tag, a.Connect, a.Length, a.Exceptions)
	}
	if a.Non2xx > 0 {
		t.figure("Non-2xx responses:", "%d", a.Non2xx)
	}
	if c.KeepAlive {
		t.figure("Keep-Alive requests:", "%d", a.KeptAlive)
	}
	t.figure("Total transferred:", "%d bytes", a.Received)
	if c.HasBody {
		t.figure("Total body sent:", "%d", a.Sent)
	}
	t.figure("HTML transferred:", "%d bytes", a.Bodies)
}

func (a *Account) htmlRates(t *table) {
	r := a.Rates()
	t.figure("Requests per second:", "%.2f", r.PerSecond)
	t.figure("Transfer rate:", "%.2f kb/s received", r.In)
	if a.Command.HasBody {
		t.more("%.2f kb/s sent", r.Out)
		t.more("%.2f kb/s total", r.InOut)
	}
}

// htmlTimes takes processing for the difference between total and connect, of
// the smallest, the mean and the largest each, as ab does here.
func (a *Account) htmlTimes(t *table) {
	connect := spreadOf(a.Times, func(t Times) int64 { return t.Connect })
	total := spreadOf(a.Times, func(t Times) int64 { return t.Total })
	meanConnect, meanTotal := a.meanOf(func(t Times) int64 { return t.Connect }), a.meanOf(func(t Times) int64 { return t.Total })
	low, high := milliseconds(connect.Min), milliseconds(connect.Max)
	lowTotal, highTotal := milliseconds(total.Min), milliseconds(total.Max)
	fmt.Fprintf(t, "<tr %s><th %s colspan=4>Connection Times (ms)</th></tr>\n", t.row, t.tag)
	fmt.Fprintf(t, "<tr %[1]s><th %[2]s>&nbsp;</th> <th %[2]s>min</th>   <th %[2]s>avg</th>   <th %[2]s>max</th></tr>\n", t.row, t.tag)
	t.times("Connect:", low, meanConnect, high)
	t.times("Processing:", lowTotal-low, meanTotal-meanConnect, highTotal-high)
	t.times("Total:", lowTotal, meanTotal, highTotal)
}

// meanOf rounds the sum to milliseconds and divides then, as ab does in HTML.
func (a *Account) meanOf(of func(Times) int64) int64 {
	var sum int64
	for _, t := range a.Times {
		sum += of(t)
	}
	return milliseconds(sum) / a.Complete
}
