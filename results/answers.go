package results

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// An answer is how long one target's answers are, to each of its requests.
type answer struct {
	target string
	parts  []length
}

// A length is that of the answers to one request, or to several on average.
type length struct {
	weight int64
	body   float64 // bytes; of answers that vary, the mean of those that came to all such requests
	head   float64 // bytes
	varies bool
}

// answerOf takes the answer from the first trial that has one.
func answerOf(target Target, trials []Trial) (a answer, ok bool) {
	mix := target.Mix()
	for _, t := range trials {
		answers := t.answers()
		if !measured(t) || len(answers) != len(mix) {
			continue
		}
		a := answer{target: target.Name}
		for n, asked := range mix {
			l := length{asked.weight(), float64(answers[n].BodyBytes), float64(answers[n].HeadBytes), asked.Varies}
			if mean, known := t.meanVarying(mix); l.varies && known {
				l.body = mean
			}
			a.parts = append(a.parts, l)
		}
		return a, true
	}
	return answer{}, false
}

// meanVarying returns the mean length of the bodies that vary: of all that came, less
// those whose length the contract has. It is not known where none came.
func (t Trial) meanVarying(mix []Asked) (bytes float64, known bool) {
	right, ok := t.Load.right(len(mix))
	if !ok {
		return 0, false
	}
	rest, n := t.Load.BodyBytes, int64(0)
	for i, a := range t.answers() {
		if mix[i].Varies {
			n += right[i]
		} else {
			rest -= right[i] * a.BodyBytes
		}
	}
	return float64(rest) / float64(n), n > 0
}

// mean returns the mean length of all answers by weight, as that to one request.
// Whole numbers of bytes are added up, so that it is the same in whatever order.
func (a answer) mean() answer {
	var all length
	for _, l := range a.parts {
		weight := float64(l.weight)
		all.weight += l.weight
		all.body, all.head, all.varies = all.body+weight*l.body, all.head+weight*l.head, all.varies || l.varies
	}
	all.body, all.head = all.body/float64(all.weight), all.head/float64(all.weight)
	return answer{a.target, []length{all}}
}

// abreast returns what can be compared part by part: each request where all have as
// many of the same weights, in their order, else the mean of all.
func abreast(answers []answer) (same []answer, byMean bool) {
	for _, a := range answers {
		byMean = byMean || len(a.parts) != len(answers[0].parts)
		for n := 0; n < len(a.parts) && !byMean; n++ {
			byMean = a.parts[n].weight != answers[0].parts[n].weight
		}
	}
	if !byMean {
		return answers, false
	}
	for _, a := range answers {
		same = append(same, a.mean())
	}
	return same, true
}

// unequal reports whether the bodies to a request differ: by one byte, or, where one
// varies, by more than a share.
func unequal(answers []answer, request int, share float64) bool {
	least, most, varies := math.Inf(1), 0.0, false
	for _, a := range answers {
		l := a.parts[request]
		least, most, varies = min(least, l.body), max(most, l.body), varies || l.varies
	}
	return most != least && (!varies || most > least*(1+share))
}

// unequalBodies says in what the bodies differ, or nothing where they do not.
func unequalBodies(answers []answer, share float64) string {
	if len(answers) < 2 {
		return ""
	}
	answers, byMean := abreast(answers)
	for n := range answers[0].parts {
		if unequal(answers, n, share) {
			return "the answers' bodies differ" + where(answers, n, byMean) + ": " + lengths(answers, func(a answer) float64 { return a.parts[n].body })
		}
	}
	return ""
}

// unequalHeads says in what the heads differ, or nothing where they do not.
func unequalHeads(answers []answer) string {
	if len(answers) < 2 {
		return ""
	}
	answers, byMean := abreast(answers)
	for n, first := range answers[0].parts {
		for _, a := range answers {
			if a.parts[n].head != first.head {
				return "the answers' heads differ" + where(answers, n, byMean) + ": " + lengths(answers, func(a answer) float64 { return a.parts[n].head })
			}
		}
	}
	return ""
}

// where says which of several requests something is about.
func where(answers []answer, request int, byMean bool) string {
	switch {
	case byMean:
		return " on average, by weight"
	case len(answers[0].parts) > 1:
		return " to request " + strconv.Itoa(request+1)
	}
	return ""
}

// lengths lists the targets by length: "22 B nginx-static, 23 B nginx-lua and nginx-mruby".
func lengths(answers []answer, of func(answer) float64) string {
	var order []string
	targets := map[string][]string{}
	for _, a := range answers {
		n := digits(of(a))
		if targets[n] == nil {
			order = append(order, n)
		}
		targets[n] = append(targets[n], a.target)
	}
	for i, n := range order {
		order[i] = fmt.Sprintf("%s B %s", n, strings.Join(targets[n], " and "))
	}
	return strings.Join(order, ", ")
}
