package report

import (
	"io"
	"strings"

	"dyno/results"
)

// ContrastJUnit writes c as the results of tests; see [JUnit]: suites of each side
// under each workload, and one of each side's differences from the baseline, which
// fail where nothing can be said of them. Its errors are those of w.
func ContrastJUnit(w io.Writer, c results.Contrast, _ Options) error {
	all := suites{Name: c.Base.Run.Scenario.Name}
	for _, w := range workloads(c) {
		for i, s := range sidesUnder(c, w) {
			suite := newSuite(w.Name+", "+s.letter, judgements(c)[i], contrasted(c))
			for _, standing := range visited(s.Comparison) {
				suite.take(targetCase(standing, s.Comparison))
			}
			all.add(suite)
		}
		for i, v := range c.Versus {
			name := Letter(i + 1)
			suite := newSuite(w.Name+", "+name+" against A", v.Judgement, contrasted(c))
			s := shiftUnder(v, w)
			for _, pair := range s.Pairs {
				suite.take(pairCase(pair, w, v.Unit))
			}
			suite.take(rulingCases("gate", gateRulings(s.Gated))...)
			all.add(suite)
		}
	}
	return all.write(w)
}

// pairCase says how a target differs from that of the baseline. That it does is no
// failure: a gate says what would be one.
func pairCase(pair results.Pair, w results.Workload, unit results.Unit) testcase {
	var text []string
	for _, f := range findings(pair.Target, pair, w, extent{unit: unit}) {
		text = append(text, strings.Join(strings.Fields(strings.Join([]string{f.figure, f.size, f.interval, f.p, f.words}, " ")), " "))
	}
	t := testcase{Name: "difference of " + pair.Target, Output: lined(text)}
	if pair.Invalid != "" {
		t.Failure = &note{Type: "invalid", Message: pair.Invalid}
	}
	return t
}
