package report

import (
	"fmt"
	"strings"

	"dyno/results"
)

// bounds says what the targets were bound by. It is empty where that is not known
// of any.
func bounds(standings []results.Standing) string {
	if by := sameBound(standings); by != "" {
		return "All were bound by " + boundBy(by) + "."
	}
	var parts []string
	for _, by := range []results.Bound{results.BoundServer, results.BoundEngine, results.BoundHost, results.BoundNothing} {
		if names := boundOnes(by, standings); len(names) > 0 {
			parts = append(parts, "by "+boundBy(by)+": "+strings.Join(names, ", "))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Bound " + strings.Join(parts, "; ") + "."
}

// boundBy names what a bound is about.
func boundBy(by results.Bound) string {
	switch by {
	case results.BoundServer:
		return "the server's CPUs"
	case results.BoundEngine:
		return "the load engine"
	case results.BoundHost:
		return "others on the host"
	}
	return "waiting"
}

// sameBound returns what all trials of all targets were bound by; empty where
// that is not one thing.
func sameBound(standings []results.Standing) (by results.Bound) {
	for _, s := range standings {
		if len(s.Bounds) != 1 || s.Bounds[0].Trials != s.Of || by != "" && s.Bounds[0].By != by {
			return ""
		}
		by = s.Bounds[0].By
	}
	return by
}

// boundOnes returns the targets that were bound by one thing, with the number of
// their trials where it is not all.
func boundOnes(by results.Bound, standings []results.Standing) (names []string) {
	for _, s := range standings {
		for _, b := range s.Bounds {
			switch {
			case b.By != by:
			case b.Trials == s.Of:
				names = append(names, s.Target.Name)
			default:
				names = append(names, s.Target.Name+joint+strings.ReplaceAll(fmt.Sprintf("(%d of %d trials)", b.Trials, s.Of), " ", joint))
			}
		}
	}
	return names
}
