package load

import (
	"errors"
	"fmt"
	"math/bits"
	"net/netip"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	mostQueued = 4096
	// smallRequest is the longest request that an idle socket is sure to take at
	// once, so that nobody has to hear of it.
	smallRequest = 4 << 10
	generations  = 1 << 24
	closingTurns = 1000 // most waits for what was under way when the ring is closed
)

// A uring is the backend on io_uring. Sockets live in its table of files, not in
// the process's; what a batch of events leads to, closing and connecting too,
// is submitted by the wait that follows. One receive operation serves a
// connection's life, into buffers that the kernel picks.
//
// Completions name the operation's purpose, its connection, and the
// connection's generation, so that those of earlier ones are known.
type uring struct {
	ring    *ring
	buffers *buffers
	addr    *sockaddr
	noDelay int32
	pulse   unix.Timespec
	woken   bool // an event of the last wait was reported
	socks   []uringSock
	held    int // the buffer of the last event, -1: none
	reading int // receive operations under way, of any generation
	effort  effort
}

// A uringSock is one connection.
type uringSock struct {
	generation uint32
	open       bool
	connecting bool
	reading    bool // a receive operation is under way
	unsent     bool // a long request is being sent
	length     int  // of the last request
}

// A purpose is what an operation is for; that of the zero value is of no
// interest once it completes.
type purpose uint8

const (
	forNothing purpose = iota
	forSocket
	forConnect
	forSend
	forLongSend
	forRecv
	forPulse
)

func newUring(addr netip.AddrPort, connections int) (*uring, error) {
	r, err := newRing(uint32(min(powerOfTwo(8*connections), mostQueued)))
	if err != nil {
		return nil, err
	}
	u := &uring{ring: r, addr: newSockaddr(addr), noDelay: 1, pulse: unix.NsecToTimespec(int64(pulse)), socks: make([]uringSock, connections), held: -1}
	if err := u.prepare(); err != nil {
		return nil, errors.Join(err, u.ring.close())
	}
	return u, nil
}

func powerOfTwo(n int) int { return 1 << bits.Len(uint(n-1)) }

// prepare registers what u needs, and enters once, which may be forbidden too.
func (u *uring) prepare() (err error) {
	files := filesArg{n: uint32(len(u.socks)), flags: registerSparse}
	if err := u.ring.register(registerFiles2, unsafe.Pointer(&files), unsafe.Sizeof(files)); err != nil {
		return fmt.Errorf("registering files with an io_uring: %w", err)
	}
	u.beat()
	if err := u.ring.wait(0, 1, 0); err != nil {
		return err
	}
	u.buffers, err = newBuffers(u.ring, min(powerOfTwo(2*max(len(u.socks), 8)), mostBuffers))
	return err
}

// beat sets the pulse going, once.
func (u *uring) beat() {
	u.ring.queue(sqe{
		opcode: opTimeout, addr: uint64(uintptr(unsafe.Pointer(&u.pulse))), len: 1, userData: u.mark(forPulse, 0),
	})
}

func (u *uring) name() string { return backendUring }
func (u *uring) defers() bool { return true }

func (u *uring) spent() effort {
	e := u.effort
	e.syscalls = u.ring.syscalls
	return e
}

// open queues what a socket needs; the kernel does it in this order. Before Linux
// 6.7 the option is refused, which only delays requests of several segments.
func (u *uring) open(id uint32) unix.Errno {
	s := &u.socks[id]
	*s = uringSock{generation: (s.generation + 1) % generations, open: true, connecting: true}
	u.ring.queue(sqe{
		opcode: opSocket, flags: sqeSkipSuccess, fd: int32(u.addr.family()), off: unix.SOCK_STREAM,
		fileIndex: id + 1, userData: u.mark(forSocket, id),
	})
	u.ring.queue(sqe{
		opcode: opCommand, flags: sqeFixedFile | sqeSkipSuccess, fd: int32(id), off: commandSetopt,
		addr:      unix.IPPROTO_TCP | unix.TCP_NODELAY<<32,
		fileIndex: uint32(unsafe.Sizeof(u.noDelay)), addr3: uint64(uintptr(unsafe.Pointer(&u.noDelay))),
	})
	u.ring.queue(sqe{
		opcode: opConnect, flags: sqeFixedFile, fd: int32(id), off: uint64(u.addr.size()),
		addr: uint64(uintptr(unsafe.Pointer(u.addr))), userData: u.mark(forConnect, id),
	})
	return 0
}

func (u *uring) send(id uint32, b []byte) (whole bool, err unix.Errno) {
	s := &u.socks[id]
	s.length = len(b)
	e := sqe{
		opcode: opSend, flags: sqeFixedFile, fd: int32(id), opFlags: unix.MSG_WAITALL | unix.MSG_NOSIGNAL,
		addr: uint64(uintptr(unsafe.Pointer(unsafe.SliceData(b)))), len: uint32(len(b)), userData: u.mark(forLongSend, id),
	}
	if s.unsent = len(b) > smallRequest; !s.unsent {
		e.flags, e.userData = e.flags|sqeSkipSuccess, u.mark(forSend, id)
		u.effort.bytesOut += int64(len(b))
	}
	u.ring.queue(e)
	return !s.unsent, 0
}

