package results

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Confounder is one recorded fact, beside what was measured, in which two
// compared targets differ: what a difference of theirs may come from.
type Confounder struct {
	Kind   string // such as "stack", or "package", of which there are many
	Name   string // which of its kind; empty where there is one
	Ours   string // of the pair's Target, on one line; empty: it has none
	Theirs string // of Against; empty: it has none
}

// kinds are those of confounders in the order in which they are told: what was
// asked and answered, what ran, and what it was made of.
var kinds = []string{
	"stack", "parameter", "request", "rest of the request",
	"protocol", "status", "head", "body", "framing", "keep-alive",
	"services", "processes", "threads", "user", "effective users", "open-file limit", "memory limit", "process limit", "capabilities", "writable paths",
	"command", "variable", "fact", "package list", "package", "file", "image",
}

// confounders compares all that run says of two targets, and what their trials
// under one workload show beside their figures.
func confounders(run Run, a, b Target, as, bs []Trial) []Confounder {
	all := []Confounder{}
	ours, theirs := traitsOf(run, a, b)
	keys := maps.Clone(ours)
	maps.Copy(keys, theirs)
	for key := range keys {
		if !slices.Equal(ours[key], theirs[key]) {
			all = append(all, Confounder{key.kind, key.name, ours.told(key), theirs.told(key)})
		}
	}
	all = append(all, observed(as, bs)...)
	if body, ok := bodies(a, b, as, bs, run.Limits.Account); ok {
		all = append(all, body)
	}
	slices.SortFunc(all, compareConfounders)
	return all
}

// compareConfounders puts what both have before what one has.
func compareConfounders(a, b Confounder) int {
	lacking := func(c Confounder) int {
		switch {
		case c.Theirs == "":
			return 1
		case c.Ours == "":
			return 2
		}
		return 0
	}
	return cmp.Or(
		cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)),
		cmp.Compare(lacking(a), lacking(b)),
		strings.Compare(a.Name, b.Name),
	)
}

// observed compares what the trials show. A fact that changes from trial to trial
// is a difference only where no trials of the two have it in common, since a
// target differs in the rest from itself.
func observed(as, bs []Trial) (all []Confounder) {
	for _, fact := range []struct {
		kind string
		of   func(Trial) string // empty: not known
	}{
		{"protocol", answered(func(a Answer) string { version, _, _ := strings.Cut(a.Head, " "); return version })},
		{"status", answered(func(a Answer) string { return fmt.Sprint(a.Status) })},
		{"head", answered(func(a Answer) string { return count(a.HeadBytes) + " B" })},
		{"framing", answered(func(a Answer) string { return a.Framing })},
		{"keep-alive", answered(keptAlive)},
		{"effective users", everyService(func(u Usage) []int64 { return u.Users })},
		{"open-file limit", everyService(openFiles)},
	} {
		ours, theirs := shown(as, fact.of), shown(bs, fact.of)
		inBoth := func(value string) bool { return slices.Contains(theirs, value) }
		if len(ours) > 0 && len(theirs) > 0 && !slices.ContainsFunc(ours, inBoth) {
			all = append(all, Confounder{Kind: fact.kind, Ours: ours[0], Theirs: theirs[0]})
		}
	}
	for _, fact := range []struct {
		kind string
		of   func(Usage) *int64
	}{
		{"processes", func(u Usage) *int64 { return u.Processes }},
		{"threads", func(u Usage) *int64 { return u.Threads }},
	} {
		ours, okO := spanOf(as, fact.of)
		theirs, okT := spanOf(bs, fact.of)
		if okO && okT && (ours.most < theirs.least || theirs.most < ours.least) {
			all = append(all, Confounder{Kind: fact.kind, Ours: ours.String(), Theirs: theirs.String()})
		}
	}
	return all
}

// bodies compares lengths of bodies as the whole comparison does: those that vary
// by their mean, within a share.
func bodies(a, b Target, as, bs []Trial, share float64) (c Confounder, ok bool) {
	ours, okO := answerOf(a, as)
	theirs, okT := answerOf(b, bs)
	if !okO || !okT || unequalBodies([]answer{ours, theirs}, share) == "" {
		return Confounder{}, false
	}
	return Confounder{Kind: "body", Ours: digits(ours.body) + " B", Theirs: digits(theirs.body) + " B"}, true
}

// answered is a fact of the answers that the contract check saw, each value once.
func answered(of func(Answer) string) func(Trial) string {
	return func(t Trial) string {
		var values []string
		for _, a := range t.answers() {
			if v := of(a); !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
		return strings.Join(values, " and ")
	}
}

func keptAlive(a Answer) string {
	if a.KeepAlive {
		return "yes"
	}
	return "no"
}

// everyService lists the numbers that all services have; it is empty where one has
// none.
func everyService(of func(Usage) []int64) func(Trial) string {
	return func(t Trial) string {
		var all []int64
		for _, u := range t.Services {
			numbers := of(u)
			if numbers == nil {
				return ""
			}
			all = append(all, numbers...)
		}
		slices.Sort(all)
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(slices.Compact(all)), " ", " and "), "[]")
	}
}

func openFiles(u Usage) []int64 {
	if u.OpenFiles == nil {
		return nil
	}
	return []int64{*u.OpenFiles}
}

// shown lists the values that a fact has in trials, in their order, each once.
func shown(trials []Trial, of func(Trial) string) (values []string) {
	for _, t := range trials {
		if v := of(t); v != "" && !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values
}

// A span is the least and the most that trials show of a number.
type span struct{ least, most int64 }

func (s span) String() string {
	if s.least == s.most {
		return count(s.least)
	}
	return count(s.least) + "–" + count(s.most)
}

// spanOf returns the span of a number that is summed over the services, and false
// where no trial knows it of all.
func spanOf(trials []Trial, of func(Usage) *int64) (s span, ok bool) {
	for _, t := range trials {
		sum, known := int64(0), len(t.Services) > 0
		for _, u := range t.Services {
			n := of(u)
			if known = known && n != nil; !known {
				break
			}
			sum += *n
		}
		switch {
		case known && !ok:
			s, ok = span{sum, sum}, true
		case known:
			s = span{min(s.least, sum), max(s.most, sum)}
		}
	}
	return s, ok
}
