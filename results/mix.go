package results

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Mix returns all that a target is asked, its first request first.
func (t Target) Mix() []Asked { return append([]Asked{t.Asked}, t.Also...) }

// weight returns how often a request is drawn, which is 1 where it is alone.
func (a Asked) weight() int64 { return int64(max(a.Weight, 1)) }

// Line returns the request's first line, without the version: "GET /hello".
func (a Asked) Line() string {
	first, _, _ := strings.Cut(a.Request, "\r\n")
	return strings.TrimSuffix(first, " HTTP/1.1")
}

// Lines names all that a target is asked: "GET /hello", or "8 × GET /" and "1 × GET
// /about", with the weights.
func (t Target) Lines() (all []string) {
	mix := t.Mix()
	for _, a := range mix {
		text := a.Line()
		if len(mix) > 1 {
			text = fmt.Sprintf("%s × %s", count(a.weight()), text)
		}
		all = append(all, text)
	}
	return all
}

// requestName is what one of so many requests is called where it is compared; empty:
// it is the only one.
func requestName(at, of int) string {
	if of == 1 {
		return ""
	}
	return strconv.Itoa(at + 1)
}

// answers returns what the contract check saw, an answer for each request, and
// nothing where none came.
func (t Trial) answers() []Answer {
	if t.Contract == nil {
		return nil
	}
	return append([]Answer{*t.Contract}, t.AlsoContract...)
}

// right returns how many right answers each of so many requests had, and false where
// that is not known.
func (l *Load) right(requests int) (counts []int64, ok bool) {
	if requests == 1 {
		return []int64{l.OK}, true
	}
	if len(l.Parts) != requests {
		return nil, false
	}
	for _, part := range l.Parts {
		counts = append(counts, part[OutcomeOK])
	}
	return counts, true
}

// drawnApart is by how many standard deviations the number of a request's draws may
// differ from what its weight lets expect: chance does so once in a million trials.
const drawnApart = 5

// checkDraw: each request of a mix was started about as often as its weight says.
func (i *inspection) checkDraw() {
	mix, weights := i.target.Mix(), int64(0)
	if len(i.Load.Parts) != len(mix) {
		return
	}
	for _, a := range mix {
		weights += a.weight()
	}
	for n, a := range mix {
		var drawn int64
		for _, k := range i.Load.Parts[n] {
			drawn += k
		}
		p := float64(a.weight()) / float64(weights)
		expected := p * float64(i.Load.Started)
		if off, allowed := math.Abs(float64(drawn)-expected), drawnApart*math.Sqrt(expected*(1-p))+1; off > allowed {
			i.invalid(CodeSum, float64(drawn), expected, "request %d (%s) was started %s times of %s, and by its weight it is %s", n+1, a.Line(), count(drawn), count(i.Load.Started), digits(expected))
		}
	}
}

// to says which of a target's requests have outcomes of these names: ", to GET
// /about"; empty where there is only one request.
func (i *inspection) to(outcomes ...string) string {
	mix := i.target.Mix()
	if len(mix) == 1 || len(i.Load.Parts) != len(mix) {
		return ""
	}
	var lines []string
	for n, part := range i.Load.Parts {
		for _, name := range outcomes {
			if part[name] > 0 {
				lines = append(lines, mix[n].Line())
				break
			}
		}
	}
	return ", to " + strings.Join(lines, " and ")
}
