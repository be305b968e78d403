package load

import (
	"encoding/binary"
	"net/netip"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A sockaddr is an address as connect takes it: an IPv4 one, when inet4, laid
// over the first bytes of raw.
type sockaddr struct {
	raw   unix.RawSockaddrInet6
	inet4 bool
}

func newSockaddr(a netip.AddrPort) *sockaddr {
	var s sockaddr
	port := binary.NativeEndian.Uint16(binary.BigEndian.AppendUint16(nil, a.Port()))
	ip := a.Addr().Unmap()
	if s.inet4 = ip.Is4(); s.inet4 {
		*(*unix.RawSockaddrInet4)(unsafe.Pointer(&s.raw)) = unix.RawSockaddrInet4{Family: unix.AF_INET, Port: port, Addr: ip.As4()}
	} else {
		s.raw = unix.RawSockaddrInet6{Family: unix.AF_INET6, Port: port, Addr: ip.As16()}
	}
	return &s
}

func (s *sockaddr) family() uintptr { return uintptr(s.raw.Family) }

func (s *sockaddr) size() uintptr {
	if s.inet4 {
		return unix.SizeofSockaddrInet4
	}
	return unix.SizeofSockaddrInet6
}
