package history

import (
	"regexp"
	"strings"
)

// A command is the command line that stands before a report, as far as it tells
// what the report does not.
type command struct {
	text        string // empty: there is none
	tool        string
	connections *int64
	requests    *int64
	rate        *num // a second
	limited     bool // by time
	keepAlive   bool // of ab: asked for
	streams     *int64
}

// commandLine is one of the tools with options, behind a prompt or not.
var commandLine = regexp.MustCompile(`^(?:\S.{0,60}[$#%>] |[$#%>] )?(?:sudo |time |taskset (?:-c )?\S+ )*(?:\S*/)?(ab|wrk2?|hey|boom|h2load) (-.*|.*https?://.*)$`)

// The options, by tool. Those of ab without a value may stand in one word with
// the next one.
var (
	optionC       = map[string]*regexp.Regexp{"ab": abOption("c"), "wrk": longOption("c", "connections"), "hey": longOption("c", ""), "h2load": longOption("c", "clients")}
	optionN       = map[string]*regexp.Regexp{"ab": abOption("n"), "hey": longOption("n", ""), "h2load": longOption("n", "requests")}
	optionT       = map[string]*regexp.Regexp{"ab": abOption("t"), "hey": longOption("z", ""), "h2load": longOption("D", "duration")}
	optionRate    = longOption("R", "rate")
	optionStreams = longOption("m", "max-concurrent-streams")
	optionK       = regexp.MustCompile(` -[dhilqrSVw]*k`)
)

func abOption(letter string) *regexp.Regexp {
	return regexp.MustCompile(` -[dhiklqrSVw]*` + letter + ` ?([\d.,]+\w*)`)
}

func longOption(letter, name string) *regexp.Regexp {
	pattern := ` -` + letter + `[ =]?([\d.,]+\w*)`
	if name != "" {
		pattern += `| --` + name + `[ =]([\d.,]+\w*)`
	}
	return regexp.MustCompile(pattern)
}

// readCommand reads a line that starts one of the tools.
func readCommand(text string) (c command, ok bool) {
	m := commandLine.FindStringSubmatch(text)
	if m == nil {
		return c, false
	}
	c.text, c.tool = text[strings.LastIndex(text, m[1]+" "+m[2]):], m[1]
	of := c.tool
	switch of {
	case "wrk2":
		of = "wrk"
	case "boom":
		c.tool, of = "hey", "hey"
	}
	options := " " + m[2]
	c.connections = metric(value(optionC[of], options)).count()
	c.requests = metric(value(optionN[of], options)).count()
	c.limited = value(optionT[of], options) != ""
	switch of {
	case "ab":
		c.keepAlive = optionK.MatchString(options)
	case "wrk":
		c.rate = metric(value(optionRate, options))
	case "h2load":
		c.streams = metric(value(optionStreams, options)).count()
	}
	if c.rate != nil {
		c.tool = "wrk2"
	}
	return c, true
}

// value returns what stands behind an option, the last one where it is given
// twice.
func value(option *regexp.Regexp, text string) (value string) {
	if option == nil {
		return ""
	}
	for _, m := range option.FindAllStringSubmatch(text, -1) {
		value = strings.Join(m[1:], "")
	}
	return value
}
