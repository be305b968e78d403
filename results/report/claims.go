package report

import (
	"strings"

	"dyno/results"
)

// claims writes what the source said, whether it is so, and what came out.
func (p *page) claims(c results.Comparison, j results.Judgement) {
	if len(c.Findings) == 0 {
		return
	}
	p.line("")
	p.line(p.paint(bold, strings.TrimSuffix("Claims of "+j.Run.Scenario.Source, " of ")))
	said, sizes := 0, false
	for _, f := range c.Findings {
		said, sizes = max(said, width(direction(f.Claim)), width(size(f.Claim))), sizes || f.Size != ""
	}
	for _, f := range c.Findings {
		p.ruling(pad(direction(f.Claim), said), f.Direction, found(f, j.Run.Rounds))
		if f.Size != "" {
			p.ruling(pad(size(f.Claim), said), f.Size, "range "+ratio(f.Low)+"–"+ratio(f.High))
		}
	}
	if sizes {
		p.line("")
		p.paragraph("  ", p.paint(dim, "A size holds if all of the interval is in its range, and is refuted if all of it is outside."))
	}
}

func direction(c results.Claim) string { return c.Faster + " faster than " + c.Than }

func size(c results.Claim) string { return "  " + three(c.Ratio) + " times as fast" }

// found says what came out: the ratio, and, where that decides nothing, why.
func found(f results.Finding, rounds int) string {
	d, text := f.Pair.Goodput, ""
	if d.Ratio.Known() {
		text = strings.ReplaceAll(ratio(d.Ratio.Estimate)+" × ("+ratio(d.Ratio.Low)+"–"+ratio(d.Ratio.High)+")", " ", joint)
	}
	if f.Direction != results.Undecided {
		return text
	}
	return strings.TrimPrefix(text+": "+words(d, f.Pair, rounds), ": ")
}

func (p *page) ruling(said string, r results.Ruling, text string) {
	style := map[results.Ruling]style{results.Holds: green, results.Refuted: red, results.Undecided: dim}[r]
	start := "  " + said + "  " + p.paint(style, pad(string(r), len(results.Undecided))) + "  "
	p.hanging(start, text, width(start))
}
