package scenarios

import (
	"crypto/sha256"
	"encoding/hex"
	"mime"
	"strings"

	"dyno/scenarios/strict"
)

// expectTable is [target.expect] as it is written.
type expectTable struct {
	Status      int
	Body        *string
	Length      *int64
	SHA256      string
	Varies      bool
	ContentType string `toml:"content_type"`
}

// expect checks what a right answer to a request of the given method is.
func (c *checker) expect(n *strict.Node, t expectTable, method string) Expect {
	e := Expect{Status: 200, Length: -1, Varies: t.Varies, ContentType: strings.ToLower(t.ContentType)}
	if n.Has("status") {
		e.Status = t.Status
	}
	within(c, n.At("status"), e.Status, 200, 599)
	if n.Has("content_type") {
		c.mediaType(n.At("content_type"), t.ContentType)
	}
	switch described := n.Has("body") || n.Has("length") || n.Has("sha256"); {
	case method == "HEAD" || e.Status == 204 || e.Status == 304:
		if described || t.Varies {
			c.Add(n.Errorf("an answer to HEAD, or with status 204 or 304, has no body to compare"))
		}
		e.Length = 0
	case t.Varies && described:
		c.Add(n.At("varies").Errorf("a body that varies has no body, length or sha256 to compare"))
	case !t.Varies && !described:
		c.Add(n.Errorf("one of body, length and sha256 must be there, or varies = true"))
	default:
		c.body(n, t, &e)
	}
	return e
}

// body checks what is known of the answer's body.
func (c *checker) body(n *strict.Node, t expectTable, e *Expect) {
	if t.Body != nil {
		if n.Has("length") || n.Has("sha256") {
			c.Add(n.At("body").Errorf("says already what length and sha256 would"))
		}
		hash := sha256.Sum256([]byte(*t.Body))
		e.Body, e.Length, e.SHA256 = []byte(*t.Body), int64(len(*t.Body)), hex.EncodeToString(hash[:])
		return
	}
	if t.Length != nil {
		e.Length = *t.Length
		if e.Length < 0 {
			c.Add(n.At("length").Errorf("must not be negative"))
		}
	}
	if n.Has("sha256") {
		e.SHA256 = strings.ToLower(t.SHA256)
		if raw, err := hex.DecodeString(e.SHA256); err != nil || len(raw) != sha256.Size {
			c.Add(n.At("sha256").Errorf("must be 64 hexadecimal digits"))
		}
	}
}

// mediaType checks a media type such as "text/plain".
func (c *checker) mediaType(n *strict.Node, s string) {
	kind, params, err := mime.ParseMediaType(s)
	switch {
	case err != nil || !strings.Contains(kind, "/"):
		c.Add(n.Errorf(`%q is not a media type such as "text/plain"`, s))
	case len(params) > 0 || !strings.EqualFold(kind, s):
		c.Add(n.Errorf("parameters are not compared: write %q", kind))
	}
}
