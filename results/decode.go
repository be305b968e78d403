package results

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// maxLine bounds one line of a record, in bytes, so that what is no record is
// not read into memory whole. Readings of an hour take about one MB.
const maxLine = 256 << 20

// A SyntaxError says where a file is not a record.
type SyntaxError struct {
	File string // empty where a stream was read
	Line int    // from 1
	Err  error
}

func (e *SyntaxError) Error() string {
	if e.File == "" {
		return fmt.Sprintf("line %d: %v", e.Line, e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err)
}

func (e *SyntaxError) Unwrap() error { return e.Err }

// Read reads the record at path; see Decode.
func Read(path string) (Record, error) {
	file, err := os.Open(path)
	if err != nil {
		return Record{}, fmt.Errorf("reading record: %w", err)
	}
	defer file.Close()
	record, err := Decode(file)
	if syntax, ok := errors.AsType[*SyntaxError](err); ok {
		syntax.File = path
	}
	if err != nil {
		return Record{}, fmt.Errorf("reading record: %w", err)
	}
	return record, nil
}

// Decode reads a record. A last line that was cut off, as a killed run leaves it,
// is dropped and sets Torn. Anything else that a run does not write is a
// [SyntaxError]: a first line that is no run, a schema newer than Schema, a
// trial, control or claim of a target or workload that the run does not name, a
// historic report where the run is not imported, lines after the end, an end that counts other trials than there are. Fields that are not known are
// passed over: later versions add some.
func Decode(r io.Reader) (Record, error) {
	d := decoder{lines: bufio.NewReaderSize(r, 1<<16)}
	for {
		text, whole, err := d.next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = d.line(text, whole)
		}
		if err != nil {
			return Record{}, err
		}
	}
	if d.record.Run.Type == "" {
		return Record{}, d.errorf("no run: the file is empty, or was cut off in its first line")
	}
	return d.record, nil
}

// A decoder is a record as far as it was read.
type decoder struct {
	lines     *bufio.Reader
	n         int // of the line at hand, from 1
	record    Record
	targets   map[string]bool
	workloads map[string]bool
}

// next returns the next line without its end, and whether it had one. The error
// is [io.EOF] after the last line.
func (d *decoder) next() (text []byte, whole bool, err error) {
	d.n++
	for {
		part, err := d.lines.ReadSlice('\n')
		text = append(text, part...)
		switch {
		case len(text) > maxLine:
			return nil, false, d.errorf("longer than %d MiB", maxLine>>20)
		case err == nil:
			return text[:len(text)-1], true, nil
		case err == io.EOF && len(text) > 0:
			return text, false, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, false, err
		}
	}
}

// line adds one line to the record. A line without its end counts if it is whole
// but for that.
func (d *decoder) line(text []byte, whole bool) error {
	if !whole && !json.Valid(text) {
		d.record.Torn = true
		return nil
	}
	if d.record.End != nil {
		return d.errorf("more after the end of the run")
	}
	var head struct {
		Type   string `json:"type"`
		Schema int    `json:"schema"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return d.wrap(err)
	}
	first := d.record.Run.Type == ""
	switch {
	case first && head.Type == typeRun:
		return d.run(text, head.Schema)
	case first:
		return d.errorf("not a record of dyno: the first line is no run")
	case head.Type == typeTrial:
		return d.trial(text)
	case head.Type == typeHistoric:
		return d.historic(text)
	case head.Type == typeEnd:
		return d.end(text)
	}
	return d.errorf("neither a trial nor an end, but %q", head.Type)
}

// run checks the schema before the rest, whose fields it decides.
func (d *decoder) run(text []byte, schema int) error {
	switch {
	case schema > Schema:
		return d.errorf("the record has schema %d and this dyno reads up to %d: read it with the dyno that wrote it, or a later one", schema, Schema)
	case schema < 1:
		return d.errorf("the run has no schema")
	}
	if err := json.Unmarshal(text, &d.record.Run); err != nil {
		return d.wrap(err)
	}
	d.targets, d.workloads = map[string]bool{}, map[string]bool{}
	for _, t := range d.record.Run.Targets {
		d.targets[t.Name] = true
	}
	for _, w := range d.record.Run.Workloads {
		d.workloads[w.Name] = true
	}
	if len(d.targets) != len(d.record.Run.Targets) || len(d.workloads) != len(d.record.Run.Workloads) {
		return d.errorf("two targets or two workloads have one name")
	}
	return d.pairs()
}

// pairs checks that controls repeat, and claims compare, targets that are no
// controls themselves.
func (d *decoder) pairs() error {
	compared := map[string]bool{}
	for _, t := range d.record.Run.Targets {
		compared[t.Name] = t.ControlOf == ""
	}
	for _, t := range d.record.Run.Targets {
		if t.ControlOf != "" && !compared[t.ControlOf] {
			return d.errorf("%q is the control of %q, which the run does not compare", t.Name, t.ControlOf)
		}
	}
	for _, c := range d.record.Run.Claims {
		if !compared[c.Faster] || !compared[c.Than] || c.Faster == c.Than {
			return d.errorf("the claim that %q is faster than %q is not about two targets that the run compares", c.Faster, c.Than)
		}
		if c.Ratio != 0 && !(c.Ratio > 1) {
			return d.errorf("the claim that %q is %v times as fast: a size is above 1", c.Faster, c.Ratio)
		}
	}
	return nil
}

func (d *decoder) trial(text []byte) error {
	var t Trial
	if err := json.Unmarshal(text, &t); err != nil {
		return d.wrap(err)
	}
	if !d.targets[t.Target] {
		return d.errorf("trial of target %q, which the run does not name", t.Target)
	}
	if !d.workloads[t.Workload] {
		return d.errorf("trial of workload %q, which the run does not name", t.Workload)
	}
	d.record.Trials = append(d.record.Trials, t)
	return nil
}

// historic keeps what was measured and what was only read apart: a record has one
// or the other.
func (d *decoder) historic(text []byte) error {
	var h Historic
	if err := json.Unmarshal(text, &h); err != nil {
		return d.wrap(err)
	}
	if d.record.Run.Imported == nil || len(d.record.Trials) > 0 {
		return d.errorf("the historic report %q in the record of a run that measured", h.Name)
	}
	for _, other := range d.record.Historic {
		if other.Name == h.Name {
			return d.errorf("two historic reports have the name %q", h.Name)
		}
	}
	d.record.Historic = append(d.record.Historic, h)
	return nil
}

func (d *decoder) end(text []byte) error {
	var e End
	if err := json.Unmarshal(text, &e); err != nil {
		return d.wrap(err)
	}
	if n := len(d.record.Trials) + len(d.record.Historic); e.Trials != n {
		return d.errorf("the end counts %d trials, and there are %d", e.Trials, n)
	}
	d.record.End = &e
	return nil
}

func (d *decoder) errorf(format string, args ...any) error {
	return d.wrap(fmt.Errorf(format, args...))
}

func (d *decoder) wrap(err error) error { return &SyntaxError{Line: d.n, Err: err} }
