package results

import (
	"math"
	"math/rand/v2"
	"testing"

	"dyno/results/stats"
)

func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		estimate, holm, floor float64
		n                     int
		want                  Verdict
	}{
		{1.1, 0.031, 0, 7, VerdictFaster},
		{0.9, 0.031, 0, 7, VerdictSlower},
		{1.1, 0.05, 0, 7, VerdictSame},
		{1.1, 0.094, 0, 7, VerdictSame},
		{1.1, 0.094, 0, 6, VerdictFew},
		{1.1, 0.047, 0, 6, VerdictFaster}, // by Holm's steps, after two with more rounds
		{1.1, 0.031, 0.09, 7, VerdictFaster},
		{1.1, 0.031, 0.11, 7, VerdictNoise},
		{1 / 1.1, 0.031, 0.09, 7, VerdictSlower},
		{1 / 1.1, 0.031, 0.11, 7, VerdictNoise},
		{1.1, 0.094, 0.2, 7, VerdictSame},
	} {
		d := Difference{Ratio: stats.Effect{N: c.n, Estimate: c.estimate}, Holm: c.holm, Floor: c.floor, Needed: 7}
		if got := d.verdict(VerdictFaster, VerdictSlower); got != c.want {
			t.Errorf("%+v: %s, want %s", c, got, c.want)
		}
	}
}

// Two workloads of two comparisons are four, and seven rounds are too few for
// that, where they are enough for two.
func TestFamilyIsTheRun(t *testing.T) {
	goodputs := map[string][]float64{"a": {1, 1, 1, 1, 1, 1, 1}, "b": {2, 2, 2, 2, 2, 2, 2}, "c": {1, 1, 1, 1, 1, 1, 1}}
	record := sampleRecord(goodputs)
	if j := Judge(record); j.Family != 2 || j.Comparisons[0].Pairs[0].Goodput.Verdict != VerdictFaster || RoundsNeeded(record.Run) != 7 {
		t.Errorf("family %d, %+v", j.Family, j.Comparisons[0].Pairs)
	}
	record.Run.Workloads = append(record.Run.Workloads, Workload{Name: "w2"})
	j := Judge(record)
	p := j.Comparisons[0].Pairs[0].Goodput
	if j.Family != 4 || p.Verdict != VerdictFew || p.Needed != 8 || !near(p.Holm, 4*p.Ratio.P) || RoundsNeeded(record.Run) != 8 {
		t.Errorf("family %d, %+v", j.Family, p)
	}
}

// The same pair the other way round has the reciprocal ratio and the opposite
// verdict.
func TestOtherWayRound(t *testing.T) {
	record := sampleRecord(map[string][]float64{"a": {100, 110, 95, 105, 99, 103, 101}, "b": {120, 118, 119, 125, 121, 119, 126}})
	record.Run.Claims = []Claim{{"a", "b", 0}, {"b", "a", 0}}
	pairs := Judge(record).Comparisons[0].Pairs
	p, q := pairs[0].Goodput, pairs[1].Goodput
	if !near(p.Ratio.Estimate, 1/q.Ratio.Estimate) || !near(p.Ratio.Low, 1/q.Ratio.High) || p.Holm != q.Holm || !near(p.Within, q.Within) {
		t.Errorf("%+v and %+v", p, q)
	}
	if p.Verdict != VerdictSlower || q.Verdict != VerdictFaster {
		t.Errorf("%s and %s", p.Verdict, q.Verdict)
	}
}

// Four targets that are all the same, and skewed: one run in twenty at most
// claims a difference in goodput, and with a control still fewer do.
func TestFalseVerdicts(t *testing.T) {
	if testing.Short() {
		t.Skip("simulations take seconds")
	}
	const runs = 5000 // the standard error of 5 % is then 0.3 %
	random := rand.New(rand.NewPCG(12, 0))
	wrong := map[bool]int{}
	for range runs {
		goodputs := map[string][]float64{}
		for _, name := range []string{"a", "b", "c", "slow", "same"} {
			for range 7 {
				goodputs[name] = append(goodputs[name], 10_000*math.Exp(0.2*random.ExpFloat64()))
			}
		}
		record := sampleRecord(goodputs)
		for at, target := range record.Run.Targets {
			if target.Name == "same" {
				record.Run.Targets[at].ControlOf = "a"
			}
		}
		for _, p := range Judge(record).Comparisons[0].Pairs {
			switch p.Goodput.Verdict {
			case VerdictFaster, VerdictSlower:
				wrong[true]++
				wrong[false]++
			case VerdictNoise:
				wrong[false]++
			default:
				continue
			}
			break
		}
	}
	t.Logf("of %d runs %d claim a difference, %d if the control did not count", runs, wrong[true], wrong[false])
	if wrong[false] > runs/20 || wrong[true] >= wrong[false] || wrong[true] == 0 {
		t.Errorf("of %d runs %d claim a difference, %d if the control did not count", runs, wrong[true], wrong[false])
	}
}
