package containers

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/api/types/image"
	"github.com/moby/moby/client"
)

// imagePrefix begins the name of every image that dyno builds.
const imagePrefix = "dyno/"

// A Kept is an image that dyno built and Docker keeps.
type Kept struct {
	Ref    string // empty: a stage of a build that no name is left of
	Size   int64  // bytes, with all layers
	Own    int64  // of Size, bytes beyond the nearest image with a name that it stands on
	Made   time.Time
	remove string // what Docker knows it by
}

// Kept returns the images that dyno built, the names in their order, and then
// what is left of build stages.
func (d *Driver) Kept(ctx context.Context) ([]Kept, error) {
	list, err := d.docker.ImageList(ctx, client.ImageListOptions{All: true})
	if err != nil {
		return nil, fmt.Errorf("listing images: %w", dockerError(err))
	}
	var kept []Kept
	ours := map[string]bool{} // ids
	for _, item := range list.Items {
		for _, tag := range item.RepoTags {
			if strings.HasPrefix(tag, imagePrefix) {
				kept = append(kept, keptOf(item, tag, list.Items))
				ours[item.ID] = true
			}
		}
	}
	slices.SortFunc(kept, func(a, b Kept) int { return cmp.Compare(a.Ref, b.Ref) })
	for _, item := range list.Items {
		if isLeaf(item, list.Items) && descends(item, ours, list.Items) {
			k := keptOf(item, "", list.Items)
			k.remove = item.ID
			kept = append(kept, k)
		}
	}
	return kept, nil
}

func keptOf(item image.Summary, tag string, all []image.Summary) Kept {
	k := Kept{Ref: tag, Size: item.Size, Own: item.Size, Made: time.Unix(item.Created, 0), remove: tag}
	for parent := range ancestors(item, all) {
		if named(parent) {
			k.Own -= parent.Size
			break
		}
	}
	return k
}

// ancestors are the images that one was built on, the nearest first.
func ancestors(item image.Summary, all []image.Summary) iter.Seq[image.Summary] {
	return func(yield func(image.Summary) bool) {
		for {
			at := slices.IndexFunc(all, func(i image.Summary) bool { return i.ID == item.ParentID })
			if at < 0 || !yield(all[at]) {
				return
			}
			item = all[at]
		}
	}
}

func named(item image.Summary) bool {
	return slices.ContainsFunc(item.RepoTags, func(tag string) bool { return tag != "<none>:<none>" })
}

// isLeaf reports whether an image has no name and nothing stands on it.
func isLeaf(item image.Summary, all []image.Summary) bool {
	return !named(item) && !slices.ContainsFunc(all, func(i image.Summary) bool { return i.ParentID == item.ID })
}

// descends reports whether an image was built from one of ours.
func descends(item image.Summary, ours map[string]bool, all []image.Summary) bool {
	for parent := range ancestors(item, all) {
		if ours[parent.ID] {
			return true
		}
	}
	return false
}

// RemoveImages removes the images that dyno built, and returns how many there
// were, and those that a container still needs.
func (d *Driver) RemoveImages(ctx context.Context) (removed int, busy []string, err error) {
	kept, err := d.Kept(ctx)
	if err != nil {
		return 0, nil, err
	}
	for _, k := range kept {
		_, err := d.docker.ImageRemove(ctx, k.remove, client.ImageRemoveOptions{PruneChildren: true})
		switch {
		case gone(err):
		case errdefs.IsConflict(err):
			busy = append(busy, cmp.Or(k.Ref, k.remove))
			continue
		case err != nil:
			return removed, busy, fmt.Errorf("removing the image %s: %w", cmp.Or(k.Ref, k.remove), dockerError(err))
		}
		removed++
	}
	return removed, busy, nil
}
