package load

import (
	"errors"
	"net"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Answers that are far larger than all buffers make receiving stop for want of
// them, and go on.
func TestBuffersRunOut(t *testing.T) {
	skipWithoutUring(t)
	body := strings.Repeat("0123456789abcdef", 1<<16)
	s := serve(t, func(c net.Conn, _ int64) bool {
		write(c, 0, []byte("HTTP/1.1 200 OK\r\nContent-Length: 1048576\r\n\r\n"+body))
		return true
	})
	cfg := configOn(s, backendUring)
	cfg.Connections = 32
	cfg.Mix[0].Expect.Body = []byte(body)
	r := run(t, cfg, Phase{Requests: 128})
	if r.Outcomes[OK] != 128 || r.Connect.Count() != 32 {
		t.Errorf("%v: %v after %d connects, want 128 right answers after 32", r.Outcomes, r.First, r.Connect.Count())
	}
}

// More operations at once than there is room for.
func TestQueueOverflows(t *testing.T) {
	skipWithoutUring(t)
	s := serve(t, func(c net.Conn, _ int64) bool {
		write(c, 0, []byte(okAnswer))
		return false
	})
	cfg := configOn(s, backendUring)
	cfg.Mix[0].KeepAlive = false
	cfg.Connections = mostQueued / 3
	if r := run(t, cfg, Phase{Requests: mostQueued}); r.Outcomes[OK] != mostQueued {
		t.Errorf("%v: %v", r.Outcomes, r.First)
	}
}

// A thread that may not set up an io_uring gets epoll, and the reason.
func TestFallsBackWhereRefused(t *testing.T) {
	done := make(chan bool)
	go func() {
		defer close(done)
		runtime.LockOSThread() // for good: the filter stays with the thread, which ends with the goroutine
		if err := refuse(unix.SYS_IO_URING_SETUP, unix.EPERM); err != nil {
			t.Error(err)
			return
		}
		addr := netip.MustParseAddrPort("127.0.0.1:1")
		b, unable, err := newBackend("", addr, 1)
		if err != nil {
			t.Error(err)
			return
		}
		defer b.close()
		if b.name() != backendEpoll || !errors.Is(unable, unix.EPERM) {
			t.Errorf("%s, because %v; want %s, because %v", b.name(), unable, backendEpoll, unix.EPERM)
		}
		if _, _, err := newBackend(backendUring, addr, 1); !errors.Is(err, unix.EPERM) {
			t.Errorf("io_uring asked for: error %v, want %v", err, unix.EPERM)
		}
	}()
	<-done
}

// A kernel that takes no operation ends the phase, rather than to be asked for
// ever.
func TestQueueThatNobodyEmpties(t *testing.T) {
	skipWithoutUring(t)
	done := make(chan bool)
	go func() {
		defer close(done)
		runtime.LockOSThread() // for good, as above
		r, err := newRing(2)
		if err != nil {
			t.Error(err)
			return
		}
		defer r.close()
		if err := refuse(unix.SYS_IO_URING_ENTER, unix.EBUSY); err != nil {
			t.Error(err)
			return
		}
		for range len(r.sqes) {
			r.queue(sqe{})
		}
		if err := r.wait(0, 1, 0); err != nil {
			t.Errorf("before the queue is full: %v", err)
		}
		r.queue(sqe{})
		if err := r.wait(0, 1, 0); err == nil {
			t.Error("the queue is full, and there is no error")
		}
	}()
	<-done
}

// refuse makes a system call fail on this thread, as a container's filter does
// with EPERM.
func refuse(call uint32, errno unix.Errno) error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS},                  // the call's number
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: call, Jf: 1}, // another one: skip a line
		{Code: unix.BPF_RET | unix.BPF_K, K: 0x00050000 | uint32(errno)}, // SECCOMP_RET_ERRNO
		{Code: unix.BPF_RET | unix.BPF_K, K: 0x7fff0000},                 // SECCOMP_RET_ALLOW
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	return unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0)
}

