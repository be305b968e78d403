package results

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// With a rate the tail of the latency ranks and is compared; what was served is
// what was offered.
func TestRateIsJudgedByLatency(t *testing.T) {
	record := sampleRecord(map[string][]float64{
		"a": {100, 100, 100, 100, 100, 100, 100},
		"b": {101, 101, 101, 101, 101, 101, 101}, // for once more right answers, by where the window ends
	})
	record.Run.Workloads[0].Rate = 100
	record.Run.Claims = []Claim{{"b", "a", 1.3}}
	for i := range record.Trials {
		if l := record.Trials[i].Load; record.Trials[i].Target == "a" {
			l.Latency.P99US = 2000
		} else {
			l.Latency.P99US = 3000
		}
	}
	j := Judge(record)
	if diff := cmp.Diff([]string{"1 a", "2 b"}, ranks(j)); diff != "" {
		t.Error(diff)
	}
	p := j.Comparisons[0].Pairs[0]
	if r := p.P99.Ratio; !near(r.Estimate, 1.5) || r.N != 7 || p.P99.Verdict != VerdictSlower {
		t.Errorf("p99 %+v", p.P99)
	}
	if p.Goodput.Verdict != VerdictOffered || p.CPU.Verdict != VerdictCheaper {
		t.Errorf("goodput %q, CPU %q", p.Goodput.Verdict, p.CPU.Verdict)
	}
	if f := j.Comparisons[0].Findings[0]; f.Direction != Undecided || f.Size != Undecided {
		t.Errorf("a claim of goodput is %s, its size %s", f.Direction, f.Size)
	}
}

// The controls' noise floor holds for the tail as well.
func TestRateHasANoiseFloor(t *testing.T) {
	record := sampleRecord(map[string][]float64{"a": {1, 1, 1, 1, 1, 1, 1}, "b": {1, 1, 1, 1, 1, 1, 1}, "c": {1, 1, 1, 1, 1, 1, 1}})
	record.Run.Workloads[0].Rate = 1
	record.Run.Targets[2].ControlOf = "a"
	for i := range record.Trials {
		switch t := &record.Trials[i]; t.Target {
		case "b":
			t.Load.Latency.P99US *= 1.1
		case "c":
			t.Load.Latency.P99US *= math.Pow(1.2, float64(1-2*(t.Round%2)))
		}
	}
	p := Judge(record).Comparisons[0].Pairs[0]
	if !near(p.P99.Floor, 0.2) || p.P99.Verdict != VerdictNoise {
		t.Errorf("%+v; want within a floor of 0.2", p.P99)
	}
}

func TestLoopWithoutARateHasNoTailToJudge(t *testing.T) {
	p := Judge(sampleRecord(map[string][]float64{"a": {1, 1, 1, 1, 1, 1, 1}, "b": {2, 2, 2, 2, 2, 2, 2}})).Comparisons[0].Pairs[0]
	if p.P99 != (Difference{}) || p.Goodput.Verdict != VerdictFaster {
		t.Errorf("p99 %+v, goodput %q", p.P99, p.Goodput.Verdict)
	}
}
