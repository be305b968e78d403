package report

import (
	"slices"

	"dyno/results"
)

// importedSuite has a case for each report that was made elsewhere: it fails where
// the report is invalid, and is skipped where it cannot be judged.
func importedSuite(j results.Judgement) suite {
	s := newSuite("imported", j, origins(j))
	for _, h := range j.Historic {
		t := testcase{Name: "report " + h.Name, Output: lined(slices.Concat(h.Reading, h.Warnings))}
		switch text, _ := worth(h); {
		case len(h.Invalid) > 0:
			var reasons []string
			for _, r := range h.Invalid {
				reasons = append(reasons, r.Text)
			}
			t.Failure = &note{h.Invalid[0].Code, h.Invalid[0].Text, *lined(reasons)}
		case !h.Counts():
			t.Skipped = &note{Message: text}
		}
		s.take(t)
	}
	return s
}
