package orchestrator

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// A watchdog is a process that outlives the run by a moment. It waits on a pipe
// from the run; when that closes, however the run died, it removes the run's
// containers. It shares the run's lock, so that no other run starts before.
type watchdog struct {
	cmd   *exec.Cmd
	pipe  io.WriteCloser
	cries bytes.Buffer // what it says on its standard error
}

// What run and watchdog say to each other.
const (
	awake   = "awake\n"   // the watchdog, once it listens
	orderly = "orderly\n" // a run that ends by itself, having cleaned up
)

// startWatchdog starts the binary's watchdog verb in a session of its own, out of
// reach of the terminal's Ctrl-C, and waits until it listens.
func startWatchdog(binary, run string, lock *Lock) (w *watchdog, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("starting the watchdog: %w", err)
		}
	}()
	w = &watchdog{cmd: exec.Command(binary, "watchdog", run)}
	w.cmd.ExtraFiles = []*os.File{lock.file}
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	w.cmd.Stderr = &w.cries
	if w.pipe, err = w.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := w.cmd.Start(); err != nil {
		return nil, err
	}
	if said, err := bufio.NewReader(out).ReadString('\n'); said != awake {
		return nil, errors.Join(fmt.Errorf("it said %q", said), err, w.pipe.Close(), w.wait())
	}
	return w, nil
}

// dismiss ends the watchdog after its last look. Whoever could not be sure to have
// cleaned up asks it to look for longer.
func (w *watchdog) dismiss(sure bool) error {
	var err error
	if sure {
		_, err = io.WriteString(w.pipe, orderly)
	}
	return errors.Join(err, w.pipe.Close(), w.wait())
}

func (w *watchdog) wait() error {
	if err := w.cmd.Wait(); err != nil {
		return fmt.Errorf("the watchdog: %w: %s", err, strings.TrimSpace(w.cries.String()))
	}
	return nil
}

// A Sweeper removes a run's containers and tells how many there were.
type Sweeper interface {
	Sweep(ctx context.Context) (int, error)
}

// How long a watchdog goes on.
const (
	watchQuiet   = 3 * time.Second // nothing found for so long is enough after a death
	watchTime    = 5 * time.Minute // for a daemon that does not answer, as while it restarts
	watchBetween = 250 * time.Millisecond
)

// Watch is the watchdog's own side: it waits until pipe closes, and then sweeps
// with what connect gives. A run that died may have asked Docker for a container
// that appears later, so it looks again until it has found nothing for a while.
func Watch(ctx context.Context, pipe io.Reader, out io.Writer, connect func(context.Context) (Sweeper, error)) error {
	if _, err := io.WriteString(out, awake); err != nil {
		return err
	}
	said, _ := io.ReadAll(pipe) // an error ends the pipe as well
	ctx, cancel := context.WithTimeout(ctx, watchTime)
	defer cancel()
	quiet := watchQuiet
	if string(said) == orderly {
		quiet = 0
	}
	for last := time.Now(); ; time.Sleep(watchBetween) {
		n, err := sweepOnce(ctx, connect)
		if n > 0 || err != nil {
			last = time.Now()
		}
		if err == nil && n == 0 && time.Since(last) >= quiet || ctx.Err() != nil {
			return err
		}
	}
}

func sweepOnce(ctx context.Context, connect func(context.Context) (Sweeper, error)) (int, error) {
	sweeper, err := connect(ctx)
	if err != nil {
		return 0, err
	}
	return sweeper.Sweep(ctx)
}
