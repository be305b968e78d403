package containers

import (
	"archive/tar"
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/api/types/container"
	"github.com/moby/moby/client"
)

// packageLists are the files that hold an image's installed packages, and how each is read.
var packageLists = []struct {
	path  string
	parse func(io.Reader) (map[string]string, error)
}{
	{"/var/lib/dpkg/status", parseDpkg},
	{"/lib/apk/db/installed", parseApk},
}

// Packages returns the versions of the packages installed in an image, by name;
// nil where the image has no package list that dyno reads.
func (d *Driver) Packages(ctx context.Context, image Image) (packages map[string]string, err error) {
	made, err := d.docker.ContainerCreate(ctx, client.ContainerCreateOptions{Config: &container.Config{
		Image: image.Ref, Labels: d.owner.labels(), Cmd: []string{"none"}, // created, never started
	}})
	if err != nil {
		return nil, fmt.Errorf("reading the packages of %s: %w", image.Ref, err)
	}
	defer func() {
		if rerr := d.removeContainer(context.WithoutCancel(ctx), made.ID); err == nil {
			err = rerr
		}
	}()
	for _, list := range packageLists {
		copied, err := d.docker.CopyFromContainer(ctx, made.ID, client.CopyFromContainerOptions{SourcePath: list.path})
		if errdefs.IsNotFound(err) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("reading the packages of %s: %w", image.Ref, err)
		}
		defer copied.Content.Close()
		archive := tar.NewReader(copied.Content)
		if _, err := archive.Next(); err != nil {
			return nil, fmt.Errorf("reading the packages of %s: %w", image.Ref, err)
		}
		return list.parse(archive)
	}
	return nil, nil
}

// parseDpkg reads the paragraphs of /var/lib/dpkg/status (deb-control(5)).
func parseDpkg(r io.Reader) (map[string]string, error) {
	return parseParagraphs(r, "Package: ", "Version: ", func(paragraph []string) bool {
		for _, line := range paragraph {
			if status, ok := strings.CutPrefix(line, "Status: "); ok {
				return strings.HasSuffix(status, " installed")
			}
		}
		return false
	})
}

// parseApk reads the paragraphs of Alpine's /lib/apk/db/installed.
func parseApk(r io.Reader) (map[string]string, error) {
	return parseParagraphs(r, "P:", "V:", func([]string) bool { return true })
}

// parseParagraphs reads paragraphs that blank lines divide, each with a name and a version.
func parseParagraphs(r io.Reader, name, version string, wanted func(paragraph []string) bool) (map[string]string, error) {
	packages := map[string]string{}
	var paragraph []string
	end := func() {
		var n, v string
		for _, line := range paragraph {
			if rest, ok := strings.CutPrefix(line, name); ok {
				n = rest
			}
			if rest, ok := strings.CutPrefix(line, version); ok {
				v = rest
			}
		}
		if n != "" && wanted(paragraph) {
			packages[n] = v
		}
		paragraph = paragraph[:0]
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if lines.Text() == "" {
			end()
		} else {
			paragraph = append(paragraph, lines.Text())
		}
	}
	end()
	return packages, lines.Err()
}
