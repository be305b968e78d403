package ab

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// set carries out one option.
func (c *Command) set(o option) (err error) {
	switch o.letter {
	case 'n':
		c.Requests, err = number(o.value, 1)
	case 'c':
		c.Concurrency, err = number(o.value, 1)
	case 't':
		c.Limit, err = seconds(o.value)
		c.Requests = timedRequests
	case 's':
		c.Timeout, err = seconds(o.value)
	case 'v':
		err = c.setVerbosity(o.value)
	case 'e':
		c.CSV = o.value
	case 'g':
		c.Gnuplot = o.value
	case 'x':
		c.HTML, c.Table = true, o.value
	case 'y':
		c.HTML, c.Row = true, o.value
	case 'z':
		c.HTML, c.Tag = true, o.value
	case 'i', 'p', 'u', 'm', 'T', 'C', 'A', 'P', 'H', 'X':
		err = c.setRequest(o)
	case 'b':
		err = errors.New("socket buffers of a chosen size are not supported; the system's own are used")
	case 'B':
		err = errors.New("a local address of your choice is not supported; the system chooses it")
	case 'I', 'Z', 'f', 'E':
		err = errTLS
	default:
		c.setSwitch(o.letter)
	}
	return err
}

// setRequest carries out an option that changes what is sent.
func (c *Command) setRequest(o option) (err error) {
	switch o.letter {
	case 'i':
		err = c.choose("HEAD")
	case 'p':
		err = c.carry("POST", o.value)
	case 'u':
		err = c.carry("PUT", o.value)
	case 'm':
		if c.Method = o.value; o.value == "" {
			err = errors.New("the method is empty")
		}
	case 'T':
		c.BodyType = o.value
	case 'C':
		c.Cookie = o.value
	case 'A':
		c.Auth = append(c.Auth, "Authorization: Basic "+credentials(o.value))
	case 'P':
		c.Auth = append(c.Auth, "Proxy-Authorization: Basic "+credentials(o.value))
	case 'H':
		c.Headers = append(c.Headers, o.value)
	case 'X':
		err = c.setProxy(o.value)
	}
	return err
}

func (c *Command) setSwitch(letter byte) {
	switch letter {
	case 'k':
		c.KeepAlive = true
	case 'l':
		c.Variable = true
	case 'r':
		c.KeepOnErrors = true
	case 'q':
		c.Quiet = true
	case 'd':
		c.NoPercentiles = true
	case 'S':
		c.NoConfidence = true
	case 'w':
		c.HTML = true
	case 'h':
		c.Help = true
	case 'V':
		c.Version = true
	}
}

func (c *Command) setVerbosity(text string) (err error) {
	c.Verbosity, err = number(text, 0)
	if err == nil && c.Verbosity > 1 {
		err = fmt.Errorf("level %d prints every head that comes, which is not supported; 0 and 1 are", c.Verbosity)
	}
	return err
}

func (c *Command) setProxy(text string) error {
	host, port, given := strings.Cut(text, ":")
	if host == "" {
		return errors.New("the proxy has no name")
	}
	c.Proxy = host
	if given {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 {
			return fmt.Errorf("port %q is not one of 1 to 65535", port)
		}
		c.ProxyPort = uint16(n)
	}
	return nil
}

// credentials encodes user:password.
func credentials(text string) string {
	return base64.StdEncoding.EncodeToString([]byte(strings.TrimLeft(text, " \t\n\v\f\r")))
}
