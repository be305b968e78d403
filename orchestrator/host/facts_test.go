package host

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write testdata/*.json anew")

// Guards what is made of each kind of machine, unknown facts above all.
func TestFactsOfRecordedMachines(t *testing.T) {
	for _, name := range []string{"vm", "intel", "arm", "cloud"} {
		t.Run(name, func(t *testing.T) {
			facts := recorded(t, name).facts(t.Context())
			// These two are of the program that asks.
			delete(facts, "arch")
			delete(facts, "go.version")
			got, err := json.MarshalIndent(facts, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata", name+".json")
			if *update {
				if err := os.WriteFile(golden, append(got, '\n'), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)+"\n"); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Guards that missing is nil: a machine without any files knows next to nothing.
func TestFactsOfNothing(t *testing.T) {
	for name, value := range (machine{t.TempDir()}).facts(t.Context()) {
		if value != nil && name != "arch" && name != "go.version" {
			t.Errorf("%s = %v of a machine without files", name, value)
		}
	}
}

func TestFactsHere(t *testing.T) {
	facts := ReadFacts(t.Context())
	for _, name := range []string{"arch", "cpu.threads", "memory.total", "kernel.release", "rlimit.nofile.hard", "go.version"} {
		if facts[name] == nil {
			t.Errorf("%s is unknown", name)
		}
	}
	for name, value := range facts {
		switch value.(type) {
		case nil, string, int64, float64, bool, []string:
		default:
			t.Errorf("%s is a %T", name, value)
		}
	}
	keys := Keys()
	for _, k := range keys {
		if _, ok := facts[k.Name]; !ok {
			t.Errorf("%s has a key and no fact", k.Name)
		}
		if k.Source == "" {
			t.Errorf("%s has no source", k.Name)
		}
	}
	if len(keys) != len(facts) {
		t.Errorf("%d keys, %d facts", len(keys), len(facts))
	}
}

func TestSizeBytes(t *testing.T) {
	for text, want := range map[string]any{
		"32K": int64(32 << 10), "8M": int64(8 << 20), "512": int64(512), "": nil, "K": nil, "0K": nil, "1G": nil,
	} {
		if got := sizeBytes(text); got != want {
			t.Errorf("sizeBytes(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestHypervisorSigns(t *testing.T) {
	for name, test := range map[string]struct{ file, content, want string }{
		"xen":        {"sys/hypervisor/type", "xen\n", "xen"},
		"hyperv":     {clocksource + "available_clocksource", "hyperv_clocksource_tsc_page acpi_pm\n", "hyperv"},
		"arm kvm":    {"proc/device-tree/hypervisor/compatible", "linux,kvm\x00", "kvm"},
		"vmware":     {"sys/class/dmi/id/sys_vendor", "VMware, Inc.\n", "vmware"},
		"qemu alone": {"sys/class/dmi/id/sys_vendor", "QEMU\n", "qemu"},
		"no sign":    {"sys/class/dmi/id/sys_vendor", "Framework\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			m := machine{t.TempDir()}
			write(t, m, test.file, test.content)
			if got := m.survey(t.Context()).hypervisorKind(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestContainerSigns(t *testing.T) {
	for name, test := range map[string]struct {
		namespace, sign, content string
		want                     any
	}{
		"none":    {initialPIDNamespace, ".dockerenv", "", "none"},
		"docker":  {"pid:[4026532281]", ".dockerenv", "", "docker"},
		"podman":  {"pid:[4026532281]", "run/.containerenv", "", "podman"},
		"systemd": {"pid:[4026532281]", "run/systemd/container", "lxc\n", "lxc"},
		"other":   {"pid:[4026532281]", "etc/hostname", "x\n", "other"},
	} {
		t.Run(name, func(t *testing.T) {
			m := machine{t.TempDir()}
			write(t, m, "proc/self/ns/pid", "-> "+test.namespace)
			write(t, m, test.sign, test.content)
			if got := m.survey(t.Context()).container(); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func BenchmarkReadFacts(b *testing.B) {
	for b.Loop() {
		ReadFacts(context.Background())
	}
}
