package host

import (
	"os"
	"testing"
	"time"
)

// A process that works for a while is seen to have used as much.
func TestProcessCPU(t *testing.T) {
	before, err := ProcessCPU(os.Getpid())
	if err != nil {
		t.Skipf("this kernel does not tell: %v", err)
	}
	for began, n := time.Now(), 0; time.Since(began) < 200*time.Millisecond; n++ {
	}
	after, err := ProcessCPU(os.Getpid())
	// A busy machine may have given it less than all of that time.
	if used := after - before; err != nil || used < 5*time.Millisecond || used > 2*time.Second {
		t.Errorf("used %v in 200 ms (%v)", used, err)
	}
	if _, err := ProcessCPU(1 << 30); err == nil {
		t.Error("a process that there is not has used CPU")
	}
}
