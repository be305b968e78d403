package main

import (
	"bytes"
	"os"

	"dyno/results"
	"dyno/results/report"
)

// A source is a record as it was read, with its bytes, which a page made of it carries.
type source struct {
	record results.Record
	path   string // that it was read from
	side   string // see report.Attachment
	text   []byte
}

// readSources reads the records of all files, or says which file has none.
func readSources(paths []string) (all []source, err error) {
	for _, path := range paths {
		read, err := readSource(path)
		if err != nil {
			return nil, usageError("%s is no record that can be read: %v; records are in results/runs", path, err)
		}
		all = append(all, read...)
	}
	return all, nil
}

// readSource reads a record, packed or not, or those that a page carries.
func readSource(path string) (all []source, err error) {
	text, err := os.ReadFile(path)
	if err == nil && bytes.HasPrefix(text, []byte{0x1f, 0x8b}) {
		text, err = report.Unpack(text)
	}
	texts := [][]byte{text}
	if err == nil && bytes.HasPrefix(text, []byte("<!DOCTYPE html>")) {
		texts, err = report.Attached(text)
	}
	if err != nil {
		return nil, err
	}
	for _, text := range texts {
		record, err := results.Decode(bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		all = append(all, source{record: record, path: path, text: text})
	}
	return all, nil
}

// recordsOf returns the records alone.
func recordsOf(all []source) (records []results.Record) {
	for _, s := range all {
		records = append(records, s.record)
	}
	return records
}

// pathsOf returns the files that a report is about, each once.
func pathsOf(all []source) (paths []string) {
	for i, s := range all {
		if s.side != report.Beside && (i == 0 || s.path != all[i-1].path) {
			paths = append(paths, s.path)
		}
	}
	return paths
}

// attachments returns what a page carries: each record under the name of its run.
func attachments(all []source) (attached []report.Attachment) {
	for _, s := range all {
		attached = append(attached, report.Attachment{Name: s.record.Run.ID + ".jsonl", Side: s.side, Text: s.text})
	}
	return attached
}
