package results

import (
	"fmt"
	"slices"

	"dyno/results/gate"
)

// Codes of a Cause that is not a trial's Reason.
const (
	CodeRounds    = "rounds"    // too few rounds to rank by
	CodeUnvisited = "unvisited" // the run ended before the target's turn
	CodeMissing   = "missing"   // the target's stack could not be had where the run was
)

// minRounds is the fewest rounds that give a rank: one shows no spread. More than
// half of those made are needed too: what is left of a machine that disturbs most
// trials is chance.
const minRounds = 2

// A Judgement is what a record amounts to: every figure and every sentence that a
// report shows, so that rendering computes nothing.
type Judgement struct {
	Run         Run
	Runs        []Run // that were merged into the record; one, if none were
	End         *End  // nil: the run was killed
	Trials      int   // in the record
	Planned     int   // by the run
	Invalid     int   // of Trials
	Family      int   // comparisons of one figure, over all workloads, that share the risk of a false difference
	Comparisons []Comparison
	Historic    []Historic // reports made elsewhere, in place of trials and comparisons: they have no rank
	Notes       []string   // in what the record is not that of a whole run
}

// AnyInvalid reports whether a trial is invalid, by itself or because the answers
// in its comparison are unequal.
func (j Judgement) AnyInvalid() bool {
	unequal := func(c Comparison) bool { return c.Unequal != "" }
	return j.Invalid > 0 || slices.ContainsFunc(j.Comparisons, unequal)
}

// AnyRefuted reports whether the direction of a claim is refuted.
func (j Judgement) AnyRefuted() bool {
	refuted := func(f Finding) bool { return f.Direction == Refuted }
	return slices.ContainsFunc(j.Comparisons, func(c Comparison) bool { return slices.ContainsFunc(c.Findings, refuted) })
}

// A Comparison is how the targets did under one workload.
type Comparison struct {
	Workload  Workload
	Standings []Standing // by rank, then those without one in the run's order; controls are not among them
	Pairs     []Pair     // those that the run's claims name, or each target against the first
	Controls  []Control
	Findings  []Finding // of the run's claims, in their order
	Gated     []Gated   // what came of the gates, in their order
	Unequal   string    // why nothing here has a rank though trials are valid: the answers differ; empty: they do not
	Warnings  []Warning
}

// A Standing is how one target did.
type Standing struct {
	Target Target
	Rank   int      // by goodput, or with a rate by the 99th percentile of latency, from 1; 0: none
	Causes []Cause  // why it has none
	Aside  []Cause  // why trials of it are left out: the machine disturbed them, which says nothing about the target
	Trials []Trial  // all of the record, in its order
	Valid  int      // such of Trials as count
	Of     int      // trials that Figures is made of: the valid ones, or where there are none all that measured something
	Bounds []Bounds // what these trials were bound by, the most frequent first
	Errors Errors
	Figures
}

// Sick reports whether the figures are those of invalid trials.
func (s Standing) Sick() bool { return s.Valid == 0 && s.Of > 0 }

// Errors counts the requests that failed over all trials, valid or not.
type Errors struct {
	Failed  int64
	Started int64
}

// Share returns the failed requests' share of all, 0 to 1, and false where there
// were none at all.
func (e Errors) Share() (share float64, ok bool) {
	if e.Started == 0 {
		return 0, false
	}
	return float64(e.Failed) / float64(e.Started), true
}

// A Cause is why a target has no rank: one reason, over all trials that have it.
type Cause struct {
	Code   string
	Text   string   // of the trial that is farthest beyond its limit
	Varies bool     // the texts of the others differ from it
	Rounds []int    // that have it; empty: it is not about trials
	Trials int      // that have it
	Log    []string // end of the services' output in the first of them, where it measured nothing
}

// A Warning is a doubt that does not make a trial invalid.
type Warning struct {
	Targets []string // that have it; empty: it is about the comparison
	Trials  int      // that have it
	Of      int      // trials of these targets
	Text    string   // of the first; the others may differ in their figures
}

// Judge draws from record what it amounts to, and holds it against gates. It trusts
// what the record says of each trial, and adds only what no trial can know by
// itself: whether the answers of all targets are alike, and whether there are
// rounds enough. What was imported has no comparisons, and so nothing that gates
// could be held against: see [Measured].
func Judge(record Record, gates ...gate.Gate) Judgement {
	if record.Run.Imported != nil {
		return judgeImported(record)
	}
	run := record.Run
	j := Judgement{
		Run:     run,
		Runs:    record.Runs,
		End:     record.End,
		Trials:  len(record.Trials),
		Planned: planned(record),
	}
	if j.Runs == nil {
		j.Runs = []Run{run}
	}
	for _, t := range record.Trials {
		if !t.Counts() {
			j.Invalid++
		}
	}
	j.Notes = notes(record, j.Planned)
	for _, w := range run.Workloads {
		j.Comparisons = append(j.Comparisons, compare(record, w))
	}
	j.settle()
	j.hold(record, gates)
	return j
}

