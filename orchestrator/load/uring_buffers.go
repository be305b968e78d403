package load

import (
	"errors"
	"fmt"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	bufferRoom = 16 << 10
	// bufferStep is from one buffer to the next. Whole pages would send the
	// starts of all of them, which small answers use alone, to the same few
	// lines of the processor's caches.
	bufferStep  = bufferRoom + 5*64
	bufferGroup = 1
	// mostBuffers are few, since the kernel uses them in turn and new ones are
	// cold; where they run out, receiving is started once more.
	mostBuffers = 32
)

// The buffers are what the kernel writes received data to, one for each
// completion: it takes them from a ring, to which they are given back.
type buffers struct {
	ring []bufferEntry
	mem  []byte
	tail uint32
	maps [][]byte
}

// newBuffers registers n buffers, a power of two, with r.
func newBuffers(r *ring, n int) (*buffers, error) {
	b := &buffers{}
	shared, err := b.mapMemory(n * int(unsafe.Sizeof(bufferEntry{})))
	if err == nil {
		b.mem, err = b.mapMemory(n * bufferStep)
	}
	if err != nil {
		return nil, errors.Join(err, b.close())
	}
	b.ring = unsafe.Slice((*bufferEntry)(unsafe.Pointer(&shared[0])), n)
	arg := buffersArg{addr: uint64(uintptr(unsafe.Pointer(&shared[0]))), entries: uint32(n), group: bufferGroup}
	if err := r.register(registerPbufRing, unsafe.Pointer(&arg), 1); err != nil {
		return nil, errors.Join(fmt.Errorf("registering buffers with an io_uring: %w", err), b.close())
	}
	for id := range n {
		b.give(uint16(id))
	}
	b.publish()
	return b, nil
}

func (b *buffers) mapMemory(size int) ([]byte, error) {
	m, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		return nil, fmt.Errorf("mapping buffers: %w", err)
	}
	b.maps = append(b.maps, m)
	return m, nil
}

// data returns the first n bytes of a buffer.
func (b *buffers) data(id uint16, n int) []byte {
	at := int(id) * bufferStep
	return b.mem[at : at+n : at+n]
}

// give hands a buffer back; the kernel sees it once published.
func (b *buffers) give(id uint16) {
	e := &b.ring[b.tail&uint32(len(b.ring)-1)]
	e.addr = uint64(uintptr(unsafe.Pointer(&b.mem[int(id)*bufferStep])))
	e.len, e.id = bufferRoom, id
	b.tail++
}

// publish shows the kernel all buffers given so far. The tail has 16 bits and
// Go's atomics 32 at least, so the first entry's number is written with it.
func (b *buffers) publish() {
	first := &b.ring[0]
	word := uint32(first.id) | b.tail<<16
	atomic.StoreUint32((*uint32)(unsafe.Pointer(&first.id)), word)
}

func (b *buffers) close() error {
	var errs []error
	for _, m := range b.maps {
		errs = append(errs, unix.Munmap(m))
	}
	return errors.Join(errs...)
}
