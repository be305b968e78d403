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
	for _, item := range list.Items {
		for _, tag := range item.RepoTags {
			if strings.HasPrefix(tag, imagePrefix) {
				kept = append(kept, keptOf(item, tag, list.Items))
			}
		}
	}
	slices.SortFunc(kept, func(a, b Kept) int { return cmp.Compare(a.Ref, b.Ref) })
	for _, item := range stages(list.Items) {
		if isLeaf(item, list.Items) {
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

// stages are the images without a name that were built on one of ours, in the order
// of all: Docker's puts the newest first, and so what stands on another before it.
func stages(all []image.Summary) (unnamed []image.Summary) {
	for _, item := range all {
		if named(item) {
			continue
		}
		for parent := range ancestors(item, all) {
			if isOurs(parent) {
				unnamed = append(unnamed, item)
				break
			}
		}
	}
	return unnamed
}

func isOurs(item image.Summary) bool {
	return slices.ContainsFunc(item.RepoTags, func(tag string) bool { return strings.HasPrefix(tag, imagePrefix) })
}

// RemoveImages removes the images that dyno built, and returns how many there
// were, and those that a container still needs.
func (d *Driver) RemoveImages(ctx context.Context) (removed int, busy []string, err error) {
	kept, err := d.Kept(ctx)
	if err != nil {
		return 0, nil, err
	}
	list, err := d.docker.ImageList(ctx, client.ImageListOptions{All: true})
	if err != nil {
		return 0, nil, fmt.Errorf("listing images: %w", dockerError(err))
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
	// With containerd's image store not all of what a stage was built in goes with it.
	for _, item := range stages(list.Items) {
		d.docker.ImageRemove(ctx, item.ID, client.ImageRemoveOptions{PruneChildren: true}) // most are gone; what a container needs stays
	}
	return removed, busy, nil
}
