package report

import (
	"strings"
	"unicode/utf8"
)

// joint is a space at which no line is broken.
const joint = "\u00a0"

// A page is text in the making.
type page struct {
	text   strings.Builder
	width  int
	colour bool
	told   told
}

func newPage(o Options) *page {
	if o.Width == 0 {
		o.Width = 100
	}
	return &page{width: o.Width, colour: o.Colour, told: told{}}
}

// A style is the number of a terminal's escape sequence.
type style string

const (
	plain  style = ""
	bold   style = "1"
	dim    style = "2"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
)

func (p *page) paint(s style, text string) string {
	if !p.colour || s == plain || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

// line writes one line. A space that keeps two words together is a space.
func (p *page) line(text string) {
	text = strings.ReplaceAll(text, joint, " ")
	p.text.WriteString(strings.TrimRight(text, " "))
	p.text.WriteByte('\n')
}

// field writes a label and its text, which may go on below itself.
func (p *page) field(label, text string) {
	const labels = 9
	if text != "" {
		p.hanging("  "+pad(label, labels), text, 2+labels)
	}
}

// item writes one point of a list whose names are so wide.
func (p *page) item(name, text string, names int) {
	names = max(names, width(name))
	p.hanging("  "+pad(name, names)+"  ", text, 2+names+2)
}

// quote writes foreign text. What does not fit even in lines of its own is cut.
func (p *page) quote(indent int, text string) {
	margin := strings.Repeat(" ", indent)
	for _, part := range wrap(text, p.width-indent-2) {
		p.line(margin + p.paint(dim, "│ "+cut(part, p.width-indent-2)))
	}
}

// paragraph writes text with every line indented.
func (p *page) paragraph(indent, text string) { p.hanging(indent, text, len(indent)) }

// hanging writes text behind a start, and what does not fit below it, indented.
func (p *page) hanging(start, text string, indent int) {
	for _, part := range wrap(text, p.width-indent) {
		p.line(start + part)
		start = strings.Repeat(" ", indent)
	}
}

// wrap breaks text at spaces into lines of at most so many characters, or of one
// word.
func wrap(text string, most int) (lines []string) {
	for word := range strings.SplitSeq(text, " ") {
		last := len(lines) - 1
		if last >= 0 && width(lines[last])+1+width(word) <= most {
			lines[last] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	return lines
}

// cut shortens text to at most so many characters.
func cut(text string, most int) string {
	if r := []rune(text); len(r) > most && most > 0 {
		return string(r[:most-1]) + "…"
	}
	return text
}

// pad fills text up on the right, and padLeft on the left.
func pad(text string, to int) string { return text + strings.Repeat(" ", max(0, to-width(text))) }

func padLeft(text string, to int) string {
	return strings.Repeat(" ", max(0, to-width(text))) + text
}

// width counts the characters that are seen.
func width(text string) (n int) {
	for {
		before, after, ok := strings.Cut(text, "\x1b[")
		n += utf8.RuneCountInString(before)
		if !ok {
			return n
		}
		_, text, _ = strings.Cut(after, "m")
	}
}
