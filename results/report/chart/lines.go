package chart

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
)

// Lines are series of points in a plane.
type Lines struct {
	About  string // for whoever does not see it
	X, Y   Axis
	Series []Series
}

// An Axis is one of a plane's two.
type Axis struct {
	Title string
	Log   bool
	Ticks []Tick               // nil: round values
	Write func(float64) string // of ticks; not needed where Ticks are given
}

// A Tick is a value on an axis and what it is called.
type Tick struct {
	At   float64
	Name string
}

// A Series is the points of one name, in their order. Its colour is that of its
// place.
type Series struct {
	Name   string
	Points []Point
	Loose  bool // points, and no line through them
	Bare   bool // a line, and no points on it
}

// A Point is one figure: NaN where it is not known.
type Point struct {
	X, Y      float64
	Low, High float64 // of Y
	Off       bool    // does not count: it takes no part in the scale, and is drawn at its end if it is beyond
	Title     string
}

// Measures of lines, in pixels.
const (
	linesWidth  = 520
	linesHeight = 280
	linesLeft   = 62
	linesTop    = 24
	linesBottom = 42
	mostLabel   = 130
	labelHeight = 14
)

// SVG draws the lines.
func (l Lines) SVG() template.HTML {
	c := &canvas{width: linesWidth, height: linesHeight}
	label := 0.0
	for _, s := range l.Series {
		label = max(label, letter*float64(len([]rune(s.Name))))
	}
	right := linesWidth - min(label, mostLabel) - 14
	x, y := l.scales(linesLeft, right)
	l.ground(c, x, y)
	for i, s := range l.Series {
		s.draw(c, x, y, fmt.Sprintf("c%d", i%colours))
	}
	l.labels(c, y, right+8)
	return c.svg(l.About)
}

func (l Lines) scales(left, right float64) (x, y scale) {
	var xs, ys, off []float64
	for _, s := range l.Series {
		for _, p := range s.Points {
			xs = append(xs, p.X)
			if p.Off {
				off = append(off, p.Y)
			} else {
				ys = append(ys, p.Y, p.Low, p.High)
			}
		}
	}
	if !slices.ContainsFunc(ys, known) {
		ys = off
	}
	return fit(l.X.Log, xs, left, right), fit(l.Y.Log, ys, linesHeight-linesBottom, linesTop)
}

// ground draws axes and ticks.
func (l Lines) ground(c *canvas, x, y scale) {
	bottom := float64(linesHeight - linesBottom)
	for _, tick := range l.Y.on(y, 26) {
		c.line("grid", x.from, y.at(tick.At), x.to, y.at(tick.At))
		c.words("tick left", x.from-6, y.at(tick.At)+4, tick.Name)
	}
	for _, tick := range l.X.on(x, leastApart) {
		c.line("grid", x.at(tick.At), bottom, x.at(tick.At), bottom+4)
		c.words("tick", x.at(tick.At), bottom+17, tick.Name)
	}
	c.line("base", x.from, bottom, x.to, bottom)
	c.words("title", 0, linesTop-10, l.Y.Title)
	c.words("tick", (x.from+x.to)/2, linesHeight-6, l.X.Title)
}

// on returns the ticks that lie on a scale.
func (a Axis) on(s scale, apart float64) (ticks []Tick) {
	if a.Ticks != nil {
		return slices.DeleteFunc(slices.Clone(a.Ticks), func(t Tick) bool { return t.At < s.low || t.At > s.high })
	}
	for _, at := range s.ticks(apart) {
		ticks = append(ticks, Tick{at, a.Write(at)})
	}
	return ticks
}

func (s Series) draw(c *canvas, x, y scale, class string) {
	var through [][2]float64
	for _, p := range s.Points {
		if known(p.Y) && !p.Off {
			through = append(through, [2]float64{x.at(p.X), y.at(p.Y)})
		}
	}
	if !s.Loose && len(through) > 1 {
		c.path("line "+class, through)
	}
	for _, p := range s.Points {
		if s.Bare || !known(p.Y) {
			continue
		}
		if !p.Off && known(p.Low) && known(p.High) && p.Low < p.High {
			c.line("whisker "+class, x.at(p.X), y.at(p.Low), x.at(p.X), y.at(p.High))
		}
		c.dot("point "+class, x.at(p.X), y.within(p.Y), 3, p.Off, p.Title)
	}
}

// labels writes each series' name at its end, one below the other where they would
// meet.
func (l Lines) labels(c *canvas, y scale, at float64) {
	type label struct {
		series int
		y      float64
	}
	var all []label
	for i, s := range l.Series {
		for _, p := range slices.Backward(s.Points) {
			if known(p.Y) {
				all = append(all, label{i, y.within(p.Y) + 4})
				break
			}
		}
	}
	slices.SortStableFunc(all, func(a, b label) int { return cmp.Compare(a.y, b.y) })
	for i := range all {
		if i > 0 {
			all[i].y = max(all[i].y, all[i-1].y+labelHeight)
		}
	}
	for i, lowest := len(all)-1, float64(linesHeight-linesBottom+4); i >= 0 && all[i].y > lowest; i-- {
		all[i].y, lowest = lowest, lowest-labelHeight
	}
	for _, one := range all {
		c.words(fmt.Sprintf("label c%d", one.series%colours), at, one.y, shortened(l.Series[one.series].Name, mostLabel))
	}
}
