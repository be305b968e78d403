package load

import (
	"bytes"
	"math"
)

// tokenByte tells which bytes a token has (RFC 9110, section 5.6.2).
var tokenByte = func() (t [256]bool) {
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = true, true
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = true
	}
	for _, c := range "!#$%&'*+-.^_`|~" {
		t[c] = true
	}
	return t
}()

// tokenLen returns the length of the token that b starts with, 0 for none.
func tokenLen(b []byte) int {
	for i, c := range b {
		if !tokenByte[c] {
			return i
		}
	}
	return len(b)
}

// trimBlanks returns b without the spaces and tabs at its ends.
func trimBlanks(b []byte) []byte {
	for len(b) > 0 && isBlank(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && isBlank(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

// cutAt returns what of b is before the first sep and what is behind it.
func cutAt(b []byte, sep byte) (before, after []byte) {
	if i := bytes.IndexByte(b, sep); i >= 0 {
		return b[:i], b[i+1:]
	}
	return b, nil
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// parseInt reads a number without sign in base 10 or 16.
func parseInt(b []byte, base int64) (n int64, ok bool) {
	for _, c := range b {
		d := digit(c)
		if d >= base || n > (math.MaxInt64-d)/base {
			return 0, false
		}
		n = n*base + d
	}
	return n, len(b) > 0
}

// digit returns the value of a hexadecimal digit, at least 16 for any other byte.
func digit(c byte) int64 {
	switch lower := c | 0x20; {
	case isDigit(c):
		return int64(c - '0')
	case 'a' <= lower && lower <= 'f':
		return int64(lower-'a') + 10
	}
	return 16
}

// equalFold compares b with lower in any case; lower is ASCII in lower case.
func equalFold(b []byte, lower string) bool {
	if len(b) != len(lower) {
		return false
	}
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}
