package ab

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Limits and defaults of ab.
const (
	timedRequests  = 50000 // requests of a run by time
	maxConcurrency = 200000
	maxRequests    = 10_000_000 // of which each is kept, in some 130 B
	defaultTimeout = 30 * time.Second
)

// A Command is what an ab command line asks for.
type Command struct {
	Target Target

	Requests    int           // -n, 1 without it, 50000 by time, at most 10 million
	Concurrency int           // -c, at least 1 and at most Requests
	Limit       time.Duration // -t; 0 is none
	Timeout     time.Duration // -s, 30 s without it

	KeepAlive bool     // -k
	Method    string   // GET, HEAD by -i, POST by -p, PUT by -u, or any by -m
	Body      []byte   // of -p or -u
	HasBody   bool     // there was -p or -u, if only with an empty file
	BodyType  string   // -T, "text/plain" without it
	Cookie    string   // -C, the last one
	Auth      []string // whole lines of -A and -P
	Headers   []string // whole lines of -H

	Proxy     string // -X, without its port; "" is none
	ProxyPort uint16 // 0 is none given

	Variable      bool // -l: bodies may differ in length
	KeepOnErrors  bool // -r: ab does not end at an error of receiving
	Quiet         bool // -q
	NoPercentiles bool // -d
	NoConfidence  bool // -S
	Verbosity     int  // -v, 0 or 1

	CSV, Gnuplot string // files of -e and -g; "" is none

	HTML            bool   // -w, and -x, -y and -z
	Table, Row, Tag string // attributes of -x, -y and -z

	Help, Version bool // -h and -V, with which all else is void
}

// letters are ab's options; those followed by a colon take a value.
const letters = "n:c:t:s:b:T:p:u:v:lrkVhwiIx:y:z:C:H:P:A:g:X:de:SqB:m:Z:f:E:"

// errTLS refuses what makes sense with https only.
var errTLS = errors.New("https is not supported: dyno speaks plain HTTP/1.x")

// Parse reads a command line without its name, as ab does: options first, in
// any grouping (-kc 10, -c10), then one URL. It reads the files of -p and -u.
// The error names the option, and says so where dyno does not support it.
func Parse(args []string) (Command, error) {
	c := Command{Requests: 1, Concurrency: 1, Timeout: defaultTimeout, BodyType: "text/plain", Tag: "bgcolor=white"}
	options, rest, err := scan(args)
	if err != nil {
		return c, err
	}
	for _, o := range options {
		if err := c.set(o); err != nil {
			return c, fmt.Errorf("option -%c: %w", o.letter, err)
		}
		if c.Help || c.Version {
			return c, nil
		}
	}
	if c.Method == "" {
		c.Method = "GET"
	}
	if len(rest) != 1 {
		return c, fmt.Errorf("%d arguments behind the options: give one URL, after them", len(rest))
	}
	if c.Target, err = ParseTarget(rest[0]); err != nil {
		return c, err
	}
	return c, c.check()
}

func (c Command) check() error {
	switch {
	case c.Concurrency > maxConcurrency:
		return fmt.Errorf("option -c: %d is above ab's limit, %d", c.Concurrency, maxConcurrency)
	case c.Requests > maxRequests:
		return fmt.Errorf("option -n: %d is above %d: dyno keeps every request in memory; lower -n, or use dyno load", c.Requests, maxRequests)
	case c.Concurrency > c.Requests:
		return fmt.Errorf("concurrency %d exceeds %d requests: raise -n or lower -c", c.Concurrency, c.Requests)
	}
	_, err := c.fields()
	return err
}

// Heartbeat returns after how many requests ab tells of its progress, 0 for
// never.
func (c Command) Heartbeat() int {
	if c.Quiet || c.Requests <= 150 {
		return 0
	}
	return max(c.Requests/10, 100)
}

// An option is one letter of the command line with its value, if it takes one.
type option struct {
	letter byte
	value  string
}

// scan splits args into options and what follows them.
func scan(args []string) (options []option, rest []string, err error) {
	for len(args) > 0 {
		word := args[0]
		if word == "--" {
			return options, args[1:], nil
		}
		if len(word) < 2 || word[0] != '-' {
			break
		}
		args = args[1:]
		for word = word[1:]; word != ""; {
			o := option{letter: word[0]}
			word = word[1:]
			at := strings.IndexByte(letters, o.letter)
			switch {
			case at < 0 || o.letter == ':':
				return nil, nil, fmt.Errorf("ab has no option -%c", o.letter)
			case at+1 == len(letters) || letters[at+1] != ':':
			case word != "":
				o.value, word = word, ""
			case len(args) > 0:
				o.value, args = args[0], args[1:]
			default:
				return nil, nil, fmt.Errorf("option -%c needs a value", o.letter)
			}
			options = append(options, o)
		}
	}
	return options, args, nil
}

// number reads a whole number of at least low.
func number(text string, low int) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q is not a whole number", text)
	case n < low:
		return 0, fmt.Errorf("%d is below %d", n, low)
	}
	return n, nil
}

// seconds reads a time of at least one second.
func seconds(text string) (time.Duration, error) {
	n, err := number(text, 1)
	if err == nil && n > int(24*time.Hour/time.Second) {
		err = fmt.Errorf("%d seconds are above a day", n)
	}
	return time.Duration(n) * time.Second, err
}

// carry takes the body from a file, to be sent by method.
func (c *Command) carry(method, path string) (err error) {
	if err := c.choose(method); err != nil {
		return err
	}
	c.HasBody = true
	c.Body, err = os.ReadFile(path)
	return err
}

// choose sets the method, which only -m may do a second time.
func (c *Command) choose(method string) error {
	if c.Method != "" {
		return fmt.Errorf("%s cannot be mixed with %s", method, c.Method)
	}
	c.Method = method
	return nil
}
