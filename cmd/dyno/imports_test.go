package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// arrows are the packages of dyno that each may import; every package has its
// row, and cmd/dyno may import all. A datum goes one way: who measures does not
// judge, who judges does not render.
var arrows = map[string][]string{
	"dyno/scenarios/strict":        nil,
	"dyno/scenarios":               {"dyno/scenarios/strict"},
	"dyno/containers":              {"dyno/scenarios/strict"},
	"dyno/orchestrator/load":       nil,
	"dyno/orchestrator/load/truth": nil,
	"dyno/orchestrator/load/ab":    {"dyno/orchestrator/load"},
	"dyno/orchestrator/load/bench": {"dyno/orchestrator/load", "dyno/results/stats"},
	"dyno/orchestrator/host":       nil,
	"dyno/orchestrator/agent":      {"dyno/orchestrator/load", "dyno/orchestrator/host"},
	"dyno/results/stats":           nil,
	"dyno/results/gate":            nil,
	"dyno/results":                 {"dyno/results/stats", "dyno/results/gate"},
	"dyno/results/history":         {"dyno/results"},
	"dyno/results/report/chart":    nil,
	"dyno/results/report":          {"dyno/results", "dyno/results/stats", "dyno/results/gate", "dyno/results/report/chart"},
	"dyno/orchestrator":            {"dyno/scenarios", "dyno/containers", "dyno/orchestrator/agent", "dyno/orchestrator/host", "dyno/results"},
}

func TestImportArrows(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "dyno/...").Output()
	if err != nil {
		t.Fatalf("listing packages: %v", err)
	}
	seen := 0
	for packages := json.NewDecoder(strings.NewReader(string(out))); ; seen++ {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := packages.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if p.ImportPath == "dyno/cmd/dyno" {
			continue
		}
		allowed, ok := arrows[p.ImportPath]
		if !ok {
			t.Errorf("%s has no row among the arrows", p.ImportPath)
		}
		for _, imported := range p.Imports {
			if strings.HasPrefix(imported, "dyno/") && !slices.Contains(allowed, imported) {
				t.Errorf("%s imports %s; it may import %v", p.ImportPath, imported, allowed)
			}
		}
	}
	if seen != len(arrows)+1 {
		t.Errorf("%d packages, %d rows: a row has no package", seen, len(arrows))
	}
}
