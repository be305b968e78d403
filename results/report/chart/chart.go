// Package chart draws figures as SVG that stands in a page of HTML.
//
// It knows places, not meanings: what is drawn, in which order and with which words,
// is for its caller to say. A drawing has no colours and no fonts, only classes for
// [Style], which has one set for light and one for dark. Values that are not known
// are NaN, and are not drawn. Marks have words as their titles, which a browser shows
// where the pointer rests, and so have names that are cut.
package chart

import (
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"strings"
	"unicode/utf8"
)

// Style is the sheet that drawings need, once a page.
//
//go:embed chart.css
var Style template.CSS

// colours is how many things are told apart by colour; those beyond have the same
// ones again, with other marks.
const colours = 8

// tint is the class of the thing of that number.
func tint(number int) string { return fmt.Sprintf("c%d", number%colours) }

// A canvas is a drawing in the making. Its unit is a pixel at full width.
type canvas struct {
	text          strings.Builder
	width, height float64
}

// letter is about how wide a letter is: a little more, since nobody knows the font.
const letter = 7

// wide is about how wide a text is.
func wide(text string) float64 { return letter * float64(utf8.RuneCountInString(text)) }

// svg returns the drawing, which words describe to whoever does not see it.
func (c *canvas) svg(class, words string) template.HTML {
	return template.HTML(fmt.Sprintf(`<svg class="chart %s" viewBox="0 0 %s %s" role="img" aria-label="%s">%s</svg>`,
		class, place(c.width), place(c.height), template.HTMLEscapeString(words), c.text.String()))
}

func (c *canvas) line(class string, x1, y1, x2, y2 float64, title string) {
	fmt.Fprintf(&c.text, `<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s">%s</line>`, class, place(x1), place(y1), place(x2), place(y2), titled(title))
}

func (c *canvas) box(class string, x, y, width, height float64) {
	fmt.Fprintf(&c.text, `<rect class="%s" x="%s" y="%s" width="%s" height="%s"/>`, class, place(x), place(y), place(width), place(height))
}

func (c *canvas) words(class string, x, y float64, text string) {
	fmt.Fprintf(&c.text, `<text class="%s" x="%s" y="%s">%s</text>`, class, place(x), place(y), template.HTMLEscapeString(text))
}

// name writes a text in about so many pixels: what is cut has all of it as its title.
func (c *canvas) name(class string, x, y float64, text string, most float64) {
	short := shortened(text, most)
	if short == text {
		c.words(class, x, y, text)
		return
	}
	fmt.Fprintf(&c.text, `<text class="%s" x="%s" y="%s">%s%s</text>`, class, place(x), place(y), template.HTMLEscapeString(short), titled(text))
}

// A shape is a mark around the middle, of the radius 1: a path.
type shape string

const (
	cross  shape = "M-1 -1L1 1M1 -1L-1 1"
	square shape = "M-.9 -.9H.9V.9H-.9Z"
	kite   shape = "M0 -1.3L1.3 0L0 1.3L-1.3 0Z"
	right  shape = "M-.8 -1.2L1.2 0L-.8 1.2Z"
	left   shape = "M.8 -1.2L-1.2 0L.8 1.2Z"
	up     shape = "M-1.2 .8L0 -1.2L1.2 .8Z"
	down   shape = "M-1.2 -.8L0 1.2L1.2 -.8Z"
)

// shapeOf is the mark of the thing of that number; empty: a circle.
func shapeOf(number int) shape { return []shape{"", square, kite}[number/colours%3] }

// mark draws a shape at a place.
func (c *canvas) mark(class string, of shape, x, y, r float64, title string) {
	if of == "" {
		fmt.Fprintf(&c.text, `<circle class="%s" cx="%s" cy="%s" r="%s">%s</circle>`, class, place(x), place(y), place(r), titled(title))
		return
	}
	fmt.Fprintf(&c.text, `<path class="%s" transform="translate(%s %s) scale(%s)" d="%s">%s</path>`, class, place(x), place(y), place(r), of, titled(title))
}

// path joins places, each a pair of x and y.
func (c *canvas) path(class string, places [][2]float64, title string) {
	var d strings.Builder
	for i, p := range places {
		d.WriteString(map[bool]string{true: "M", false: "L"}[i == 0])
		d.WriteString(place(p[0]) + " " + place(p[1]))
	}
	fmt.Fprintf(&c.text, `<path class="%s" d="%s">%s</path>`, class, d.String(), titled(title))
}

func titled(text string) string {
	if text == "" {
		return ""
	}
	return "<title>" + template.HTMLEscapeString(text) + "</title>"
}

// shortened cuts text to about so many pixels, in its middle: names differ at either
// end.
func shortened(text string, most float64) string {
	runes, n := []rune(text), int(most/letter)
	if len(runes) <= n {
		return text
	}
	return string(runes[:n/2]) + "…" + string(runes[len(runes)-(n-1-n/2):])
}

// place writes a coordinate to a tenth of a pixel.
func place(x float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0") }

func known(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
