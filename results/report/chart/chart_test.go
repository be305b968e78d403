package chart

import (
	"encoding/xml"
	"errors"
	"html/template"
	"io"
	"math"
	"slices"
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
		{Mid: 20, Low: 10, High: 30, Title: "20 or so", Words: "20", Dots: []Dot{{At: 10, Title: "first"}, {At: 30, Title: "second"}, {At: 25, Off: true, Title: "third & last"}}},
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
	if off := of(all, "path", "dot off"); len(off) != 1 {
		t.Errorf("crosses: %+v", off)
	}
	var titles []string
	for _, title := range of(all, "title", "") {
		titles = append(titles, title.text)
	}
	if want := []string{"20 or so", "first", "second", "third & last", "20 or so"}; !slices.Equal(titles, want) {
		t.Errorf("titles %q, want %q", titles, want)
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

// No line goes through a point that does not count or is not known, nor past it, and
// loose points have none.
func TestLines(t *testing.T) {
	unknown := math.NaN()
	at := func(x, y float64, off bool) Point { return Point{X: x, Y: y, Low: unknown, High: unknown, Off: off} }
	l := Lines{X: Axis{Write: whole}, Y: Axis{Write: whole}, Series: []Series{
		{Name: "line", Points: []Point{at(1, 1, false), at(2, 2, false), at(3, 2, true), at(4, 3, false), at(5, 3, false), at(6, unknown, false), at(7, 4, false)}},
		{Name: "loose", Colour: 1, Loose: true, Points: []Point{at(1, 5, false), at(2, 5, false)}},
	}}
	all := elements(t, l.SVG())
	if lines := of(all, "path", "line c0"); len(lines) != 2 {
		t.Errorf("%d lines, want 2: up to what does not count, and from there to what is not known", len(lines))
	}
	if loose := of(all, "path", "line c1"); len(loose) != 0 {
		t.Errorf("a line goes through loose points")
	}
	if on, off := of(all, "circle", "point"), of(all, "path", "point off"); len(on) != 7 || len(off) != 1 {
		t.Errorf("%d points and %d crosses, want 7 and 1", len(on), len(off))
	}
}

// What does not count takes no part in the scale, and lies at its end as an arrow
// where it is beyond; where nothing counts all of it has its place.
func TestBeyond(t *testing.T) {
	counts := Row{Mid: 10, Low: 9, High: 11, Dots: []Dot{{At: 10}}}
	off := Row{Mid: 1000, Low: 900, High: 1100, Off: true, Dots: []Dot{{At: 1000, Off: true}}}
	draw := func(rows ...Row) []element {
		return elements(t, Rows{Names: make([]string, len(rows)), Panels: []Panel{{Write: whole, Rows: rows}}}.SVG())
	}
	both := draw(counts, off)
	if mids := of(both, "line", "mid"); len(mids) != 1 || len(of(both, "line", "interval")) != 1 {
		t.Errorf("middles %+v: what lies beyond has none", mids)
	}
	if arrows := of(both, "path", "dot off"); len(arrows) != 1 || !strings.Contains(string(Rows{Names: []string{"", ""}, Panels: []Panel{{Write: whole, Rows: []Row{counts, off}}}}.SVG()), string(right)) {
		t.Errorf("no arrow: %+v", arrows)
	}
	if alone := draw(off); len(of(alone, "line", "mid")) != 1 || len(of(alone, "line", "interval")) != 1 {
		t.Error("where nothing counts, what there is has no place")
	}
	lines := Lines{X: Axis{Write: whole}, Y: Axis{Write: whole}, Series: []Series{{Points: []Point{{X: 1, Y: 10, Low: 10, High: 10}, {X: 2, Y: 1000, Off: true}}}}}
	if !strings.Contains(string(lines.SVG()), string(up)) {
		t.Error("a point beyond the axis is no arrow")
	}
}

// An axis of nothing has no ticks, and says so.
func TestNothingKnown(t *testing.T) {
	drawing := string(Rows{Names: []string{"a"}, Panels: []Panel{{Write: whole, Rows: []Row{{Mid: math.NaN(), Low: math.NaN(), High: math.NaN()}}}}}.SVG())
	if !strings.Contains(drawing, "not known") || strings.Contains(drawing, `class="grid"`) {
		t.Errorf("%s", drawing)
	}
}

// Given ticks that have no room are left out.
func TestGivenTicks(t *testing.T) {
	var ticks []Tick
	for _, at := range []float64{1, 10, 12, 15, 400, 500} {
		ticks = append(ticks, Tick{at, whole(at)})
	}
	var names []string
	for _, tick := range (Axis{Ticks: ticks}).on(fit(true, []float64{1, 500}, 0, 300), leastApart) {
		names = append(names, tick.Name)
	}
	if want := []string{"1", "10", "400"}; !slices.Equal(names, want) {
		t.Errorf("ticks %q, want %q", names, want)
	}
}

// A name that is cut differs from others of its kind at both ends, and has all of it
// as its title.
func TestShortened(t *testing.T) {
	if got := shortened("registry-empty against handler-empty", 15*letter); got != "registr…r-empty" {
		t.Errorf("%q", got)
	}
	if got := shortened("short", 5*letter); got != "short" {
		t.Errorf("%q", got)
	}
	long := strings.Repeat("long ", 30)
	all := elements(t, Rows{Names: []string{long}, Panels: []Panel{{Write: whole}}}.SVG())
	if titles := of(all, "title", ""); len(titles) != 1 || titles[0].text != long {
		t.Errorf("titles %+v", titles)
	}
}

// Things beyond the number of colours have other marks.
func TestShapes(t *testing.T) {
	if shapeOf(0) == shapeOf(colours) || shapeOf(colours) == shapeOf(2*colours) || tint(0) != tint(colours) {
		t.Error("two things of one colour have one mark")
	}
}
