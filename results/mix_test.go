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
	for target, want := range map[*Target][]string{&one: {"GET /a"}, &several: {"1 × GET /a", "3 × POST /b"}} {
		if got := target.Lines(); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A run whose targets are asked something else is unlike, and is said to be: request by
// request, and where only the order is another one too. Records from before targets
// could have several requests are like later ones.
func TestMixUnlike(t *testing.T) {
	one, other := sampleRun(), Record{Run: sampleRun()}
	mixed(other)
	for name, c := range map[string]struct {
		change func(*Run)
		want   string
	}{
		"as it was":      {func(*Run) {}, "[]"},
		"another weight": {func(r *Run) { r.Targets[0].Also[0].Weight = 2 }, "[target a, request 2: weight: 1 / 2]"},
		"another path":   {func(r *Run) { r.Targets[0].Also[0].Request = "GET /x HTTP/1.1\r\n\r\n" }, "target a, request 2: request: GET /about"},
		"another order":  {func(r *Run) { x := &r.Targets[0]; x.Asked, x.Also[0] = x.Also[0], x.Asked }, "target a, request 2: request: GET /about"},
		"one less":       {func(r *Run) { r.Targets[0].Also = nil }, "[target a, request 2: there / not there]"},
	} {
		changed := Record{Run: sampleRun()}
		mixed(changed)
		c.change(&changed.Run)
		if got := fmt.Sprint(unlike(other.Run, changed.Run)); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	weighed := sampleRun()
	weighed.Targets = slices.Clone(weighed.Targets)
	weighed.Targets[0].Weight = 1
	if got := unlike(one, weighed); len(got) > 0 {
		t.Errorf("a weight of 1 is that of one request: %v", got)
	}
}

// The second part of a mix varies: chance in how often it was drawn makes no answers
// unequal, and what is fixed has to be equal to the byte.
func TestMixThatVaries(t *testing.T) {
	varying := func(change func(*Record)) Comparison {
		record := Record{Run: sampleRun()}
		for round := range 2 {
			for _, target := range record.Run.Targets {
				trial := sampleTrial(target.Name)
				trial.Round = round + 1
				record.Trials = append(record.Trials, trial)
			}
		}
		mixed(record)
		for i := range record.Run.Targets {
			record.Run.Targets[i].Also[0].Varies, record.Run.Targets[i].Also[0].Length = true, nil
		}
		change(&record)
		return Judge(record).Comparisons[0]
	}
	seldom := func(record *Record) { // a's long answers were drawn by chance a little less often
		for i := range record.Trials {
			if x := &record.Trials[i]; x.Target == "a" {
				n := x.Load.Parts[1][OutcomeOK] / 50
				x.Load.Parts[0][OutcomeOK] += n
				x.Load.Parts[1][OutcomeOK] -= n
				x.Load.BodyBytes += n * (x.Contract.BodyBytes - 100)
			}
		}
	}
	longer := func(by int64) func(*Record) {
		return func(record *Record) {
			for i := range record.Trials {
				if x := &record.Trials[i]; x.Target == "a" {
					x.Load.BodyBytes += by * x.Load.Parts[1][OutcomeOK]
				}
			}
		}
	}
	if c := varying(seldom); c.Unequal != "" {
		t.Errorf("chance: %s", c.Unequal)
	}
	if c := varying(longer(1)); c.Unequal != "" {
		t.Errorf("within the share: %s", c.Unequal)
	}
	if c := varying(longer(50)); !strings.HasPrefix(c.Unequal, "the answers' bodies differ to request 2: 150 B a, 100 B ") {
		t.Errorf("half as long again: %q", c.Unequal)
	}
	fixed := func(record *Record) {
		for i := range record.Trials {
			if x := &record.Trials[i]; x.Target == "a" {
				x.Contract.BodyBytes++
				x.Load.BodyBytes += x.Load.Parts[0][OutcomeOK]
			}
		}
	}
	if c := varying(fixed); !strings.HasPrefix(c.Unequal, "the answers' bodies differ to request 1: ") {
		t.Errorf("one byte of what is fixed: %q", c.Unequal)
	}
	heads := func(record *Record) {
		for i := range record.Trials {
			if x := &record.Trials[i]; x.Target == "a" {
				x.AlsoContract[0].HeadBytes++
			}
		}
	}
	if c := varying(heads); !slices.ContainsFunc(c.Warnings, func(w Warning) bool {
		return strings.HasPrefix(w.Text, "the answers' heads differ to request 2: 201 B a")
	}) {
		t.Errorf("heads: %+v", c.Warnings)
	}
}

// Bodies that are unlike and cancel out are equal on average, yet not compared so where
// the requests are the same ones.
func TestBodiesThatCancelOut(t *testing.T) {
	a := answer{"a", []length{{1, 10, 100, false}, {1, 30, 100, false}}}
	b := answer{"b", []length{{1, 20, 100, false}, {1, 20, 100, false}}}
	c := answer{"c", []length{{2, 20, 100, false}}}
	if text := unequalBodies([]answer{a, b}, 0.02); text != "the answers' bodies differ to request 1: 10 B a, 20 B b" {
		t.Errorf("%q", text)
	}
	if text := unequalBodies([]answer{a, c}, 0.02); text != "" {
		t.Errorf("other requests, the same on average: %q", text)
	}
	if text := unequalBodies([]answer{a, {"d", []length{{1, 21, 100, false}}}}, 0.02); text != "the answers' bodies differ on average, by weight: 20 B a, 21 B d" {
		t.Errorf("%q", text)
	}
}

// What else differs is told request by request.
func TestConfoundersOfMix(t *testing.T) {
	record := alike()
	mixed(record)
	b := &record.Run.Targets[1]
	b.Also[0].Request, b.Also[0].Weight = "POST /b HTTP/1.1\r\nHost: y\r\n\r\n", 1
	for i := range record.Trials {
		if x := &record.Trials[i]; x.Target == "b" {
			x.AlsoContract[0].Framing, x.AlsoContract[0].BodyBytes = "content-length", 99
		}
	}
	var got []string
	for _, c := range Judge(record).Comparisons[0].Pairs[0].Confounders {
		if c.Name == "2" {
			got = append(got, fmt.Sprintf("%s %s: %s / %s", c.Kind, c.Name, c.Ours, c.Theirs))
		}
	}
	want := []string{
		"request 2: 1 × POST /b / 1 × GET /about", "rest of the request 2: Host: y / Host: x",
		"body 2: 99 B / 100 B", "framing 2: content-length / chunked",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A request that was sent far more seldom than its weight says is another load.
func TestDrawOfMix(t *testing.T) {
	for name, c := range map[string]struct {
		second float64 // share of the requests
		valid  bool
	}{"as weighed": {0.25, true}, "by chance": {0.2502, true}, "never": {0, false}, "too often": {0.26, false}} {
		record := Record{Run: sampleRun(), Trials: []Trial{sampleTrial("a")}}
		mixed(record)
		l := record.Trials[0].Load
		n := int64(c.second * float64(l.OK))
		l.Parts = []map[string]int64{{OutcomeOK: l.OK - n}, {OutcomeOK: n}}
		if n == 0 {
			l.Parts[1] = nil
		}
		l.HeadBytes, l.BodyBytes = (l.OK-n)*record.Trials[0].Contract.HeadBytes+n*200, (l.OK-n)*record.Trials[0].Contract.BodyBytes+n*100
		l.BytesIn = l.HeadBytes + l.BodyBytes + n*100
		reasons := Reasons(record.Trials[0], record.Run)
		if c.valid != (len(reasons) == 0) || !c.valid && (reasons[0].Code != CodeSum || !strings.Contains(reasons[0].Text, "by its weight it is")) {
			t.Errorf("%s: %+v", name, reasons)
		}
	}
}

// Reasons say to which request answers were wrong.
func TestReasonsNameTheRequest(t *testing.T) {
	record := Record{Run: sampleRun(), Trials: []Trial{sampleTrial("a")}}
	mixed(record)
	trial := record.Trials[0]
	trial.AlsoContract[0].Status = 404
	trial.Load.Parts[1] = map[string]int64{OutcomeOK: trial.Load.Parts[1][OutcomeOK] - 10, OutcomeStatus: 10}
	trial.Load.OK -= 10
	trial.Load.Outcomes = map[string]int64{OutcomeOK: trial.Load.OK, OutcomeStatus: 10}
	var texts []string
	for _, r := range Reasons(trial, record.Run) {
		texts = append(texts, r.Text)
	}
	text := strings.Join(texts, "\n")
	for _, want := range []string{"GET /about: status 404 where 200 is right", "10 × unexpected status, to GET /about"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in:\n%s", want, text)
		}
	}
}

// A reader that knows only targets of one request is kept from records of others.
func TestSchemaOfMix(t *testing.T) {
	several := Record{Run: sampleRun()}
	mixed(several)
	for want, run := range map[int]Run{1: sampleRun(), 2: several.Run} {
		w, err := Create(t.TempDir(), run)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		record, err := Read(w.Path())
		if err != nil || record.Run.Schema != want || len(record.Run.Targets[0].Also) != want-1 {
			t.Errorf("schema %d with %d further requests, want %d: %v", record.Run.Schema, len(record.Run.Targets[0].Also), want, err)
		}
	}
}
