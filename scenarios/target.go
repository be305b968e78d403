package scenarios

import (
	"maps"
	"slices"
	"strings"

	"dyno/scenarios/strict"
)

// targetTable is a [[target]] as it is written.
type targetTable struct {
	Name   string `toml:"name,required"`
	Stack  string `toml:"stack,required"`
	Params map[string]strict.OneOrMany[string]
	partTable
	Also    []partTable
	MayFail string `toml:"may_fail"`
}

// partTable is a request as it is written: in a [[target]] its first, in a [[target.also]] a further one.
type partTable struct {
	Weight  int
	Method  string
	Path    string `toml:"path,required"`
	Headers map[string]string
	Body    string
	Expect  expectTable
}

// targets spells the lists of parameters out, in the file's order of targets.
func (c *checker) targets(n *strict.Node, tables []targetTable) []Target {
	if len(tables) == 0 {
		c.Add(n.Errorf("the list is empty"))
	}
	var all []Target
	lines := map[string]int{}
	for i, t := range tables {
		n := n.Item(i)
		c.name(n.At("name"), t.Name, lines)
		mix := []Part{c.part(n, t.partTable)}
		for i, also := range t.Also {
			mix = append(mix, c.part(n.At("also").Item(i), also))
		}
		if n.Has("weight") && len(mix) == 1 {
			c.Add(n.At("weight").Errorf("there is no other request to draw from: add a [[target.also]]"))
		}
		for _, v := range c.variants(n, t) {
			all = append(all, Target{
				Name:    t.Name + v.suffix,
				Stack:   t.Stack,
				Params:  v.params,
				Mix:     mix,
				MayFail: t.MayFail,
			})
		}
	}
	return all
}

// control returns a target once more under another name: what differs between the two is noise. No target of a file can have
// the name, which holds a blank.
func control(t Target) Target {
	t.ControlOf = t.Name
	t.Name += " again"
	return t
}

const alphanumerics = "abcdefghijklmnopqrstuvwxyz0123456789"

// name checks that a target's name can stand in file names and reports, and is new; lines holds where the others stand.
func (c *checker) name(n *strict.Node, name string, lines map[string]int) {
	if strings.Trim(name, alphanumerics+"._-") != "" || strings.IndexAny(name, alphanumerics) != 0 {
		c.Add(n.Errorf(`%q must consist of a to z, 0 to 9, ".", "_" and "-", and begin with a letter or digit`, name))
	}
	if line, ok := lines[name]; ok {
		c.Add(n.Errorf("%q is already the name of a target on line %d", name, line))
		return
	}
	lines[name] = n.Line()
}

// A variant is one combination of a stack's parameters.
type variant struct {
	params map[string]string
	varied []string // "name=value" of the parameters that differ between variants
	suffix string   // of the target's name; empty when nothing differs
}

// variants returns every combination of a target's parameters, completed with the stack's defaults. Parameters are taken in the
// order of their names, and the last varies fastest.
func (c *checker) variants(n *strict.Node, t targetTable) []variant {
	if stacks := c.cat.Stacks(); !slices.Contains(stacks, t.Stack) {
		c.Add(n.At("stack").Errorf("unknown stack %q", t.Stack).Among(t.Stack, stacks))
		return []variant{{}}
	}
	known := c.cat.Params(t.Stack)
	all := []variant{{params: map[string]string{}}}
	for name, values := range known {
		all[0].params[name] = values[0]
	}
	for _, name := range slices.Sorted(maps.Keys(t.Params)) {
		at := n.At("params", name)
		if !c.param(at, name, t, known) {
			continue
		}
		all = multiply(all, name, t.Params[name])
	}
	for i, v := range all {
		if len(v.varied) > 0 {
			all[i].suffix = "[" + strings.Join(v.varied, ",") + "]"
		}
		if err := c.cat.Refuse(t.Stack, v.params); err != nil {
			c.Add(n.At("params").Errorf("%v", err))
		}
	}
	return all
}

// param checks a parameter's name and values, and reports whether the stack has it at all.
func (c *checker) param(n *strict.Node, name string, t targetTable, known map[string][]string) bool {
	allowed, ok := known[name]
	if !ok {
		e := n.Errorf("stack %s has no such parameter", t.Stack)
		c.Add(e.Among(name, slices.Sorted(maps.Keys(known))))
		return false
	}
	distinct(c, n, t.Params[name])
	for i, value := range t.Params[name] {
		if !slices.Contains(allowed, value) {
			c.Add(n.Item(i).Errorf("stack %s does not know the value %q", t.Stack, value).Among(value, allowed))
		}
	}
	return true
}

// multiply returns each variant with each value of a parameter.
func multiply(all []variant, name string, values []string) []variant {
	var more []variant
	for _, v := range all {
		for _, value := range values {
			next := variant{params: maps.Clone(v.params), varied: slices.Clone(v.varied)}
			next.params[name] = value
			if len(values) > 1 {
				next.varied = append(next.varied, name+"="+value)
			}
			more = append(more, next)
		}
	}
	return more
}
