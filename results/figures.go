package results

import (
	"cmp"
	"math"
	"slices"

	"dyno/results/stats"
)

// Figures are a target's figures under one workload, each the median of its
// trials. One that no trial tells is the zero Estimate.
type Figures struct {
	Goodput    stats.Estimate   // right answers a second
	Throughput stats.Estimate   // answers a second, right or not
	P50        stats.Estimate   // latency, median, in seconds
	P99        stats.Estimate   // latency, 99th percentile, in seconds
	ServerCPU  stats.Estimate   // seconds a request, of all services together
	EngineCPU  stats.Estimate   // seconds a request
	EngineBusy stats.Estimate   // share of its threads' time that the engine used, 0 to 1
	PeakBytes  stats.Estimate   // highest memory of all services together
	Startup    stats.Estimate   // start of the last service to the first right answer, in seconds
	Latency    []Quantile       // of the right answers of all its trials together; nil: not known
	Services   []ServiceFigures // of each service apart, where there are several
}

// ServiceFigures are what one service of a target spent, all its replicas together.
type ServiceFigures struct {
	Name      string
	Replicas  int            // containers; 1 for a service without replicas
	CPU       stats.Estimate // seconds for each request that the target was sent
	PeakBytes stats.Estimate // highest memory of each container, summed
}

// confidence is what the figures' intervals reach where there are rounds enough.
const confidence = 0.95

func figuresOf(trials []Trial) Figures {
	return Figures{
		Goodput:    estimate(trials, Trial.Goodput),
		Throughput: estimate(trials, Trial.Throughput),
		P50:        estimate(trials, Trial.P50),
		P99:        estimate(trials, Trial.P99),
		ServerCPU:  estimate(trials, Trial.ServerCPU),
		EngineCPU:  estimate(trials, Trial.EngineCPU),
		EngineBusy: estimate(trials, Trial.EngineBusy),
		PeakBytes:  estimate(trials, Trial.PeakBytes),
		Startup:    estimate(trials, Trial.Startup),
		Latency:    latencyOf(trials),
		Services:   servicesOf(trials),
	}
}

// servicesOf returns the figures of each service, in the order of the pod.
func servicesOf(trials []Trial) (all []ServiceFigures) {
	for _, t := range trials {
		seen := map[string]int{}
		for _, u := range t.Services {
			seen[u.service()]++
			at := slices.IndexFunc(all, func(s ServiceFigures) bool { return s.Name == u.service() })
			if at < 0 {
				at, all = len(all), append(all, ServiceFigures{Name: u.service()})
			}
			all[at].Replicas = max(all[at].Replicas, seen[u.service()])
		}
	}
	if len(all) < 2 {
		return nil
	}
	for i := range all {
		name := all[i].Name
		all[i].CPU = estimate(trials, func(t Trial) float64 { return t.only(name).ServerCPU() })
		all[i].PeakBytes = estimate(trials, func(t Trial) float64 { return t.only(name).PeakBytes() })
	}
	return all
}

// service is the name that the stack has for it, whichever replica it is.
func (u Usage) service() string { return cmp.Or(u.Of, u.Name) }

// only returns the trial as if it had had one service.
func (t Trial) only(service string) Trial {
	t.Services = slices.DeleteFunc(slices.Clone(t.Services), func(u Usage) bool { return u.service() != service })
	return t
}

// estimate leaves out the trials that do not tell the figure.
func estimate(trials []Trial, figure func(Trial) float64) stats.Estimate {
	var values []float64
	for _, t := range trials {
		if v := figure(t); !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	return stats.OfMedian(values, confidence)
}

// Goodput returns the right answers a second within the window, and NaN where
// nothing was measured.
func (t Trial) Goodput() float64 {
	if !measured(t) {
		return math.NaN()
	}
	return float64(t.Load.OK-t.Load.LateOK) / t.Load.ElapsedS
}

// Throughput returns the answers a second within the window, right or not, and
// NaN where nothing was measured.
func (t Trial) Throughput() float64 {
	if !measured(t) {
		return math.NaN()
	}
	var answers int64
	for _, n := range t.Load.Statuses {
		answers += n
	}
	return float64(answers-t.Load.LateOK) / t.Load.ElapsedS
}

// P50 returns the median latency of right answers in seconds, and NaN where there
// were none.
func (t Trial) P50() float64 {
	return t.latency(func(d *Distribution) float64 { return d.P50US })
}

// P90 returns the 90th percentile of the latency of right answers in seconds, and
// NaN where there were none.
func (t Trial) P90() float64 {
	return t.latency(func(d *Distribution) float64 { return d.P90US })
}

// P99 returns the 99th percentile of the latency of right answers in seconds, and
// NaN where there were none.
func (t Trial) P99() float64 {
	return t.latency(func(d *Distribution) float64 { return d.P99US })
}

// P999 returns the 99.9th percentile of the latency of right answers in seconds,
// and NaN where there were none.
func (t Trial) P999() float64 {
	return t.latency(func(d *Distribution) float64 { return d.P999US })
}

// MeanLatency returns the mean latency of right answers in seconds, and NaN where
// there were none.
func (t Trial) MeanLatency() float64 {
	return t.latency(func(d *Distribution) float64 { return d.MeanUS })
}

func (t Trial) latency(us func(*Distribution) float64) float64 {
	if !measured(t) || t.Load.Latency == nil || t.Load.Latency.Count == 0 {
		return math.NaN()
	}
	return us(t.Load.Latency) / 1e6
}

// ServerCPU returns the seconds of CPU that all services together spent for each
// request started, and NaN where that is not known.
func (t Trial) ServerCPU() float64 {
	spent, ok := servicesCPU(t)
	if !measured(t) || !ok || t.Load.Started == 0 {
		return math.NaN()
	}
	return spent / float64(t.Load.Started)
}

// EngineCPU returns the seconds of CPU that the load engine spent for each
// request started, and NaN where that is not known.
func (t Trial) EngineCPU() float64 {
	if !measured(t) || t.Load.EngineCPUS <= 0 || t.Load.Started == 0 {
		return math.NaN()
	}
	return t.Load.EngineCPUS / float64(t.Load.Started)
}

// EngineBusy returns the share of their time for which the load engine's threads
// used a CPU, 0 to 1, and NaN where that is not known.
func (t Trial) EngineBusy() float64 {
	if !measured(t) || t.Load.EngineCPUS <= 0 {
		return math.NaN()
	}
	return t.Load.EngineCPUS / (t.Load.ElapsedS + t.Load.DrainS) / float64(max(t.Load.Workers, 1))
}

// PeakBytes returns the highest memory of each service, summed, and NaN where
// that of one is not known.
func (t Trial) PeakBytes() (sum float64) {
	for _, u := range t.Services {
		if u.PeakBytes == nil {
			return math.NaN()
		}
		sum += float64(*u.PeakBytes)
	}
	if len(t.Services) == 0 {
		return math.NaN()
	}
	return sum
}

// Startup returns the seconds from the start of the last service to the first
// right answer, and NaN where none came.
func (t Trial) Startup() float64 {
	if t.Phases.StartupS <= 0 {
		return math.NaN()
	}
	return t.Phases.StartupS
}
