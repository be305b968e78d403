package load

import (
	"net/netip"
	"os"
	"os/exec"
	"testing"
	"time"
)

// A wait of any length ends with the next pulse, and there is always a next one.
func TestPulseGoesOn(t *testing.T) {
	p, err := newEpoll(netip.MustParseAddrPort("127.0.0.1:1"), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	pulses := 0
	for end := time.Now().Add(5 * time.Second); pulses < 5 && time.Now().Before(end); {
		if err := p.wait(time.Hour, 1, 0); err != nil {
			t.Fatal(err)
		}
		pulses += p.n // there is nothing else to report
		if p.next(&event{}) {
			t.Fatal("a pulse was reported as an event")
		}
	}
	if pulses < 5 || p.effort.wakeups != 0 {
		t.Errorf("%d pulses, %d of them counted as wake-ups; want 5 and none", pulses, p.effort.wakeups)
	}
}

// No wait may depend on the signal by which Go's scheduler interrupts threads.
func TestNoAnswerTimesOutWithoutPreemption(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestNoAnswerTimesOut$", "-test.timeout=20s")
	cmd.Env = append(os.Environ(), "GODEBUG=asyncpreemptoff=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v:\n%s", err, out[:min(len(out), 2000)])
	}
}
