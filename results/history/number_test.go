package history

import (
	"math"
	"testing"
)

// Units and thousands are those of the tools: times by 1000 and 60, bytes by
// 1024, counts by 1000.
func TestNumbers(t *testing.T) {
	none := math.NaN()
	for _, c := range []struct {
		name, text   string
		read         func(string) *num
		value, digit float64
	}{
		{"figure", "14578.28 [#/sec] (mean)", figure, 14578.28, 0.01},
		{"figure", "1,234,567.5", figure, 1234567.5, 0.1},
		{"figure", "48257", figure, 48257, 1},
		{"figure", "12,34", figure, none, 0},
		{"figure", "12x", figure, none, 0},
		{"figure", "-5", figure, none, 0},
		{"figure", "nan", figure, none, 0},
		{"figure", "inf [#/sec]", figure, none, 0},
		{"figure", "9999999999999999999999", figure, none, 0},
		{"figure", "2.627|2.656", figure, none, 0},

		{"duration", "635.91us", duration, 635.91, 0.01},
		{"duration", "635.91µs", duration, 635.91, 0.01},
		{"duration", "0.89ms", duration, 890, 10},
		{"duration", "1.02s", duration, 1_020_000, 10_000},
		{"duration", "1.10m", duration, 66_000_000, 600_000},
		{"duration", "2.00h", duration, 7_200_000_000, 36_000_000},
		{"duration", "0.0006 secs", duration, 600, 100},
		{"duration", "8.2050 secs.", duration, 8_205_000, 100},
		{"duration", "5", duration, none, 0},
		{"duration", "5 apples", duration, none, 0},
		{"duration", "999999999999999h", duration, none, 0},
		{"seconds", "30.00s", seconds, 30, 0.01},
		{"seconds", "2m", seconds, 120, 60},

		{"size", "17.76GB", size, 17.76 * 1024 * 1024 * 1024, 0.01 * 1024 * 1024 * 1024},
		{"size", "135.31KB", size, 135.31 * 1024, 0.01 * 1024},
		{"size", "2.00MB", size, 2 * 1024 * 1024, 0.01 * 1024 * 1024},
		{"size", "0B", size, 0, 1},
		{"size", "512", size, 512, 1},
		{"size", "11425 kbytes", size, 11425 * 1024, 1024},
		{"size", "3 bytes", size, 3, 1},
		{"size", "1.5 KiB", size, 1.5 * 1024, 0.1 * 1024},
		{"size", "1KMB", size, none, 0},
		{"size", "1XB", size, none, 0},

		{"metric", "1.2k", metric, 1200, 100},
		{"metric", "56.20k", metric, 56_200, 10},
		{"metric", "1M", metric, 1_000_000, 1_000_000},
		{"metric", "2000", metric, 2000, 1},
		{"metric", "2q", metric, none, 0},
	} {
		got := c.read(c.text)
		switch {
		case got == nil && math.IsNaN(c.value):
		case got == nil || math.IsNaN(c.value):
			t.Errorf("%s %q is %v, want %v", c.name, c.text, got, c.value)
		case math.Abs(got.value-c.value) > 1e-9*c.value || math.Abs(got.digit-c.digit) > 1e-9*c.digit:
			t.Errorf("%s %q is %v, its last digit %v, want %v and %v", c.name, c.text, got.value, got.digit, c.value, c.digit)
		}
	}
	if n := duration("0.0006 secs"); n.value != 600 {
		t.Errorf("0.0006 s are %v µs", n.value)
	}
}

func TestWhole(t *testing.T) {
	for text, want := range map[string]int64{"100000": 100000, "5000.00": 5000, "1,000,000 requests": 1000000, "1.5": -1, "x": -1, "": -1} {
		if got := known(whole(text)); got != want {
			t.Errorf("%q is %d, want %d", text, got, want)
		}
	}
}

func TestMilliseconds(t *testing.T) {
	for n, want := range map[num]string{
		{6000, 1000}: "6 ms", {0, 1000}: "below 1 ms", {0, 100}: "below 0.1 ms",
		{694.72, 0.01}: "0.695 ms", {66_000_000, 600_000}: "66,000 ms",
	} {
		if got := n.ms(); got != want {
			t.Errorf("%v is %q, want %q", n, got, want)
		}
	}
}
