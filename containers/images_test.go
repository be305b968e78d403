package containers

import (
	"slices"
	"testing"

	"github.com/moby/moby/api/types/image"
)

// Guards that what stages of builds leave is found with all that it was built in,
// the last first, and nothing that was not built on dyno's: as Docker with
// containerd's image store lists it.
func TestStages(t *testing.T) {
	item := func(id, parent string, tags ...string) image.Summary {
		return image.Summary{ID: id, ParentID: parent, RepoTags: tags}
	}
	all := []image.Summary{
		item("0d2d", "2bd5", "dyno/multi:ea341bf57917"),
		item("2bd5", "a1c8"),
		item("a1c8", "2c63"),
		item("a20a", "761b"),
		item("b8a0", "6091", "dyno/agent:ee81d06b6dd9"),
		item("6091", ""),
		item("77aa", "77bb"),
		item("77bb", "", "mine:1"),
		item("761b", "2c63", "<none>:<none>"),
		item("2c63", "", "dyno/base/debian:141e17d64c08"),
	}
	var got, leaves []string
	for _, s := range stages(all) {
		got = append(got, s.ID)
		if isLeaf(s, all) {
			leaves = append(leaves, s.ID)
		}
	}
	if want := []string{"2bd5", "a1c8", "a20a", "761b"}; !slices.Equal(got, want) {
		t.Errorf("stages %v, want %v", got, want)
	}
	if want := []string{"a20a"}; !slices.Equal(leaves, want) {
		t.Errorf("of them nothing stands on %v, want %v", leaves, want)
	}
}
