package orchestrator

import (
	"testing"

	"dyno/orchestrator/host"
)

// Guards that a server's memory is not that which the container runtime took to
// start it: 9.3 MiB where nginx has 3, on cgroup v2 and overlay2.
func TestPeakMemory(t *testing.T) {
	const runtime, idle, loaded, grown = 9_719_808, 2_867_200, 3_108_864, 91_369_472
	sample := func(current, mark int64) host.Sample {
		return host.Sample{Groups: map[string]host.CgroupReading{"web": {Memory: host.Memory{Current: &current, Peak: &mark}}}}
	}
	unknown := host.Sample{Groups: map[string]host.CgroupReading{}}
	markless := host.Sample{Groups: map[string]host.CgroupReading{"web": {Memory: host.Memory{Current: new(int64(loaded))}}}}
	for name, test := range map[string]struct {
		made    *int64
		samples []host.Sample
		want    *int64
	}{
		"the runtime's mark":                 {new(int64(runtime)), []host.Sample{unknown, sample(idle, runtime), sample(loaded, runtime), sample(idle, runtime)}, new(int64(loaded))},
		"the server's mark, between samples": {new(int64(runtime)), []host.Sample{sample(idle, runtime), sample(loaded, grown)}, new(int64(grown))},
		"no mark":                            {nil, []host.Sample{markless, markless}, new(int64(loaded))},
		"gone at the end":                    {new(int64(runtime)), []host.Sample{sample(idle, runtime), unknown}, nil},
		"a mark that was not read before":    {nil, []host.Sample{sample(idle, runtime)}, new(int64(runtime))},
	} {
		got := peakMemory("web", test.samples, test.made)
		if (got == nil) != (test.want == nil) || got != nil && *got != *test.want {
			t.Errorf("%s: %v, want %v", name, told(got), told(test.want))
		}
	}
}

func told(n *int64) any {
	if n == nil {
		return "unknown"
	}
	return *n
}
