package results

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each difference in what figures hang on is named, and nothing else is.
func TestUnlike(t *testing.T) {
	base := func() Run {
		run := sampleRun()
		run.Dyno, run.Scenario.SHA256 = "0.1.0", strings.Repeat("a", 64)
		run.Host = Facts{"cpu.model": "Ryzen", "memory.total": 100.0, "cpu.mitigations": []any{"meltdown: Not affected", "mds: none"}, "cpu.smt": true, "cpu.mhz.current": 1.0}
		run.Docker = Facts{"docker.storage_driver": "overlay2", "docker.version": "20"}
		run.Targets = []Target{{Name: "a", Stack: "s", Asked: Asked{Request: "GET /", Status: 200}}, {Name: "b", Stack: "s"}, {Name: "a again", ControlOf: "a"}}
		run.Workloads = []Workload{{Name: "w", Connections: 64}}
		run.Limits = DefaultLimits()
		return run
	}
	for name, c := range map[string]struct {
		change func(*Run)
		want   string // empty: alike
	}{
		"nothing":      {func(*Run) {}, ""},
		"schema":       {func(r *Run) { r.Schema = 2 }, "schema of the record: 1 / 2"},
		"patch":        {func(r *Run) { r.Dyno = "0.1.7+abc" }, ""},
		"dyno":         {func(r *Run) { r.Dyno = "0.2.0" }, "version of dyno: 0.1 / 0.2"},
		"text":         {func(r *Run) { r.Scenario.SHA256 = strings.Repeat("b", 64) }, "text of the scenario, SHA-256: aaaaaaaaaaaa / bbbbbbbbbbbb"},
		"rounds":       {func(r *Run) { r.Rounds = 99; r.Seed++ }, ""},
		"isolation":    {func(r *Run) { r.Isolation = "shared" }, "isolation: split / shared"},
		"server CPUs":  {func(r *Run) { r.ServerCPUs = "7" }, "CPUs of the services: " + base().ServerCPUs + " / 7"},
		"engine CPUs":  {func(r *Run) { r.EngineCPUs = "7" }, "CPUs of the load engine: " + base().EngineCPUs + " / 7"},
		"limits":       {func(r *Run) { r.Limits.Steal = 0.5 }, "limits: steal: 0.02 / 0.5"},
		"request":      {func(r *Run) { r.Targets[0].Request = "GET /x" }, "target a: request: GET / / GET /x"},
		"status":       {func(r *Run) { r.Targets[1].Status = 204 }, "target b: status: 0 / 204"},
		"contract":     {func(r *Run) { r.Targets[0].BodySHA256 = strings.Repeat("c", 64) }, "target a: body_sha256: not known / cccccccccccc"},
		"target gone":  {func(r *Run) { r.Targets = r.Targets[:1] }, "target b: there / not there"},
		"control gone": {func(r *Run) { r.Targets = r.Targets[:2] }, ""},
		"missing":      {func(r *Run) { r.Targets[1].Missing = "no source" }, ""},
		"parameter":    {func(r *Run) { r.Targets[1].Params = map[string]string{"workers": "2"} }, ""},
		"workload":     {func(r *Run) { r.Workloads[0].Connections = 65 }, "workload w: connections: 64 / 65"},
		"new workload": {func(r *Run) { r.Workloads = append(r.Workloads, Workload{Name: "w2"}) }, "workload w2: not there / there"},
		"cpu":          {func(r *Run) { r.Host["cpu.model"] = "Z80" }, "cpu.model: Ryzen / Z80"},
		"cpu unknown":  {func(r *Run) { r.Host["cpu.model"] = nil }, "cpu.model: Ryzen / not known"},
		"smt":          {func(r *Run) { r.Host["cpu.smt"] = false }, "cpu.smt: true / false"},
		"memory":       {func(r *Run) { r.Host["memory.total"] = 112.0 }, "memory.total: 100 / 112"},
		"some memory":  {func(r *Run) { r.Host["memory.total"] = int64(109) }, ""},
		"a list":       {func(r *Run) { r.Host["cpu.mitigations"] = []string{"meltdown: PTI", "mds: none"} }, "cpu.mitigations: meltdown: Not affected / meltdown: PTI"},
		"same list":    {func(r *Run) { r.Host["cpu.mitigations"] = []string{"meltdown: Not affected", "mds: none"} }, ""},
		"clock speed":  {func(r *Run) { r.Host["cpu.mhz.current"] = 2.0 }, ""},
		"storage":      {func(r *Run) { r.Docker["docker.storage_driver"] = "vfs" }, "docker.storage_driver: overlay2 / vfs"},
		"docker":       {func(r *Run) { r.Docker["docker.version"] = "27" }, ""},
		"remote":       {func(r *Run) { r.Host = nil }, "cpu.model: Ryzen / not known; cpu.smt: true / not known; cpu.mitigations: meltdown: Not affected; mds: none / not known; memory.total: 100 / not known"},
	} {
		changed := base()
		c.change(&changed)
		var got []string
		for _, u := range unlike(base(), changed) {
			got = append(got, u.String())
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// What may differ is told, but for what changes by itself.
func TestOtherwise(t *testing.T) {
	a := Run{Dyno: "0.1.0", Host: Facts{"cpu.model": "Ryzen", "cpu.mhz.current": 1.0, "os.version": "12"}, Docker: Facts{"docker.version": "20"}}
	b := Run{Dyno: "0.1.1", Host: Facts{"cpu.model": "Z80", "cpu.mhz.current": 2.0, "os.version": "13"}, Docker: Facts{"docker.version": "20", "docker.hostname": "b"}}
	want := []Unlikeness{{"dyno", "0.1.0", "0.1.1"}, {"docker.hostname", "not known", "b"}, {"os.version", "12", "13"}}
	if diff := cmp.Diff(want, otherwise(a, b)); diff != "" {
		t.Error(diff)
	}
	if got := otherwise(a, a); got != nil {
		t.Errorf("a run differs from itself: %v", got)
	}
}

func TestMajor(t *testing.T) {
	for version, want := range map[string]string{"0.1.0": "0.1", "0.1.0+abc-modified": "0.1", "0.2": "0.2", "1.2.3": "1", "12.0.0": "12", "": ""} {
		if got := major(version); got != want {
			t.Errorf("%q: %q, want %q", version, got, want)
		}
	}
}

// docs/compare.md names every fact that has to be alike.
func TestDocNamesAlikeFacts(t *testing.T) {
	text, err := os.ReadFile("../docs/compare.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, fact := range AlikeFacts() {
		if !strings.Contains(string(text), "`"+fact+"`") {
			t.Errorf("docs/compare.md has no `%s`", fact)
		}
	}
	sorted := slices.Sorted(slices.Values(AlikeFacts()))
	if len(slices.Compact(sorted)) != len(AlikeFacts()) {
		t.Error("a fact is listed twice")
	}
}
