package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"testing"
)

// Names and all addresses of the loopback can be loaded.
func TestLoadAddresses(t *testing.T) {
	for host, listen := range map[string]string{"localhost": "127.0.0.1", "127.0.0.7": "127.0.0.7", "[::1]": "[::1]"} {
		t.Run(host, func(t *testing.T) {
			l, err := net.Listen("tcp", listen+":0")
			if err != nil {
				t.Skipf("this host has no %s: %v", listen, err)
			}
			port := l.Addr().(*net.TCPAddr).Port
			l.Close()
			server := serveScriptAt(t, fmt.Sprintf("%s:%d", listen, port), always(hello11, keeps))
			if got := runOurs(t, "load", fmt.Sprintf("%s:%d", host, port), "-n", "5"); got.code != 0 {
				t.Errorf("%+v", got)
			}
			if n := len(server.forget()); n != 6 {
				t.Errorf("the server saw %d requests, want 5 and one beforehand", n)
			}
			if got := runOurs(t, "ab", "-kn", "5", fmt.Sprintf("%s:%d/", host, port)); got.code != 0 {
				t.Errorf("%+v", got)
			}
		})
	}
}

// Of several addresses it is the first that accepts, else the first.
func TestAccepting(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Fatal(err)
	}
	open := netip.MustParseAddrPort(l.Addr().String())
	addrs := []netip.Addr{netip.MustParseAddr("127.0.0.3"), open.Addr()}
	if got := accepting(t.Context(), addrs, open.Port()); got != open {
		t.Errorf("%v, want %v", got, open)
	}
	l.Close()
	if got, want := accepting(t.Context(), addrs, open.Port()), netip.AddrPortFrom(addrs[0], open.Port()); got != want {
		t.Errorf("%v where nobody listens, want %v", got, want)
	}
}

func TestLocate(t *testing.T) {
	remote := netip.MustParseAddrPort("192.0.2.1:80")
	if got, err := locate(t.Context(), "192.0.2.1", 80, true); got != remote || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	for _, host := range []string{"192.0.2.1", "::ffff:192.0.2.1", "2001:db8::1", "0.0.0.0"} {
		if _, err := locate(t.Context(), host, 80, false); exitCode(err) != exitUsage {
			t.Errorf("%s: %v", host, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := locate(ctx, "no.such.name.invalid", 80, false); !errors.Is(err, context.Canceled) || exitCode(err) == exitUsage {
		t.Errorf("interrupted while resolving: %v", err)
	}
	if got, err := locate(t.Context(), "::ffff:127.0.0.1", 80, false); got != netip.MustParseAddrPort("127.0.0.1:80") || err != nil {
		t.Errorf("%v, %v", got, err)
	}
}
