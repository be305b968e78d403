package results

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Merge makes one record of several runs of one scenario on like machines, with
// like stacks: the rounds of each follow those of the runs before it, so that
// targets are still compared within the rounds in which they were measured
// together. Runs that are unlike are an [UnlikeError], unless they are forced
// together: the record's Notes then say in what they differ. One record comes back
// as it is.
func Merge(records []Record, force bool) (Record, error) {
	if len(records) == 1 {
		return records[0], nil
	}
	if err := countable(records); err != nil {
		return Record{}, err
	}
	merged := Record{Run: records[0].Run, End: &End{Type: typeEnd, Status: Complete}}
	merged.Run.Rounds, merged.Run.Command = 0, nil
	merged.Run.Targets, merged.Run.Stacks = slices.Clone(merged.Run.Targets), slices.Clone(merged.Run.Stacks)
	for _, r := range records {
		if differs := append(unlike(records[0].Run, r.Run), changes(records[0].Run, r.Run)...); len(differs) > 0 {
			unlike := &UnlikeError{records[0].Run.ID, r.Run.ID, differs}
			if !force {
				return Record{}, unlike
			}
			merged.Notes = append(merged.Notes, "forced together: "+strings.ReplaceAll(unlike.Error(), "\n ", ""))
		}
	}
	for _, r := range records {
		merged.take(r)
	}
	merged.Run.Warnings = warningsOf(records)
	return merged, nil
}

// warningsOf returns the doubts about runs, each once and with those that have it.
func warningsOf(records []Record) (all []string) {
	var texts []string
	having := map[string][]string{}
	for _, r := range records {
		for _, text := range r.Run.Warnings {
			if having[text] == nil {
				texts = append(texts, text)
			}
			having[text] = append(having[text], r.Run.ID)
		}
	}
	for _, text := range texts {
		who := strings.Join(having[text], ", ")
		if len(having[text]) == len(records) {
			who = "each run"
		}
		all = append(all, who+": "+text)
	}
	return all
}

// countable says which record was imported, or which run is given twice: its rounds
// would count twice, though nothing more is known by them.
func countable(records []Record) error {
	if err := Measured(records...); err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, r := range records {
		if seen[r.Run.ID] {
			return fmt.Errorf("run %s is given twice", r.Run.ID)
		}
		seen[r.Run.ID] = true
	}
	return nil
}

// take adds a run to those that the record is made of.
func (m *Record) take(r Record) {
	visits := len(m.Trials)
	planned := planned(r)
	for _, t := range r.Run.Targets {
		if t.ControlOf != "" && !m.has(t.Name) && m.has(t.ControlOf) {
			m.Run.Targets = append(m.Run.Targets, t) // a quick run has no control, and others may
		}
	}
	for _, t := range r.Trials {
		if m.has(t.Target) && slices.ContainsFunc(m.Run.Workloads, func(w Workload) bool { return w.Name == t.Workload }) {
			t.Round += m.Run.Rounds
			t.Visit += visits
			m.Trials = append(m.Trials, t)
		}
	}
	for _, s := range r.Run.Stacks {
		same := func(o Stack) bool { return o.Name == s.Name && maps.Equal(o.Params, s.Params) }
		if !slices.ContainsFunc(m.Run.Stacks, same) {
			m.Run.Stacks = append(m.Run.Stacks, s) // a target that the first run could not have, another could
		}
	}
	for i, t := range m.Run.Targets {
		had := func(o Target) bool { return o.Name == t.Name && o.Missing == "" }
		if slices.ContainsFunc(r.Run.Targets, had) {
			m.Run.Targets[i].Missing = ""
		}
	}
	for _, note := range notes(r, planned) {
		m.Notes = append(m.Notes, r.Run.ID+": "+note)
	}
	m.Run.Rounds += r.Run.Rounds
	m.End.Trials = len(m.Trials)
	m.End.Planned += planned
	m.Runs = append(m.Runs, r.Run)
}

// has reports whether the record's run names a target.
func (m *Record) has(target string) bool {
	return slices.ContainsFunc(m.Run.Targets, func(t Target) bool { return t.Name == target })
}
