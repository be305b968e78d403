package ab

import (
	"fmt"
	"io"
	"strings"
)

// Banner returns what ab says before it starts.
func (c Command) Banner() string {
	if c.HTML {
		return `<p>
 This is ApacheBench, Version 2.3 <i>&lt;$Revision$&gt;</i><br>
 Copyright 1996 Adam Twiss, Zeus Technology Ltd, http://www.zeustech.net/<br>
 Licensed to The Apache Software Foundation, http://www.apache.org/<br>
</p>
<p>
`
	}
	return `This is ApacheBench, Version 2.3 <$Revision$>
Copyright 1996 Adam Twiss, Zeus Technology Ltd, http://www.zeustech.net/
Licensed to The Apache Software Foundation, http://www.apache.org/

`
}

// Opening returns what ab says as it starts.
func (c Command) Opening() string {
	if c.HTML {
		return ""
	}
	through := ""
	if c.Proxy != "" {
		host, port := c.Peer()
		through = fmt.Sprintf("[through %s:%d] ", host, port)
	}
	end := "..."
	if c.Heartbeat() > 0 {
		end = "\n"
	}
	return fmt.Sprintf("Benchmarking %s %s(be patient)%s", c.Target.Host, through, end)
}

// Text writes ab's report.
func (a *Account) Text(w io.Writer) error {
	var b strings.Builder
	a.head(&b)
	a.rates(&b)
	if a.Complete > 0 {
		a.connectionTimes(&b)
	}
	if a.Complete > 1 && !a.Command.NoPercentiles {
		a.percentages(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (a *Account) head(b *strings.Builder) {
	c := a.Command
	length := fmt.Sprintf("%d bytes", a.DocumentLength)
	if c.Variable {
		length = "Variable"
	}
	fmt.Fprintf(b, "\n\nServer Software:        %s\nServer Hostname:        %s\nServer Port:            %d\n\n", a.Software, c.Target.Host, c.Target.Port)
	fmt.Fprintf(b, "Document Path:          %s\nDocument Length:        %s\n\n", c.Target.Path, length)
	fmt.Fprintf(b, "Concurrency Level:      %d\nTime taken for tests:   %.3f seconds\n", c.Concurrency, a.seconds())
	fmt.Fprintf(b, "Complete requests:      %d\nFailed requests:        %d\n", a.Complete, a.Failed())
	if a.Failed() > 0 {
		fmt.Fprintf(b, "   (Connect: %d, Receive: %d, Length: %d, Exceptions: %d)\n", a.Connect, a.Receive, a.Length, a.Exceptions)
	}
	if a.WriteErrors > 0 {
		fmt.Fprintf(b, "Write errors:           %d\n", a.WriteErrors)
	}
	if a.Non2xx > 0 {
		fmt.Fprintf(b, "Non-2xx responses:      %d\n", a.Non2xx)
	}
	if c.KeepAlive {
		fmt.Fprintf(b, "Keep-Alive requests:    %d\n", a.KeptAlive)
	}
	fmt.Fprintf(b, "Total transferred:      %d bytes\n", a.Received)
	if c.HasBody {
		fmt.Fprintf(b, "Total body sent:        %d\n", a.Sent)
	}
	fmt.Fprintf(b, "HTML transferred:       %d bytes\n", a.Bodies)
}

// seconds is the time taken as ab reckons with it, in whole microseconds.
func (a *Account) seconds() float64 { return float64(a.Taken.Microseconds()) / 1e6 }

// Rates are what ab derives from its counts.
type Rates struct {
	PerSecond      float64 // complete requests
	Each, EachOfC  float64 // milliseconds across all concurrent requests, and that times the concurrency
	In, Out, InOut float64 // KiB a second
}

// Rates returns zeros where no time was taken or nothing was completed.
func (a *Account) Rates() Rates {
	t, n := a.seconds(), float64(a.Complete)
	if t <= 0 || n == 0 {
		return Rates{}
	}
	return Rates{
		PerSecond: n / t,
		Each:      t * 1000 / n,
		EachOfC:   float64(a.Command.Concurrency) * t * 1000 / n,
		In:        float64(a.Received) / 1024 / t,
		Out:       float64(a.Sent) / 1024 / t,
		InOut:     float64(a.Received+a.Sent) / 1024 / t,
	}
}

func (a *Account) rates(b *strings.Builder) {
	r := a.Rates()
	if r == (Rates{}) {
		return
	}
	fmt.Fprintf(b, "Requests per second:    %.2f [#/sec] (mean)\n", r.PerSecond)
	fmt.Fprintf(b, "Time per request:       %.3f [ms] (mean)\n", r.EachOfC)
	fmt.Fprintf(b, "Time per request:       %.3f [ms] (mean, across all concurrent requests)\n", r.Each)
	fmt.Fprintf(b, "Transfer rate:          %.2f [Kbytes/sec] received\n", r.In)
	if a.Command.HasBody {
		fmt.Fprintf(b, "                        %.2f kb/s sent\n                        %.2f kb/s total\n", r.Out, r.InOut)
	}
}

// A kind is one row of the connection times.
type kind struct {
	label string
	name  string // in a warning
	of    func(Times) int64
}

func kinds() []kind {
	return []kind{
		{"Connect:", "the initial connection time", func(t Times) int64 { return t.Connect }},
		{"Processing:", "the processing time", Times.Processing},
		{"Waiting:", "the waiting time", func(t Times) int64 { return t.Wait }},
		{"Total:", "the total time", func(t Times) int64 { return t.Total }},
	}
}

func (a *Account) connectionTimes(b *strings.Builder) {
	b.WriteString("\nConnection Times (ms)\n")
	if a.Command.NoConfidence {
		b.WriteString("              min   avg   max\n")
		for _, k := range kinds() {
			s := spreadOf(a.Times, k.of)
			fmt.Fprintf(b, "%-12s%5d %5d%5d\n", k.label, milliseconds(s.Min), milliseconds(s.Mean), milliseconds(s.Max))
		}
		return
	}
	b.WriteString("              min  mean[+/-sd] median   max\n")
	var doubts strings.Builder
	for _, k := range kinds() {
		s := spreadOf(a.Times, k.of)
		fmt.Fprintf(b, "%-12s%5d %4d %5.1f %6d %7d\n", k.label,
			milliseconds(s.Min), milliseconds(s.Mean), s.Deviation/1000, milliseconds(s.Median), milliseconds(s.Max))
		doubts.WriteString(warning(k.name, s.doubt()))
	}
	b.WriteString(doubts.String())
}

func warning(name string, doubt int) string {
	switch doubt {
	case 1:
		return fmt.Sprintf("WARNING: The median and mean for %s are not within a normal deviation\n        These results are probably not that reliable.\n", name)
	case 2:
		return fmt.Sprintf("ERROR: The median and mean for %s are more than twice the standard\n       deviation apart. These results are NOT reliable.\n", name)
	}
	return ""
}

func (a *Account) percentages(b *strings.Builder) {
	b.WriteString("\nPercentage of the requests served within a certain time (ms)\n")
	sorted := a.sorted()
	for _, p := range []int{50, 66, 75, 80, 90, 95, 98, 99} {
		fmt.Fprintf(b, "  %d%%  %5d\n", p, milliseconds(sorted[len(sorted)*p/100].Total))
	}
	fmt.Fprintf(b, " 100%%  %5d (longest request)\n", milliseconds(sorted[len(sorted)-1].Total))
}
