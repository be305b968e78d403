package report

import (
	"encoding/xml"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"dyno/results"
)

// JUnit writes j as the XML that continuous integration takes for the results of
// tests: a suite for each workload, in it a case for each target and control, which
// fails where it is invalid, one for each claim, which fails where it is refuted,
// and one for each gate. What is undecided, missing, or was not measured often
// enough, is skipped. A record that was imported is a suite with a case for each
// report. Its errors are those of w.
func JUnit(w io.Writer, j results.Judgement, _ Options) error {
	all := suites{Name: j.Run.Scenario.Name}
	if j.Run.Imported != nil {
		all.add(importedSuite(j))
	}
	for _, c := range j.Comparisons {
		all.add(suiteOf(c, j))
	}
	return all.write(w)
}

// Suites, a suite and a case are JUnit's elements, with the attributes that its
// readers share. Times are left out: how long a case took is not what is tested.
type suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Skipped  int      `xml:"skipped,attr"`
	Suites   []suite  `xml:"testsuite"`
}

type suite struct {
	scenario   string
	Name       string     `xml:"name,attr"`
	Timestamp  string     `xml:"timestamp,attr"`
	Tests      int        `xml:"tests,attr"`
	Failures   int        `xml:"failures,attr"`
	Errors     int        `xml:"errors,attr"` // none ever: what went wrong is a target's failure
	Skipped    int        `xml:"skipped,attr"`
	Properties []property `xml:"properties>property"`
	Cases      []testcase `xml:"testcase"`
}

type property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type testcase struct {
	Class   string    `xml:"classname,attr"` // by which readers group cases
	Name    string    `xml:"name,attr"`
	Failure *note     `xml:"failure"`
	Skipped *note     `xml:"skipped"`
	Output  *verbatim `xml:"system-out"`
}

type note struct {
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr"`
	verbatim
}

// A verbatim is text in which nothing is markup.
type verbatim struct {
	Text string `xml:",cdata"`
}

// lined makes text of lines, and nothing of none. What XML cannot hold stands as
// U+FFFD.
func lined(all []string) *verbatim {
	if len(all) == 0 {
		return nil
	}
	text := strings.Map(func(r rune) rune {
		if strconv.IsPrint(r) || r == '\n' {
			return r
		}
		return '\uFFFD'
	}, bare(strings.Join(all, "\n")))
	return &verbatim{"\n" + text + "\n"}
}

func suiteOf(c results.Comparison, j results.Judgement) suite {
	s := newSuite(c.Workload.Name, j, circumstances(j))
	for _, standing := range visited(c) {
		s.take(targetCase(standing, c))
	}
	s.take(rulingCases("claim", rulings(c.Findings, j.Run.Rounds))...)
	s.take(rulingCases("gate", gateRulings(c.Gated))...)
	return s
}

func newSuite(name string, j results.Judgement, about []field) suite {
	s := suite{scenario: j.Run.Scenario.Name, Name: name, Timestamp: j.Run.Started.UTC().Format(time.DateOnly + "T" + time.TimeOnly)}
	for _, f := range about {
		if f.text != "" {
			s.Properties = append(s.Properties, property{strings.ToLower(f.label), bare(f.text)})
		}
	}
	return s
}

// take adds cases, which readers group by scenario and suite.
func (s *suite) take(cases ...testcase) {
	for _, c := range cases {
		c.Class = s.scenario + "." + s.Name
		s.Cases = append(s.Cases, c)
	}
}

// targetCase says whether a target's figures may be believed, and which they are.
func targetCase(s results.Standing, c results.Comparison) testcase {
	t := testcase{Name: "target " + s.Target.Name, Output: lined(append(figures(s), listed(s, aside)...))}
	switch causes := s.Causes; {
	case slices.ContainsFunc(causes, func(c results.Cause) bool { return !c.Wanting() }):
		t.Failure = &note{causes[0].Code, trials(causes[0], s) + causes[0].Text, *lined(listed(s, against))}
	case len(causes) > 0:
		t.Skipped = &note{Message: causes[0].Text}
	case c.Unequal != "":
		t.Failure = &note{Type: "unequal", Message: c.Unequal}
	}
	return t
}

// figures lists what stands in the table.
func figures(s results.Standing) (lines []string) {
	if s.Of == 0 {
		return nil
	}
	for _, c := range columns()[targets+1:] {
		switch cell := c.cell(s); {
		case c.head != "":
			lines = append(lines, strings.TrimSpace(c.head+" "+cell+" "+c.unit))
		case cell != "":
			lines[len(lines)-1] += " " + cell // the spread of the figure before
		}
	}
	return lines
}

// listed lists a standing's causes of one kind.
func listed(s results.Standing, of func(results.Standing) []results.Cause) (lines []string) {
	for _, cause := range of(s) {
		lines = append(lines, trials(cause, s)+cause.Text)
		for _, line := range cause.Log {
			lines = append(lines, "  "+line)
		}
	}
	return lines
}

// rulingCases makes a case of each sentence that stands for itself, with those
// that belong to it.
func rulingCases(what string, all []ruling) (cases []testcase) {
	for i := 0; i < len(all); {
		r := all[i]
		text := []string{r.found}
		for i++; i < len(all) && all[i].of; i++ {
			text = append(text, all[i].said+" "+string(all[i].says)+": "+all[i].found)
		}
		t := testcase{Name: what + " " + r.said, Output: lined(text)}
		switch r.says {
		case results.Refuted, results.Fails:
			t.Failure = &note{Type: what, Message: bare(r.found)}
		case results.Undecided:
			t.Skipped = &note{Message: bare(r.found)}
		}
		cases = append(cases, t)
	}
	return cases
}

// bare is text in which a space is a space.
func bare(text string) string { return strings.ReplaceAll(text, joint, " ") }

// add takes a suite and its counts.
func (all *suites) add(s suite) {
	s.Tests = len(s.Cases)
	for _, c := range s.Cases {
		if c.Failure != nil {
			s.Failures++
		}
		if c.Skipped != nil {
			s.Skipped++
		}
	}
	all.Tests, all.Failures, all.Skipped = all.Tests+s.Tests, all.Failures+s.Failures, all.Skipped+s.Skipped
	all.Suites = append(all.Suites, s)
}

func (all *suites) write(w io.Writer) error {
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(slices.Concat([]byte(xml.Header), text, []byte("\n")))
	return err
}
