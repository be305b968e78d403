package host

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// DefaultEvery is how often a Sampler takes a sample unless told otherwise.
const DefaultEvery = 250 * time.Millisecond

// samplesKept is the room made beforehand: four minutes at DefaultEvery. More
// samples cost a copy.
const samplesKept = 1024

// A Sample is a reading of the machine and of each named control group, taken
// one after the other. Each has its own time.
type Sample struct {
	Mark   string // the name given to Mark; "" for one that was taken on time
	Host   Reading
	Groups map[string]CgroupReading
}

// A Sampler takes samples in the background. Its methods may be called at the
// same time.
type Sampler struct {
	read   func() (Reading, error)
	names  []string // of groups, sorted
	groups map[string]*Cgroup
	stop   context.CancelFunc
	done   chan struct{} // closed when the background has ended

	mu      sync.Mutex
	samples []Sample
	err     error // the first of reading the machine
}

// StartSampler takes a sample at once and then one each time that every passes
// (0: DefaultEvery), until Stop is called or the context ends. The groups, by a
// name for each, stay the caller's and must stay open until Stop.
func StartSampler(ctx context.Context, every time.Duration, groups map[string]*Cgroup) *Sampler {
	return here().startSampler(ctx, every, groups)
}

func (m machine) startSampler(ctx context.Context, every time.Duration, groups map[string]*Cgroup) *Sampler {
	if every <= 0 {
		every = DefaultEvery
	}
	ctx, stop := context.WithCancel(ctx)
	s := &Sampler{
		read:    func() (Reading, error) { return m.read(ctx) },
		names:   slices.Sorted(maps.Keys(groups)),
		groups:  map[string]*Cgroup{},
		stop:    stop,
		done:    make(chan struct{}),
		samples: make([]Sample, 0, samplesKept),
	}
	maps.Copy(s.groups, groups)
	s.Mark("")
	go s.run(ctx, every)
	return s
}

// Add reads one more group from now on. It stays the caller's as well.
func (s *Sampler) Add(name string, group *Cgroup) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.groups[name] = group
	s.names = slices.Sorted(maps.Keys(s.groups))
}

func (s *Sampler) run(ctx context.Context, every time.Duration) {
	defer close(s.done)
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			s.Mark("")
		}
	}
}

// Mark takes one more sample now, under a name: the begin or the end of what is
// measured. It returns when the sample is taken.
func (s *Sampler) Mark(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	host, err := s.read()
	if err != nil {
		if s.err == nil {
			s.err = err
		}
		return
	}
	sample := Sample{Mark: name, Host: host, Groups: make(map[string]CgroupReading, len(s.names))}
	for _, group := range s.names {
		sample.Groups[group] = s.groups[group].Read()
	}
	s.samples = append(s.samples, sample)
}

// Stop ends the background and returns all samples in the order in which they
// were taken. The error is the first one of reading the machine; the samples at
// which it happened are missing. Stop may be called again, with the same result.
func (s *Sampler) Stop() ([]Sample, error) {
	s.stop()
	<-s.done
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.samples, s.err
}
