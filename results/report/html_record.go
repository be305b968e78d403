package report

import (
	"encoding/json"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"dyno/results"
)

// trials writes every trial of a comparison, folded up.
func (d *document) trials(c results.Comparison) {
	var all []results.Trial
	for _, s := range visited(c) {
		all = append(all, s.Trials...)
	}
	if len(all) == 0 {
		return
	}
	slices.SortStableFunc(all, func(a, b results.Trial) int { return a.Visit - b.Visit })
	d.fold("All "+plural(len(all), "trial"), func() {
		tabulate(d, trialColumns(), all, func(t results.Trial) string {
			if t.Counts() {
				return ""
			}
			return dim.class()
		})
	})
}

// trialColumns are the figures of one trial.
func trialColumns() []column[results.Trial] {
	orNone := func(x float64, write func(float64) string) string {
		if math.IsNaN(x) {
			return none
		}
		return write(x)
	}
	in := func(by float64) func(float64) string { return func(x float64) string { return three(x * by) } }
	return []column[results.Trial]{
		{head: "visit", cell: func(t results.Trial) string { return strconv.Itoa(t.Visit) }},
		{head: "round", cell: func(t results.Trial) string { return strconv.Itoa(t.Round) }},
		{head: "target", left: true, cell: func(t results.Trial) string { return t.Target }},
		{head: "at", left: true, cell: func(t results.Trial) string { return t.Started.UTC().Format(time.TimeOnly) }},
		{head: "goodput", unit: "req/s", cell: func(t results.Trial) string { return orNone(t.Goodput(), in(1)) }},
		{head: "p50", unit: "ms", cell: func(t results.Trial) string { return orNone(t.P50(), in(1e3)) }},
		{head: "p99", unit: "ms", cell: func(t results.Trial) string { return orNone(t.P99(), in(1e3)) }},
		{head: "errors", unit: "%", cell: func(t results.Trial) string {
			if t.Load == nil {
				return none
			}
			return failed(results.Errors{Failed: t.Load.Started - t.Load.OK, Started: t.Load.Started})
		}},
		{head: "server CPU", unit: "µs/request", cell: func(t results.Trial) string { return orNone(t.ServerCPU(), in(1e6)) }},
		{head: "memory", unit: "peak MiB", cell: func(t results.Trial) string { return orNone(t.PeakBytes(), in(1.0/(1<<20))) }},
		{head: "engine", unit: "% busy", cell: func(t results.Trial) string { return orNone(t.EngineBusy(), share) }},
		{head: "start-up", unit: "ms", cell: func(t results.Trial) string { return orNone(t.Startup(), in(1e3)) }},
		{head: "bound by", left: true, cell: func(t results.Trial) string {
			if t.Bound == "" {
				return none
			}
			return boundBy(t.Bound)
		}},
		{head: "why it does not count", left: true, cell: func(t results.Trial) string {
			var texts []string
			for _, r := range t.Invalid {
				texts = append(texts, r.Text)
			}
			return strings.Join(texts, "; ")
		}},
	}
}

const backgroundTitle = "What ran, and on what"

// backgrounds writes what the records know of runs beside their figures: of several,
// each apart, but once where the next is like the one before.
func (d *document) backgrounds(runs []results.Run) {
	if len(runs) == 1 {
		d.background(runs[0])
		return
	}
	for i, run := range runs {
		if i > 0 && alike(run, runs[i-1]) {
			d.element("p", "", run.ID+": as "+runs[i-1].ID)
			continue
		}
		d.fold(run.ID, func() { d.background(run) })
	}
}

// alike reports whether two runs have the same background.
func alike(a, b results.Run) bool {
	of := func(r results.Run) results.Run {
		return results.Run{Scenario: r.Scenario, Targets: r.Targets, Stacks: r.Stacks, Host: r.Host.Lasting(), Docker: r.Docker}
	}
	return reflect.DeepEqual(of(a), of(b))
}

