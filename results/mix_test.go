package results

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// mixed makes of a record's targets such as are asked two things: three times what
// they were asked, and once something that is answered with 100 chunked bytes.
func mixed(record Record) {
	for i := range record.Run.Targets {
		t := &record.Run.Targets[i]
		t.Weight = 3
		t.Also = []Asked{{Weight: 1, Request: "GET /about HTTP/1.1\r\nHost: x\r\n\r\n", Status: 200, Length: new(int64(100))}}
	}
	for i := range record.Trials {
		t := &record.Trials[i]
		t.AlsoContract = []Answer{{Status: 200, Head: "HTTP/1.1 200 OK\r\n\r\n", HeadBytes: 200, BodyBytes: 100, WireBytes: 400, Framing: "chunked", KeepAlive: true}}
		l := *t.Load
		others := l.OK / 4
		l.Parts = []map[string]int64{{OutcomeOK: l.OK - others}, {OutcomeOK: others}}
		l.HeadBytes = (l.OK-others)*t.Contract.HeadBytes + others*200
		l.BodyBytes = (l.OK-others)*t.Contract.BodyBytes + others*100
		l.BytesIn = l.HeadBytes + l.BodyBytes + others*100
		t.Load = &l
	}
}

// The account of bytes knows how often each request was answered.
func TestAccountOfMix(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Trial)
		want   string // code; empty: valid
	}{
		"right":              {func(*Trial) {}, ""},
		"chunks not counted": {func(t *Trial) { t.Load.BytesIn = t.Load.HeadBytes + t.Load.BodyBytes }, CodeBytes},
		"other shares": {func(t *Trial) {
			t.Load.Parts[0][OutcomeOK], t.Load.Parts[1][OutcomeOK] = t.Load.Parts[1][OutcomeOK], t.Load.Parts[0][OutcomeOK]
		}, CodeBytes},
		"a part that is lost":   {func(t *Trial) { t.Load.Parts[1] = map[string]int64{OutcomeOK: 1} }, CodeSum},
		"another answer at all": {func(t *Trial) { t.AlsoContract[0].BodyBytes = 99 }, CodeContract},
	} {
		record := Record{Run: sampleRun(), Trials: []Trial{sampleTrial("a")}}
		mixed(record)
		trial := record.Trials[0]
		c.change(&trial)
		reasons := Reasons(trial, record.Run)
		codes := make([]string, len(reasons))
		for i, r := range reasons {
			codes[i] = r.Code
		}
		if c.want == "" && len(codes) > 0 || c.want != "" && !slices.Contains(codes, c.want) {
			t.Errorf("%s: %+v, want %q", name, reasons, c.want)
		}
	}
}

// What cannot be told of a mix is doubted, and is no fault.
func TestMixNotKnown(t *testing.T) {
	record := Record{Run: sampleRun(), Trials: []Trial{sampleTrial("a")}}
	mixed(record)
	trial := record.Trials[0]
	trial.AlsoContract, trial.Load.Parts = nil, nil
	doubts := strings.Join(Doubts(trial, record.Run), "\n")
	if !strings.Contains(doubts, "answer that the contract check saw is not in the record") || len(Reasons(trial, record.Run)) > 0 {
		t.Errorf("%q, %+v", doubts, Reasons(trial, record.Run))
	}
}

// Targets whose mixes are equally long on average are comparable, whatever the
// order of their requests; by other weights they are not.
func TestEqualMixes(t *testing.T) {
	record := Record{Run: sampleRun()}
	for round := range 2 {
		for _, target := range record.Run.Targets {
			trial := sampleTrial(target.Name)
			trial.Round = round + 1
			record.Trials = append(record.Trials, trial)
		}
	}
	mixed(record)
	b := &record.Run.Targets[1]
	b.Asked, b.Also[0] = b.Also[0], b.Asked
	for i := range record.Trials {
		if trial := &record.Trials[i]; trial.Target == b.Name {
			*trial.Contract, trial.AlsoContract[0] = trial.AlsoContract[0], *trial.Contract
			slices.Reverse(trial.Load.Parts)
		}
	}
	if c := Judge(record).Comparisons[0]; c.Unequal != "" {
		t.Errorf("the same in another order: %s", c.Unequal)
	}
	b.Weight = 2
	if c := Judge(record).Comparisons[0]; !strings.Contains(c.Unequal, "bodies differ") {
		t.Errorf("other weights: %q", c.Unequal)
	}
}

func TestLinesOfMix(t *testing.T) {
	one := Target{Asked: Asked{Request: "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"}}
	several := one
	several.Also = []Asked{{Weight: 3, Request: "POST /b HTTP/1.1\r\n\r\n"}}
	for target, want := range map[*Target]string{&one: "GET /a", &several: "1 × GET /a, 3 × POST /b"} {
		if got := target.lines(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A run whose targets are asked something else is unlike, and is said to be.
func TestMixUnlike(t *testing.T) {
	one, other := Record{Run: sampleRun()}, Record{Run: sampleRun()}
	mixed(other)
	text := fmt.Sprint(unlike(one.Run, other.Run))
	if !strings.Contains(text, "target a: also") || !strings.Contains(text, "/about") {
		t.Errorf("%s", text)
	}
	if same := unlike(other.Run, other.Run); len(same) > 0 {
		t.Errorf("a run is unlike itself: %v", same)
	}
}
