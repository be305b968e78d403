package containers

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/api/pkg/stdcopy"
	"github.com/moby/moby/client"
)

// crashLines is how many of a service's crashes are kept.
const crashLines = 20

// A Log is what a service wrote.
type Log struct {
	Tail    string   // its last 4 KiB, both streams
	Crashes []string // the first 20 lines that match one of the service's crash patterns
}

// Log reads what service i wrote until now.
func (p *Pod) Log(ctx context.Context, i int) (Log, error) {
	c := p.Services[i]
	stream, err := p.driver.docker.ContainerLogs(ctx, c.ID, client.ContainerLogsOptions{ShowStdout: true, ShowStderr: true})
	if err != nil {
		return Log{}, fmt.Errorf("reading the log of %s: %w", c.Name, err)
	}
	defer stream.Close()
	lines, in := io.Pipe()
	defer lines.Close()
	go func() {
		_, err := stdcopy.StdCopy(in, in, stream)
		in.CloseWithError(err)
	}()
	log, err := scanLog(lines, p.spec.Stack.Services[i].Crash)
	if err != nil {
		return log, fmt.Errorf("reading the log of %s: %w", c.Name, err)
	}
	return log, nil
}

// maxLine is how much of a line is looked at.
const maxLine = 4 << 10

func scanLog(r io.Reader, patterns []Pattern) (log Log, err error) {
	var tail tailBuffer
	for lines := bufio.NewReaderSize(r, maxLine); ; {
		line, more, err := lines.ReadLine()
		if errors.Is(err, io.EOF) {
			log.Tail = strings.ToValidUTF8(tail.String(), "\uFFFD")
			return log, nil
		}
		if err != nil {
			return log, err
		}
		tail.Write(line)
		if !more {
			tail.Write([]byte("\n"))
		}
		if len(log.Crashes) < crashLines && slices.ContainsFunc(patterns, func(p Pattern) bool { return p.Match(line) }) {
			log.Crashes = append(log.Crashes, string(line))
		}
	}
}

// gone reports whether an error says that the container is removed, or is being removed by someone else.
func gone(err error) bool {
	return errdefs.IsNotFound(err) || errdefs.IsConflict(err) && strings.Contains(err.Error(), "already in progress")
}
