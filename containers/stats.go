package containers

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/moby/moby/api/types/container"
	"github.com/moby/moby/client"
)

// Stats are what Docker says that a container spent since its start. Control
// groups say it sooner and more exactly; this is for a daemon on another machine.
type Stats struct {
	CPU        time.Duration
	User       time.Duration
	System     time.Duration
	Memory     int64  // bytes now, page cache included
	PeakMemory *int64 // bytes; nil where the daemon does not tell
	Anon       *int64 // bytes without page cache; nil where the daemon does not tell
	Threads    int64
}

// Stats asks Docker what a container spent. It takes up to a second or two.
func (p *Pod) Stats(ctx context.Context, c *Container) (Stats, error) {
	answer, err := p.driver.docker.ContainerStats(ctx, c.ID, client.ContainerStatsOptions{})
	if err != nil {
		return Stats{}, fmt.Errorf("asking Docker what %s spent: %w", c.Name, err)
	}
	defer answer.Body.Close()
	var said container.StatsResponse
	if err := json.NewDecoder(answer.Body).Decode(&said); err != nil {
		return Stats{}, fmt.Errorf("asking Docker what %s spent: %w", c.Name, err)
	}
	cpu, memory := said.CPUStats.CPUUsage, said.MemoryStats
	s := Stats{
		CPU: time.Duration(cpu.TotalUsage), User: time.Duration(cpu.UsageInUsermode), System: time.Duration(cpu.UsageInKernelmode),
		Memory: int64(memory.Usage), Threads: int64(said.PidsStats.Current),
	}
	if memory.MaxUsage > 0 {
		s.PeakMemory = new(int64(memory.MaxUsage))
	}
	for _, name := range []string{"anon", "rss"} { // cgroup v2, v1
		if v, ok := memory.Stats[name]; ok {
			s.Anon = new(int64(v))
			break
		}
	}
	return s, nil
}
