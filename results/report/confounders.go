package report

import (
	"fmt"
	"slices"
	"strings"

	"dyno/results"
)

// Of confounders, so many of a kind are told, with values up to so many
// characters, and such as are this short are not broken over two lines.
const (
	mostOfAKind  = 4
	longestValue = 60
	unbroken     = 40
)

const confoundersTitle = "What else differs"

// confounders writes what else the targets of each pair differ in.
func (p *page) confounders(c results.Comparison) {
	if len(confounded(c)) == 0 {
		return
	}
	p.line("")
	p.line(p.paint(bold, confoundersTitle))
	for _, pair := range confounded(c) {
		name, text := p.told.of(pair)
		p.hanging("  ", name+": "+text, 4)
	}
}

// confounded are the pairs of which it is told.
func confounded(c results.Comparison) []results.Pair {
	pairs := slices.DeleteFunc(slices.Clone(c.Pairs), func(p results.Pair) bool { return p.Confounders == nil })
	for _, control := range c.Controls {
		if len(control.Pair.Confounders) > 0 { // which would be odd
			pairs = append(pairs, control.Pair)
		}
	}
	return pairs
}

// A told is what else each pair differs in as a report has it already.
type told map[string]string

// of returns a pair's name and what else it differs in. What stands above, under
// another workload, is not told again.
func (t told) of(pair results.Pair) (name, text string) {
	name, text = pair.Target+" against "+pair.Against, differing(pair.Confounders)
	if t[name] == text {
		return name, "as above"
	}
	t[name] = text
	return name, text
}

// differing lists confounders by kind: "stack (a / b); packages: lua 5.1 / –, …".
func differing(all []results.Confounder) string {
	var parts []string
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].Kind == all[0].Kind {
			n++
		}
		parts, all = append(parts, ofAKind(all[:n])), all[n:]
	}
	if len(parts) == 0 {
		return "nothing that is recorded"
	}
	return strings.Join(parts, "; ")
}

func ofAKind(all []results.Confounder) string {
	kind := all[0].Kind
	if all[0].Name == "" {
		if values, short := values(all[0]); short {
			return kind + " " + unbreak("("+values+")")
		}
		return kind
	}
	shown := all
	if len(all) > mostOfAKind+1 { // to say that there is one more takes as much room
		shown = all[:mostOfAKind]
	}
	var parts []string
	for _, c := range shown {
		parts = append(parts, unbreak(named(c)))
	}
	text := word(len(all), kind) + ": " + strings.Join(parts, ", ")
	if more := len(all) - len(shown); more > 0 {
		text += fmt.Sprintf(" and"+joint+"%d"+joint+"more", more)
	}
	return text
}

// named writes a confounder that is one of many. Where values are too long, it
// still shows which of the two lacks it.
func named(c results.Confounder) string {
	values, short := values(c)
	switch {
	case short:
		return c.Name + " " + values
	case c.Theirs == "":
		return c.Name + " / " + none
	case c.Ours == "":
		return none + " / " + c.Name
	}
	return c.Name
}

// values writes both values; it is empty where they are too long.
func values(c results.Confounder) (text string, short bool) {
	sides := [2]string{c.Ours, c.Theirs}
	for i, side := range sides {
		if side == "" {
			sides[i] = none
		}
	}
	text = sides[0] + " / " + sides[1]
	if width(text) > longestValue {
		return "", false
	}
	return text, true
}

func unbreak(text string) string {
	if width(text) > unbroken {
		return text
	}
	return strings.ReplaceAll(text, " ", joint)
}
