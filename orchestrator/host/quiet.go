package host

import (
	"context"
	"fmt"
	"time"
)

// IdleCPU watches the machine for d and returns the shares of all its CPUs, from
// 0 to 1, that were busy here and that the hypervisor gave away. The kernel
// counts in ticks of 10 ms: below 100 ms the shares are coarse, and no tick at
// all is an error, as are a cancelled context and CPU times that cannot be read.
func IdleCPU(ctx context.Context, d time.Duration) (busy, steal float64, err error) {
	return here().idleCPU(ctx, d)
}

func (m machine) idleCPU(ctx context.Context, d time.Duration) (busy, steal float64, err error) {
	before, err := m.read(ctx)
	if err != nil {
		return 0, 0, err
	}
	select {
	case <-time.After(d):
	case <-ctx.Done():
		return 0, 0, fmt.Errorf("watching for an idle machine: %w", context.Cause(ctx))
	}
	after, err := m.read(ctx)
	if err != nil {
		return 0, 0, err
	}
	shares, ok := after.CPU.Sub(before.CPU).Shares()
	if !ok {
		return 0, 0, fmt.Errorf("watching for an idle machine: no tick of the kernel's CPU clock in %v", d)
	}
	return shares.Busy(), shares.Steal, nil
}
