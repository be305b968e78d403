// Package strict decodes the TOML files that people write for dyno, and answers each mistake in them with file, line, key and
// what could be written instead.
//
// Its stance: what a file says and the program does not know is an error, never ignored. All mistakes of one kind are reported
// at once, in line order: first the syntax (where reading ends at the first), then keys and types, then whatever the caller
// checks with the [Node] that [Decode] returns. Parsing itself is left to BurntSushi/toml; this package adds what that library keeps
// to itself, the positions of keys, and a walk that does not stop at the first mistake.
//
// It is not a general decoder: it knows the kinds of values that dyno's files hold and panics on a destination of another kind.
package strict

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// Decode reads TOML text into the struct that into points to, and returns the root of the file's keys, by which the caller
// reports what is wrong with a value. The name of the file is used in messages only.
//
// A struct's field is written in the file as its toml tag says, or in lower case without one. The tag's option "required" makes
// the key's absence an error:
//
//	Name string `toml:"name,required"`
//
// Fields may be structs, maps with string keys, slices, [OneOrMany], pointers (nil when the key is absent), strings, booleans,
// integers, floats, [time.Duration] (written "5s") and whatever implements [encoding.TextUnmarshaler], whose errors are reported at
// their key. Fields whose keys are absent keep their values, so defaults are set before the call.
//
// The error is a [List]. The values of into are undefined then.
func Decode(file string, text []byte, into any) (*Node, error) {
	var tree map[string]any
	if _, err := toml.Decode(string(text), &tree); err != nil {
		return nil, List{syntaxError(file, err)}
	}
	root := locate(file, string(text))
	var d decoder
	d.value(root, tree, reflect.ValueOf(into).Elem())
	if err := d.errs.Err(); err != nil {
		return nil, err
	}
	return root, nil
}

// syntaxError turns what the TOML library says into ours. Its messages open with an upper-case letter now and then.
func syntaxError(file string, err error) *Error {
	e := &Error{File: file, Line: 1, Problem: err.Error()}
	if p, ok := errors.AsType[toml.ParseError](err); ok {
		e.Line, e.Key, e.Problem = max(1, p.Position.Line), p.LastKey, p.Message
	}
	first, size := utf8.DecodeRuneInString(e.Problem)
	e.Problem = fmt.Sprintf("%c%s", unicode.ToLower(first), strings.TrimSuffix(e.Problem[size:], "."))
	return e
}
