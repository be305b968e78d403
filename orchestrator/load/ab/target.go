package ab

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// A Target is what a URL names.
type Target struct {
	URL  string // as given
	Host string // name or address, without brackets
	Port uint16
	Path string // from the first slash on
}

// ParseTarget reads [http://]host[:port]/path. The error says what is wrong
// with it; https is refused.
func ParseTarget(url string) (Target, error) {
	t := Target{URL: url, Port: 80}
	rest := strings.TrimPrefix(url, "http://")
	if scheme, _, ok := strings.Cut(rest, "://"); ok && !strings.Contains(scheme, "/") {
		if strings.EqualFold(scheme, "https") {
			return t, errTLS
		}
		return t, fmt.Errorf("URL %q: the scheme is not http", url)
	}
	slash := strings.IndexByte(rest, '/')
	if slash < 0 {
		return t, fmt.Errorf("URL %q has no path: end it with a slash", url)
	}
	t.Path = rest[slash:]
	if i := strings.IndexFunc(t.Path, func(r rune) bool { return r <= ' ' || r == 0x7f }); i >= 0 {
		return t, fmt.Errorf("URL %q: white space and control characters must be escaped, as %%20", url)
	}
	if err := t.setAuthority(rest[:slash]); err != nil {
		return t, fmt.Errorf("URL %q: %w", url, err)
	}
	return t, nil
}

// setAuthority takes host[:port].
func (t *Target) setAuthority(text string) error {
	host, port := text, ""
	if colon := strings.LastIndexByte(text, ':'); colon > strings.LastIndexByte(text, ']') {
		host, port = text[:colon], text[colon+1:]
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 {
			return fmt.Errorf("port %q is not one of 1 to 65535", port)
		}
		t.Port = uint16(n)
	}
	if inner, ok := strings.CutPrefix(host, "["); ok {
		addr, err := netip.ParseAddr(strings.TrimSuffix(inner, "]"))
		if err != nil || !addr.Is6() || addr.Zone() != "" || !strings.HasSuffix(host, "]") {
			return fmt.Errorf("%q is not an IPv6 address in brackets", host)
		}
		t.Host = inner[:len(inner)-1]
		return nil
	}
	if host == "" || strings.ContainsAny(host, "[]:@?# \t\r\n") {
		return fmt.Errorf("%q is not a host", host)
	}
	t.Host = host
	return nil
}

// Authority returns the value of the Host header: the port is left out if it is 80.
func (t Target) Authority() string {
	host := t.Host
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if t.Port != 80 {
		host += ":" + strconv.Itoa(int(t.Port))
	}
	return host
}
