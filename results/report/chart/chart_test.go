package chart

import (
	"encoding/xml"
	"errors"
	"html/template"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
)

// An element is one of a drawing, as a browser reads it.
type element struct {
	name, class, text string
	x, y              float64
}

// elements reads a drawing, which must be well-formed.
func elements(t *testing.T, drawing template.HTML) (all []element) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(string(drawing)))
	var open []int
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("%v in:\n%s", err, drawing)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := element{name: token.Name.Local}
			for _, a := range token.Attr {
				n, _ := strconv.ParseFloat(a.Value, 64)
				switch a.Name.Local {
				case "class":
					e.class = a.Value
				case "x", "cx", "x1":
					e.x = n
				case "y", "cy", "y1":
					e.y = n
				}
			}
			open, all = append(open, len(all)), append(all, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				all[open[len(open)-1]].text += string(token)
			}
		}
	}
}

func of(all []element, name, class string) (some []element) {
	for _, e := range all {
		if e.name == name && strings.HasPrefix(e.class, class) {
			some = append(some, e)
		}
	}
	return some
}

func whole(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// A row shows its middle, its interval and each observation, in its order from top
// to bottom; what does not count is a cross, what is not known is nothing.
func TestRows(t *testing.T) {
	unknown := math.NaN()
	all := elements(t, Rows{Names: []string{"a <b>", "c"}, Panels: []Panel{{Title: "speed", Write: whole, Rows: []Row{
		{Mid: 20, Low: 10, High: 30, Words: "20", Dots: []Dot{{At: 10, Title: "first"}, {At: 30, Title: "second"}, {At: 40, Off: true, Title: "third & last"}}},
		{Mid: unknown, Low: unknown, High: unknown, Dots: []Dot{{At: unknown}}},
	}}}}.SVG())
	dots := of(all, "circle", "dot c0")
	if len(dots) != 2 || dots[0].y >= dots[1].y || dots[1].x <= dots[0].x {
		t.Errorf("observations: %+v", dots)
	}
	mid, interval := of(all, "line", "mid"), of(all, "line", "interval")
	if len(mid) != 1 || len(interval) != 1 || mid[0].x <= interval[0].x {
		t.Errorf("middle %+v, interval %+v", mid, interval)
	}
	if off := of(all, "path", "off"); len(off) != 1 {
		t.Errorf("crosses: %+v", off)
	}
	titles := of(all, "title", "")
	if len(titles) != 3 || titles[2].text != "third & last" {
		t.Errorf("titles %+v", titles)
	}
	if names := of(all, "text", "name"); len(names) != 2 || names[0].text != "a <b>" {
		t.Errorf("names %+v", names)
	}
}

// Ratios stand around 1, with what is chance as a band.
func TestRatios(t *testing.T) {
	all := elements(t, Rows{Names: []string{"a"}, Panels: []Panel{{Ratios: true, Band: 0.1, Write: whole, Rows: []Row{{Mid: 2, Low: 1.5, High: 2.5}}}}}.SVG())
	base, mid, band := of(all, "line", "base"), of(all, "line", "mid"), of(all, "rect", "band")
	if len(base) != 1 || len(band) != 1 || !(band[0].x < base[0].x && base[0].x < mid[0].x) {
		t.Errorf("base %+v, band %+v, middle %+v", base, band, mid)
	}
}

// The names of series that end together stand below each other.
func TestLabels(t *testing.T) {
	var l Lines
	l.X, l.Y = Axis{Write: whole}, Axis{Write: whole}
	for _, name := range []string{"a", "b", "c"} {
		l.Series = append(l.Series, Series{Name: name, Points: []Point{{X: 1, Y: 10, Low: 10, High: 10}, {X: 2, Y: 10, Low: math.NaN(), High: math.NaN()}}})
	}
	labels := of(elements(t, l.SVG()), "text", "label")
	if len(labels) != 3 {
		t.Fatalf("labels %+v", labels)
	}
	for i, label := range labels[1:] {
		if label.y-labels[i].y < labelHeight {
			t.Errorf("%q at %v is over %q at %v", label.text, label.y, labels[i].text, labels[i].y)
		}
	}
}

// No line goes through a point that does not count, and loose points have none.
func TestLines(t *testing.T) {
	unknown := math.NaN()
	at := func(x, y float64, off bool) Point { return Point{X: x, Y: y, Low: unknown, High: unknown, Off: off} }
	l := Lines{X: Axis{Write: whole}, Y: Axis{Write: whole}, Series: []Series{
		{Name: "line", Points: []Point{at(1, 1, false), at(2, 9, true), at(3, 3, false), at(4, unknown, false)}},
		{Name: "loose", Loose: true, Points: []Point{at(1, 5, false), at(2, 5, false)}},
	}}
	all := elements(t, l.SVG())
	if lines := of(all, "path", "line"); len(lines) != 1 {
		t.Errorf("%d lines, want 1", len(lines))
	}
	if on, off := of(all, "circle", "point"), of(all, "path", "off"); len(on) != 4 || len(off) != 1 {
		t.Errorf("%d points and %d crosses, want 4 and 1", len(on), len(off))
	}
	if n := strings.Count(string(l.SVG()), "L"); n != 1 {
		t.Errorf("the line has %d parts, want 1: it left out what does not count", n)
	}
}
