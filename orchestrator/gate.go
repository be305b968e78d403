package orchestrator

import (
	"context"
	"fmt"
	"time"

	"dyno/orchestrator/host"
	"dyno/results"
)

// A gate holds a run back while others use the CPUs that it is going to have.
type gate struct {
	sets     [][]int       // of CPUs: those of the services, and of the load engine
	limit    float64       // share of the busier set that others may use
	window   time.Duration // over which that is taken
	patience time.Duration // after which the run goes on all the same; 0: there is no gate
	tell     func(string)  // what is waited for, once
}

// quietWindow is how long others have to keep quiet.
const quietWindow = 2 * time.Second

// wait returns when others keep quiet, or when patience is over: then with a
// doubt about all that is measured afterwards. The error is the end of ctx.
func (g gate) wait(ctx context.Context) (doubt string, err error) {
	if g.patience <= 0 {
		return "", nil
	}
	told := false
	for begin := time.Now(); ; {
		b, err := host.Watch(ctx, g.window, g.sets...)
		switch {
		case ctx.Err() != nil:
			return "", ctx.Err()
		case err != nil:
			return fmt.Sprintf("whether the machine was quiet before the first trial is not known: %v", err), nil
		case b.Busy <= g.limit:
			return "", nil
		}
		if time.Since(begin) >= g.patience {
			return fmt.Sprintf("the machine was not quiet before the first trial, though the run waited %v: %v, limit %.0f %%", g.patience, b, 100*g.limit), nil
		}
		if !told {
			told = true
			g.tell(fmt.Sprintf("waiting for a quiet machine, %v at most: %v, limit %.0f %%", g.patience, b, 100*g.limit))
		}
	}
}

// awaitQuiet waits at the gate of the plan's CPUs. Nothing is known here of those
// of another machine.
func (r *runner) awaitQuiet(ctx context.Context) (doubt string, err error) {
	if r.remote {
		return "", nil
	}
	return gate{
		sets: [][]int{r.plan.ServerCPUs, r.plan.EngineCPUs}, limit: results.DefaultLimits().HostBusy,
		window: quietWindow, patience: r.options.IdleWait, tell: func(text string) { r.options.Watch(Event{Note: text}) },
	}.wait(ctx)
}
