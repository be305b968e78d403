package orchestrator

import "dyno/orchestrator/host"

// meanMemory is the mean of what a container held in the samples; nil where no
// sample knows.
func meanMemory(name string, samples []host.Sample) *int64 {
	var sum, n int64
	for _, s := range samples {
		if b := s.Groups[name].Memory.Current; b != nil {
			sum, n = sum+*b, n+1
		}
	}
	if n == 0 {
		return nil
	}
	return new(sum / n)
}

// peakMemory is the most that a container held until the last of the samples; nil
// where that one knows nothing. The kernel's mark counts from the making of the
// group, in which the container runtime first runs itself and takes more than a small
// server ever does. So a mark that is not above made, where it stood when the samples
// began, is not the server's, whose own is the highest of the samples: a peak that
// all of them miss is below made. A kernel without a mark, as Linux was on cgroup v2
// before 5.19, leaves the samples too.
func peakMemory(name string, samples []host.Sample, made *int64) (peak *int64) {
	last := samples[len(samples)-1].Groups[name].Memory
	switch {
	case last.Peak == nil && last.Current == nil:
		return nil
	case last.Peak != nil && (made == nil || *last.Peak > *made):
		return last.Peak
	}
	for _, s := range samples {
		if b := s.Groups[name].Memory.Current; b != nil && (peak == nil || *b > *peak) {
			peak = b
		}
	}
	return peak
}
