package main

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"time"
)

// allowRemote is what load and ab say of their flag.
const allowRemote = "load a host other than this one; be sure that it is yours"

// dialPatience is how long the addresses of a name are tried.
const dialPatience = 5 * time.Second

// locate returns the address to load. Of several that a name has it is the
// first that accepts a connection, else the first. Addresses of other hosts are
// refused unless remote.
func locate(ctx context.Context, host string, port uint16, remote bool) (netip.AddrPort, error) {
	addrs, err := addresses(ctx, host)
	if err != nil {
		return netip.AddrPort{}, usageError("%s cannot be resolved: %v", host, err)
	}
	for _, a := range addrs {
		if !a.IsLoopback() && !remote {
			return netip.AddrPort{}, usageError("%s (%s) is no loopback address: between hosts the network is measured too, and a load on a host of others is an attack; if it is yours, give --allow-remote", host, a)
		}
	}
	if len(addrs) > 1 {
		if a, ok := accepting(ctx, host, port); ok {
			return a, nil
		}
	}
	return netip.AddrPortFrom(addrs[0], port), nil
}

// addresses returns at least one address of host.
func addresses(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a.Unmap()}, nil
	}
	addrs, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err == nil && len(addrs) == 0 {
		err = fmt.Errorf("it has no address")
	}
	for i := range addrs {
		addrs[i] = addrs[i].Unmap()
	}
	return addrs, err
}

func accepting(ctx context.Context, host string, port uint16) (netip.AddrPort, bool) {
	d := net.Dialer{Timeout: dialPatience}
	conn, err := d.DialContext(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(int(port))))
	if err != nil {
		return netip.AddrPort{}, false
	}
	defer conn.Close()
	a, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	return netip.AddrPortFrom(a.Addr().Unmap(), a.Port()), err == nil
}
