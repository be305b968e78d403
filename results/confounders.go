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
	all = append(all, bodies(a, b, as, bs, run.Limits.Account)...)
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
	requests := max(answered(as), answered(bs))
	for n := range requests {
		for _, fact := range []struct {
			kind string
			of   func(Answer) string
		}{
			{"protocol", func(a Answer) string { version, _, _ := strings.Cut(a.Head, " "); return version }},
			{"status", func(a Answer) string { return fmt.Sprint(a.Status) }},
			{"head", func(a Answer) string { return count(a.HeadBytes) + " B" }},
			{"framing", func(a Answer) string { return a.Framing }},
			{"keep-alive", keptAlive},
		} {
			all = append(all, apart(fact.kind, requestName(n, requests), as, bs, ofAnswer(n, fact.of))...)
		}
	}
	all = append(all, apart("effective users", "", as, bs, everyService(func(u Usage) []int64 { return u.Users }))...)
	all = append(all, apart("open-file limit", "", as, bs, everyService(openFiles))...)
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

// apart compares a fact of trials, where it is known: empty is not.
func apart(kind, name string, as, bs []Trial, of func(Trial) string) []Confounder {
	ours, theirs := shown(as, of), shown(bs, of)
	inBoth := func(value string) bool { return slices.Contains(theirs, value) }
	if len(ours) == 0 || len(theirs) == 0 || slices.ContainsFunc(ours, inBoth) {
		return nil
	}
	return []Confounder{{Kind: kind, Name: name, Ours: ours[0], Theirs: theirs[0]}}
}

// bodies compares lengths of bodies as the whole comparison does: request by request
// where that goes, and those that vary by their mean, within a share.
func bodies(a, b Target, as, bs []Trial, share float64) (all []Confounder) {
	ours, okO := answerOf(a, as)
	theirs, okT := answerOf(b, bs)
	if !okO || !okT {
		return nil
	}
	pair, _ := abreast([]answer{ours, theirs})
	for n := range pair[0].parts {
		if unequal(pair, n, share) {
			all = append(all, Confounder{
				Kind: "body", Name: requestName(n, len(pair[0].parts)), Ours: digits(pair[0].parts[n].body) + " B", Theirs: digits(pair[1].parts[n].body) + " B",
			})
		}
	}
	return all
}

// answered is to how many requests the contract check saw answers.
func answered(trials []Trial) (most int) {
	for _, t := range trials {
		most = max(most, len(t.answers()))
	}
	return most
}

// ofAnswer is a fact of the answer to a request that the contract check saw.
func ofAnswer(request int, of func(Answer) string) func(Trial) string {
	return func(t Trial) string {
		if answers := t.answers(); request < len(answers) {
			return of(answers[request])
		}
		return ""
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
