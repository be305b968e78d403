package orchestrator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// LockFile is the file whose lock says that a run is under way on this machine.
const LockFile = "/tmp/dyno.lock"

// A Lock is the right to measure on this machine. It is an flock(2), so that it
// ends with the processes that hold it, however they end.
type Lock struct{ file *os.File }

// A Holder says who measures.
type Holder struct {
	Run     string    `json:"run"`
	PID     int       `json:"pid"`
	Started time.Time `json:"started"`
}

// A BusyError is a machine on which another run is under way.
type BusyError struct{ Holder Holder }

func (e *BusyError) Error() string {
	h := e.Holder
	return fmt.Sprintf("run %s (process %d, since %s) has this machine; two runs would measure each other: wait for it, or queue with --wait",
		h.Run, h.PID, h.Started.Local().Format(time.TimeOnly))
}

// ExitCode is that of a fault.
func (e *BusyError) ExitCode() int { return 1 }

// Acquire takes the lock of the file. Where another run has it, it waits until
// ctx ends if wait is set, telling waiting once whom it waits for, else it
// returns a *BusyError. Those who wait get it in about the order in which they came.
func Acquire(ctx context.Context, path string, wait bool, waiting func(Holder)) (*Lock, error) {
	file, err := openShared(path)
	if err != nil {
		return nil, fmt.Errorf("opening the lock of this machine: %w", err)
	}
	err = unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		other := read(file)
		if !wait {
			file.Close()
			return nil, &BusyError{other}
		}
		waiting(other)
		return queue(ctx, file)
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("locking %s: %w", path, err)
	}
	return &Lock{file}, nil
}

// queue waits in the kernel's queue for the lock, until ctx ends. What waits there
// cannot be called back: if it gets the lock after all, it gives it up at once.
func queue(ctx context.Context, file *os.File) (*Lock, error) {
	locked := make(chan error)
	go func() {
		err := error(unix.EINTR)
		for errors.Is(err, unix.EINTR) {
			err = unix.Flock(int(file.Fd()), unix.LOCK_EX)
		}
		select {
		case locked <- err:
		case <-ctx.Done():
			file.Close()
		}
	}()
	select {
	case err := <-locked:
		if err != nil {
			file.Close()
			return nil, fmt.Errorf("locking %s: %w", file.Name(), err)
		}
		return &Lock{file}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// openShared opens a file that any user may lock. It creates it only when it is
// missing: the kernel refuses O_CREAT on others' files in a sticky folder.
func openShared(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if !errors.Is(err, fs.ErrNotExist) {
		return file, err
	}
	if file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return nil, err
	}
	return file, file.Chmod(0o666)
}

// Sign says in the lock's file who holds it.
func (l *Lock) Sign(h Holder) error {
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if err := l.file.Truncate(0); err != nil {
		return fmt.Errorf("signing the lock of this machine: %w", err)
	}
	if _, err := l.file.WriteAt(text, 0); err != nil {
		return fmt.Errorf("signing the lock of this machine: %w", err)
	}
	return nil
}

// read returns who holds the lock; what cannot be read stays zero.
func read(file *os.File) (h Holder) {
	text, err := io.ReadAll(io.NewSectionReader(file, 0, 1<<16))
	if err == nil {
		err = json.Unmarshal(text, &h)
	}
	if err != nil {
		h.Run = "of unknown name"
	}
	return h
}

// Release gives the lock up, unless another process holds the same open file.
func (l *Lock) Release() error { return l.file.Close() }
