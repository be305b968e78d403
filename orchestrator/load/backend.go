package load

import (
	"time"

	"golang.org/x/sys/unix"
)

// A backend moves bytes for one worker, on whose thread alone it is called.
// Connections are named by their index. Its form suits readiness (epoll) as
// well as completion (io_uring): operations are only started, and wait and next
// yield what came of them.
type backend interface {
	name() string

	// open starts to connect; opened or broken follows, unless err says that
	// it failed at once.
	open(id uint32) (err unix.Errno)

	// send starts to write b, which must not change until it is written. If
	// that is not at once, whole is false and sent follows. An error comes at
	// once or as broken.
	send(id uint32, b []byte) (whole bool, err unix.Errno)

	// shut closes the connection, of which no event follows.
	shut(id uint32)

	// wait blocks until there are events, for d at most.
	wait(d time.Duration) error

	// next reports the next event found by wait, false if none is left.
	next(*event) bool

	// spent returns the effort since the backend was made.
	spent() effort

	// close releases all that the backend holds.
	close() error
}

// An eventKind is what happened to a connection.
type eventKind uint8

const (
	opened   eventKind = iota // connected
	sent                      // a request that was not written at once, is now
	received                  // data came
	ended                     // the server closed its side
	broken                    // the connection, or the attempt at one, failed
)

// An event is what happened to one connection.
type event struct {
	id   uint32
	kind eventKind
	data []byte     // of received; valid until the next call of next
	fin  bool       // of received: nothing follows data
	err  unix.Errno // of broken
}

// An effort is what a backend spent.
type effort struct {
	syscalls int64
	wakeups  int64 // waits that found something
	bytesOut int64
}

// minus returns what was spent since before.
func (e effort) minus(before effort) effort {
	return effort{e.syscalls - before.syscalls, e.wakeups - before.wakeups, e.bytesOut - before.bytesOut}
}
