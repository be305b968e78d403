package strict

import (
	"strings"

	"github.com/BurntSushi/toml"
)

// locate finds the line of every key in text. It is made for text that the TOML library has accepted and so checks nothing; on
// any other it still ends, and its lines mean little.
func locate(file, text string) *Node {
	root := &Node{file: file, line: 1}
	s := scanner{rest: strings.TrimPrefix(text, "\ufeff"), line: 1}
	table := root
	for s.space(); s.rest != ""; s.space() {
		line := s.line
		switch {
		case s.take("[["):
			table = root.walk(s.path(), line).grow(line)
			s.take("]]")
		case s.take("["):
			table = root.walk(s.path(), line)
			table.line = line
			s.take("]")
		default:
			s.pair(table)
		}
	}
	return root
}

// A scanner goes through a text once. Whatever the text, pair and value consume at least one byte if there is one, and that is why
// the loops over them end.
type scanner struct {
	rest string // not read yet
	line int    // of rest's first byte, from 1
}

// pair reads a key and its value into table.
func (s *scanner) pair(table *Node) {
	line := s.line
	n := table.walk(s.path(), line)
	s.take("=")
	s.space()
	s.value(n)
}

// value reads the value of n.
func (s *scanner) value(n *Node) {
	switch {
	case s.rest == "":
	case s.rest[0] == '"' || s.rest[0] == '\'':
		s.text()
	case s.take("["):
		for s.space(); s.rest != "" && !s.take("]"); s.space() {
			s.value(n.grow(s.line))
			s.space()
			s.take(",")
		}
	case s.take("{"):
		for s.space(); s.rest != "" && !s.take("}"); s.space() {
			s.pair(n)
			s.space()
			s.take(",")
		}
	default:
		s.skip(max(1, s.until(",]}#\n")))
	}
}

// text reads a string of any of the four forms. Up to two quotes before the closing three belong to the string.
func (s *scanner) text() {
	quote := s.rest[:1]
	long := strings.Repeat(quote, 3)
	if !strings.HasPrefix(s.rest, long) {
		s.quoted(quote)
		return
	}
	s.quoted(long)
	for range 2 {
		s.take(quote)
	}
}

// quoted reads from one delimiter up to and with the next, and returns what it read.
func (s *scanner) quoted(delim string) string {
	whole, end := s.rest, len(delim)
	for end < len(whole) && !strings.HasPrefix(whole[end:], delim) {
		if whole[end] == '\\' && delim[0] == '"' {
			end++
		}
		end++
	}
	end = min(end+len(delim), len(whole))
	s.skip(end)
	return whole[:end]
}

// path reads a key with its dots.
func (s *scanner) path() []string {
	var path []string
	for {
		s.space()
		path = append(path, s.part())
		s.space()
		if !s.take(".") {
			return path
		}
	}
}

// part reads one part of a key: bare or quoted.
func (s *scanner) part() string {
	if strings.HasPrefix(s.rest, `"`) || strings.HasPrefix(s.rest, "'") {
		return unquote(s.quoted(s.rest[:1]))
	}
	n := s.until(" \t\r\n.=[]{},#\"'")
	part := s.rest[:n]
	s.skip(n)
	return part
}

// unquote returns the key that is written as raw. The TOML library knows the escapes; a string it refuses stands for itself.
func unquote(raw string) string {
	var v struct{ K string }
	if _, err := toml.Decode("K = "+raw, &v); err != nil {
		return raw
	}
	return v.K
}

// space skips blanks, line ends and comments.
func (s *scanner) space() {
	for {
		s.skip(len(s.rest) - len(strings.TrimLeft(s.rest, " \t\r\n")))
		if !strings.HasPrefix(s.rest, "#") {
			return
		}
		s.skip(s.until("\n"))
	}
}

// take skips prefix if it stands next, and reports whether it did.
func (s *scanner) take(prefix string) bool {
	rest, ok := strings.CutPrefix(s.rest, prefix)
	s.rest = rest
	return ok
}

// until returns how many bytes stand before the next one of chars.
func (s *scanner) until(chars string) int {
	if n := strings.IndexAny(s.rest, chars); n >= 0 {
		return n
	}
	return len(s.rest)
}

// skip consumes n bytes.
func (s *scanner) skip(n int) {
	s.line += strings.Count(s.rest[:n], "\n")
	s.rest = s.rest[n:]
}
