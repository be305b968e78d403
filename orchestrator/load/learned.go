package load

import "bytes"

// A learned is a head that was parsed whole, and what the parser made of it. Most
// answers of a server differ in their Date only, so that a comparison can stand
// in for the parser.
//
// The parser takes no notice of what a field means that it does not know, Date
// among them: as long as no line feed is in it, any value of the same length
// leads to the same end. All else is compared byte by byte.
type learned struct {
	before []byte // up to the value of Date, or all
	date   int    // length of that value
	after  []byte
	parser parser // as it was behind the head
}

// size is the length of the head; 0 before one was learned.
func (l *learned) size() int { return len(l.before) + l.date + len(l.after) }

// matches reports whether b begins with the head.
func (l *learned) matches(b []byte) bool {
	n := l.size()
	if n == 0 || len(b) < n {
		return false
	}
	date := len(l.before)
	rest := date + l.date
	return string(b[:date]) == string(l.before) && string(b[rest:n]) == string(l.after) &&
		bytes.IndexByte(b[date:rest], '\n') < 0
}

// learn keeps a head and the parser behind it, except where anything about it was
// out of the ordinary.
func (l *learned) learn(head []byte, p *parser) {
	if p.state == failed || p.notes != 0 {
		return
	}
	l.before, l.date, l.after = append(l.before[:0], head...), 0, l.after[:0]
	if i := bytes.Index(head, []byte("\r\nDate: ")); i >= 0 {
		value := i + len("\r\nDate: ")
		l.date = bytes.IndexByte(head[value:], '\r')
		l.before = l.before[:value]
		l.after = append(l.after, head[value+l.date:]...)
	}
	l.parser = *p
}

// recall puts p where it would be had it parsed the head.
func (l *learned) recall(p *parser) {
	line, value := p.line, p.value
	*p = l.parser
	p.line, p.value = line, value
}
