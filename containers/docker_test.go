package containers

import (
	"os"
	"strings"
	"testing"
)

// Guards that a daemon which silently leaves containers unpinned, as one without
// root does where systemd delegates no cpuset, is warned of, and no other.
func TestWarnings(t *testing.T) {
	here, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		facts map[string]any
		want  []string // beginnings
	}{
		"as it should be": {map[string]any{"docker.hostname": here, "docker.storage_driver": "overlay2", "docker.cpuset": true}, nil},
		"not said":        {map[string]any{"docker.hostname": here}, nil},
		"rootless":        {map[string]any{"docker.hostname": here, "docker.storage_driver": "overlay2", "docker.cpuset": false}, []string{"Docker cannot keep containers to CPUs"}},
		"all at once": {
			map[string]any{"docker.hostname": "not " + here, "docker.storage_driver": "fuse-overlayfs", "docker.cpuset": false},
			[]string{"Docker stores images on fuse-overlayfs", "Docker cannot keep", "the Docker daemon is on another machine"},
		},
	} {
		got := Warnings(test.facts)
		if len(got) != len(test.want) {
			t.Errorf("%s: %+v, want %q", name, got, test.want)
			continue
		}
		for i, warning := range got {
			if !strings.HasPrefix(warning.Text, test.want[i]) || warning.Remedy == "" {
				t.Errorf("%s: %+v, want %q and what to do", name, warning, test.want[i])
			}
		}
	}
}
