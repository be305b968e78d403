package orchestrator

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// A watchdog is a process that outlives the run by a moment. It waits on a pipe
// from the run; when that closes, however the run died, it removes the run's
// containers. It shares the run's lock, so that no other run starts before.
type watchdog struct {
	cmd  *exec.Cmd
	pipe io.WriteCloser
}

// startWatchdog starts the binary's watchdog verb in a session of its own, out of reach of the terminal's Ctrl-C.
func startWatchdog(binary, run string, lock *Lock) (*watchdog, error) {
	cmd := exec.Command(binary, "watchdog", run)
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	cmd.ExtraFiles = []*os.File{lock.file}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the watchdog: %w", err)
	}
	return &watchdog{cmd, pipe}, nil
}

// dismiss tells the watchdog that the run has cleaned up, and waits for its last look.
func (w *watchdog) dismiss() error {
	_, err := w.pipe.Write([]byte(orderly))
	return errors.Join(err, w.pipe.Close(), w.cmd.Wait())
}

// orderly is what a run that ends by itself writes to its watchdog.
const orderly = "orderly\n"

// A Sweeper removes a run's containers and tells how many there were.
type Sweeper interface {
	Sweep(ctx context.Context) (int, error)
}

// Watch is the watchdog's own side: it waits until pipe closes and then sweeps.
// A run that died may have asked Docker for a container that appears later, so
// it looks again until it has found nothing for a few seconds.
func Watch(ctx context.Context, pipe io.Reader, sweeper Sweeper) error {
	said, _ := io.ReadAll(pipe)
	ctx, cancel := context.WithTimeout(ctx, 60*time.Second)
	defer cancel()
	quiet := 3 * time.Second
	if string(said) == orderly {
		quiet = 0
	}
	for last := time.Now(); ; time.Sleep(250 * time.Millisecond) {
		n, err := sweeper.Sweep(ctx)
		if n > 0 {
			last = time.Now()
		}
		if ctx.Err() != nil || err == nil && n == 0 && time.Since(last) >= quiet {
			return err
		}
	}
}
