package ab

import (
	"fmt"
	"strconv"
	"strings"

	"dyno/orchestrator/load"
)

// userAgent is how ab names itself.
const userAgent = "ApacheBench/2.3"

// Config returns the load that c asks for, but for the address: HTTP/1.0, one
// connection first, and every answer taken for right, since ab judges them
// itself. The trace has room for all requests.
func (c Command) Config() (load.Config, error) {
	header, err := c.fields()
	if err != nil {
		return load.Config{}, err
	}
	path := c.Target.Path
	if c.Proxy != "" {
		path = c.Target.URL
	}
	return load.Config{
		Mix: []load.Part{{
			Request: load.Request{
				Method: c.Method, Path: path, Header: header, Body: c.Body,
				Proto: load.HTTP10, KeepAlive: c.KeepAlive,
			},
			Expect: load.Expect{Status: -1, Length: -1},
		}},
		Connections: c.Concurrency,
		Timeout:     c.Timeout,
		Patience:    c.Timeout,
		Lead:        true,
		Trace:       load.NewTrace(c.Requests),
	}, nil
}

// Phase returns the run that c asks for.
func (c Command) Phase() load.Phase {
	return load.Phase{Requests: int64(c.Requests), Duration: c.Limit}
}

// Peer returns the host and the port to connect to: the target's, or the
// proxy's, whose port is 80 where none is given.
func (c Command) Peer() (host string, port uint16) {
	switch {
	case c.Proxy == "":
		return c.Target.Host, c.Target.Port
	case c.ProxyPort == 0:
		return c.Proxy, 80
	}
	return c.Proxy, c.ProxyPort
}

// fields returns the header in ab's order: its own lines about the connection,
// cookie, credentials and body, then those of -H, then Host, User-Agent and
// Accept, unless -H has them.
func (c Command) fields() ([]load.Field, error) {
	var fs []load.Field
	if c.KeepAlive {
		fs = append(fs, load.Field{Name: "Connection", Value: "Keep-Alive"})
	}
	if c.Cookie != "" {
		fs = append(fs, load.Field{Name: "Cookie", Value: c.Cookie})
	}
	for _, line := range c.Auth {
		name, value, _ := strings.Cut(line, ": ")
		fs = append(fs, load.Field{Name: name, Value: value})
	}
	if c.HasBody {
		fs = append(fs, load.Field{Name: "Content-length", Value: strconv.Itoa(len(c.Body))},
			load.Field{Name: "Content-type", Value: c.BodyType})
	}
	given := map[string]bool{}
	for _, line := range c.Headers {
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return nil, fmt.Errorf("option -H: %q has no colon: write Name: value", line)
		}
		given[strings.ToLower(name)] = true
		fs = append(fs, load.Field{Name: name, Value: strings.TrimPrefix(value, " ")})
	}
	for _, f := range []load.Field{{Name: "Host", Value: c.Target.Authority()}, {Name: "User-Agent", Value: userAgent}, {Name: "Accept", Value: "*/*"}} {
		if !given[strings.ToLower(f.Name)] {
			fs = append(fs, f)
		}
	}
	return fs, nil
}