// planned returns how many trials the run was to have.
func planned(record Record) (n int) {
	if record.End != nil {
		return record.End.Planned
	}
	for _, t := range record.Run.Targets {
		if t.Missing == "" {
			n += record.Run.Rounds * len(record.Run.Workloads)
		}
	}
	return n
}

func notes(record Record, planned int) (notes []string) {
	if record.Runs != nil {
		return record.Notes
	}
	had := fmt.Sprintf("%d of %s", len(record.Trials), plural(int64(planned), "planned trial"))
	switch end := record.End; {
	case end == nil:
		notes = append(notes, "the run was killed after "+had)
	case end.Status != Complete:
		notes = append(notes, fmt.Sprintf("the run ended early (%s) after %s", end.Status, had))
	case len(record.Trials) != planned:
		notes = append(notes, "the run is complete with "+had)
	}
	if record.End != nil && record.End.Fault != "" {
		notes = append(notes, "fault: "+line(record.End.Fault, textLength))
	}
	if record.Torn {
		notes = append(notes, "the record's last line was cut off and is left out")
	}
	return notes
}

func compare(record Record, w Workload) Comparison {
	c := Comparison{Workload: w}
	var all []Trial
	answers, standings := make(map[string]answer), make(map[string]Standing)
	for _, target := range record.Run.Targets {
		trials := trialsOf(record, w.Name, target.Name)
		all = append(all, trials...)
		s := stand(target, trials)
		standings[target.Name] = s
		if target.ControlOf != "" {
			continue
		}
		c.Standings = append(c.Standings, s)
		if a, ok := answerOf(target, trials); ok {
			answers[target.Name] = a
		}
	}
	var alike []answer // of those that nothing else keeps from a rank
	for _, s := range c.Standings {
		if a, ok := answers[s.Target.Name]; ok && len(s.Causes) == 0 {
			alike = append(alike, a)
		}
	}
	c.Unequal = unequalBodies(alike, record.Run.Limits.Account)
	c.Warnings = warnings(all)
	if text := unequalHeads(alike); text != "" {
		c.Warnings = append(c.Warnings, Warning{Text: text})
	}
	if c.Unequal == "" {
		rank(c.Standings, order(w))
	}
	c.pairUp(record, standings)
	return c
}

func trialsOf(record Record, workload, target string) (trials []Trial) {
	for _, t := range record.Trials {
		if t.Workload == workload && t.Target == target {
			trials = append(trials, t)
		}
	}
	return trials
}

func stand(target Target, trials []Trial) Standing {
	s := Standing{Target: target, Trials: trials}
	s.Causes, s.Aside = causes(trials)
	if target.Missing != "" {
		s.Causes = []Cause{{Code: CodeMissing, Text: "missing: " + line(target.Missing, textLength)}}
	}
	for _, t := range trials {
		if t.Load != nil {
			s.Errors.Failed += t.Load.Started - t.Load.OK
			s.Errors.Started += t.Load.Started
		}
	}
	of := slices.DeleteFunc(slices.Clone(trials), func(t Trial) bool { return !t.Counts() })
	s.Valid = len(of)
	if s.Valid == 0 {
		of = slices.DeleteFunc(slices.Clone(trials), func(t Trial) bool { return !measured(t) })
	}
	s.Of = len(of)
	s.Bounds = boundsOf(of)
	s.Figures = figuresOf(of)
	return s
}

// measured reports whether t has figures.
func measured(t Trial) bool { return t.Fault == nil && t.Load != nil && t.Load.ElapsedS > 0 }

// Counts reports whether t measured something and nothing speaks against it.
func (t Trial) Counts() bool { return measured(t) && len(t.Invalid) == 0 }

// rank puts the standings that nothing keeps from a rank first, and numbers them,
// equal ones alike.
func rank(standings []Standing, compare func(a, b Standing) int) {
	unranked := func(s Standing) bool { return len(s.Causes) > 0 }
	slices.SortStableFunc(standings, func(a, b Standing) int {
		switch {
		case unranked(a) && unranked(b):
			return 0
		case unranked(a):
			return 1
		case unranked(b):
			return -1
		}
		return compare(a, b)
	})
	for i := range standings {
		switch s := &standings[i]; {
		case unranked(*s):
			return
		case i > 0 && compare(*s, standings[i-1]) == 0:
			s.Rank = standings[i-1].Rank
		default:
			s.Rank = i + 1
		}
	}
}
