package results

import (
	"math"
	"slices"
	"strings"
)

// causes returns why a target has no rank, and why trials of it are set aside,
// in the order in which it came up. Trials that the machine disturbed say
// nothing about the target, as long as enough others are left.
func causes(trials []Trial) (causes, aside []Cause) {
	if len(trials) == 0 {
		return []Cause{{Code: CodeUnvisited, Text: "the run ended before its turn"}}, nil
	}
	left := slices.DeleteFunc(slices.Clone(trials), disturbed)
	if len(left) < minRounds || 2*len(left) <= len(trials) {
		causes = gather(trials)
		if len(causes) == 0 {
			causes = []Cause{{Code: CodeRounds, Text: "one round shows no spread; it takes two for a rank"}}
		}
		return causes, nil
	}
	return gather(left), gather(slices.DeleteFunc(slices.Clone(trials), func(t Trial) bool { return !disturbed(t) }))
}

// Wanting reports whether c says that trials are wanting, and nothing against
// those that there are.
func (c Cause) Wanting() bool {
	return c.Code == CodeRounds || c.Code == CodeUnvisited || c.Code == CodeMissing
}

// disturbed reports whether a trial is invalid through nothing that its target did.
func disturbed(t Trial) bool {
	byTarget := func(r Reason) bool {
		return !slices.Contains([]string{CodeHost, CodeSteal, CodeQuota, CodeInterrupted}, r.Code)
	}
	return len(t.Invalid) > 0 && !slices.ContainsFunc(t.Invalid, byTarget)
}

// gather makes one cause of each reason that trials have.
func gather(trials []Trial) (causes []Cause) {
	farthest := map[string]float64{}
	for _, t := range trials {
		log := logEnd(t)
		for _, r := range distinct(reasonsOf(t)) {
			at := slices.IndexFunc(causes, func(c Cause) bool { return c.Code == r.Code })
			if at < 0 {
				at = len(causes)
				causes = append(causes, Cause{Code: r.Code, Log: log})
				log = nil // once is enough
				farthest[r.Code] = -1
			}
			c := &causes[at]
			c.Trials++
			if !slices.Contains(c.Rounds, t.Round) {
				c.Rounds = append(c.Rounds, t.Round)
			}
			text := line(r.Text, textLength)
			c.Varies = c.Varies || c.Trials > 1 && text != c.Text
			if beyond := math.Abs(r.Figure - r.Limit); beyond > farthest[r.Code] {
				c.Text, farthest[r.Code] = text, beyond
			}
		}
	}
	return causes
}

// reasonsOf returns the recorded reasons, and one of its own where a record has
// none for a trial without figures.
func reasonsOf(t Trial) []Reason {
	if len(t.Invalid) == 0 && !measured(t) {
		return []Reason{{Code: CodeFault, Text: "nothing was measured, and the record does not say why", Figure: 1}}
	}
	return t.Invalid
}

// distinct keeps the first reason of each code.
func distinct(reasons []Reason) (first []Reason) {
	for _, r := range reasons {
		if !slices.ContainsFunc(first, func(f Reason) bool { return f.Code == r.Code }) {
			first = append(first, r)
		}
	}
	return first
}

// logEnd returns the last lines of each service's output, of a trial that
// measured nothing.
func logEnd(t Trial) (lines []string) {
	const most = 5 // of a service
	if measured(t) {
		return nil
	}
	for _, log := range t.Logs {
		all := strings.Split(strings.TrimSpace(log.Tail), "\n")
		for _, text := range all[max(0, len(all)-most):] {
			if text = line(text, textLength); text != "" {
				lines = append(lines, log.Service+": "+text)
			}
		}
	}
	return lines
}

// warnings gathers the trials' doubts. Those that differ in figures alone are
// one.
func warnings(trials []Trial) (warnings []Warning) {
	at := map[string]int{}
	for _, t := range trials {
		for _, text := range t.Warnings {
			shape := strings.Map(shapeOf, text)
			n, ok := at[shape]
			if !ok {
				n = len(warnings)
				at[shape] = n
				warnings = append(warnings, Warning{Text: line(text, textLength)})
			}
			w := &warnings[n]
			w.Trials++
			if !slices.Contains(w.Targets, t.Target) {
				w.Targets = append(w.Targets, t.Target)
			}
		}
	}
	for i := range warnings {
		for _, t := range trials {
			if slices.Contains(warnings[i].Targets, t.Target) {
				warnings[i].Of++
			}
		}
	}
	return warnings
}

// shapeOf drops what a figure is made of.
func shapeOf(r rune) rune {
	if strings.ContainsRune("0123456789.,", r) {
		return -1
	}
	return r
}
