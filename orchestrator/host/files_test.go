package host

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

func TestOpenFiles(t *testing.T) {
	for text, want := range map[string]int64{
		"Limit                     Soft Limit           Hard Limit           Units     \nMax open files            1024                 524288               files     \n": 1024,
		"Max open files            unlimited            unlimited            files     \n":                                                                                 -1,
		"Max open files": -1,
		"Max processes             7   7  processes": -1,
	} {
		got, ok := openFiles(text)
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("%q allows %d, want %d", text, got, want)
		}
	}
}

// This very process has the limit that the kernel says it has.
func TestOwnOpenFiles(t *testing.T) {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if got, err := OpenFiles(os.Getpid()); err != nil || got != int64(limit.Cur) {
		t.Errorf("%d, %v, want %d", got, err, limit.Cur)
	}
}
