package load

import (
	"errors"
	"fmt"
	"net/netip"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	readRoom  = 64 << 10
	batchSize = 256 // most events taken by one wait
	interest  = unix.EPOLLIN | unix.EPOLLOUT | unix.EPOLLRDHUP | unix.EPOLLET
	pulseMark = -1
	dead      = unix.EPOLLERR | unix.EPOLLHUP
	readable  = unix.EPOLLIN | unix.EPOLLRDHUP | dead
)

// An epoll is the backend on epoll. A socket is registered once, edge
// triggered, for reading and writing; a read that leaves room in the buffer has
// emptied the socket, so that no read has to fail.
//
// All calls are raw: they do not tell Go's scheduler. None but the wait blocks,
// and to give up the thread's place in the scheduler for that would cost more
// than a request does. The scheduler's own signal interrupts a wait it minds,
// and [New] sees to it that other goroutines have a place too.
type epoll struct {
	fd     int
	addr   *sockaddr
	socks  []sock
	buf    []byte
	events []unix.EpollEvent
	pulse  int  // a timer, marked pulseMark
	at, n  int  // events[at:n] are left to report
	coarse bool // there is no epoll_pwait2
	effort effort
}

// A sock is one connection.
type sock struct {
	fd         int   // -1: none
	generation int32 // tells it from earlier ones of the same index
	connecting bool
	unsent     []byte
}

func newEpoll(addr netip.AddrPort, connections int) (*epoll, error) {
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("creating an epoll set: %w", err)
	}
	p := &epoll{
		fd:     fd,
		pulse:  -1,
		addr:   newSockaddr(addr),
		socks:  make([]sock, connections),
		buf:    make([]byte, readRoom),
		events: make([]unix.EpollEvent, batchSize),
	}
	for i := range p.socks {
		p.socks[i].fd = -1
	}
	if err := p.beat(); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

// beat sets the pulse going.
func (p *epoll) beat() (err error) {
	if p.pulse, err = unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC); err != nil {
		return fmt.Errorf("creating a timer: %w", err)
	}
	period := unix.NsecToTimespec(int64(pulse))
	if err := unix.TimerfdSettime(p.pulse, 0, &unix.ItimerSpec{Interval: period, Value: period}, nil); err != nil {
		return fmt.Errorf("setting a timer: %w", err)
	}
	ev := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLET, Fd: pulseMark}
	if err := unix.EpollCtl(p.fd, unix.EPOLL_CTL_ADD, p.pulse, &ev); err != nil {
		return fmt.Errorf("watching a timer: %w", err)
	}
	return nil
}

func (p *epoll) name() string  { return backendEpoll }
func (p *epoll) spent() effort { return p.effort }
func (p *epoll) defers() bool  { return false }

func (p *epoll) open(id uint32) unix.Errno {
	p.effort.syscalls++
	fd, _, errno := syscall.RawSyscall(unix.SYS_SOCKET, p.addr.family(), unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if errno != 0 {
		return errno
	}
	s := &p.socks[id]
	*s = sock{fd: int(fd), generation: s.generation + 1, connecting: true}
	if errno = p.connect(id, s); errno != 0 {
		p.shut(id)
	}
	return errno
}

func (p *epoll) connect(id uint32, s *sock) unix.Errno {
	on := int32(1)
	ev := unix.EpollEvent{Events: interest, Fd: int32(id), Pad: s.generation}
	p.effort.syscalls += 3
	_, _, errno := syscall.RawSyscall6(unix.SYS_SETSOCKOPT, uintptr(s.fd), unix.IPPROTO_TCP, unix.TCP_NODELAY,
		uintptr(unsafe.Pointer(&on)), unsafe.Sizeof(on), 0)
	if errno != 0 {
		return errno
	}
	_, _, errno = syscall.RawSyscall(unix.SYS_CONNECT, uintptr(s.fd), uintptr(unsafe.Pointer(p.addr)), p.addr.size())
	if errno != 0 && errno != unix.EINPROGRESS {
		return errno
	}
	_, _, errno = syscall.RawSyscall6(unix.SYS_EPOLL_CTL, uintptr(p.fd), unix.EPOLL_CTL_ADD, uintptr(s.fd),
		uintptr(unsafe.Pointer(&ev)), 0, 0)
	return errno
}

func (p *epoll) send(id uint32, b []byte) (whole bool, err unix.Errno) {
	s := &p.socks[id]
	p.effort.syscalls++
	n, _, errno := syscall.RawSyscall6(unix.SYS_SENDTO, uintptr(s.fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)),
		unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL, 0, 0)
	switch errno {
	case 0:
		p.effort.bytesOut += int64(n)
		s.unsent = b[n:]
	case unix.EAGAIN:
		s.unsent = b
	default:
		return false, errno
	}
	return len(s.unsent) == 0, 0
}

func (p *epoll) shut(id uint32) {
	s := &p.socks[id]
	if s.fd < 0 {
		return
	}
	p.effort.syscalls++
	syscall.RawSyscall(unix.SYS_CLOSE, uintptr(s.fd), 0, 0) // leaves the epoll set with it
	s.fd, s.unsent = -1, nil
}

