package report

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
)

// An Attachment is a record that a page carries, so that whoever is sent the page
// has all that it was made from.
type Attachment struct {
	Name string // of its file
	Side string // of a comparison: "A", "B" and so on, or Beside; empty: it is what the page is about
	Text []byte
}

// Beside is the side of a record whose figures stand beside those of the others.
const Beside = "beside"

// What stands before an attachment in a page, and between its parts.
const (
	linkBegins = `<a data-side="`
	linkNames  = `" download="`
	linkHolds  = `" href="data:application/gzip;base64,`
	linkEnds   = `">`
)

// attach writes records as links that save them.
func (d *document) attach(all []Attachment) error {
	for _, a := range all {
		var packed bytes.Buffer
		z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		if err != nil {
			return err
		}
		if _, err := z.Write(a.Text); err != nil {
			return err
		}
		if err := z.Close(); err != nil {
			return err
		}
		d.raw("<p>" + linkBegins + markup(a.Side) + linkNames + markup(a.Name) + ".gz" + linkHolds + base64.StdEncoding.EncodeToString(packed.Bytes()) + linkEnds)
		d.raw(markup("Save the record "+a.Name) + "</a> (" + three(float64(packed.Len())/1024) + " KiB, gzip)</p>\n")
	}
	return nil
}

// mostAttached is how many bytes a page's records may have, unpacked.
const mostAttached = 1 << 30

// Attached returns the texts of the records that a page is about, in their order. A
// page that carries none, that compares several sides, or whose records cannot be
// unpacked, is an error. That the page shows what its records say is not checked.
func Attached(page []byte) (records [][]byte, err error) {
	var sides []string
	room := int64(mostAttached)
	for {
		_, after, found := bytes.Cut(page, []byte(linkBegins))
		if !found {
			break
		}
		side, after, _ := bytes.Cut(after, []byte(linkNames))
		_, after, _ = bytes.Cut(after, []byte(linkHolds))
		coded, rest, _ := bytes.Cut(after, []byte(linkEnds))
		if page = rest; string(side) == Beside {
			continue
		}
		record, err := unpack(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(coded)), room)
		if err != nil {
			return nil, fmt.Errorf("unpacking the page's record: %w", err)
		}
		if records, room = append(records, record), room-int64(len(record)); !slices.Contains(sides, string(side)) {
			sides = append(sides, string(side))
		}
	}
	switch {
	case len(records) == 0:
		return nil, errors.New("the page carries no record")
	case len(sides) > 1:
		return nil, fmt.Errorf("the page compares %d sides: save the record that you mean, at its end", len(sides))
	}
	return records, nil
}

// Unpack returns the text of a record that a page's link saved. One of more than 1 GiB
// is an error.
func Unpack(saved []byte) ([]byte, error) { return unpack(bytes.NewReader(saved), mostAttached) }

// unpack returns what was packed by gzip, if it is not more than most.
func unpack(packed io.Reader, most int64) ([]byte, error) {
	z, err := gzip.NewReader(packed)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(z, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("more than %d MiB", mostAttached>>20)
	}
	return text, err
}
