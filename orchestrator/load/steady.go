package load

import (
	"errors"
	"math"
	"time"
)

// A Steady is a rule that ends a phase early, once its goodput has come to
// rest: over the last Windows windows, the line of least squares through their
// goodput changes by Change of their mean at most.
type Steady struct {
	Window  time.Duration // at least 100 ms; 0: the phase goes on to its end
	Windows int           // at least 3; 0 is 5
	Change  float64       // above 0, below 1; 0 is 0.05
}

func (s Steady) windows() int {
	if s.Windows == 0 {
		return 5
	}
	return s.Windows
}

func (s Steady) change() float64 {
	if s.Change == 0 {
		return 0.05
	}
	return s.Change
}

func (s Steady) check() error {
	switch {
	case s.Window == 0:
	case s.Window < 2*tick:
		return errors.New("windows to be steady over must be 100 ms at least")
	case s.windows() < 3 || !(s.change() > 0 && s.change() < 1):
		return errors.New("to be steady takes 3 windows at least, and a change above 0 and below 1")
	}
	return nil
}

// holds reports whether the rule is met by the goodput of the windows so far.
func (s Steady) holds(goodput []float64) bool {
	n := s.windows()
	if len(goodput) < n {
		return false
	}
	goodput = goodput[len(goodput)-n:]
	middle := float64(n-1) / 2
	var sum, slope, square float64
	for i, g := range goodput {
		x := float64(i) - middle
		sum, slope, square = sum+g, slope+x*g, square+x*x
	}
	change := slope / square * float64(n-1)
	return sum > 0 && math.Abs(change) <= s.change()*sum/float64(n)
}

// settle ends the phase as soon as the rule holds. It returns when over is
// closed.
func (e *Engine) settle(rule Steady, stop *stopper, over <-chan struct{}) {
	windows := time.NewTicker(rule.Window)
	defer windows.Stop()
	var goodput []float64
	last := make([]stand, len(e.workers))
	for {
		select {
		case <-over:
			return
		case <-windows.C:
		}
		if goodput = append(goodput, e.goodput(last)); rule.holds(goodput) {
			stop.settle()
		}
	}
}

// goodput returns that since last, which it brings up to date. Each worker's is
// taken over its own time, since they tell how they stand every 50 ms only.
func (e *Engine) goodput(last []stand) float64 {
	var sum float64
	for i, w := range e.workers {
		s := w.progress.get()
		if took := s.at - last[i].at; took > 0 {
			sum += float64(s.ok-last[i].ok) / took.Seconds()
		}
		last[i] = s
	}
	return sum
}
