package results

import (
	"math"
	"testing"

	"dyno/results/stats"
)

func TestDirection(t *testing.T) {
	for verdict, want := range map[Verdict]Ruling{
		VerdictFaster: Holds, VerdictSlower: Refuted, VerdictSame: Undecided, VerdictNoise: Undecided, VerdictFew: Undecided, VerdictInvalid: Undecided,
	} {
		f := find(Claim{"a", "b", 0}, Pair{Target: "a", Against: "b", Goodput: Difference{Verdict: verdict}})
		if f.Direction != want || f.Size != "" {
			t.Errorf("%s: %s, size %q; want %s, and no size", verdict, f.Direction, f.Size, want)
		}
	}
}

// 1.30 times holds between 1.217 and 1.388: a quarter of the effect less or more.
func TestSize(t *testing.T) {
	for _, c := range []struct {
		low, high, floor float64
		want             Ruling
	}{
		{1.25, 1.35, 0, Holds},
		{1.22, 1.38, 0, Holds},
		{1.31, 1.32, 0, Holds}, // a precise figure near the claimed one
		{1.21, 1.35, 0, Undecided},
		{1.25, 1.40, 0, Undecided},
		{0.9, 1.9, 0, Undecided},
		{1.08, 1.11, 0, Refuted},
		{1.39, 1.50, 0, Refuted},
		{0.7, 0.8, 0, Refuted},
		{1.25, 1.35, 0.06, Holds},
		{1.25, 1.35, 0.07, Undecided}, // a machine so noisy cannot tell the range
		{1.15, 1.20, 0.07, Refuted},
		{1.15, 1.20, 0.1, Undecided},
	} {
		d := Difference{Ratio: stats.Effect{N: 7, Low: c.low, High: c.high, Confidence: 0.953}, Floor: c.floor}
		f := find(Claim{"a", "b", 1.3}, Pair{Goodput: d})
		if f.Size != c.want || math.Abs(f.Low-1.2175) > 1e-4 || math.Abs(f.High-1.3881) > 1e-4 {
			t.Errorf("%v to %v, floor %v: %s in %v to %v, want %s", c.low, c.high, c.floor, f.Size, f.Low, f.High, c.want)
		}
	}
	for _, r := range []stats.Effect{{P: 1}, {N: 5, Low: 1.3, High: 1.3, Confidence: 0.9375}} {
		if f := find(Claim{"a", "b", 1.3}, Pair{Goodput: Difference{Ratio: r}}); f.Size != Undecided {
			t.Errorf("%+v: %s", r, f.Size)
		}
	}
}

// Each claim has its finding under each workload, two of one pair too.
func TestFindings(t *testing.T) {
	record := sampleRecord(map[string][]float64{"a": {100, 101, 99, 100, 102, 98, 100}, "b": {129, 131, 130, 128, 132, 130, 131}})
	record.Run.Claims = []Claim{{"b", "a", 1.3}, {"b", "a", 2}, {"a", "b", 0}}
	record.Run.Workloads = append(record.Run.Workloads, Workload{Name: "idle"})
	for i, want := range []struct{ directions, sizes []Ruling }{
		{[]Ruling{Undecided, Undecided, Undecided}, []Ruling{Holds, Refuted, ""}}, // seven rounds are too few for four comparisons
		{[]Ruling{Undecided, Undecided, Undecided}, []Ruling{Undecided, Undecided, ""}},
	} {
		for k, f := range Judge(record).Comparisons[i].Findings {
			if f.Direction != want.directions[k] || f.Size != want.sizes[k] || f.Claim != record.Run.Claims[k] {
				t.Errorf("workload %d, claim %d: %s, size %q", i, k, f.Direction, f.Size)
			}
		}
	}
	record.Run.Workloads = record.Run.Workloads[:1]
	var got []Ruling
	for _, f := range Judge(record).Comparisons[0].Findings {
		got = append(got, f.Direction)
	}
	if len(got) != 3 || got[0] != Holds || got[1] != Holds || got[2] != Refuted {
		t.Errorf("%q", got)
	}
}

// A claim whose order came out the other way is what a run can fail by.
func TestAnyRefuted(t *testing.T) {
	record := sampleRecord(map[string][]float64{"a": {100, 101, 99, 100, 102, 98, 100}, "b": {129, 131, 130, 128, 132, 130, 131}})
	record.Run.Claims = []Claim{{"b", "a", 0}}
	if Judge(record).AnyRefuted() {
		t.Error("a claim that holds is refuted")
	}
	record.Run.Claims = append(record.Run.Claims, Claim{"a", "b", 0})
	if !Judge(record).AnyRefuted() {
		t.Error("a claim of the contrary is not refuted")
	}
}
