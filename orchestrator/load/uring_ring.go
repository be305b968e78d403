package load

import (
	"errors"
	"fmt"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A ring is an io_uring: operations are queued, submitted by enter, and their
// completions taken by next. It belongs to the thread that made it. The kernel's
// side of it lies outside of Go's heap.
type ring struct {
	fd       int
	self     ringFDArg // the ring as its thread registered it
	flags    uintptr   // of every enter
	minWait  bool      // the kernel can gather completions by itself
	syscalls int64
	err      error // of an enter that was not a wait

	sqHead, sqTail *uint32 // shared with the kernel
	sqes           []sqe
	tail           uint32 // of what is queued

	cqHead, cqTail *uint32
	cqes           []cqe
	at, end        uint32 // completions at to end−1 are left to take

	arg     waitArg
	timeout unix.Timespec
	maps    [][]byte
}

// newRing returns a ring for so many operations queued at once, a power of two,
// and twice as many completions. The kernel refuses the flags before Linux 6.1.
func newRing(entries uint32) (*ring, error) {
	p := ringParams{
		flags:     setupSingleIssuer | setupDeferTaskrun | setupSubmitAll | setupClamp | setupCQSize,
		cqEntries: 2 * entries,
	}
	fd, _, errno := syscall.RawSyscall(unix.SYS_IO_URING_SETUP, uintptr(entries), uintptr(unsafe.Pointer(&p)), 0)
	if errno != 0 {
		return nil, fmt.Errorf("setting up an io_uring: %w", errno)
	}
	r := &ring{fd: int(fd), flags: enterRegistered | enterGetEvents | enterExtArg, minWait: p.features&featMinTimeout != 0}
	r.self.index = nextRingFD
	if p.features&featNoIowait != 0 {
		r.flags |= enterNoIowait // a host that waits for its load is idle
	}
	if err := errors.Join(r.registerSelf(), r.mapIn(&p)); err != nil {
		return nil, errors.Join(err, r.close())
	}
	r.arg.timeout = uint64(uintptr(unsafe.Pointer(&r.timeout)))
	return r, nil
}

// registerSelf spares each enter to look the ring up among the process's files.
func (r *ring) registerSelf() error {
	r.self = ringFDArg{index: nextRingFD, fd: uint64(r.fd)}
	if err := r.register(registerRingFDs, unsafe.Pointer(&r.self), 1); err != nil {
		r.self.index = nextRingFD
		return fmt.Errorf("registering an io_uring with its thread: %w", err)
	}
	return nil
}

func (r *ring) mapIn(p *ringParams) error {
	shared, err := r.mapAt(offsetRings, max(
		int(p.sq.array)+int(p.sqEntries)*4,
		int(p.cq.cqes)+int(p.cqEntries)*int(unsafe.Sizeof(cqe{})),
	))
	if err != nil {
		return err
	}
	entries, err := r.mapAt(offsetSQEs, int(p.sqEntries)*int(unsafe.Sizeof(sqe{})))
	if err != nil {
		return err
	}
	word := func(offset uint32) *uint32 { return (*uint32)(unsafe.Pointer(&shared[offset])) }
	r.sqHead, r.sqTail = word(p.sq.head), word(p.sq.tail)
	r.cqHead, r.cqTail = word(p.cq.head), word(p.cq.tail)
	r.sqes = unsafe.Slice((*sqe)(unsafe.Pointer(&entries[0])), p.sqEntries)
	r.cqes = unsafe.Slice((*cqe)(unsafe.Pointer(&shared[p.cq.cqes])), p.cqEntries)
	for i, array := uint32(0), unsafe.Slice(word(p.sq.array), p.sqEntries); i < p.sqEntries; i++ {
		array[i] = i // operations go in the order in which they are queued
	}
	return nil
}

func (r *ring) mapAt(offset int64, size int) ([]byte, error) {
	m, err := unix.Mmap(r.fd, offset, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_POPULATE)
	if err != nil {
		return nil, fmt.Errorf("mapping an io_uring: %w", err)
	}
	r.maps = append(r.maps, m)
	return m, nil
}

// mostSubmits is how often operations are submitted that the kernel, short of
// memory or of room for completions, does not take.
const mostSubmits = 1000

// queue adds an operation to those that the next enter submits. If there is no
// room, it submits them first; an error of that is the next wait's.
func (r *ring) queue(e sqe) {
	for n := 0; r.err == nil && r.full(); n++ {
		if n == mostSubmits {
			r.err = fmt.Errorf("entering an io_uring: no operation was taken %d times", n)
		} else {
			r.err = r.enter(0, enterRegistered|enterGetEvents, nil)
		}
	}
	if r.err != nil {
		return
	}
	r.sqes[r.tail&uint32(len(r.sqes)-1)] = e
	r.tail++
}

func (r *ring) full() bool { return r.tail-atomic.LoadUint32(r.sqHead) == uint32(len(r.sqes)) }

// wait submits what is queued and blocks until there is a completion, for d at
// most. Above 1, it gathers want of them, for as long as window.
func (r *ring) wait(d time.Duration, want int, window time.Duration) error {
	if r.err != nil {
		return r.err
	}
	atomic.StoreUint32(r.cqHead, r.at)
	err := r.gather(max(d, 0), uint32(want), window)
	r.end = atomic.LoadUint32(r.cqTail)
	return err
}

func (r *ring) gather(d time.Duration, want uint32, window time.Duration) error {
	r.arg.minWaitUsec = 0
	switch {
	case d == 0:
		return r.enter(0, r.flags&^enterExtArg, nil)
	case want <= 1 && d >= pulse:
		return r.enter(1, r.flags&^enterExtArg, nil)
	case want <= 1 || window < time.Microsecond:
		want = 1
	case r.minWait:
		r.arg.minWaitUsec = uint32(window / time.Microsecond)
	default:
		r.timeout = unix.NsecToTimespec(int64(min(window, d)))
		if err := r.enter(want, r.flags, &r.arg); err != nil || atomic.LoadUint32(r.cqTail) != r.at {
			return err
		}
		want, d = 1, max(d-window, 0)
	}
	r.timeout = unix.NsecToTimespec(int64(d))
	return r.enter(want, r.flags, &r.arg)
}

// enter submits what is queued and waits for completions, as flags and arg say.
func (r *ring) enter(want uint32, flags uintptr, arg *waitArg) error {
	atomic.StoreUint32(r.sqTail, r.tail)
	size := unsafe.Sizeof(*arg)
	if arg == nil {
		size = 0
	}
	r.syscalls++
	_, _, errno := syscall.RawSyscall6(unix.SYS_IO_URING_ENTER, uintptr(r.self.index), uintptr(r.tail-atomic.LoadUint32(r.sqHead)), uintptr(want),
		flags, uintptr(unsafe.Pointer(arg)), size)
	switch errno {
	case 0, unix.ETIME, unix.EINTR, unix.EAGAIN, unix.EBUSY: // the last two: completions have to be taken first
		return nil
	}
	return fmt.Errorf("entering an io_uring: %w", errno)
}

// next takes a completion of those that wait found, nil if none is left.
func (r *ring) next() *cqe {
	if r.at == r.end {
		return nil
	}
	c := &r.cqes[r.at&uint32(len(r.cqes)-1)]
	r.at++
	return c
}

// left returns how many completions are left to take.
func (r *ring) left() int { return int(r.end - r.at) }

// peek returns the i-th of the completions that are left.
func (r *ring) peek(i int) *cqe {
	return &r.cqes[(r.at+uint32(i))&uint32(len(r.cqes)-1)]
}

// register hands a resource to the kernel.
func (r *ring) register(operation uintptr, arg unsafe.Pointer, n uintptr) error {
	_, _, errno := syscall.RawSyscall6(unix.SYS_IO_URING_REGISTER, uintptr(r.fd), operation, uintptr(arg), n, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// close ends the ring. No operation that has memory of ours may be under way.
func (r *ring) close() error {
	var err error
	if r.self.index != nextRingFD {
		r.self.fd = 0
		err = r.register(unregisterRingFDs, unsafe.Pointer(&r.self), 1)
	}
	err = errors.Join(err, unix.Close(r.fd))
	for _, m := range r.maps {
		err = errors.Join(err, unix.Munmap(m))
	}
	if err != nil {
		return fmt.Errorf("closing an io_uring: %w", err)
	}
	return nil
}
