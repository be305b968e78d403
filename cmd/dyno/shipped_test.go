package main

import (
	"testing"

	"dyno/containers"
	"dyno/scenarios"
)

// Every stack is a target of a scenario, and so what `make test-stacks` checks.
func TestEveryStackIsATarget(t *testing.T) {
	catalog, err := containers.Open()
	if err != nil {
		t.Fatal(err)
	}
	shipped, err := scenarios.List()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, entry := range shipped {
		sc, err := scenarios.Load(entry.Name, catalog)
		if err != nil {
			t.Fatal(err)
		}
		for _, target := range sc.Targets {
			used[target.Stack] = true
		}
	}
	for _, stack := range catalog.Stacks() {
		if !used[stack] {
			t.Errorf("no scenario has the stack %s", stack)
		}
	}
}