// receive starts to read, for good unless buffers run out.
func (u *uring) receive(id uint32, ioprio uint16) {
	u.socks[id].reading = true
	u.reading++
	u.ring.queue(sqe{
		opcode: opRecv, flags: sqeFixedFile | sqeBufferSelect, ioprio: recvMultishot | ioprio, fd: int32(id),
		bufGroup: bufferGroup, userData: u.mark(forRecv, id),
	})
}

func (u *uring) shut(id uint32) {
	s := &u.socks[id]
	if !s.open {
		return
	}
	if s.connecting || s.reading || s.unsent {
		u.ring.queue(sqe{
			opcode: opCancel, flags: sqeSkipSuccess, fd: int32(id), opFlags: cancelAll | cancelByFile | cancelFixed,
		})
	}
	u.ring.queue(sqe{opcode: opClose, flags: sqeSkipSuccess, fileIndex: id + 1})
	*s = uringSock{generation: (s.generation + 1) % generations}
}

func (u *uring) wait(d time.Duration, want int, window time.Duration) error {
	u.buffers.publish()
	if err := u.ring.wait(d, want, window); err != nil {
		return err
	}
	u.woken = false
	return nil
}

func (u *uring) next(ev *event) bool {
	u.release()
	for c := u.ring.next(); c != nil; c = u.ring.next() {
		if u.report(c, ev) {
			if !u.woken {
				u.woken = true
				u.effort.wakeups++
			}
			return true
		}
	}
	return false
}

// mark returns what names an operation on a connection as it is now.
func (u *uring) mark(p purpose, id uint32) uint64 {
	return uint64(u.socks[id].generation)<<40 | uint64(p)<<32 | uint64(id)
}

// report turns a completion into ev; false if nobody needs to hear of it.
func (u *uring) report(c *cqe, ev *event) bool {
	p := purpose(c.userData >> 32)
	switch p {
	case forPulse:
		u.beat()
		return false
	case forNothing:
		return false
	}
	id := uint32(c.userData)
	s := &u.socks[id]
	current := uint32(c.userData>>40) == s.generation
	if p == forRecv {
		return u.received(c, id, current, ev)
	}
	if p == forLongSend || p == forSend && current {
		u.count(c, p, s.length)
	}
	if !current {
		return false
	}
	ev.id, ev.err = id, 0
	switch {
	case p == forLongSend && int(c.res) == s.length:
		s.unsent, ev.kind = false, sent
	case p == forSend || p == forLongSend:
		ev.kind, ev.err = unwritten, unix.Errno(max(-c.res, 0))
		if c.res >= 0 {
			ev.err = unix.EPIPE // cut short
		}
	case c.res < 0:
		ev.kind, ev.err = broken, unix.Errno(-c.res)
	default:
		s.connecting = false
		u.receive(id, recvPollFirst)
		ev.kind = opened
	}
	return true
}

// count puts the account of bytes right: a short request was taken for sent. If
// its connection is gone since, so is its length, and it stays counted.
func (u *uring) count(c *cqe, p purpose, length int) {
	if p == forSend {
		u.effort.bytesOut -= int64(length)
	}
	u.effort.bytesOut += int64(max(c.res, 0))
}

func (u *uring) received(c *cqe, id uint32, current bool, ev *event) bool {
	s := &u.socks[id]
	more := c.flags&cqeMore != 0
	if c.flags&cqeBuffer != 0 {
		u.held = int(c.flags >> bufferShift)
	}
	if !more {
		u.reading--
		s.reading = s.reading && !current
	}
	if !current {
		u.release()
		return false
	}
	ev.id, ev.err = id, 0
	switch res := c.res; {
	case res > 0:
		ev.kind, ev.data = received, u.buffers.data(uint16(u.held), int(res))
		ev.fin = c.flags&cqeNonempty != 0 && u.ends(c.userData)
		if !more && !ev.fin {
			u.receive(id, 0)
		}
	case res == 0:
		u.release()
		ev.kind = ended
	case unix.Errno(-res) == unix.ENOBUFS:
		u.receive(id, 0)
		return false
	default:
		ev.kind, ev.err = broken, unix.Errno(-res)
	}
	return true
}

// ends reports whether the next completion of a receive operation is among those
// at hand and says that the server closed its side. If so it is taken.
func (u *uring) ends(receive uint64) bool {
	for i := range u.ring.left() {
		c := u.ring.peek(i)
		if c.userData != receive {
			continue
		}
		if c.res != 0 {
			return false
		}
		if c.flags&cqeBuffer != 0 {
			u.buffers.give(uint16(c.flags >> bufferShift))
		}
		c.userData = 0
		u.reading--
		u.socks[uint32(receive)].reading = false
		return true
	}
	return false
}

// release gives the last event's buffer back.
func (u *uring) release() {
	if u.held >= 0 {
		u.buffers.give(uint16(u.held))
		u.held = -1
	}
}

// close closes all sockets, waits for the last receive operation, whose buffers
// go away, and releases the ring.
func (u *uring) close() error {
	for id := range u.socks {
		u.shut(uint32(id))
	}
	var err error
	for range closingTurns {
		if err = u.wait(time.Millisecond, 1, 0); err != nil || u.reading == 0 {
			break
		}
		for u.next(&event{}) {
		}
	}
	return errors.Join(err, u.ring.close(), u.buffers.close())
}
