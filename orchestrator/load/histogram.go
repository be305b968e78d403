package load

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// highest is the longest duration that a [Histogram] tells from longer ones.
const highest = time.Hour

// A Histogram is a distribution of durations: counts of nanoseconds at three
// significant digits up to one hour, beside the exact smallest, largest, sum
// and number. Longer durations count as one hour in the quantiles, and as they
// are in Max and Sum.
type Histogram struct {
	hdr      *hdrhistogram.Histogram
	min, max time.Duration
	sum      time.Duration
}

// NewHistogram returns an empty Histogram. It takes about 270 KB.
func NewHistogram() *Histogram {
	return &Histogram{hdr: hdrhistogram.New(1, int64(highest), 3), min: math.MaxInt64}
}

// Record counts one duration; one below zero counts as zero.
func (h *Histogram) Record(d time.Duration) {
	d = max(d, 0)
	h.hdr.RecordValue(int64(min(d, highest))) // cannot fail within 0 and highest
	h.min, h.max = min(h.min, d), max(h.max, d)
	h.sum += d
}

// Merge adds all that o holds.
func (h *Histogram) Merge(o *Histogram) {
	h.hdr.Merge(o.hdr) // drops nothing: every Histogram has the same range
	h.min, h.max = min(h.min, o.min), max(h.max, o.max)
	h.sum += o.sum
}

// Count returns how many durations are held.
func (h *Histogram) Count() int64 { return h.hdr.TotalCount() }

// Sum returns the exact sum of all.
func (h *Histogram) Sum() time.Duration { return h.sum }

// Max returns the exact largest, 0 if there is none.
func (h *Histogram) Max() time.Duration { return h.max }

// Min returns the exact smallest, 0 if there is none.
func (h *Histogram) Min() time.Duration {
	if h.Count() == 0 {
		return 0
	}
	return h.min
}

// Mean returns the exact mean, 0 if there is none.
func (h *Histogram) Mean() time.Duration {
	if n := h.Count(); n > 0 {
		return h.sum / time.Duration(n)
	}
	return 0
}

// Quantile returns the duration that a share q, 0 to 1, does not exceed, within
// 0.1 %; 0 if there is none.
func (h *Histogram) Quantile(q float64) time.Duration {
	v := time.Duration(h.hdr.ValueAtQuantile(q * 100))
	return min(max(v, h.Min()), h.max)
}

// Encode returns the counts in HdrHistogram's V2 form, compressed and in
// base64. The exact figures are not in it; [Histogram.MarshalJSON] keeps them.
func (h *Histogram) Encode() (string, error) {
	b, err := h.hdr.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	if err != nil {
		return "", fmt.Errorf("encoding a histogram: %w", err)
	}
	return string(b), nil
}

// Decode reads what [Histogram.Encode] returned. Smallest, largest and sum are
// then those of the counts, within 0.1 %.
func Decode(s string) (*Histogram, error) {
	hdr, err := hdrhistogram.Decode([]byte(s))
	if err != nil {
		return nil, fmt.Errorf("decoding a histogram: %w", err)
	}
	h := NewHistogram()
	if n := h.hdr.Merge(hdr); n > 0 {
		return nil, fmt.Errorf("decoding a histogram: %d values above %v", n, highest)
	}
	if hdr.TotalCount() > 0 {
		h.min, h.max = time.Duration(hdr.Min()), time.Duration(hdr.Max())
	}
	h.sum = time.Duration(hdr.Mean() * float64(hdr.TotalCount()))
	return h, nil
}

// histogramJSON is a Histogram on its way to another process.
type histogramJSON struct {
	Counts string        `json:"hdr"`
	Min    time.Duration `json:"min_ns"`
	Max    time.Duration `json:"max_ns"`
	Sum    time.Duration `json:"sum_ns"`
	Count  int64         `json:"count"`
}

// MarshalJSON keeps the counts and the exact figures.
func (h *Histogram) MarshalJSON() ([]byte, error) {
	counts, err := h.Encode()
	if err != nil {
		return nil, err
	}
	return json.Marshal(histogramJSON{counts, h.Min(), h.max, h.sum, h.Count()})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (h *Histogram) UnmarshalJSON(b []byte) error {
	var j histogramJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return fmt.Errorf("reading a histogram: %w", err)
	}
	d, err := Decode(j.Counts)
	if err != nil {
		return err
	}
	if d.Count() != j.Count {
		return fmt.Errorf("reading a histogram: %d values, but its count is %d", d.Count(), j.Count)
	}
	*h = *d
	if j.Count > 0 {
		h.min, h.max, h.sum = j.Min, j.Max, j.Sum
	}
	return nil
}
