package orchestrator

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestLockNamesItsHolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, err := Acquire(t.Context(), path, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Sign(Holder{Run: "first", PID: 7, Started: time.Now()}); err != nil {
		t.Fatal(err)
	}
	_, err = Acquire(t.Context(), path, false, nil)
	busy, ok := errors.AsType[*BusyError](err)
	if !ok || busy.Holder.Run != "first" || busy.Holder.PID != 7 || !strings.Contains(err.Error(), "run first (process 7,") {
		t.Fatalf("a second run gets %v", err)
	}
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	second, err := Acquire(t.Context(), path, false, nil)
	if err != nil {
		t.Fatalf("after its release: %v", err)
	}
	defer second.Release()
	if err := second.Sign(Holder{Run: "second"}); err != nil {
		t.Fatal(err)
	}
	if _, err = Acquire(t.Context(), path, false, nil); !strings.Contains(err.Error(), "run second") {
		t.Errorf("a third run gets %v", err)
	}
}

func TestWaitingForTheLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, err := Acquire(t.Context(), path, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Sign(Holder{Run: "first"}); err != nil {
		t.Fatal(err)
	}
	var waitedFor []string
	second, err := Acquire(t.Context(), path, true, func(h Holder) {
		waitedFor = append(waitedFor, h.Run)
		first.Release()
	})
	if err != nil || len(waitedFor) != 1 || waitedFor[0] != "first" {
		t.Fatalf("waited for %v: %v", waitedFor, err)
	}
	defer second.Release()
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := Acquire(ctx, path, true, func(Holder) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("a wait that is ended returns %v", err)
	}
}

// Who gave up waiting may get the lock after all, and then gives it up at once.
func TestWaiterThatGaveUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, err := Acquire(t.Context(), path, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := Acquire(ctx, path, true, func(Holder) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Fatalf("a wait that is ended returns %v", err)
	}
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	next, err := Acquire(ctx, path, true, func(Holder) {})
	if err != nil {
		t.Fatalf("the lock stays with whom nobody waits for: %v", err)
	}
	next.Release()
}

// The watchdog inherits the lock: until it has cleaned up no other run starts.
func TestLockOutlivesItsProcessInItsChild(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	lock, err := Acquire(t.Context(), path, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command("cat")
	child.ExtraFiles = []*os.File{lock.file}
	pipe, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lock.Release()
	if _, err := Acquire(t.Context(), path, false, nil); err == nil {
		t.Error("the lock is free while the child lives")
	}
	pipe.Close()
	child.Wait()
	again, err := Acquire(t.Context(), path, false, nil)
	if err != nil {
		t.Fatalf("the lock is held after the child ended: %v", err)
	}
	again.Release()
}

// A sweeps is what each further look finds, -1 being a daemon that does not
// answer; the last counts for all later ones.
type sweeps struct {
	found []int
	looks int
}

func (s *sweeps) Sweep(context.Context) (int, error) {
	return s.found[min(s.looks, len(s.found))-1], nil
}

func (s *sweeps) connect(context.Context) (Sweeper, error) {
	s.looks++
	if s.found[min(s.looks, len(s.found))-1] < 0 {
		return nil, errors.New("no daemon answers")
	}
	return s, nil
}

func TestWatchdogLooksOnceAfterAnOrderlyEnd(t *testing.T) {
	s := &sweeps{found: []int{0}}
	var out strings.Builder
	if err := Watch(t.Context(), strings.NewReader(orderly), &out, s.connect); err != nil || s.looks != 1 || out.String() != awake {
		t.Errorf("%d looks, %v, it said %q; want one, and %q", s.looks, err, &out, awake)
	}
}

// What a dying run asked Docker for may appear late, and Docker may be away just then.
func TestWatchdogKeepsLookingAfterADeath(t *testing.T) {
	s := &sweeps{found: []int{-1, 2, 0, 1, 0}}
	if err := Watch(t.Context(), strings.NewReader(""), io.Discard, s.connect); err != nil || s.looks < 6 {
		t.Errorf("%d looks, %v; want it to go on past the fourth, which found one more", s.looks, err)
	}
}
