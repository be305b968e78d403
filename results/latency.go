package results

import (
	"math"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// stepsADecade is how many quantiles are taken from one nine to the next.
const stepsADecade = 10

// fewestBeyond is how many answers have to be slower than a quantile for it to say
// anything.
const fewestBeyond = 10

// latencyOf returns the quantiles of the latencies of all right answers of trials, at
// shares that come nearer to 1 by the same factor each, as far as there are answers
// to tell. It is nil where a trial that has right answers has no histogram of them that
// can be read: a part would be another distribution.
func latencyOf(trials []Trial) (all []Quantile) {
	var sum *hdrhistogram.Histogram
	for _, t := range trials {
		if !measured(t) || t.Load.OK == 0 {
			continue
		}
		if t.Load.Latency == nil {
			return nil
		}
		h, err := hdrhistogram.Decode([]byte(t.Load.Latency.HDR))
		if err != nil {
			return nil
		}
		if sum == nil {
			sum = h
		} else if sum.Merge(h) > 0 { // values beyond the first one's range
			return nil
		}
	}
	if sum == nil {
		return nil
	}
	for step := 0; ; step++ {
		beyond := math.Pow(10, -float64(step)/stepsADecade)
		if float64(sum.TotalCount())*beyond < fewestBeyond {
			return all
		}
		all = append(all, Quantile{Share: 1 - beyond, US: float64(sum.ValueAtQuantile(100*(1-beyond))) / 1e3})
	}
}
