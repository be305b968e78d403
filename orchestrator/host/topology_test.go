package host

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTopology(t *testing.T) {
	for name, want := range map[string][]CPU{
		"vm": {{0, 0, 0, []int{0}}, {1, 0, 1, []int{1}}},
		// CPUs 3 and 7 are not allowed.
		"intel": {
			{0, 0, 0, []int{0, 4}},
			{1, 0, 1, []int{1, 5}},
			{2, 0, 2, []int{2, 6}},
			{4, 0, 0, []int{0, 4}},
			{5, 0, 1, []int{1, 5}},
			{6, 0, 2, []int{2, 6}},
		},
		"arm":   {{0, -1, 0, []int{0}}, {1, -1, 1, []int{1}}, {2, -1, 0, []int{2}}, {3, -1, 1, []int{3}}},
		"cloud": {{0, 0, 0, []int{0, 1}}, {1, 0, 0, []int{0, 1}}, {2, 1, 0, []int{2, 3}}, {3, 1, 0, []int{2, 3}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := recorded(t, name).topology()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTopologyHere(t *testing.T) {
	cpus, err := Topology()
	if err != nil {
		t.Fatal(err)
	}
	if len(cpus) == 0 {
		t.Error("no CPU")
	}
}

func TestTopologyErrors(t *testing.T) {
	for name, spoil := range map[string]func(machine){
		"no list":       func(m machine) { remove(t, m, cpuDir+"online") },
		"broken list":   func(m machine) { write(t, m, cpuDir+"online", "0-\n") },
		"no status":     func(m machine) { remove(t, m, "proc/self/status") },
		"broken status": func(m machine) { write(t, m, "proc/self/status", "Cpus_allowed_list:\tx\n") },
	} {
		t.Run(name, func(t *testing.T) {
			m := recorded(t, "vm")
			spoil(m)
			if cpus, err := m.topology(); err == nil {
				t.Errorf("got %v", cpus)
			}
		})
	}
}

func TestSplit(t *testing.T) {
	plain := func(n int) (cpus []CPU) {
		for id := range n {
			cpus = append(cpus, CPU{ID: id, Core: id, Siblings: []int{id}})
		}
		return cpus
	}
	// As on Intel: the second threads are numbered after all first ones.
	paired := func(cores int) (cpus []CPU) {
		for id := range 2 * cores {
			core := id % cores
			cpus = append(cpus, CPU{ID: id, Core: core, Siblings: []int{core, core + cores}})
		}
		return cpus
	}
	for name, test := range map[string]struct {
		cpus                    []CPU
		engineCPUs              int
		server, engine, warning string
	}{
		"none":                    {nil, 1, "", "", "no CPUs"},
		"one":                     {plain(1), 1, "0", "0", "the only CPU"},
		"two":                     {plain(2), 1, "0", "1", ""},
		"four":                    {plain(4), 1, "0-2", "3", ""},
		"four, engine of two":     {plain(4), 2, "0-1", "2-3", ""},
		"four, engine of all":     {plain(4), 4, "0", "1-3", "gets 3 CPUs, not 4"},
		"no number":               {plain(4), 0, "0-2", "3", ""},
		"pairs":                   {paired(4), 1, "0-2,4-6", "3,7", ""},
		"pairs, engine of two":    {paired(4), 2, "0-2,4-6", "3,7", ""},
		"pairs, engine of three":  {paired(4), 3, "0-1,4-5", "2-3,6-7", ""},
		"one core":                {paired(1), 1, "0", "1", "the only core"},
		"one core, engine of two": {paired(1), 2, "0", "1", "the only core"},
		"siblings unknown":        {[]CPU{{ID: 5}, {ID: 2}}, 1, "2", "5", ""},
		"half a core":             {[]CPU{{ID: 0, Siblings: []int{0, 2}}, {ID: 1, Siblings: []int{1}}, {ID: 2, Siblings: []int{0, 2}}}, 1, "0,2", "1", ""},
	} {
		t.Run(name, func(t *testing.T) {
			server, engine, warning := Split(test.cpus, test.engineCPUs)
			if FormatCPUs(server) != test.server || FormatCPUs(engine) != test.engine {
				t.Errorf("server %v, engine %v; want %s and %s", server, engine, test.server, test.engine)
			}
			if !strings.Contains(warning, test.warning) || (warning == "") != (test.warning == "") {
				t.Errorf("warning %q, want %q", warning, test.warning)
			}
		})
	}
}

func ExampleSplit() {
	// Two cores with two threads each.
	cpus := []CPU{
		{ID: 0, Siblings: []int{0, 2}},
		{ID: 1, Siblings: []int{1, 3}},
		{ID: 2, Siblings: []int{0, 2}},
		{ID: 3, Siblings: []int{1, 3}},
	}
	server, engine, _ := Split(cpus, 1)
	fmt.Println("server", FormatCPUs(server))
	fmt.Println("engine", FormatCPUs(engine))
	// Output:
	// server 0,2
	// engine 1,3
}

func TestFormatCPUs(t *testing.T) {
	for want, cpus := range map[string][]int{
		"": nil, "0": {0}, "0-1": {0, 1}, "0-2,5": {5, 2, 1, 0, 1}, "1,3,5": {1, 3, 5}, "0,2-3": {0, 2, 3},
	} {
		if got := FormatCPUs(cpus); got != want {
			t.Errorf("FormatCPUs(%v) = %q, want %q", cpus, got, want)
		}
	}
}

func TestParseCPUs(t *testing.T) {
	for text, want := range map[string][]int{
		"": nil, "0\n": {0}, "0-2,5": {0, 1, 2, 5}, "5,0-2,1": {0, 1, 2, 5},
	} {
		got, err := ParseCPUs(text)
		if err != nil {
			t.Errorf("ParseCPUs(%q): %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("ParseCPUs(%q): %s", text, diff)
		}
	}
	for _, text := range []string{",", "0-", "-1", "2-1", "a", "0-4294967295", "0x1", "1 2"} {
		if got, err := ParseCPUs(text); err == nil {
			t.Errorf("ParseCPUs(%q) = %v", text, got)
		}
	}
}

// Guards that what is read is written back as the same set.
func FuzzParseCPUs(f *testing.F) {
	for _, seed := range []string{"", "0", "0-2,5", "3,1-2", "0-65535", "1-", "-", "0-4294967295"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		cpus, err := ParseCPUs(text)
		if err != nil {
			return
		}
		again, err := ParseCPUs(FormatCPUs(cpus))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(cpus, again); diff != "" {
			t.Error(diff)
		}
	})
}
