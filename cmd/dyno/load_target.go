package main

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"time"
)

// allowRemote is what load and ab say of their flag.
const allowRemote = "load a host other than this one; be sure that it is yours"

// dialPatience is how long the addresses of a name are tried, all together.
const dialPatience = 5 * time.Second

// locate returns the address to load. Of several that a name has it is the
// first that accepts a connection, else the first. Addresses of other hosts are
// refused unless remote.
func locate(ctx context.Context, host string, port uint16, remote bool) (netip.AddrPort, error) {
	addrs, err := allowed(ctx, host, remote)
	if err != nil {
		return netip.AddrPort{}, err
	}
	at := accepting(ctx, addrs, port)
	return at, ctx.Err()
}

// allowed returns the addresses of host, at least one, and refuses those of
// other hosts unless remote. A name may resolve otherwise the next time, so that
// only what is returned here may be connected to.
func allowed(ctx context.Context, host string, remote bool) ([]netip.Addr, error) {
	addrs, err := addresses(ctx, host)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, usageError("%s cannot be resolved: %v", host, err)
	}
	for _, a := range addrs {
		if !a.IsLoopback() && !remote {
			return nil, usageError("%s (%s) is no loopback address: between hosts the network is measured too, and a load on a host of others is an attack; if it is yours, give --allow-remote", host, a)
		}
	}
	return addrs, nil
}

// addresses returns at least one address of host.
func addresses(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a.Unmap()}, nil
	}
	addrs, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err == nil && len(addrs) == 0 {
		err = errors.New("it has no address")
	}
	for i := range addrs {
		addrs[i] = addrs[i].Unmap()
	}
	return addrs, err
}

// accepting returns the first of several addresses that accepts a connection,
// else the first.
func accepting(ctx context.Context, addrs []netip.Addr, port uint16) netip.AddrPort {
	first := netip.AddrPortFrom(addrs[0], port)
	if len(addrs) == 1 {
		return first
	}
	d := net.Dialer{Timeout: dialPatience / time.Duration(len(addrs))}
	for _, a := range addrs {
		at := netip.AddrPortFrom(a, port)
		if conn, err := d.DialContext(ctx, "tcp", at.String()); err == nil {
			conn.Close()
			return at
		}
	}
	return first
}
