package report

import (
	_ "embed"
	"html/template"
	"strconv"
	"strings"

	"dyno/results/report/chart"
)

//go:embed document.css
var documentStyle template.CSS

// A document is a page of HTML in the making. All that is written into it is text,
// in which nothing is markup.
type document struct {
	text strings.Builder
	told told
}

func newDocument(title string) *document {
	d := &document{told: told{}}
	d.raw(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>` + markup(title) + `</title>
<style>
` + string(documentStyle) + string(chart.Style) + `</style>
</head>
<body>
`)
	return d
}

// end ends the document and returns it.
func (d *document) end() string {
	d.raw("</body>\n</html>\n")
	return d.text.String()
}

func (d *document) raw(text string) { d.text.WriteString(text) }

// markup makes text mean what it says, and look like it: what is not seen, or turns
// around what is, stands as U+FFFD.
func markup(text string) string {
	return template.HTMLEscapeString(strings.Map(func(r rune) rune {
		if strconv.IsPrint(r) || r == '\n' || r == '\t' || string(r) == joint {
			return r
		}
		return '\uFFFD'
	}, text))
}

// element writes text as one element on a line of its own.
func (d *document) element(name, class, text string) {
	d.raw("<" + name + classed(class) + ">" + markup(text) + "</" + name + ">\n")
}

func classed(class string) string {
	if class == "" {
		return ""
	}
	return ` class="` + class + `"`
}

// within writes an element around what inside writes.
func (d *document) within(name, class string, inside func()) {
	d.raw("<" + name + classed(class) + ">\n")
	inside()
	d.raw("</" + name + ">\n")
}

// fold writes what is there for whoever asks.
func (d *document) fold(summary string, inside func()) {
	d.within("details", "", func() {
		d.element("summary", "", summary)
		inside()
	})
}

func (d *document) title(text string) { d.element("h3", "", text) }

// note writes how to read what stands above it.
func (d *document) note(text string) {
	if text != "" {
		d.element("p", "note", text)
	}
}

// class is a style's name in the style sheet.
func (s style) class() string {
	return map[style]string{dim: "dim", red: "fault", green: "good", yellow: "warn"}[s]
}

func (d *document) fields(fields []field) {
	d.within("dl", "", func() {
		for _, f := range fields {
			if f.text != "" {
				d.element("dt", f.style.class(), f.label)
				d.element("dd", "", f.text)
			}
		}
	})
}

// A point is an item of a list: a name, what is said of it, and lines of a log.
type point struct {
	name, text string
	log        []string
}

func (d *document) points(all []point) {
	d.within("ul", "", func() {
		for _, p := range all {
			d.raw("<li>")
			if p.name != "" {
				d.raw("<b>" + markup(p.name) + "</b> ")
			}
			d.raw(markup(p.text))
			if len(p.log) > 0 {
				d.raw("<pre>" + markup(strings.Join(p.log, "\n")) + "</pre>")
			}
			d.raw("</li>\n")
		}
	})
}

// A cell is one of a table: a text, and how it looks.
type cell struct{ text, class string }

// table writes rows under heads; a head of the class "number" is one of numbers.
func (d *document) table(heads []cell, rows [][]cell) {
	d.within("div", "table", func() {
		d.within("table", "", func() {
			d.raw("<thead>")
			d.row("th", heads, heads)
			d.raw("</thead>\n<tbody>\n")
			for _, r := range rows {
				d.row("td", heads, r)
			}
			d.raw("</tbody>\n")
		})
	})
}

func (d *document) row(name string, heads, cells []cell) {
	d.raw("<tr>")
	for i, c := range cells {
		classes := []string{c.class}
		if heads[i].class != c.class {
			classes = append(classes, heads[i].class)
		}
		if name == "td" && width(c.text) <= unbroken {
			classes = append(classes, "short")
		}
		d.raw("<" + name + classed(strings.Join(strings.Fields(strings.Join(classes, " ")), " ")) + ">" + markup(c.text) + "</" + name + ">")
	}
	d.raw("</tr>\n")
}

// tabulate writes a table of all columns: a page is as wide as it takes.
func tabulate[of any](d *document, columns []column[of], all []of, classOf func(of) string) {
	var heads []cell
	rows := make([][]cell, len(all))
	for _, c := range columns {
		head := cell{text: c.head}
		if c.unit != "" {
			head.text += ", " + c.unit
		}
		if !c.left {
			head.class = "number"
		}
		heads = append(heads, head)
		for i, one := range all {
			rows[i] = append(rows[i], cell{c.cell(one), classOf(one)})
		}
	}
	d.table(heads, rows)
}

// figure writes a drawing and what it shows.
func (d *document) figure(drawing template.HTML, caption string) {
	d.within("figure", "", func() {
		d.raw(string(drawing) + "\n")
		d.element("figcaption", "", caption)
	})
}

// source writes a text as it is, folded up under its name.
func (d *document) source(name, text string) {
	d.fold(name, func() { d.element("pre", "", text) })
}
