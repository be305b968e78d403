package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Values of a line's "type".
const (
	typeRun      = "run"
	typeTrial    = "trial"
	typeHistoric = "historic"
	typeEnd      = "end"
)

// A Writer appends to one record. Each line is one write, synced before the call
// returns: what was accepted survives the death of process and machine. A Writer
// is used by one goroutine at a time.
type Writer struct {
	file *os.File
	err  error // of the first write that was not whole; nothing is appended to half a line
}

// Create starts the record of run as dir/ID.jsonl, making dir where it is
// missing, and writes run as its first line. It sets the line's Type and Schema.
// The error is [fs.ErrExist] where there is a record of that ID.
func Create(dir string, run Run) (*Writer, error) {
	run.Type, run.Schema = typeRun, schemaOf(run)
	if run.ID == "" || run.ID != filepath.Base(run.ID) {
		return nil, fmt.Errorf("creating record: run id %q is not a file's name", run.ID)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("creating record: %w", err)
	}
	path := filepath.Join(dir, run.ID+".jsonl")
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, fmt.Errorf("creating record: %w", err)
	}
	w := &Writer{file: file}
	if err := errors.Join(w.append(run), syncDir(dir)); err != nil {
		return nil, errors.Join(err, file.Close(), os.Remove(path))
	}
	return w, nil
}

// Trial appends t. It sets the line's Type.
func (w *Writer) Trial(t Trial) error {
	t.Type = typeTrial
	return w.append(t)
}

// Historic appends h, to the record of a run that is imported. It sets the line's
// Type.
func (w *Writer) Historic(h Historic) error {
	h.Type = typeHistoric
	return w.append(h)
}

// End appends e, after which nothing may follow. It sets the line's Type.
func (w *Writer) End(e End) error {
	e.Type = typeEnd
	return w.append(e)
}

// Path returns the record's path.
func (w *Writer) Path() string { return w.file.Name() }

// Close closes the file. A record closed without an End is that of a run that was
// killed.
func (w *Writer) Close() error { return w.file.Close() }

// append writes one line. Errors of the file name it already.
func (w *Writer) append(line any) error {
	if w.err != nil {
		return fmt.Errorf("appending to record after a failed write: %w", w.err)
	}
	text, err := encode(line)
	if err != nil {
		return fmt.Errorf("appending to record %s: %w", w.Path(), err)
	}
	_, w.err = w.file.Write(text)
	if w.err == nil {
		w.err = w.file.Sync()
	}
	if w.err != nil {
		return fmt.Errorf("appending to record: %w", w.err)
	}
	return nil
}

// encode returns v as one line. Characters such as < stay readable; bytes that
// are not UTF-8 become U+FFFD.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// syncDir makes the names of new files in dir last.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("syncing folder: %w", err)
	}
	err = d.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrInvalid) {
		err = nil // some file systems cannot sync a folder
	}
	return errors.Join(err, d.Close())
}

// schemaOf is the lowest version that has all of a run: in 2 a target may have several
// requests, whose answers a reader of 1 would take for wrong.
func schemaOf(run Run) int {
	several := func(t Target) bool { return len(t.Also) > 0 }
	if slices.ContainsFunc(run.Targets, several) {
		return 2
	}
	return 1
}
