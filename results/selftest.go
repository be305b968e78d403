package results

import (
	"math"

	"dyno/results/stats"
)

// A SelfTest is what a run of one target against copies of itself tells of the
// machine: every difference in it is false.
type SelfTest struct {
	Rounds      int
	Comparisons int // of two figures each, as [Judge] makes them: each copy against the first
	Claimed     int // of their verdicts, those that a target is faster or slower
	CPUClaimed  int // of their verdicts, those that a target is dearer or cheaper
	Pairs       int // of any two copies
	Raw         int // of Pairs, those with a p of goodput below 0.05 before any adjustment: chance alone gives one in twenty
	Visible     []Visible
	Trials      int
	Aside       []Cause // why trials do not count
}

// Visible is how small an effect the machine shows in four of five runs, with so
// many rounds, in a run of one comparison.
type Visible struct {
	Rounds  int
	Goodput float64 // as a share: 0.03 is 3 % more; NaN: none, however large
	CPU     float64 // of server CPU a request, the same
}

// visibleRounds are the numbers of rounds that a self-test tells of.
var visibleRounds = []int{6, 7, 9, 12, 20, 40}

// TestSelf judges a run whose targets are all one and the same. It looks at the
// first workload only.
func TestSelf(record Record) SelfTest {
	c := Judge(record).Comparisons[0]
	t := SelfTest{Rounds: record.Run.Rounds, Trials: len(record.Trials), Aside: gather(record.Trials)}
	for _, p := range c.Pairs {
		t.Comparisons++
		if v := p.Goodput.Verdict; v == VerdictFaster || v == VerdictSlower {
			t.Claimed++
		}
		if v := p.CPU.Verdict; v == VerdictDearer || v == VerdictCheaper {
			t.CPUClaimed++
		}
	}
	var goodput, cpu []float64 // logarithms of ratios within rounds
	for i, a := range record.Run.Targets {
		for _, b := range record.Run.Targets[:i] {
			both := matched(trialsOf(record, c.Workload.Name, a.Name), trialsOf(record, c.Workload.Name, b.Name))
			if r := ratio(both, Trial.Goodput); r.Known() {
				t.Pairs++
				if r.P < significance {
					t.Raw++
				}
			}
			for _, r := range ratios(both, Trial.Goodput) {
				goodput = append(goodput, math.Log(r))
			}
			for _, r := range ratios(both, Trial.ServerCPU) {
				cpu = append(cpu, math.Log(r))
			}
		}
	}
	for _, n := range visibleRounds {
		t.Visible = append(t.Visible, Visible{
			Rounds:  n,
			Goodput: math.Expm1(stats.Visible(goodput, n, significance, record.Run.Seed)),
			CPU:     math.Expm1(stats.Visible(cpu, n, significance, record.Run.Seed)),
		})
	}
	return t
}
