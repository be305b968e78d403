package results

import (
	"cmp"
	"math"
)

// What an open loop asks of a trial. Its workload has a Rate: requests start when
// they are meant to, whatever becomes of those before.

// lagShare is the share of the latency, both at the 99th percentile, from which on
// the load engine's own delay is worth a word. A timer that is due while both sides
// idle is some tens of microseconds late, which is a fifth of a short latency.
const lagShare = 0.5

// checkRate asks whether the rate was held: where it was not, the load was another
// one, and its latencies are of that.
func (i *inspection) checkRate() {
	l, limit := i.Load, i.run.Limits.Offered
	switch {
	case i.workload.Rate <= 0:
		return
	case l.Offered <= 0:
		i.doubt("how many requests were to start is not known")
		return
	}
	if held := float64(l.Started) / float64(l.Offered); held < limit {
		why := "the load engine was late"
		if l.Queued*100 > l.Started {
			why = "connections were lacking"
		}
		i.invalid(CodeOffered, held, limit, "%s of %s requests that were to start did not, %s, limit %s: %s",
			count(l.Offered-l.Started), count(l.Offered), percent(1-held), percent(1-limit), why)
	}
	if late, took := l.ReleaseLag, l.Latency; late != nil && took != nil && late.P99US > lagShare*took.P99US {
		i.doubt("the load engine itself started requests %s ms late at the 99th percentile, where latency is %s ms", digits(late.P99US/1e3), digits(took.P99US/1e3))
	}
}

// checkOpenLittle: in an open loop the mean number of requests in flight is their
// rate times the mean time of one (Little, see checkLittle), connecting included.
// That was summed up in one place, and the times of right answers in another.
// What cannot be known of it: how long failed requests took, how much of late
// answers came after the window, and the connecting of requests that were sent twice.
func (i *inspection) checkOpenLittle() {
	l := i.Load
	if l.LatencySumS <= 0 || l.Service == nil {
		i.doubt("Little's law could not be checked: a figure that it needs is missing")
		return
	}
	sum := l.Service.sum()
	unknown := float64(l.Started-l.OK)*i.workload.TimeoutS + float64(l.LateOK)*l.DrainS
	if i.workload.KeepAlive && l.Connect != nil { // else it is in the time of service
		sum += l.Connect.sum()
		unknown += float64(l.Resent) * l.Connect.MaxUS / 1e6
	}
	allowed := i.run.Limits.Account + unknown/sum
	if off := math.Abs(l.LatencySumS/sum - 1); off > allowed {
		i.invalid(CodeLittle, off, allowed, "%s requests in flight on average where their rate and times make %s: off by %s, limit %s",
			digits(l.LatencySumS/l.ElapsedS), digits(sum/l.ElapsedS), percent(off), percent(allowed))
	}
}

// sum returns the durations' sum in seconds.
func (d *Distribution) sum() float64 { return float64(d.Count) * d.MeanUS / 1e6 }

// order returns how standings under a workload are ordered, the best first. In an
// open loop what is served is the load's doing, so the tail of the latency tells
// targets apart.
func order(w Workload) func(a, b Standing) int {
	if w.Rate > 0 {
		return func(a, b Standing) int { return cmp.Compare(a.P99.Median, b.P99.Median) }
	}
	return func(a, b Standing) int { return cmp.Compare(b.Goodput.Median, a.Goodput.Median) }
}
