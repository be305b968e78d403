package main

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// body is what the server answers.
const body = "hello dyno world\n"

const nginxConf = `daemon off;
master_process off;
worker_processes 1;
pid %[1]s/pid;
error_log stderr crit;
events { worker_connections 4096; }
http {
	access_log off;
	keepalive_requests 1000000000;
	server {
		listen %[2]s backlog=4096 reuseport;
		root %[1]s/www;
	}
}
`

// An nginx is a server of one small file.
type nginx struct {
	addr netip.AddrPort
	dir  string
	cmd  *exec.Cmd
}

// startNginx starts nginx with one worker on one processor, and waits until it
// listens.
func startNginx(cpu int) (n *nginx, err error) {
	n = &nginx{}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("starting nginx: %w", err), n.stop())
		}
	}()
	if n.addr, err = freePort(); err != nil {
		return nil, err
	}
	if n.dir, err = os.MkdirTemp("", "dyno-bench-nginx"); err != nil {
		return n, err
	}
	if err := os.Chmod(n.dir, 0o755); err != nil {
		return n, err
	}
	conf := filepath.Join(n.dir, "nginx.conf")
	if err := os.Mkdir(filepath.Join(n.dir, "www"), 0o755); err != nil {
		return n, err
	}
	if err := os.WriteFile(filepath.Join(n.dir, "www", "index.html"), []byte(body), 0o644); err != nil {
		return n, err
	}
	if err := os.WriteFile(conf, fmt.Appendf(nil, nginxConf, n.dir, n.addr), 0o644); err != nil {
		return n, err
	}
	n.cmd = exec.Command("taskset", "-c", fmt.Sprint(cpu), "nginx", "-p", n.dir, "-c", conf)
	n.cmd.Stderr = os.Stderr
	if err := n.cmd.Start(); err != nil {
		n.cmd = nil
		return n, err
	}
	return n, n.await()
}

func (n *nginx) await() error {
	for range 100 {
		if c, err := net.Dial("tcp", n.addr.String()); err == nil {
			return c.Close()
		}
		time.Sleep(20 * time.Millisecond)
	}
	return errors.New("it does not listen")
}

// stop ends the server that this program started.
func (n *nginx) stop() error {
	if n.cmd != nil {
		n.cmd.Process.Kill()
		n.cmd.Wait()
	}
	return os.RemoveAll(n.dir)
}

func freePort() (netip.AddrPort, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return netip.AddrPort{}, err
	}
	defer l.Close()
	return netip.ParseAddrPort(l.Addr().String())
}
