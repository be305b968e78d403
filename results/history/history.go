// Package history reads reports of other load generators (ab, wrk, wrk2, hey,
// h2load) that were made elsewhere, and judges them by what they say.
//
// Such a report is evidence of a kind: nobody here measured it, its machine is
// unknown but for what somebody states, and a post quotes only the lines that it
// likes. So every line is optional, a figure that is not there stays unknown, and
// what the lines that are there say about each other decides whether they may
// count. The limits are those of a trial: [results.DefaultLimits].
//
// It is not for comparing: a historic figure has no rank.
package history

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"dyno/results"
)

// maxText bounds what is read as a report, in bytes.
const maxText = 8 << 20

// NoReportError says that a text holds no report, and what was looked for.
type NoReportError struct{ File string }

func (e *NoReportError) Error() string {
	looked := make([]string, len(formats()))
	for i, f := range formats() {
		looked[i] = strings.Join(f.tools, " and ") + " (" + f.looksFor + ")"
	}
	return fmt.Sprintf("%s holds no report that can be read; looked for %s", e.File, strings.Join(looked, ", "))
}

// Read reads all reports of a text, in their order, and judges each by itself.
// File is the path that the text is from; the reports are named after it. The
// error is a [*NoReportError] where there is none.
func Read(file string, text []byte) ([]results.Historic, error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("%s is no report: it is longer than %d MiB", file, maxText>>20)
	}
	sheets := split(string(text))
	if len(sheets) == 0 {
		return nil, &NoReportError{file}
	}
	base := filepath.Base(file)
	name := strings.TrimSuffix(base, filepath.Ext(base))
	all := make([]results.Historic, len(sheets))
	for i, s := range sheets {
		s.judge(results.DefaultLimits())
		all[i] = s.historic()
		all[i].File, all[i].Name = base, name
		if len(sheets) > 1 {
			all[i].Name = fmt.Sprintf("%s-%d", name, i+1)
		}
	}
	return all, nil
}

// historic returns the sheet as a line of a record.
func (s *sheet) historic() results.Historic {
	h := results.Historic{
		Tool: s.tool, Version: s.version, Command: s.command.text, Server: s.server, Request: s.request,
		Connections: s.connections, KeepAlive: s.keepAlive,
		Requested: s.requested, Complete: s.complete, Right: s.right,
		ElapsedS: s.elapsed.float(), Rate: s.rate.float(), Goodput: s.goodput(),
		BytesIn: s.total.float(), BodyBytes: s.body.float(), Length: s.length,
		Failures: s.failures, Statuses: s.statuses, Latency: s.latency.times(),
		Reading: s.reading(), Invalid: s.reasons, Warnings: s.doubts,
		Text: strings.Join(s.lines, "\n") + "\n",
	}
	if h.Reading == nil {
		h.Reading = []string{}
	}
	if h.Invalid == nil {
		h.Invalid = []results.Reason{}
	}
	if h.Warnings == nil {
		h.Warnings = []string{}
	}
	if !utf8.ValidString(h.Text) {
		h.Text = strings.ToValidUTF8(h.Text, "\uFFFD")
	}
	return h
}

// goodput is the printed rate less its share of requests that were not right:
// it has more digits than the time.
func (s *sheet) goodput() *float64 {
	switch {
	case s.right == nil || s.complete == nil || *s.complete == 0:
		return nil
	case *s.right == 0:
		return new(0.0)
	case s.rate != nil && s.counted != nil && *s.counted == *s.right:
		return new(s.rate.value)
	case s.rate != nil && s.counted != nil && *s.counted > 0:
		return new(s.rate.value * float64(*s.right) / float64(*s.counted))
	case s.elapsed != nil && s.elapsed.value > 0:
		return new(float64(*s.right) / s.elapsed.value)
	}
	return nil
}