func (d *document) background(run results.Run) {
	d.asked(run.Targets)
	d.source("The scenario "+run.Scenario.Name, run.Scenario.Text)
	for _, s := range run.Stacks {
		d.fold("The stack "+stackName(s), func() { d.stack(s) })
	}
	d.facts("The machine", run.Host)
	d.facts("Docker", run.Docker)
}

// asked writes what each target was asked, and what a right answer is.
func (d *document) asked(targets []results.Target) {
	var rows [][]cell
	for _, t := range targets {
		if t.ControlOf != "" {
			continue
		}
		name, stack := t.Name, stackName(results.Stack{Name: t.Stack, Params: t.Params})
		lines := t.Lines()
		for n, a := range t.Mix() {
			rows = append(rows, []cell{{text: name}, {text: stack}, {text: lines[n]}, {text: right(a)}})
			name, stack = "", "" // the next request stands below
		}
	}
	if len(rows) > 0 {
		d.table([]cell{{text: "target"}, {text: "stack"}, {text: "was asked"}, {text: "right answer"}}, rows)
	}
}

// right says what a right answer is.
func right(a results.Asked) string {
	parts := []string{strconv.Itoa(a.Status)}
	switch {
	case a.Varies:
		parts = append(parts, "any body")
	case a.Length != nil:
		parts = append(parts, trim(float64(*a.Length))+" B")
	}
	if a.BodySHA256 != "" {
		parts = append(parts, "SHA-256 "+a.BodySHA256[:min(12, len(a.BodySHA256))]+"…")
	}
	return strings.Join(add(parts, "%s", a.ContentType), ", ")
}

// stackName is a stack's name with its parameters.
func stackName(s results.Stack) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(s.Params)) {
		parts = append(parts, name+" "+s.Params[name])
	}
	if len(parts) == 0 {
		return s.Name
	}
	return s.Name + " (" + strings.Join(parts, ", ") + ")"
}

func (d *document) stack(s results.Stack) {
	d.element("p", "", s.About)
	for _, service := range s.Services {
		d.element("h4", "", service.Name)
		d.fields(serviceFields(service))
		if len(service.Packages) > 0 {
			d.source(plural(len(service.Packages), "package"), entries(service.Packages, " "))
		}
	}
	for _, f := range s.Files {
		if f.Text != "" {
			d.source(f.Path, f.Text)
		}
	}
}

// serviceFields are how one container was made and run, and what it says of itself.
func serviceFields(s results.Service) []field {
	fields := []field{
		{label: "Image", text: strings.TrimSpace(s.Image + " " + s.ImageID)},
		{label: "Command", text: shell(s.Command)},
		{label: "Environment", text: entries(s.Env, "=")},
		{label: "User", text: s.User},
		{label: "Memory", text: "at most " + trim(float64(s.MemoryBytes)/(1<<20)) + " MiB"},
		{label: "Processes", text: "at most " + trim(float64(s.PidsLimit))},
		{label: "Capabilities", text: strings.Join(s.CapAdd, ", ")},
		{label: "In memory", text: strings.Join(s.Tmpfs, ", ")},
	}
	for _, name := range slices.Sorted(maps.Keys(s.Facts)) {
		fields = append(fields, field{label: name, text: fact(s.Facts[name])})
	}
	return fields
}

func (d *document) facts(title string, facts results.Facts) {
	if len(facts) == 0 {
		return
	}
	d.fold(title, func() {
		var fields []field
		for _, name := range slices.Sorted(maps.Keys(facts)) {
			fields = append(fields, field{label: name, text: fact(facts[name])})
		}
		d.fields(fields)
	})
}

// fact writes a fact of whatever kind, a list an item a line.
func fact(value any) string {
	switch v := value.(type) {
	case nil:
		return "not known"
	case string:
		return v
	case []any:
		var lines []string
		for _, item := range v {
			lines = append(lines, fact(item))
		}
		return strings.Join(lines, "\n")
	}
	text, err := json.Marshal(value)
	if err != nil {
		return none
	}
	return string(text)
}

// entries lists a map by its keys, one a line.
func entries(all map[string]string, between string) string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		lines = append(lines, name+between+all[name])
	}
	return strings.Join(lines, "\n")
}
