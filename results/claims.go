package results

import "math"

// A Ruling is what a run says of a claim, or of a gate.
type Ruling string

// The rulings.
const (
	Holds     Ruling = "holds"
	Refuted   Ruling = "refuted" // a claim
	Fails     Ruling = "fails"   // a gate
	Undecided Ruling = "undecided"
)

// A Finding is a claim and what came out, direction and size apart: one can
// repeat without the other.
type Finding struct {
	Claim     Claim
	Pair      Pair    // Faster against Than
	Direction Ruling  // by the verdict on goodput
	Size      Ruling  // empty: no size is claimed
	Low, High float64 // ratios between which the size counts as the claimed one
}

// part is the share of a claimed effect, in logarithms, that the effect found may
// lie off for the size to hold.
const part = 0.25

// findings answers the claims by the pairs, once these have verdicts.
func findings(claims []Claim, pairs []Pair) (all []Finding) {
	for _, c := range claims {
		for _, p := range pairs {
			if p.Target == c.Faster && p.Against == c.Than {
				all = append(all, find(c, p))
			}
		}
	}
	return all
}

func find(c Claim, p Pair) Finding {
	f := Finding{Claim: c, Pair: p, Direction: Undecided}
	switch p.Goodput.Verdict {
	case VerdictFaster:
		f.Direction = Holds
	case VerdictSlower:
		f.Direction = Refuted
	}
	if c.Ratio > 1 {
		off := math.Pow(c.Ratio, part)
		f.Low, f.High = c.Ratio/off, c.Ratio*off
		f.Size = p.Goodput.size(c.Ratio, off)
		if p.Goodput.Verdict == VerdictOffered {
			f.Size = Undecided // both served what they were sent
		}
	}
	return f
}

// size rules on a claimed ratio that may be off by a factor: it holds if all of
// the interval lies that near, is refuted if all of it lies farther away, and
// farther than the controls from themselves, and is undecided otherwise. An
// interval that too few rounds made decides nothing.
func (d Difference) size(claimed, off float64) Ruling {
	r, floor := d.Ratio, 1+d.Floor
	if !r.Known() || r.Confidence < confidence {
		return Undecided
	}
	within := r.Low >= claimed/off && r.High <= claimed*off
	far := max(off, floor)
	switch {
	case r.High < claimed/far || r.Low > claimed*far:
		return Refuted
	case within && floor <= off:
		return Holds
	}
	return Undecided
}
