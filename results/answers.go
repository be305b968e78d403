package results

import (
	"fmt"
	"math"
	"strings"
)

// An answer is how long one target's answers are: of several requests, the mean by
// their weights, in which whole numbers of bytes are added up, so that it is the same
// in whatever order.
type answer struct {
	target string
	body   float64 // bytes; of answers that vary, the mean of those that came
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
		a, weights := answer{target: target.Name}, 0.0
		for n, asked := range mix {
			weight := float64(asked.Share())
			weights += weight
			a.body, a.head, a.varies = a.body+weight*float64(answers[n].BodyBytes), a.head+weight*float64(answers[n].HeadBytes), a.varies || asked.Varies
		}
		a.body, a.head = a.body/weights, a.head/weights
		if a.varies && t.Load.OK > 0 {
			a.body = float64(t.Load.BodyBytes) / float64(t.Load.OK)
		}
		return a, true
	}
	return answer{}, false
}

// unequalBodies says in what the bodies differ, or nothing where they do not:
// not by one byte, or, where one varies, not by more than a share.
func unequalBodies(answers []answer, share float64) string {
	if len(answers) < 2 {
		return ""
	}
	least, most, varies := math.Inf(1), 0.0, false
	for _, a := range answers {
		least, most, varies = min(least, a.body), max(most, a.body), varies || a.varies
	}
	if most == least || varies && most <= least*(1+share) {
		return ""
	}
	return "the answers' bodies differ: " + lengths(answers, func(a answer) float64 { return a.body })
}

// unequalHeads says in what the heads differ, or nothing where they do not.
func unequalHeads(answers []answer) string {
	for _, a := range answers {
		if a.head != answers[0].head {
			return "the answers' heads differ: " + lengths(answers, func(a answer) float64 { return a.head })
		}
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
