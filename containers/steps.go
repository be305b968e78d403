package containers

import (
	"bytes"
	"fmt"
	"regexp"
	"time"
)

// stepPause is how long a build may go on before it says at which step it is.
const stepPause = 10 * time.Second

// stepLine is how Docker's builder announces a step of a Dockerfile.
var stepLine = regexp.MustCompile(`^Step (\d+)/(\d+) : (\S+)`)

// A steps tells of a long build at which step it is. It takes the builder's output.
type steps struct {
	what string
	note func(string)
	now  func() time.Time
	told time.Time // or begun
	line []byte    // so far
}

func (s *steps) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		part, after, whole := bytes.Cut(rest, []byte("\n"))
		s.line = append(s.line, part...)
		if whole {
			s.tell(s.line)
			s.line = s.line[:0]
		}
		rest = after
	}
	return len(p), nil
}

func (s *steps) tell(line []byte) {
	m := stepLine.FindSubmatch(line)
	if now := s.now(); m != nil && now.Sub(s.told) >= stepPause {
		s.note(fmt.Sprintf("building %s: step %s of %s, %s", s.what, m[1], m[2], m[3]))
		s.told = now
	}
}
