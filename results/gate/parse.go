package gate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Parse reads a gate. What is wrong with it is a [SyntaxError].
func Parse(text string) (Gate, error) {
	p := parser{text: []rune(text)}
	g := Gate{Text: text, Subject: p.subject()}
	g.Op = p.op(g.Subject.Figure)
	g.Limit = p.limit(g.Subject)
	if p.space(); p.at < len(p.text) {
		p.fail(p.at, "%q is left over; a gate ends with its limit", string(p.text[p.at:]))
	}
	if p.err != nil {
		p.err.Gate = text
		return Gate{}, p.err
	}
	return g, nil
}

// A parser reads from left to right, and keeps the first mistake. After that it
// goes on without meaning, and soon ends: nothing is read twice.
type parser struct {
	text []rune
	at   int
	err  *SyntaxError
}

func (p *parser) fail(at int, format string, args ...any) {
	if p.err == nil {
		p.err = &SyntaxError{Column: at + 1, Text: fmt.Sprintf(format, args...)}
	}
}

func (p *parser) space() {
	for p.at < len(p.text) && unicode.IsSpace(p.text[p.at]) {
		p.at++
	}
}

// next reports whether token is next, and passes over it.
func (p *parser) next(token string) bool {
	p.space()
	if !strings.HasPrefix(string(p.text[p.at:]), token) {
		return false
	}
	p.at += len([]rune(token))
	return true
}

// seen writes what stands where something else should.
func (p *parser) seen() string {
	if p.space(); p.at == len(p.text) {
		return "the end"
	}
	return strconv.Quote(string(p.text[p.at]))
}

func (p *parser) expect(token, example string) {
	if !p.next(token) {
		p.fail(p.at, "%q is missing before %s, as in %s", token, p.seen(), example)
	}
}

// run reads the characters that are of a kind.
func (p *parser) run(of func(rune) bool) string {
	from := p.at
	for p.at < len(p.text) && of(p.text[p.at]) {
		p.at++
	}
	return string(p.text[from:p.at])
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// subject reads a figure with its target and workload.
func (p *parser) subject() Subject {
	p.space()
	from := p.at
	s := Subject{Figure: Figure(p.run(isWord)), Workload: All}
	if !slices.Contains(Figures(), s.Figure) {
		said := p.seen()
		if s.Figure != "" {
			said = strconv.Quote(string(s.Figure))
		}
		p.fail(from, "%s is no figure; there are %s", said, strings.Trim(fmt.Sprint(Figures()), "[]"))
	}
	p.expect("(", string(s.Figure)+"(my-target)")
	s.Target, s.columns[0] = p.named("target")
	if p.next(",") {
		s.Workload, s.columns[1] = p.named("workload")
	}
	p.expect(")", string(s.Figure)+"(my-target)")
	return s
}

// named reads a name and says in which column it begins.
func (p *parser) named(what string) (name string, column int) {
	p.space()
	from := p.at
	return p.name(what), from + 1
}

// name reads a name up to what ends it, or within double quotes.
func (p *parser) name(what string) string {
	p.space()
	from := p.at
	if p.next(`"`) {
		name := p.run(func(r rune) bool { return r != '"' })
		p.expect(`"`, `"my `+what+`"`)
		if name == "" {
			p.fail(from, "the name of a %s is empty", what)
		}
		return name
	}
	depth := 0 // of brackets, in which variants of a target have commas
	name := p.run(func(r rune) bool {
		switch r {
		case '[':
			depth++
		case ']':
			depth--
		case '(', ')', '"':
			return false
		case ',':
			return depth > 0
		}
		return true
	})
	if name = strings.TrimSpace(name); name == "" {
		p.fail(from, "the name of a %s is missing before %s; * is all of them", what, p.seen())
	}
	return name
}

// op reads how a figure has to stand to its limit.
func (p *parser) op(f Figure) Op {
	p.space()
	from := p.at
	for _, op := range []Op{AtMost, AtLeast, Equal, Less, More} { // the longer ones first
		if !p.next(string(op)) {
			continue
		}
		if op == Equal && f != Errors {
			p.fail(from, "== is for errors, which are counted; %s is an estimate, and equals nothing: take <= or >=", f)
		}
		return op
	}
	p.fail(from, "%s is no comparison; there are <, <=, >, >= and, for errors, ==", p.seen())
	return ""
}

// limit reads what the figure of a subject is held against.
func (p *parser) limit(s Subject) Limit {
	p.space()
	from := p.at
	l := Limit{Value: 1}
	if p.at < len(p.text) && isDigit(p.text[p.at]) {
		number := p.number()
		p.space()
		unitAt := p.at
		unit := p.unit()
		if p.next("*") {
			l.Value = p.factor(from, unitAt, number, unit)
			p.reference(s, &l)
		} else {
			l.Value = p.value(s.Figure, unitAt, number, unit)
		}
	} else {
		p.reference(s, &l)
	}
	l.Text = strings.TrimSpace(string(p.text[from:p.at]))
	return l
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// number reads digits, with a point among them at most.
func (p *parser) number() float64 {
	from := p.at
	text := p.run(func(r rune) bool { return isDigit(r) || r == '.' })
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(x, 0) {
		p.fail(from, "%q is no number that dyno can hold", text)
	}
	return x
}

// unit reads what stands behind a number: a word, also one with a slash, or a %.
func (p *parser) unit() string {
	if p.next("%") {
		return "%"
	}
	return p.run(func(r rune) bool { return isWord(r) || r == '/' })
}

// value is a number in its unit.
func (p *parser) value(f Figure, at int, number float64, unit string) float64 {
	value, ok := f.Quantity().value(number, unit)
	if !ok {
		said := "a number without a unit"
		if unit != "" {
			said = strconv.Quote(unit)
		}
		p.fail(at, "%s is no limit of %s; its units are %s", said, f, f.Quantity().names())
	}
	if math.IsInf(value, 0) {
		p.fail(at, "the limit is larger than dyno can hold")
	}
	return value
}

// factor is a number that multiplies a figure; it may be in percent.
func (p *parser) factor(at, unitAt int, number float64, unit string) float64 {
	switch unit {
	case "":
	case "%":
		number /= 100
	default:
		p.fail(unitAt, "a factor has no unit, and here it has %q", unit)
	}
	if number == 0 {
		p.fail(at, "a factor is above 0")
	}
	return number
}

// reference reads the figure that a limit is a multiple of.
func (p *parser) reference(s Subject, l *Limit) {
	p.space()
	from := p.at
	word := p.run(isWord)
	switch {
	case word == "baseline":
		l.Baseline = true
		return
	case word == "" || !slices.Contains(Figures(), Figure(word)):
		p.at = from
		if word = strconv.Quote(word); word == `""` {
			word = p.seen()
		}
		p.fail(from, "%s is no limit; it is a number with its unit, baseline, a figure such as %s(my-target), or a number times one of these", word, s.Figure)
		return
	}
	p.at = from
	of := p.subject()
	switch {
	case of.Target == All:
		p.fail(of.columns[0]-1, "a limit is of one target: name it")
	case of.Figure.Quantity() != s.Figure.Quantity():
		p.fail(from, "%s and %s are not measured in the same unit", s.Figure, of.Figure)
	}
	l.Of = &of
}
