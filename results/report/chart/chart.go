// Package chart draws figures as SVG that stands in a page of HTML.
//
// It knows places, not meanings: what is drawn, in which order and with which words,
// is for its caller to say. A drawing has no colours and no fonts, only classes for
// [Style], which has one set for light and one for dark. Values that are not known
// are NaN, and are not drawn. Every mark has its words as a title, which a browser
// shows where the pointer rests.
package chart

import (
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"strings"
)

// Style is the sheet that drawings need, once a page.
//
//go:embed chart.css
var Style template.CSS

// colours is how many series are told apart by colour.
const colours = 8

// A canvas is a drawing in the making. Its unit is a pixel at full width.
type canvas struct {
	text          strings.Builder
	width, height float64
}

// letter is about how wide a letter is: a little more, since nobody knows the font.
const letter = 7

// svg returns the drawing, which words describe to whoever does not see it.
func (c *canvas) svg(words string) template.HTML {
	return template.HTML(fmt.Sprintf(`<svg class="chart" viewBox="0 0 %s %s" role="img" aria-label="%s">%s</svg>`,
		place(c.width), place(c.height), template.HTMLEscapeString(words), c.text.String()))
}

func (c *canvas) line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&c.text, `<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`, class, place(x1), place(y1), place(x2), place(y2))
}

func (c *canvas) box(class string, x, y, width, height float64) {
	fmt.Fprintf(&c.text, `<rect class="%s" x="%s" y="%s" width="%s" height="%s"/>`, class, place(x), place(y), place(width), place(height))
}

func (c *canvas) words(class string, x, y float64, text string) {
	fmt.Fprintf(&c.text, `<text class="%s" x="%s" y="%s">%s</text>`, class, place(x), place(y), template.HTMLEscapeString(text))
}

// dot marks an observation; one that is off does not count.
func (c *canvas) dot(class string, x, y, r float64, off bool, title string) {
	if off {
		fmt.Fprintf(&c.text, `<path class="off" d="M%s %sl%s %sm0 -%sl-%s %s">`, place(x-r), place(y-r), place(2*r), place(2*r), place(2*r), place(2*r), place(2*r))
	} else {
		fmt.Fprintf(&c.text, `<circle class="%s" cx="%s" cy="%s" r="%s">`, class, place(x), place(y), place(r))
	}
	fmt.Fprintf(&c.text, `<title>%s</title>`, template.HTMLEscapeString(title))
	if off {
		c.text.WriteString("</path>")
	} else {
		c.text.WriteString("</circle>")
	}
}

// path joins places, each a pair of x and y.
func (c *canvas) path(class string, places [][2]float64) {
	var d strings.Builder
	for i, p := range places {
		if i == 0 {
			d.WriteString("M")
		} else {
			d.WriteString("L")
		}
		d.WriteString(place(p[0]) + " " + place(p[1]))
	}
	fmt.Fprintf(&c.text, `<path class="%s" d="%s"/>`, class, d.String())
}

// place writes a coordinate to a tenth of a pixel.
func place(x float64) string {
	text := fmt.Sprintf("%.1f", x)
	return strings.TrimSuffix(text, ".0")
}

func known(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
