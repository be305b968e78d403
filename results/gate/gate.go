// Package gate reads demands on the figures of a run, such as
//
//	goodput(new) >= 0.95 * baseline
//	p99(*, c=100 keepalive) < 5ms
//	errors(*) == 0
//
// It turns text into a [Gate] whose units fit, and tells mistakes with their
// column. Whether a gate holds is not for it to say: see package results. The
// grammar is told in docs/gates.md:
//
//	gate    = subject op limit
//	subject = figure "(" name [ "," name ] ")"       of a target, and of a workload
//	op      = "<" | "<=" | ">" | ">=" | "=="         the last for errors alone
//	limit   = number unit
//	        | [ number [ "%" ] "*" ] ( "baseline" | subject )
//	name    = text without , ( ) and ", save commas within [ ] | text in double quotes
package gate

import (
	"fmt"
	"slices"
	"strings"
)

// All is the name that stands for all targets, or all workloads.
const All = "*"

// A Gate is a demand on one figure.
type Gate struct {
	Text    string // as it was written
	Subject Subject
	Op      Op
	Limit   Limit
	Strict  bool // what is undecided fails; Parse leaves it false
}

// A Subject is a figure of a target under a workload.
type Subject struct {
	Figure   Figure
	Target   string // All: every one
	Workload string // All: every one, each for itself; the default
	columns  [2]int // where Target and Workload stand in the text; 0: it is not named
}

// An Op is how a figure has to stand to its limit.
type Op string

// The ways in which a figure can stand to its limit.
const (
	Less    Op = "<"
	AtMost  Op = "<="
	More    Op = ">"
	AtLeast Op = ">="
	Equal   Op = "==" // of Errors alone
)

// A Limit is what a figure is held against.
type Limit struct {
	Text     string   // as it was written
	Value    float64  // in the figure's unit; or the factor, above 0, that is put on what follows
	Baseline bool     // Value is of the same figure of the baseline
	Of       *Subject // Value is of this figure; its Workload is All where that of the gate's own is meant; nil: it is not
}

// Relative reports whether the limit is a multiple of another figure.
func (l Limit) Relative() bool { return l.Baseline || l.Of != nil }

// About reports whether the gate is about a workload.
func (g Gate) About(workload string) bool {
	return g.Subject.Workload == All || g.Subject.Workload == workload
}

// For writes the gate as one about a single target, without its workload.
func (g Gate) For(target string) string {
	return fmt.Sprintf("%s(%s) %s %s", g.Subject.Figure, quoted(target), g.Op, g.Limit.Text)
}

// quoted writes a name as a gate has it.
func quoted(name string) string {
	p := parser{text: []rune(name + ")")}
	if bare := p.name("target"); p.err == nil && bare == name && p.at == len(p.text)-1 {
		return name
	}
	return `"` + name + `"`
}

// A Cast is whom gates can name: the targets of a run, the one of them that is the
// baseline, and the workloads.
type Cast struct {
	Targets   []string
	Baseline  string // empty: another record's targets of the same names are
	Workloads []string
}

// Check says what in the gate fits no target or workload of a run, as a
// [SyntaxError].
func (g Gate) Check(c Cast) error {
	subjects := []Subject{g.Subject}
	if g.Limit.Of != nil {
		subjects = append(subjects, *g.Limit.Of)
	}
	for _, s := range subjects {
		if s.Target != All && !slices.Contains(c.Targets, s.Target) {
			return g.errorAt(s.columns[0], "no target is called %q; there are %s", s.Target, listed(c.Targets))
		}
		if s.Workload != All && !slices.Contains(c.Workloads, s.Workload) {
			return g.errorAt(s.columns[1], "no workload is called %q; there are %s", s.Workload, listed(c.Workloads))
		}
	}
	if g.Limit.Baseline && c.Baseline != "" && (g.Subject.Target == c.Baseline || len(c.Targets) == 1) {
		return g.errorAt(g.Subject.columns[0], "%s is the baseline itself, the first target of the run: name another one, or let dyno compare hold it against another record", c.Baseline)
	}
	return nil
}

func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func (g Gate) errorAt(column int, format string, args ...any) error {
	return &SyntaxError{Gate: g.Text, Column: column, Text: fmt.Sprintf(format, args...)}
}

// A SyntaxError says where a gate is wrong.
type SyntaxError struct {
	Gate   string
	Column int // in characters, from 1
	Text   string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("gate %q, column %d: %s", e.Gate, e.Column, e.Text)
}
