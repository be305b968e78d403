package containers

import (
	"archive/tar"
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/api/types/container"
	"github.com/moby/moby/client"
)

// packageLists are the files that hold an image's installed packages, and how
// each is read. The last is a stack's own word on what it links statically.
var packageLists = []struct {
	path  string
	parse func(io.Reader) (map[string]string, error)
}{
	{"/var/lib/dpkg/status", parseDpkg},
	{"/lib/apk/db/installed", parseApk},
	{"/stack/packages", parsePlain},
}

// Packages returns the versions of the packages in an image, by name; nil where
// the image has no package list that dyno reads.
func (d *Driver) Packages(ctx context.Context, image Image) (packages map[string]string, err error) {
	made, err := d.docker.ContainerCreate(context.WithoutCancel(ctx), client.ContainerCreateOptions{Config: &container.Config{
		Image: image.Ref, Labels: d.owner.labels("packages"), Cmd: []string{"none"}, // created, never started
	}})
	if err != nil {
		return nil, fmt.Errorf("reading the packages of %s: %w", image.Ref, err)
	}
	defer func() { err = errors.Join(err, d.removeContainer(context.WithoutCancel(ctx), made.ID)) }()
	for _, list := range packageLists {
		found, err := d.packageList(ctx, made.ID, list.path, list.parse)
		if err != nil {
			return nil, fmt.Errorf("reading the packages of %s: %w", image.Ref, err)
		}
		if packages == nil {
			packages = found
		} else {
			maps.Copy(packages, found)
		}
	}
	return packages, nil
}

// packageList reads one file of a container; nil where there is none.
func (d *Driver) packageList(ctx context.Context, id, path string, parse func(io.Reader) (map[string]string, error)) (map[string]string, error) {
	copied, err := d.docker.CopyFromContainer(ctx, id, client.CopyFromContainerOptions{SourcePath: path})
	if errdefs.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer copied.Content.Close()
	archive := tar.NewReader(copied.Content)
	if _, err := archive.Next(); err != nil {
		return nil, err
	}
	return parse(archive)
}

// parsePlain reads lines of a name and a version.
func parsePlain(r io.Reader) (map[string]string, error) {
	packages := map[string]string{}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		if name, version, ok := strings.Cut(lines.Text(), " "); ok {
			packages[name] = version
		}
	}
	return packages, lines.Err()
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
