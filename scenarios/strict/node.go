package strict

import (
	"fmt"
	"slices"

	"github.com/BurntSushi/toml"
)

// A Node is a place in a file: a key with its value, a table, or an element of an array. The root is the file itself.
type Node struct {
	file  string
	path  toml.Key // elements of an array have the array's path
	line  int
	kids  map[string]*Node
	items []*Node
}

// At returns the place of a key below n. Where the file has no such key, the place is that of the nearest table which it has, so
// that what is missing is reported where it ought to be.
func (n *Node) At(keys ...string) *Node {
	for _, key := range keys {
		kid, ok := n.kids[key]
		if !ok {
			kid = n.child(key, n.line)
		}
		n = kid
	}
	return n
}

// Item returns the place of element i, from 0, of an array or an array of tables; n itself if it has no such element.
func (n *Node) Item(i int) *Node {
	if i < 0 || i >= len(n.items) {
		return n
	}
	return n.items[i]
}

// Has reports whether the file has the key directly below n.
func (n *Node) Has(key string) bool { return n.kids[key] != nil }

// Line returns the line, from 1, on which n begins: its key or its header, or for an element its first byte.
func (n *Node) Line() int { return n.line }

// Key returns the dotted path of n, quoted where TOML would; it is empty for the root.
func (n *Node) Key() string { return n.path.String() }

// Errorf returns a mistake at n. The format's arguments are as those of [fmt.Sprintf].
func (n *Node) Errorf(format string, args ...any) *Error {
	return &Error{File: n.file, Line: n.line, Key: n.Key(), Problem: fmt.Sprintf(format, args...)}
}

// child returns a new place one key below n that n does not know of.
func (n *Node) child(key string, line int) *Node {
	return &Node{file: n.file, path: append(slices.Clip(n.path), key), line: line}
}

// walk returns the place at path below n and makes what is not there yet. As in TOML, an array of tables on the way stands for
// its last table.
func (n *Node) walk(path []string, line int) *Node {
	for _, key := range path {
		if last := len(n.items) - 1; last >= 0 {
			n = n.items[last]
		}
		kid, ok := n.kids[key]
		if !ok {
			kid = n.child(key, line)
			if n.kids == nil {
				n.kids = map[string]*Node{}
			}
			n.kids[key] = kid
		}
		n = kid
	}
	return n
}

// grow appends an element to n and returns it.
func (n *Node) grow(line int) *Node {
	item := &Node{file: n.file, path: n.path, line: line}
	n.items = append(n.items, item)
	return item
}
