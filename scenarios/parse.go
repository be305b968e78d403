package scenarios

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
	"time"

	"dyno/scenarios/strict"
)

// file is a scenario as it is written.
type file struct {
	About     string `toml:"about,required"`
	Source    string
	Story     string
	Rounds    int
	Isolation Isolation
	Control   bool
	Workload  workloadTable `toml:"workload,required"`
	Limits    Limits
	Target    []targetTable `toml:"target,required"`
	Claim     []claimTable
}

// defaults returns a file in which what may be left out has its default.
func defaults() file {
	return file{
		Rounds:    7,
		Isolation: Split,
		Control:   true,
		Workload: workloadTable{
			KeepAlive: strict.OneOrMany[bool]{true},
			Arrivals:  Poisson,
			Warmup:    time.Second,
			Timeout:   5 * time.Second,
		},
		Limits: Limits{Errors: 0.001},
	}
}

// Parse reads the text of a scenario file. The name of the file appears in messages and, without folder and extension, as the
// scenario's. The error is a [strict.List].
func Parse(name string, text []byte, cat Catalog) (Scenario, error) {
	f := defaults()
	root, err := strict.Decode(name, text, &f)
	if err != nil {
		return Scenario{}, err
	}
	hash := sha256.Sum256(text)
	c := checker{cat: cat}
	s := Scenario{
		Name:      strings.TrimSuffix(filepath.Base(name), ".toml"),
		About:     f.About,
		Source:    f.Source,
		Story:     f.Story,
		Text:      text,
		Hash:      hex.EncodeToString(hash[:]),
		Rounds:    f.Rounds,
		Isolation: f.Isolation,
		Limits:    f.Limits,
	}
	c.head(root, s)
	s.Workloads = c.workloads(root.At("workload"), f.Workload)
	s.Targets = c.targets(root.At("target"), f.Target)
	s.Claims = c.claims(root.At("claim"), f.Claim, s.Targets)
	if err := c.Err(); err != nil {
		return Scenario{}, err
	}
	if f.Control {
		s.Targets = append(s.Targets, control(s.Targets[0]))
	}
	return s, nil
}

// A checker turns what a file says into what a scenario holds, and collects what is wrong with it.
type checker struct {
	strict.List
	cat Catalog
}

const maxRounds = 1000

// head checks what stands outside of workload, targets and claims.
func (c *checker) head(n *strict.Node, s Scenario) {
	if strings.TrimSpace(s.About) == "" || strings.ContainsAny(s.About, "\r\n") {
		c.Add(n.At("about").Errorf("must be one line of text"))
	}
	within(c, n.At("rounds"), s.Rounds, 1, maxRounds)
	within(c, n.At("limits", "errors"), s.Limits.Errors, 0, 1)
	if s.Isolation != Split && s.Isolation != Shared {
		c.Add(n.At("isolation").Errorf("unknown isolation %q", s.Isolation).
			Among(string(s.Isolation), []string{string(Split), string(Shared)}))
	}
}

// within reports a value that is not in lo to hi. NaN is in nothing.
func within[T cmp.Ordered](c *checker, n *strict.Node, v, lo, hi T) {
	if !(v >= lo && v <= hi) {
		c.Add(n.Errorf("must be %v to %v, not %v", lo, hi, v))
	}
}

// distinct reports an empty list and values that stand in it twice.
func distinct[T comparable](c *checker, n *strict.Node, list []T) {
	if len(list) == 0 {
		c.Add(n.Errorf("the list is empty"))
	}
	seen := map[T]bool{}
	for i, v := range list {
		if seen[v] {
			c.Add(n.Item(i).Errorf("%v stands twice", v))
		}
		seen[v] = true
	}
}
