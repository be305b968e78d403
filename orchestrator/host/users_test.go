package host

import (
	"os"
	"testing"
)

func TestEffectiveUser(t *testing.T) {
	for text, want := range map[string]int64{
		"Name:\tx\nUid:\t0\t10001\t0\t0\nGid:\t1\t2\t3\t4\n": 10001,
		"Uid:\t33\t0\t33\t33\n":                              0,
		"Name:\tx\nGid:\t1\t2\t3\t4\n":                       -1,
		"":                                                   -1,
	} {
		got, ok := effectiveUser(text)
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("%q is of user %d, want %d", text, got, want)
		}
	}
}

// This very process is of its own user.
func TestOwnUser(t *testing.T) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	if user, ok := effectiveUser(string(status)); !ok || user != int64(os.Geteuid()) {
		t.Errorf("user %d, %t, want %d", user, ok, os.Geteuid())
	}
}
