package strict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// An Error is one mistake in a file.
type Error struct {
	File    string   // as the caller named it
	Line    int      // from 1
	Key     string   // dotted, quoted where TOML would; empty when the mistake belongs to no key
	Problem string   // what is wrong, in lower case, without a full stop
	Hint    string   // what to do about it; empty when there is nothing to say
	Allowed []string // what may stand there instead; empty when that is not a list
}

// Error returns "file:line: key: problem; hint (allowed: a, b)" without the parts that are empty.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d: ", e.File, e.Line)
	if e.Key != "" {
		b.WriteString(e.Key + ": ")
	}
	b.WriteString(e.Problem)
	if e.Hint != "" {
		b.WriteString("; " + e.Hint)
	}
	if len(e.Allowed) > 0 {
		b.WriteString(" (allowed: " + strings.Join(e.Allowed, ", ") + ")")
	}
	return b.String()
}

// ExitCode returns 2, the code of wrong usage.
func (e *Error) ExitCode() int { return 2 }

// Among completes e with what is allowed in place of got, and with the nearest of it as a hint. It returns e.
func (e *Error) Among(got string, allowed []string) *Error {
	if near, ok := Nearest(got, allowed); ok {
		e.Hint = fmt.Sprintf("did you mean %q?", near)
	}
	e.Allowed = allowed
	return e
}

// A List is the mistakes of a file. Its zero value is ready to use.
type List []*Error

// Add appends mistakes.
func (l *List) Add(errs ...*Error) { *l = append(*l, errs...) }

// Err returns the list in line order as an error, or nil when it is empty.
func (l List) Err() error {
	if len(l) == 0 {
		return nil
	}
	slices.SortStableFunc(l, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Key, b.Key))
	})
	return l
}

// Error returns the mistakes, one a line.
func (l List) Error() string {
	lines := make([]string, len(l))
	for i, e := range l {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the mistakes for [errors.Is] and [errors.As].
func (l List) Unwrap() []error {
	errs := make([]error, len(l))
	for i, e := range l {
		errs[i] = e
	}
	return errs
}

// ExitCode returns 2, the code of wrong usage.
func (l List) ExitCode() int { return 2 }
