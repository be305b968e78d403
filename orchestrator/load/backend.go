package load

import (
	"net/netip"
	"time"

	"golang.org/x/sys/unix"
)

// The names of the backends.
const (
	backendEpoll = "epoll"
	backendUring = "io_uring"
)

// pulse is the period of a timer that each backend has for its life. A wait that
// may take as long goes without one of its own, which would have to be set and
// dropped for almost every request, at a twentieth of its cost.
const pulse = 10 * time.Millisecond

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
	// that is to be heard of, whole is false and sent follows. An error comes at
	// once or as unwritten.
	send(id uint32, b []byte) (whole bool, err unix.Errno)

	// defers reports whether what send starts leaves with the next wait only.
	defers() bool

	// shut closes the connection, of which no event follows.
	shut(id uint32)

	// wait completes what was started and blocks until there are events, for d at
	// most; it may return early. Where want is above 1 it may gather so many of
	// them, for no longer than window.
	wait(d time.Duration, want int, window time.Duration) error

	// next reports the next event found by wait, false if none is left.
	next(*event) bool

	// spent returns the effort since the backend was made.
	spent() effort

	// close releases all that the backend holds.
	close() error
}

// newBackend returns the backend of that name, or for "" the best that the kernel
// allows; unable then says why it is not io_uring. It is called on the thread
// that will use the backend.
func newBackend(name string, addr netip.AddrPort, connections int) (b backend, unable, err error) {
	// By default the kernel may end a wait 50 µs late. Where it refuses to change
	// that, it still may: the load is the same.
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, uintptr(time.Microsecond), 0, 0, 0)
	if name != backendEpoll {
		b, unable = newUring(addr, connections)
		if unable == nil || name == backendUring {
			return b, nil, unable
		}
	}
	b, err = newEpoll(addr, connections)
	return b, unable, err
}

// An eventKind is what happened to a connection.
type eventKind uint8

const (
	opened    eventKind = iota // connected
	sent                       // a request that was not written at once, is now
	unwritten                  // a request could not be written
	received                   // data came
	ended                      // the server closed its side
	broken                     // the connection, or the attempt at one, failed
)

// An event is what happened to one connection.
type event struct {
	id   uint32
	kind eventKind
	data []byte     // of received; valid until the next call of next
	fin  bool       // of received: nothing follows data
	err  unix.Errno // of broken and unwritten
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
