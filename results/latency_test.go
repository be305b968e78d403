package results

import (
	"math"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// latencies is a trial whose right answers took these times, in nanoseconds.
func latencies(t *testing.T, values ...int64) Trial {
	t.Helper()
	h := hdrhistogram.New(1, 60e9, 3)
	for _, v := range values {
		if err := h.RecordValue(v); err != nil {
			t.Fatal(err)
		}
	}
	text, err := h.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	if err != nil {
		t.Fatal(err)
	}
	return Trial{Load: &Load{ElapsedS: 1, OK: int64(len(values)), Latency: &Distribution{Count: int64(len(values)), HDR: string(text)}}}
}

// Quantiles are those of all trials together, and end where too few answers are
// left beyond them.
func TestLatencyOfTrialsTogether(t *testing.T) {
	var fast, slow []int64
	for i := range int64(500) {
		fast, slow = append(fast, 1000*(1+i)), append(slow, 1000*(501+i))
	}
	all := latencyOf([]Trial{latencies(t, fast...), latencies(t, slow...), {}})
	if last := all[len(all)-1].Share; math.Abs(last-0.99) > 1e-9 {
		t.Errorf("the last of 1,000 answers' quantiles is %v, want 0.99: ten are beyond it", last)
	}
	for i, q := range all {
		if want := math.Max(1, 1000*q.Share); math.Abs(q.US/want-1) > 0.01 {
			t.Errorf("quantile %v is %v µs, want %v", q.Share, q.US, want)
		}
		if i > 0 && (q.Share <= all[i-1].Share || q.US < all[i-1].US) {
			t.Errorf("quantiles do not rise: %+v after %+v", q, all[i-1])
		}
	}
}

// What cannot be read makes all of it unknown: a part would be another
// distribution.
func TestLatencyUnknown(t *testing.T) {
	good, bad := latencies(t, make([]int64, 100)...), latencies(t, make([]int64, 100)...)
	bad.Load.Latency.HDR = "nonsense"
	without := Trial{Load: &Load{ElapsedS: 1, OK: 100}}
	for name, trials := range map[string][]Trial{"none": nil, "not measured": {{}}, "one unreadable": {good, bad}, "one without": {good, without}} {
		if got := latencyOf(trials); got != nil {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := latencyOf([]Trial{latencies(t, 1000)}); got != nil {
		t.Errorf("one answer has quantiles: %v", got)
	}
}
