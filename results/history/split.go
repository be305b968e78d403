package history

import (
	"regexp"
	"slices"
	"strings"
)

// A format is what one tool prints.
type format struct {
	tools    []string
	looksFor string         // for a person: lines by which it is known
	opens    *regexp.Regexp // lines that a report may begin with, since posts leave out what stood before
	read     func(*sheet) reader
}

func formats() []format {
	return []format{
		{[]string{"ab"}, `"Concurrency Level:", "Requests per second:"`, abOpens, newAB},
		{[]string{"wrk", "wrk2"}, `"Thread Stats", "… requests in …", "Requests/sec:"`, wrkOpens, newWrk},
		{[]string{"hey"}, `"Summary:", "Status code distribution:"`, heyOpens, newHey},
		{[]string{"h2load"}, `"finished in …", "requests: … total"`, h2loadOpens, newH2load},
	}
}

// A reader takes the lines of one report, blanks squeezed, and fills in a sheet.
type reader interface {
	take(line string) meaning
	close() // the last line was taken; what follows from several of them is reckoned
}

// A meaning is what a line is to a reader.
type meaning int

const (
	nothing meaning = iota
	taken
	unread // it is a line of the report, but has no figure that can be one
	again  // it stands once in a report and was here already: another report begins
)

// A rule is one kind of line.
type rule[R any] struct {
	pattern *regexp.Regexp
	repeats bool // may stand several times in a report
	read    func(r R, m []string) bool
}

// A state is which rules were met.
type state []bool

func take[R any](rules []rule[R], met *state, r R, line string) meaning {
	if *met == nil {
		*met = make(state, len(rules))
	}
	for i, rule := range rules {
		m := rule.pattern.FindStringSubmatch(line)
		switch {
		case m == nil:
			continue
		case (*met)[i] && !rule.repeats:
			return again
		}
		(*met)[i] = true
		if !rule.read(r, m) {
			return unread
		}
		return taken
	}
	return nothing
}

// A splitter finds the reports in a text.
type splitter struct {
	done    []*sheet
	pending command // stands before the next report
	sheet   *sheet  // nil: between two reports
	format  format  // of the sheet
	reader  reader
	end     int // of the sheet's lines, behind the last that says something
}

// split reads all reports of a text.
func split(text string) []*sheet {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\uFEFF"), "\r\n", "\n")
	lines := strings.Split(text, "\n")
	whole := lines[len(lines)-1] == "" // the text ends with the end of a line
	var s splitter
	for i := 0; i < len(lines); i++ {
		line, used := unwrap(lines[i:])
		s.line(line, lines[i:i+used])
		if i += used - 1; s.sheet != nil {
			s.sheet.cut = !whole && i == len(lines)-1 && s.end == len(s.sheet.lines)
		}
	}
	s.finish()
	return s.done
}

// quoting is what mail and chat put before a line.
var quoting = regexp.MustCompile(`^(?:[>|] ?)+`)

// squeeze leaves one blank between words, and none of the marks of a quotation.
func squeeze(line string) string {
	return strings.Join(strings.Fields(quoting.ReplaceAllString(strings.TrimSpace(line), "")), " ")
}

var (
	wrapped     = regexp.MustCompile(`^(?:Time taken for tests|Complete requests|Failed requests|Total transferred|HTML transferred|Requests per second|Transfer rate|Document Length|Concurrency Level):$|^(?:Connect|Processing|Waiting|Total):(?: [\d.]+){0,4}$|^Time per request: [\d.]+ \[ms\]$`)
	wrappedRest = regexp.MustCompile(`^[\d.]+(?: [\d.]+)*(?: seconds| bytes| \[.*| kb/s.*)?$|^\(mean.*\)$`)
)

// unwrap returns the first line squeezed, and how many it is made of: the pages
// that old reports of ab stand on break them.
func unwrap(lines []string) (line string, used int) {
	line, used = squeeze(lines[0]), 1
	for used < min(len(lines), 4) && wrapped.MatchString(line) {
		next := squeeze(lines[used])
		if !wrappedRest.MatchString(next) {
			break
		}
		line += " " + next
		used++
	}
	return line, used
}

// line takes one line, which is printed as one or several.
func (s *splitter) line(line string, printed []string) {
	if c, ok := readCommand(line); ok {
		s.finish()
		s.pending = c
		return
	}
	m := nothing
	if s.sheet != nil {
		m = s.reader.take(line)
	}
	if m == again {
		s.begin(s.format)
		m = s.reader.take(line)
	} else if f, ok := opened(line); m == nothing && ok {
		s.begin(f)
		m = s.reader.take(line)
	}
	if s.sheet == nil {
		return
	}
	s.sheet.lines = append(s.sheet.lines, printed...)
	if m != nothing {
		s.end = len(s.sheet.lines)
	}
	if m == unread {
		s.sheet.doubt("this line has no figure that can be one: %s", cutLine(line, 80))
	}
}

// opened returns the format whose reports may begin with a line.
func opened(line string) (f format, ok bool) {
	all := formats()
	at := slices.IndexFunc(all, func(f format) bool { return f.opens.MatchString(line) })
	if at < 0 {
		return format{}, false
	}
	return all[at], true
}

func (s *splitter) begin(f format) {
	s.finish()
	s.sheet = &sheet{tool: f.tools[0], streams: 1}
	if c := s.pending; slices.Contains(f.tools, c.tool) {
		s.sheet.command, s.sheet.tool = c, c.tool
		s.sheet.connections, s.sheet.requested, s.sheet.offered = c.connections, c.requests, c.rate
	}
	s.pending = command{}
	s.format, s.reader, s.end = f, f.read(s.sheet), 0
}

// finish ends the report at hand, and keeps it if it says anything.
func (s *splitter) finish() {
	if s.sheet == nil {
		return
	}
	s.sheet.lines = s.sheet.lines[:s.end]
	s.reader.close()
	if s.sheet.says() {
		s.done = append(s.done, s.sheet)
	}
	s.sheet, s.reader = nil, nil
}
