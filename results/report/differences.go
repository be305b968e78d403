package report

import (
	"fmt"
	"math"
	"strings"

	"dyno/results"
	"dyno/results/stats"
)

// A finding is a line of the differences: one figure of one pair. One without a
// ratio is words alone.
type finding struct {
	name     string // of the pair, on its first line
	figure   string
	size     string // ratio or difference
	interval string
	p        string
	words    string
	style    style // of words
}

// leastWords is the width that is left to words, or else names stand above.
const leastWords = 20

// differences writes how the targets differ, and how much one differs from itself.
func (p *page) differences(c results.Comparison, j results.Judgement) {
	lines := differences(c, j.Run.Rounds)
	if len(lines) == 0 {
		return
	}
	p.line("")
	p.line(p.paint(bold, "Differences"))
	p.findings(lines)
	if text := method(c, j.Family); text != "" {
		p.line("")
		p.paragraph("  ", p.paint(dim, text))
	}
}

// differences returns the lines of all pairs and controls in a run of so many rounds.
func differences(c results.Comparison, rounds int) (lines []finding) {
	for _, pair := range c.Pairs {
		lines = append(lines, findings(pair.Target+" against "+pair.Against, pair, c.Workload, extent{rounds, results.UnitRound})...)
	}
	for _, control := range c.Controls {
		lines = append(lines, noise(control.Pair.Against+" against itself", control.Pair, c.Workload)...)
	}
	return lines
}

// An extent is how many observations there could have been. 0: it is not said.
type extent struct {
	of   int
	unit results.Unit
}

// served returns the difference that says which of two targets serves better
// under a workload, and its figure's name.
func served(pair results.Pair, w results.Workload) (figure string, d results.Difference) {
	if w.Rate > 0 {
		return "p99", pair.P99
	}
	return "goodput", pair.Goodput
}

// findings returns the lines of a pair.
func findings(name string, pair results.Pair, w results.Workload, of extent) []finding {
	figure, d := served(pair, w)
	if pair.Invalid != "" || pair.Rounds == 0 {
		return []finding{{name: name, words: words(d, pair, of), style: colour(d.Verdict)}}
	}
	lines := []finding{finding{name: name, figure: figure}.judged(d, pair, of)}
	lines = append(lines, finding{figure: "server CPU"}.judged(pair.CPU, pair, of))
	if t := pair.MeanTime; t.Known() {
		lines = append(lines, finding{figure: "mean time"}.added(t))
	}
	return lines
}

// noise returns the lines of a control.
func noise(name string, pair results.Pair, w results.Workload) []finding {
	if pair.Invalid != "" {
		return []finding{{name: name, words: "invalid: " + pair.Invalid, style: red}}
	}
	line := func(name, figure string, d results.Difference) finding {
		f := finding{name: name, figure: figure, words: none}.measured(d.Ratio)
		if d.Ratio.Known() {
			f.words = "noise floor ±" + share(d.Floor) + " %"
		}
		return f
	}
	figure, d := served(pair, w)
	return []finding{line(name, figure, d), line("", "server CPU", pair.CPU)}
}

// measured fills in a ratio. One round has no interval.
func (f finding) measured(r stats.Effect) finding {
	if r.Known() {
		f.size = ratio(r.Estimate) + " ×"
	}
	if r.N > 1 {
		f.interval = ratio(r.Low) + "–" + ratio(r.High)
	}
	return f
}

// added fills in a difference of times, all with the same digits.
func (f finding) added(t stats.Effect) finding {
	to := 1e3 * max(math.Abs(t.Low), math.Abs(t.High))
	f.size = signed(1e3*t.Estimate, to) + " ms"
	if t.N > 1 {
		f.interval = signed(1e3*t.Low, to) + " to " + signed(1e3*t.High, to)
	}
	return f
}

func (f finding) judged(d results.Difference, pair results.Pair, of extent) finding {
	f = f.measured(d.Ratio)
	f.words, f.style = words(d, pair, of), colour(d.Verdict)
	if d.Ratio.N > 1 {
		f.p = "p " + probability(d.Holm)
	}
	return f
}

// words puts a verdict into words. Where the pair lacks observations, they say so.
func words(d results.Difference, pair results.Pair, of extent) string {
	text := string(d.Verdict)
	switch d.Verdict {
	case results.VerdictInvalid:
		return text + ": " + pair.Invalid
	case results.VerdictFew:
		return fmt.Sprintf("%s: %d of %s", text, d.Ratio.N, plural(d.Needed, string(of.unit)))
	case results.VerdictSame:
		text += " within ±" + share(d.Within) + joint + "%"
	case results.VerdictNoise:
		text = "within the noise of ±" + share(d.Floor) + joint + "%"
	}
	if n := d.Ratio.N; n > 0 && n < of.of {
		text += fmt.Sprintf(" (%d"+joint+"of"+joint+"%d"+joint+"%ss)", n, of.of, of.unit)
	}
	return text
}

func colour(v results.Verdict) style {
	switch v {
	case results.VerdictFaster, results.VerdictCheaper:
		return green
	case results.VerdictSlower, results.VerdictDearer:
		return yellow
	case results.VerdictInvalid:
		return red
	}
	return dim
}

// findings writes lines in columns. The interval of a line without p may take the
// place of p, and words go on below themselves.
func (p *page) findings(lines []finding) {
	var name, figure, size, interval, chance int
	for _, l := range lines {
		name, figure, size, chance = max(name, width(l.name)), max(figure, width(l.figure)), max(size, width(l.size)), max(chance, width(l.p))
		if l.words != "" {
			interval = max(interval, width(l.interval))
		}
	}
	columns := func(l finding) string {
		return strings.Join([]string{pad(l.figure, figure), padLeft(l.size, size), pad(l.interval, interval), pad(l.p, chance), ""}, "  ")
	}
	above := 2+name+2+width(columns(finding{}))+leastWords > p.width
	if above {
		name = 0
	}
	for _, l := range lines {
		if above && l.name != "" {
			p.paragraph("  ", l.name)
			l.name = ""
		}
		start := "  " + pad(l.name, name) + "  "
		if l.figure != "" {
			start += columns(l)
		}
		if l.words == "" {
			p.line(start)
			continue
		}
		p.hanging(start, p.paint(l.style, l.words), width(start))
	}
}

// method says how to read the differences. It is empty where none is known.
func method(c results.Comparison, family int) string {
	sure, floor := map[int]float64{}, len(c.Controls) > 0
	for _, pair := range c.Pairs {
		if _, d := served(pair, c.Workload); d.Ratio.N > 1 {
			sure[d.Ratio.N] = d.Ratio.Confidence
		}
	}
	for _, control := range c.Controls {
		_, d := served(control.Pair, c.Workload)
		floor = floor && d.Ratio.Known()
	}
	if len(sure) == 0 {
		return ""
	}
	text := "× is the ratio within the same rounds, beside it the exact interval, " + levels(sure) + ". " + reading(family)
	if floor {
		return text + ", if it is larger than the noise floor, which is how far the control may be from itself."
	}
	return text + ". No control counts, so the noise floor is not known and taken as 0."
}

// reading says what stands beside the ratios of so many comparisons.
func reading(family int) string {
	text := "Mean time is what a request takes longer. p"
	if family > 1 {
		text += ", adjusted for " + plural(family, "comparison") + ","
	}
	return text + " is how often chance alone would show as much: below 0.05 it is a difference"
}
