package chart

import (
	"cmp"
	"html/template"
	"math"
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
	Ticks []Tick               // such as have room between them; nil: round values
	Write func(float64) string // of ticks; not needed where Ticks are given
}

// A Tick is a value on an axis and what it is called.
type Tick struct {
	At   float64
	Name string
}

// A Series is the points of one name, in their order.
type Series struct {
	Name   string
	Colour int // the number of the thing that it is about
	Points []Point
	Loose  bool // points, and no line through them
	Bare   bool // a line, and no points on it
}

// A Point is one figure: NaN where it is not known.
type Point struct {
	X, Y      float64
	Low, High float64 // of Y
	Off       bool    // does not count: it takes no part in the scale, no line goes there, and one that lies beyond is an arrow at its end
	Title     string
}

// Measures of lines, in pixels.
const (
	linesWidth  = 520
	leastHeight = 280
	linesLeft   = 62
	linesTop    = 24
	linesBottom = 42
	mostLabel   = 130
	labelHeight = 14
)

// SVG draws the lines.
func (l Lines) SVG() template.HTML {
	c := &canvas{width: linesWidth, height: max(leastHeight, linesTop+linesBottom+labelHeight*float64(len(l.Series)))}
	label := 0.0
	for _, s := range l.Series {
		label = max(label, wide(s.Name))
	}
	right := linesWidth - min(label, mostLabel) - 14
	bottom := c.height - linesBottom
	x, y := l.scales(right, bottom)
	l.ground(c, x, y, bottom)
	for _, s := range l.Series {
		s.draw(c, x, y)
	}
	l.labels(c, y, right+8, bottom)
	return c.svg("lines", l.About)
}

// scales hold what counts, or, where nothing does, all there is.
func (l Lines) scales(right, bottom float64) (x, y scale) {
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
	return fit(l.X.Log, xs, linesLeft, right), fit(l.Y.Log, ys, bottom, linesTop)
}

// ground draws axes and ticks.
func (l Lines) ground(c *canvas, x, y scale, bottom float64) {
	for _, tick := range l.Y.on(y, 26) {
		c.line("grid", x.from, y.at(tick.At), x.to, y.at(tick.At), "")
		c.words("tick left", x.from-6, y.at(tick.At)+4, tick.Name)
	}
	for _, tick := range l.X.on(x, leastApart) {
		c.line("grid", x.at(tick.At), bottom, x.at(tick.At), bottom+4, "")
		c.words("tick", x.at(tick.At), bottom+17, tick.Name)
	}
	c.line("base", x.from, bottom, x.to, bottom, "")
	c.words("title", 0, linesTop-10, l.Y.Title)
	c.words("tick", (x.from+x.to)/2, c.height-6, l.X.Title)
}

// on returns the ticks that lie on a scale and have room there.
func (a Axis) on(s scale, apart float64) (ticks []Tick) {
	if a.Ticks == nil {
		for _, at := range s.ticks(apart) {
			ticks = append(ticks, Tick{at, a.Write(at)})
		}
		return ticks
	}
	for _, t := range a.Ticks {
		near := func(other Tick) bool {
			room := max(apart/2, (wide(t.Name)+wide(other.Name))/2)
			return math.Abs(s.at(other.At)-s.at(t.At)) < room
		}
		if t.At >= s.low && t.At <= s.high && !slices.ContainsFunc(ticks, near) {
			ticks = append(ticks, t)
		}
	}
	return ticks
}

func (s Series) draw(c *canvas, x, y scale) {
	class := tint(s.Colour)
	if !s.Loose {
		s.path(c, x, y, class)
	}
	for _, p := range s.Points {
		if s.Bare || !known(p.Y) {
			continue
		}
		if !p.Off && known(p.Low) && known(p.High) && p.Low < p.High {
			c.line("whisker "+class, x.at(p.X), y.at(p.Low), x.at(p.X), y.at(p.High), p.Title)
		}
		p.draw(c, x, y, class, shapeOf(s.Colour))
	}
}

// path joins points that count and follow each other.
func (s Series) path(c *canvas, x, y scale, class string) {
	var through [][2]float64
	end := func() {
		if len(through) > 1 {
			c.path("line "+class, through, s.Name)
		}
		through = nil
	}
	for _, p := range s.Points {
		if !known(p.Y) || p.Off {
			end()
			continue
		}
		through = append(through, [2]float64{x.at(p.X), y.at(p.Y)})
	}
	end()
}

func (p Point) draw(c *canvas, x, y scale, class string, of shape) {
	at, beyond := y.within(p.Y)
	if p.Off {
		class, of = "off", cross
	}
	switch beyond {
	case -1:
		of = down
	case 1:
		of = up
	}
	c.mark("point "+class, of, x.at(p.X), at, 3, p.Title)
}

// labels writes each series' name at its end, one below the other where they would
// meet.
func (l Lines) labels(c *canvas, y scale, at, bottom float64) {
	type label struct {
		of Series
		y  float64
	}
	var all []label
	for _, s := range l.Series {
		for _, p := range slices.Backward(s.Points) {
			if known(p.Y) {
				place, _ := y.within(p.Y)
				all = append(all, label{s, place + 4})
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
	for i, lowest := len(all)-1, bottom+4; i >= 0 && all[i].y > lowest; i-- {
		all[i].y, lowest = lowest, lowest-labelHeight
	}
	for _, one := range all {
		c.name("label "+tint(one.of.Colour), at, one.y, one.of.Name, mostLabel)
	}
}
