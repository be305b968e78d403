package results

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// selfRecord is of one target and copies of it, whose goodput scatters by so much.
func selfRecord(copies, rounds int, spread float64, seed uint64) Record {
	record := Record{Run: sampleRun()}
	record.Run.Targets, record.Run.Claims, record.Run.Rounds = nil, nil, rounds
	random := rand.New(rand.NewPCG(seed, 0))
	for i := range copies {
		name := fmt.Sprint("copy ", i+1)
		record.Run.Targets = append(record.Run.Targets, Target{Name: name, Asked: Asked{Status: 200}})
		for round := range rounds {
			t := sampleTrial(name)
			t.Round = round + 1
			t.Load.OK, t.Load.LateOK = int64(400_000*math.Exp(spread*random.NormFloat64())), 0
			t.Load.Started = t.Load.OK
			record.Trials = append(record.Trials, t)
		}
	}
	n := len(record.Trials)
	record.End = &End{Type: "end", Status: Complete, Trials: n, Planned: n}
	return record
}

// Of comparisons in which nothing differs, at most one in twenty runs claims a
// difference, and of unadjusted pairs about one in twenty.
func TestSelfTestClaimsNothing(t *testing.T) {
	runs, claiming, raw, pairs := 400, 0, 0, 0
	if testing.Short() {
		runs = 40
	}
	for seed := range uint64(runs) {
		record := selfRecord(5, 9, 0.03, seed)
		c := Judge(record).Comparisons[0]
		if len(c.Pairs) != 4 {
			t.Fatalf("%d pairs, want each of four copies against the first", len(c.Pairs))
		}
		claimed := false
		for _, p := range c.Pairs {
			claimed = claimed || p.Goodput.Verdict == VerdictFaster || p.Goodput.Verdict == VerdictSlower
			if pairs++; p.Goodput.Ratio.P < significance {
				raw++
			}
		}
		if claimed {
			claiming++
		}
	}
	if share := float64(claiming) / float64(runs); share > 0.07 { // 0.05 and two standard errors of 400 runs
		t.Errorf("%.3f of the runs claim a difference", share)
	}
	if share := float64(raw) / float64(pairs); share > 0.08 {
		t.Errorf("%.3f of the pairs differ at 0.05", share)
	}
}

func TestSelfTestTellsWhatIsVisible(t *testing.T) {
	got := TestSelf(selfRecord(5, 9, 0.03, 1))
	if got.Comparisons != 4 || got.Pairs != 10 || got.Rounds != 9 {
		t.Errorf("%+v", got)
	}
	for i, v := range got.Visible {
		// The logarithms of two scattering goodputs differ by 0.03·√2; of that, 7 to 40
		// pairs show some 1.3 to 0.45 standard deviations.
		if v.Rounds != visibleRounds[i] || !(v.Goodput > 0.012) || v.Goodput > 0.12 {
			t.Errorf("with %d rounds %v is visible", v.Rounds, v.Goodput)
		}
		if i > 0 && v.Goodput > got.Visible[i-1].Goodput {
			t.Errorf("more rounds show less: %+v", got.Visible)
		}
	}
}
