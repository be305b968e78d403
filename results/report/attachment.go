package report

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
)

// An Attachment is a record that a page carries, so that whoever is sent the page
// has all that it was made from.
type Attachment struct {
	Name string // of its file
	Text []byte
}

// link is what stands before an attachment in a page.
const link = `href="data:application/gzip;base64,`

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
		d.raw(`<p><a download="` + markup(a.Name) + `.gz" ` + link + base64.StdEncoding.EncodeToString(packed.Bytes()) + `">`)
		d.raw(markup("Save the record "+a.Name) + "</a> (" + three(float64(packed.Len())/1024) + " KiB, gzip)</p>\n")
	}
	return nil
}

// Attached returns the records that a page of [HTML] carries, in their order. A page
// that carries none is an error, as is one that was changed.
func Attached(page []byte) (records [][]byte, err error) {
	for {
		_, after, found := bytes.Cut(page, []byte(link))
		if !found {
			break
		}
		coded, rest, _ := bytes.Cut(after, []byte(`"`))
		z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(coded)))
		if err != nil {
			return nil, fmt.Errorf("unpacking the page's record: %w", err)
		}
		record, err := io.ReadAll(z)
		if err != nil {
			return nil, fmt.Errorf("unpacking the page's record: %w", err)
		}
		records, page = append(records, record), rest
	}
	if len(records) == 0 {
		return nil, fmt.Errorf("the page carries no record")
	}
	return records, nil
}