// A window is used where the latency leaves room for one, with the kernel's help
// or without, and not by epoll.
func TestWindowIsUsed(t *testing.T) {
	s := serve(t, func(c net.Conn, n int64) bool {
		time.Sleep(5 * time.Millisecond)
		return steady(c, n)
	})
	for _, tt := range []struct {
		name, backend string
		helped        bool
		asked         time.Duration
		used          bool
	}{
		{"minimum wait", backendUring, true, 0, true},
		{"two waits", backendUring, false, 0, true},
		{"refused", backendUring, true, -1, false},
		{"epoll", backendEpoll, false, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cfg := configOn(s, tt.backend)
			cfg.Connections, cfg.Window = 32, tt.asked
			if tt.backend == backendUring {
				skipWithoutUring(t)
			}
			e := engine(t, cfg)
			if u, ok := e.workers[0].backend.(*uring); ok {
				u.ring.minWait = u.ring.minWait && tt.helped
			}
			r := runOn(t, e, Phase{Duration: 300 * time.Millisecond})
			if r.Outcomes.Failed() > 0 || (r.Window > 0) != tt.used || r.Window > longestWindow {
				t.Errorf("window %v, %v: %v", r.Window, r.Outcomes, r.First)
			}
		})
	}
}

func TestWindow(t *testing.T) {
	latencies := func(d time.Duration) *Histogram {
		h := NewHistogram()
		for range 10 {
			h.Record(d)
		}
		return h
	}
	for _, tt := range []struct {
		name          string
		asked, median time.Duration
		flying        int
		length        time.Duration
		gather        int
	}{
		{"by default", 0, 10 * time.Millisecond, 256, 50 * time.Microsecond, 32},
		{"within 2 % of the median", 0, time.Millisecond, 20, 20 * time.Microsecond, 10},
		{"not worth it", 0, 100 * time.Microsecond, 64, 0, 1},
		{"never", -1, 10 * time.Millisecond, 64, 0, 1},
		{"as asked", 200 * time.Microsecond, 50 * time.Millisecond, 64, 200 * time.Microsecond, 32},
		{"nothing answered yet", 0, 0, 64, 0, 1},
	} {
		w := newWindow(tt.asked, backendUring)
		h := NewHistogram()
		if tt.median > 0 {
			h = latencies(tt.median)
		}
		w.fit(time.Second, h)
		if got := w.gather(tt.flying); w.length != tt.length || got != tt.gather {
			t.Errorf("%s: %d within %v, want %d within %v", tt.name, got, w.length, tt.gather, tt.length)
		}
	}
}

// A short request is counted as it is queued. A failure corrects that, unless its
// connection has another request by then, of whatever length.
func TestBytesOutOfFailedSends(t *testing.T) {
	skipWithoutUring(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	u, err := newUring(netip.MustParseAddrPort("127.0.0.1:1"), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer u.close()
	u.socks[0] = uringSock{generation: 1, length: 70}
	failed := cqe{userData: u.mark(forSend, 0), res: -int32(unix.EPIPE)}
	u.effort.bytesOut = 1000
	if !u.report(&failed, &event{}) || u.effort.bytesOut != 930 {
		t.Errorf("%d B out, want 930", u.effort.bytesOut)
	}
	u.socks[0] = uringSock{generation: 2, length: 500}
	if u.report(&failed, &event{}) || u.effort.bytesOut != 930 {
		t.Errorf("%d B out after a failure of an earlier connection, want 930", u.effort.bytesOut)
	}
}

// A window is fitted often at first, then seldom, and kept from one phase to the
// next until that has latencies.
func TestWindowIsReviewed(t *testing.T) {
	fast, slow := NewHistogram(), NewHistogram()
	fast.Record(time.Microsecond)
	slow.Record(time.Second)
	w := newWindow(0, backendUring)
	w.begin(0)
	for _, step := range []struct {
		now    time.Duration
		seen   *Histogram
		length time.Duration
	}{
		{99 * time.Millisecond, slow, 0},
		{100 * time.Millisecond, slow, longestWindow},
		{200 * time.Millisecond, fast, 0},
		{time.Second, slow, longestWindow},
		{1999 * time.Millisecond, fast, longestWindow},
		{2 * time.Second, fast, 0},
		{3 * time.Second, slow, longestWindow},
	} {
		if w.fit(step.now, step.seen); w.length != step.length {
			t.Errorf("%v after %v, want %v", w.length, step.now, step.length)
		}
	}
	w.begin(4 * time.Second)
	if w.fit(4050*time.Millisecond, NewHistogram()); w.length != longestWindow {
		t.Errorf("%v at the start of the next phase, want %v", w.length, longestWindow)
	}
	if w.fit(4100*time.Millisecond, fast); w.length != 0 {
		t.Errorf("%v in the next phase, want none", w.length)
	}
}
