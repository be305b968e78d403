package load

// What the backend needs of Linux's <linux/io_uring.h>; golang.org/x/sys knows
// no more of it than the numbers of its three system calls.

// Flags of io_uring_setup. Deferred task work came last of them, with Linux 6.1,
// and everything else that the backend needs had come before.
const (
	setupCQSize       = 1 << 3
	setupClamp        = 1 << 4
	setupSubmitAll    = 1 << 7
	setupSingleIssuer = 1 << 12
	setupDeferTaskrun = 1 << 13
)

// Features that io_uring_setup reports.
const (
	featMinTimeout = 1 << 15 // Linux 6.12
	featNoIowait   = 1 << 17 // Linux 6.15
)

// Flags of io_uring_enter.
const (
	enterGetEvents  = 1 << 0
	enterExtArg     = 1 << 3
	enterRegistered = 1 << 4
	enterNoIowait   = 1 << 7
)

// Operations of io_uring_register.
const (
	registerFiles2    = 13
	registerRingFDs   = 20
	unregisterRingFDs = 21
	registerPbufRing  = 22

	registerSparse = 1 << 0
)

// Where mmap finds the rings.
const (
	offsetRings = 0
	offsetSQEs  = 0x10000000
)

// Operation codes.
const (
	opTimeout = 11
	opCancel  = 14
	opConnect = 16
	opClose   = 19
	opSend    = 26
	opRecv    = 27
	opSocket  = 45
	opCommand = 46
)

// Flags of an SQE, and what goes with single operations.
const (
	sqeFixedFile    = 1 << 0
	sqeBufferSelect = 1 << 5
	sqeSkipSuccess  = 1 << 6

	recvPollFirst = 1 << 0
	recvMultishot = 1 << 1

	cancelAll     = 1 << 0
	cancelByFile  = 1 << 1
	cancelFixed   = 1 << 3
	commandSetopt = 3 // SOCKET_URING_OP_SETSOCKOPT, Linux 6.7
)

// Flags of a CQE; the buffer's number stands above bufferShift.
const (
	cqeBuffer   = 1 << 0
	cqeMore     = 1 << 1
	cqeNonempty = 1 << 2
	bufferShift = 16
)

// An sqe is one operation submitted.
type sqe struct {
	opcode      uint8
	flags       uint8
	ioprio      uint16
	fd          int32
	off         uint64
	addr        uint64
	len         uint32
	opFlags     uint32
	userData    uint64
	bufGroup    uint16
	personality uint16
	fileIndex   uint32 // or a socket option's length
	addr3       uint64 // or a socket option's value
	_           uint64
}

// A cqe is one completion.
type cqe struct {
	userData uint64
	res      int32
	flags    uint32
}

// nextRingFD lets the kernel choose a ring's number.
const nextRingFD = 1<<32 - 1

// A ringFDArg registers a ring with its own thread, for registerRingFDs.
type ringFDArg struct {
	index uint32 // nextRingFD: any that is free
	_     uint32
	fd    uint64
}

type ringParams struct {
	sqEntries, cqEntries, flags uint32
	threadCPU, threadIdle       uint32
	features                    uint32
	wqFD                        uint32
	_                           [3]uint32
	sq                          struct {
		head, tail, mask, entries, flags, dropped, array, _ uint32
		_                                                   uint64
	}
	cq struct {
		head, tail, mask, entries, overflow, cqes, flags, _ uint32
		_                                                   uint64
	}
}

// A waitArg is the extended argument of io_uring_enter.
type waitArg struct {
	sigmask     uint64
	sigmaskSize uint32
	minWaitUsec uint32
	timeout     uint64 // address of a timespec
}

// A filesArg registers files, for registerFiles2.
type filesArg struct {
	n, flags         uint32
	_                uint64
	data, generation uint64
}

// A bufferEntry is one buffer in a ring of them. The last two bytes of the first
// one are the ring's tail.
type bufferEntry struct {
	addr uint64
	len  uint32
	id   uint16
	tail uint16
}

// A buffersArg registers a ring of buffers, for registerPbufRing.
type buffersArg struct {
	addr    uint64
	entries uint32
	group   uint16
	flags   uint16
	_       [3]uint64
}
