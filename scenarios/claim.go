package scenarios

import (
	"slices"

	"dyno/scenarios/strict"
)

// claimTable is a [[claim]] as it is written.
type claimTable struct {
	Faster string `toml:"faster,required"`
	Than   string `toml:"than,required"`
	Ratio  float64
}

const maxRatio = 1_000_000

// claims checks that claims are about two targets of the scenario each.
func (c *checker) claims(n *strict.Node, tables []claimTable, targets []Target) []Claim {
	var names []string
	for _, t := range targets {
		names = append(names, t.Name)
	}
	var all []Claim
	for i, t := range tables {
		n := n.Item(i)
		c.target(n.At("faster"), t.Faster, names)
		c.target(n.At("than"), t.Than, names)
		if t.Faster == t.Than {
			c.Add(n.At("than").Errorf("%q cannot be faster than itself", t.Than))
		}
		if n.Has("ratio") && !(t.Ratio > 1 && t.Ratio <= maxRatio) {
			c.Add(n.At("ratio").Errorf("must be above 1 and at most %d, not %v", maxRatio, t.Ratio))
		}
		all = append(all, Claim(t))
	}
	return all
}

// target reports a name that no target has.
func (c *checker) target(n *strict.Node, name string, names []string) {
	if !slices.Contains(names, name) {
		c.Add(n.Errorf("no target is named %q", name).Among(name, names))
	}
}
