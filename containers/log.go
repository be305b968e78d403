package containers

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/api/pkg/stdcopy"
	"github.com/moby/moby/client"
)

// Limits of what is kept of a service's output.
const (
	logTailBytes = 4 << 10
	crashLines   = 20
)

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

func scanLog(r io.Reader, patterns []Pattern) (log Log, err error) {
	var tail bytes.Buffer
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		tail.WriteString(line + "\n")
		if extra := tail.Len() - logTailBytes; extra > 0 {
			tail.Next(extra)
		}
		for _, p := range patterns {
			if len(log.Crashes) < crashLines && p.MatchString(line) {
				log.Crashes = append(log.Crashes, line)
				break
			}
		}
	}
	log.Tail = strings.ToValidUTF8(tail.String(), "\uFFFD")
	return log, lines.Err()
}

// gone reports whether an error says that the container is removed, or is being removed by someone else.
func gone(err error) bool {
	return errdefs.IsNotFound(err) || errdefs.IsConflict(err) && strings.Contains(err.Error(), "already in progress")
}