func (p *epoll) wait(d time.Duration, _ int, _ time.Duration) error {
	p.at, p.n = 0, 0
	n, errno := p.pwait(max(d, 0))
	switch {
	case errno == unix.EINTR: // Go's scheduler wants the thread
		return nil
	case errno != 0:
		return fmt.Errorf("waiting for events: %w", errno)
	case n > 0:
		p.n = int(n)
		if n > 1 || p.events[0].Fd != pulseMark {
			p.effort.wakeups++
		}
	}
	return nil
}

// pwait waits for d, or for the next pulse if that comes before: to the
// nanosecond, or to the next millisecond where the kernel has no epoll_pwait2
// (before 5.11).
func (p *epoll) pwait(d time.Duration) (n uintptr, err unix.Errno) {
	p.effort.syscalls++
	ms := (d + time.Millisecond - 1) / time.Millisecond
	switch {
	case d >= pulse:
		ms = -1
	case !p.coarse:
		limit := unix.NsecToTimespec(int64(d))
		n, _, err = syscall.RawSyscall6(unix.SYS_EPOLL_PWAIT2, uintptr(p.fd), uintptr(unsafe.Pointer(unsafe.SliceData(p.events))),
			uintptr(len(p.events)), uintptr(unsafe.Pointer(&limit)), 0, 0)
		if err != unix.ENOSYS && err != unix.EPERM { // EPERM is a filter's that does not know it
			return n, err
		}
		p.coarse = true
	}
	n, _, err = syscall.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(p.fd), uintptr(unsafe.Pointer(unsafe.SliceData(p.events))),
		uintptr(len(p.events)), uintptr(ms), 0, 0)
	return n, err
}

func (p *epoll) next(ev *event) bool {
	for ; p.at < p.n; p.at++ {
		e := &p.events[p.at]
		if e.Fd == pulseMark {
			p.rearm()
			continue
		}
		s := &p.socks[e.Fd]
		if s.fd < 0 || s.generation != e.Pad {
			continue
		}
		ev.id = uint32(e.Fd)
		if p.report(e, s, ev) {
			return true
		}
	}
	return false
}

// rearm reads the timer: Linux lets a periodic one go on only then.
func (p *epoll) rearm() {
	var beats uint64
	p.effort.syscalls++
	syscall.RawSyscall(unix.SYS_READ, uintptr(p.pulse), uintptr(unsafe.Pointer(&beats)), unsafe.Sizeof(beats))
}

// report turns a part of e into ev and takes that part off e; false if nothing
// is left of it.
func (p *epoll) report(e *unix.EpollEvent, s *sock, ev *event) bool {
	switch {
	case s.connecting:
		e.Events &^= unix.EPOLLOUT
		s.connecting = false
		return p.connected(e, s, ev)
	case e.Events&unix.EPOLLOUT != 0 && len(s.unsent) > 0:
		e.Events &^= unix.EPOLLOUT
		return p.resume(s, ev) || p.report(e, s, ev)
	case e.Events&readable != 0:
		return p.read(e, s, ev)
	}
	return false
}

func (p *epoll) connected(e *unix.EpollEvent, s *sock, ev *event) bool {
	ev.kind, ev.err = opened, 0
	if e.Events&dead != 0 {
		p.effort.syscalls++
		if code, err := unix.GetsockoptInt(s.fd, unix.SOL_SOCKET, unix.SO_ERROR); err == nil && code != 0 {
			ev.kind, ev.err = broken, unix.Errno(code)
		}
	}
	return true
}

// resume writes what is left of a request.
func (p *epoll) resume(s *sock, ev *event) bool {
	whole, errno := p.send(ev.id, s.unsent)
	if errno != 0 {
		ev.kind, ev.err = unwritten, errno
		return true
	}
	ev.kind = sent
	return whole
}

func (p *epoll) read(e *unix.EpollEvent, s *sock, ev *event) bool {
	p.effort.syscalls++
	n, _, errno := syscall.RawSyscall6(unix.SYS_RECVFROM, uintptr(s.fd), uintptr(unsafe.Pointer(unsafe.SliceData(p.buf))), uintptr(len(p.buf)),
		unix.MSG_DONTWAIT, 0, 0)
	switch {
	case errno == unix.EINTR:
		return p.read(e, s, ev)
	case errno == unix.EAGAIN:
		e.Events = 0
		return false
	case errno != 0:
		e.Events = 0
		ev.kind, ev.err = broken, errno
		return true
	case n == 0:
		e.Events = 0
		ev.kind = ended
		return true
	}
	ev.kind, ev.data, ev.fin = received, p.buf[:n], false
	if int(n) < len(p.buf) && e.Events&dead == 0 {
		ev.fin = e.Events&unix.EPOLLRDHUP != 0
		e.Events &^= readable
	}
	return true
}

// close closes all sockets and the set.
func (p *epoll) close() error {
	for id := range p.socks {
		p.shut(uint32(id))
	}
	err := unix.Close(p.fd)
	if p.pulse >= 0 {
		err = errors.Join(err, unix.Close(p.pulse))
	}
	if err != nil {
		return fmt.Errorf("closing an epoll set: %w", err)
	}
	return nil
}
