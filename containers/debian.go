package containers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"github.com/moby/moby/client"
)

// errNoRegistry is a pull that got no answer in time.
var errNoRegistry = errors.New("no registry answered in time")

// pullPatience is how long a registry may stay silent before it counts as absent.
const pullPatience = 20 * time.Second

// pull gets an image from its registry when it is not present. A registry that
// does not answer is errNoRegistry, or what the daemon said of it.
func (d *Driver) pull(ctx context.Context, ref string) error {
	if ok, err := d.present(ctx, ref); ok || err != nil {
		return err
	}
	d.note("pulling " + ref)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silence := time.AfterFunc(pullPatience, func() { cancel(errNoRegistry) })
	defer silence.Stop()
	pull, err := d.docker.ImagePull(ctx, ref, client.ImagePullOptions{})
	if err != nil {
		return cause(ctx, err)
	}
	defer pull.Close()
	for message, err := range pull.JSONMessages(ctx) {
		if err != nil {
			return cause(ctx, err)
		}
		if message.Error != nil {
			return message.Error
		}
		silence.Reset(pullPatience)
	}
	return nil
}

// cause returns why a context ended, if it did, else err.
func cause(ctx context.Context, err error) error {
	if c := context.Cause(ctx); c != nil {
		return c
	}
	return err
}

// debian returns a reference to the minimal image of a Debian suite: the
// published one if it is present, the one bootstrapped earlier, the published
// one from a registry, or one that is bootstrapped now from Debian's packages. One
// that is only asked for is not made.
func (d *Driver) debian(ctx context.Context, suite string, asked bool) (string, error) {
	published, own := "debian:"+suite+"-slim", "dyno/debian:"+suite
	for _, ref := range []string{published, own} {
		if ok, err := d.present(ctx, ref); ok || err != nil {
			return ref, err
		}
	}
	if asked {
		return own, nil
	}
	refusal := d.pull(ctx, published)
	if refusal == nil {
		return published, nil
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err := d.bootstrap(ctx, suite, own); err != nil {
		return "", fmt.Errorf("getting %s: not present, not pulled (%w), not bootstrapped: %w", published, refusal, err)
	}
	return own, nil
}

// unwanted are the paths that the published slim images leave out as well.
var unwanted = []string{"doc/*", "man/*", "info/*", "locale/*", "groff/*", "lintian/*", "linda/*"}

// bootstrap makes an image of a suite with mmdebstrap and its default mirrors.
func (d *Driver) bootstrap(ctx context.Context, suite, ref string) error {
	tool, err := exec.LookPath("mmdebstrap")
	if err != nil {
		return errors.New("mmdebstrap is not installed; install it (apt-get install mmdebstrap) or load an image (docker load)")
	}
	d.note("bootstrapping Debian " + suite + " (one to three minutes, once)")
	log, err := d.openLog(ref)
	if err != nil {
		return err
	}
	defer log.Close()
	args := []string{"--variant=minbase"}
	for _, path := range unwanted {
		args = append(args, "--dpkgopt=path-exclude=/usr/share/"+path)
	}
	cmd := exec.CommandContext(ctx, tool, append(args, suite, "-")...)
	var tail tailBuffer
	cmd.Stderr = io.MultiWriter(log, &tail)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // it removes its temporary folder
	cmd.WaitDelay = 10 * time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	err = d.importFrom(ctx, cmd, ref)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("mmdebstrap: %w\n%s\nthe whole log: %s", err, tail.String(), log.Name())
	}
	return nil
}

// importFrom runs a command that writes a root filesystem as a tar, and makes an image of it.
func (d *Driver) importFrom(ctx context.Context, cmd *exec.Cmd, ref string) error {
	// Pdeathsig is sent when the thread ends that started the child.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	// The tar goes through a file: an import of half a tar would succeed and be tagged.
	tar, err := os.CreateTemp(d.logs, "*.tar")
	if err != nil {
		return err
	}
	defer tar.Close()
	if err := os.Remove(tar.Name()); err != nil { // the open file is enough, and ends with the process
		return err
	}
	cmd.Stdout = tar
	if err := cmd.Run(); err != nil {
		return err
	}
	if _, err := tar.Seek(0, io.SeekStart); err != nil {
		return err
	}
	done, err := d.docker.ImageImport(ctx, client.ImageImportSource{Source: tar, SourceName: "-"}, ref, client.ImageImportOptions{})
	if err != nil {
		return fmt.Errorf("importing: %w", err)
	}
	defer done.Close()
	said, err := io.ReadAll(done)
	if err != nil {
		return fmt.Errorf("importing: %w", err)
	}
	if ok, err := d.present(ctx, ref); err != nil || !ok {
		return errors.Join(fmt.Errorf("importing: the daemon said %s", said), err)
	}
	return nil
}
