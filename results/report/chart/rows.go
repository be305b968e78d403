package chart

import (
	"html/template"
	"slices"
)

// Rows are named rows of figures, in panels side by side.
type Rows struct {
	About  string // for whoever does not see it
	Names  []string
	Panels []Panel
}

// A Panel is one figure of all rows, on an axis of its own. One of ratios has a
// logarithmic axis around 1, others one that begins at 0.
type Panel struct {
	Title  string
	Ratios bool
	Band   float64 // of ratios: the share by which they may differ from 1 by chance; 0: not known
	Write  func(float64) string
	Rows   []Row // as Names; those beyond are left out
}

// A Row is what is known of one figure: NaN where nothing is.
type Row struct {
	Mid, Low, High float64
	Title          string // of these
	Dots           []Dot  // in their order, which goes from the row's top to its bottom
	Off            bool   // does not count: it takes no part in the scale
	Words          string // at the end
	Colour         int    // the number of the thing that it is about
	Class          string // of [Style], in place of a colour: "good", "bad" or "dim"
}

// A Dot is one observation. What lies beyond the scale is an arrow at its end.
type Dot struct {
	At    float64
	Off   bool // does not count: see Row
	Title string
}

// Measures of rows, in pixels.
const (
	rowsWidth  = 960
	rowHeight  = 30
	rowsHead   = 24
	rowsFoot   = 22
	between    = 18 // panels
	mostName   = 290
	leastApart = 44 // ticks
)

// SVG draws the rows.
func (r Rows) SVG() template.HTML {
	c := &canvas{width: rowsWidth, height: rowsHead + rowsFoot + rowHeight*float64(len(r.Names))}
	names := 0.0
	for _, name := range r.Names {
		names = max(names, wide(name))
	}
	names = min(names, mostName) + 10
	for i, name := range r.Names {
		c.name("name", names-10, middle(i)+4, name, mostName)
	}
	each := (rowsWidth - names - between*float64(len(r.Panels)-1)) / float64(len(r.Panels))
	for i, p := range r.Panels {
		p.draw(c, names+(each+between)*float64(i), each, len(r.Names))
	}
	return c.svg("rows", r.About)
}

// middle is where a row is.
func middle(row int) float64 { return rowsHead + rowHeight*(float64(row)+0.5) }

// draw draws a panel at x.
func (p Panel) draw(c *canvas, x, width float64, rows int) {
	words := 0.0
	for _, r := range p.Rows {
		words = max(words, wide(r.Words))
	}
	s := p.scale(x, x+width-words-10)
	bottom := rowsHead + rowHeight*float64(rows)
	c.words("title", x, rowsHead-10, p.Title)
	p.ground(c, s, bottom)
	for i, r := range p.Rows[:min(rows, len(p.Rows))] {
		class := r.Class
		if class == "" {
			class = tint(r.Colour)
		}
		r.draw(c, s, class, middle(i))
		c.words("value "+r.Class, x+width-words, middle(i)+4, r.Words)
	}
}

// scale holds what counts, or, where nothing does, all there is.
func (p Panel) scale(from, to float64) scale {
	var values []float64
	if p.Ratios {
		values = append(values, 1/(1.02+p.Band), 1.02+p.Band)
	}
	counts := func(r Row) bool { return !r.Off }
	for _, r := range p.Rows {
		if r.Off && slices.ContainsFunc(p.Rows, counts) {
			continue
		}
		values = append(values, r.Mid, r.Low, r.High)
		for _, d := range r.Dots {
			if !d.Off || r.Off {
				values = append(values, d.At)
			}
		}
	}
	return fit(p.Ratios, values, from, to)
}

// ground draws what lies below the rows: ticks, and for ratios what is chance.
func (p Panel) ground(c *canvas, s scale, bottom float64) {
	if s.empty {
		c.words("tick", (s.from+s.to)/2, (rowsHead+bottom)/2+4, "not known")
		return
	}
	if p.Ratios && p.Band > 0 {
		left, right := s.at(1/(1+p.Band)), s.at(1+p.Band)
		c.box("band", left, rowsHead, right-left, bottom-rowsHead)
	}
	for _, tick := range s.ticks(leastApart) {
		class := "grid"
		if p.Ratios && tick == 1 || !p.Ratios && tick == 0 {
			class = "base"
		}
		c.line(class, s.at(tick), rowsHead, s.at(tick), bottom, "")
		c.words("tick", s.at(tick), bottom+15, p.Write(tick))
	}
}

// draw draws one row: its interval below, then its observations, then its middle.
func (r Row) draw(c *canvas, s scale, class string, y float64) {
	low, _ := s.within(r.Low)
	high, _ := s.within(r.High)
	if low != high && known(r.Low) && known(r.High) {
		c.line("interval "+class, low, y, high, y, r.Title)
	}
	for i, d := range r.Dots {
		if known(d.At) {
			d.draw(c, s, class, y+spread(i, len(r.Dots)))
		}
	}
	if x, beyond := s.within(r.Mid); known(r.Mid) && beyond == 0 {
		c.line("mid "+class, x, y-9, x, y+9, r.Title)
	}
}

func (d Dot) draw(c *canvas, s scale, class string, y float64) {
	x, beyond := s.within(d.At)
	of := shape("")
	if d.Off {
		class, of = "off", cross
	}
	switch beyond {
	case -1:
		of = left
	case 1:
		of = right
	}
	c.mark("dot "+class, of, x, y, 2.6, d.Title)
}

// spread puts the observations of a row below each other, the first on top.
func spread(i, of int) float64 {
	if of < 2 {
		return 0
	}
	return rowHeight * 0.66 * (float64(i)/float64(of-1) - 0.5)
}
