package scenarios

import "fmt"

// Copies returns the scenario with its first target alone, under its first
// workload, visited under so many names: whatever differs between them is noise.
func (s Scenario) Copies(n int) Scenario {
	s.Workloads, s.Claims = s.Workloads[:1], nil
	first := s.Targets[0]
	s.Targets = []Target{first}
	for i := 2; i <= n; i++ {
		next := first
		next.Name = fmt.Sprintf("%s %d", first.Name, i)
		s.Targets = append(s.Targets, next)
	}
	return s
}
