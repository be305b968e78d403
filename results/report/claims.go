package report

import (
	"slices"
	"strings"

	"dyno/results"
)

// claims writes what the source said, whether it is so, and what came out.
func (p *page) claims(c results.Comparison, j results.Judgement) {
	if len(c.Findings) == 0 {
		return
	}
	p.line("")
	p.line(p.paint(bold, claimsOf(j.Run.Scenario)))
	p.rulings(rulings(c.Findings, j.Run.Rounds))
	if text := sizes(c.Findings); text != "" {
		p.line("")
		p.paragraph("  ", p.paint(dim, text))
	}
}

// claimsOf is the heading of a scenario's claims.
func claimsOf(s results.Scenario) string { return strings.TrimSuffix("Claims of "+s.Source, " of ") }

// A ruling is what a run says of a sentence.
type ruling struct {
	said  string
	of    bool // of the sentence above
	says  results.Ruling
	found string
}

// rulings answers each claim, direction and size apart.
func rulings(findings []results.Finding, rounds int) (all []ruling) {
	for _, f := range findings {
		all = append(all, ruling{said: f.Claim.Faster + " faster than " + f.Claim.Than, says: f.Direction, found: found(f, rounds)})
		if f.Size != "" {
			all = append(all, ruling{said: three(f.Claim.Ratio) + " times as fast", of: true, says: f.Size, found: "range " + ratio(f.Low) + "–" + ratio(f.High)})
		}
	}
	return all
}

// sizes says how sizes are decided. It is empty where none is claimed.
func sizes(findings []results.Finding) string {
	if !slices.ContainsFunc(findings, func(f results.Finding) bool { return f.Size != "" }) {
		return ""
	}
	return "A size holds if all of the interval is in its range, and is refuted if all of it is outside."
}

// found says what came out: the ratio, and, where that decides nothing, why.
func found(f results.Finding, rounds int) string {
	d, text := f.Pair.Goodput, ""
	if d.Ratio.Known() {
		text = strings.ReplaceAll(ratio(d.Ratio.Estimate)+" × ("+ratio(d.Ratio.Low)+"–"+ratio(d.Ratio.High)+")", " ", joint)
	}
	if f.Direction != results.Undecided {
		return text
	}
	return strings.TrimPrefix(text+": "+words(d, f.Pair, extent{rounds, results.UnitRound}), ": ")
}

func rulingStyle(r results.Ruling) style {
	return map[results.Ruling]style{results.Holds: green, results.Refuted: red, results.Fails: red, results.Undecided: dim}[r]
}

// rulings writes sentences with what came of them in columns. Where the sentences
// leave no room, what was found stands below them.
func (p *page) rulings(all []ruling) {
	said := func(r ruling) string {
		if r.of {
			return "  " + r.said
		}
		return r.said
	}
	widest := 0
	for _, r := range all {
		widest = max(widest, width(said(r)))
	}
	above := 2+widest+2+len(results.Undecided)+2+leastWords > p.width
	for _, r := range all {
		start := "  " + pad(said(r), widest)
		if above {
			p.paragraph("  ", said(r))
			start = "  "
		}
		start += "  " + p.paint(rulingStyle(r.says), pad(string(r.says), len(results.Undecided))) + "  "
		p.hanging(start, r.found, width(start))
	}
}
