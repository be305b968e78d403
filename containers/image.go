package containers

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/client"
	"github.com/testcontainers/testcontainers-go"
)

// An Image is an image that is present on the daemon.
type Image struct {
	Ref  string // the reference that containers are started by
	ID   string // digest of its configuration
	Size int64  // bytes, with all layers
}

// Image returns the image of one of the stack's services, building or pulling
// it when it is not there yet.
func (d *Driver) Image(ctx context.Context, s Stack, sv Service) (Image, error) {
	if err := s.Missing(); err != nil {
		return Image{}, err
	}
	ref, err := d.reference(ctx, s, sv, d.buildFiles)
	if err == nil && sv.Image != "" {
		if err = d.pull(ctx, ref); err != nil {
			err = fmt.Errorf("getting the image %s: %w", ref, err)
		}
	}
	if err != nil {
		_, docker := errors.AsType[*DockerError](err)
		if len(s.Inputs) > 0 && !docker && ctx.Err() == nil {
			return Image{}, missingFor(err)
		}
		return Image{}, err
	}
	return d.inspect(ctx, ref)
}

// missingFor says shortly why a stack with inputs cannot be had.
func missingFor(err error) *MissingError {
	build, ok := errors.AsType[*BuildError](err)
	if !ok {
		return &MissingError{err}
	}
	said := ""
	for line := range strings.SplitSeq(build.Tail, "\n") {
		if !buildersOwn.MatchString(line) {
			said = line
		}
	}
	return &MissingError{fmt.Errorf("its image cannot be built: %s (the whole log: %s)", said, build.Log)}
}

// buildersOwn are the lines of a build's log that Docker's builder adds to what
// commands say.
var buildersOwn = regexp.MustCompile(`^(Step \d+/\d+ : | ?---> |Removing intermediate container |Successfully )|^\s*$`)

// Built returns the image of one of the stack's services as it is now; one
// without an ID is not built, or not pulled.
func (d *Driver) Built(ctx context.Context, s Stack, sv Service) (Image, error) {
	ref, err := d.reference(ctx, s, sv, nil)
	if err != nil {
		return Image{}, err
	}
	if ok, err := d.present(ctx, ref); !ok || err != nil {
		return Image{Ref: ref}, err
	}
	return d.inspect(ctx, ref)
}

// reference returns the reference of a service's image, having it built.
func (d *Driver) reference(ctx context.Context, s Stack, sv Service, build builder) (string, error) {
	if sv.Image != "" {
		return sv.Image, nil
	}
	folder, err := fs.Sub(s.folder, sv.Build)
	if err != nil {
		return "", err
	}
	return d.build(ctx, recipe{sv.repository(s), folder, sv.Args}, nil, build)
}

// A builder makes sure of the image of a context. Where there is none, nothing is
// built, bootstrapped or pulled.
type builder func(ctx context.Context, ref string, files []File, args map[string]string) error

// repository is the name of the service's image without its tag.
func (sv Service) repository(s Stack) string {
	if sv.Build == "." {
		return "dyno/" + s.Name
	}
	return "dyno/" + s.Name + "-" + cmp.Or(sv.Of, sv.Name)
}

// Agent returns the image of the load container: the given static binary and nothing else.
func (d *Driver) Agent(ctx context.Context, binary string) (Image, error) {
	text, err := os.ReadFile(binary)
	if err != nil {
		return Image{}, fmt.Errorf("reading dyno's own binary: %w", err)
	}
	files := []File{
		newFile("Dockerfile", []byte("FROM scratch\nCOPY dyno /dyno\nENTRYPOINT [\"/dyno\"]\n")),
		newFile("dyno", text),
	}
	ref := "dyno/agent:" + digest(files, nil)[:12]
	if err := d.buildFiles(ctx, ref, files, nil); err != nil {
		return Image{}, err
	}
	d.forgetOlder(ctx, ref)
	return d.inspect(ctx, ref)
}

func (d *Driver) inspect(ctx context.Context, ref string) (Image, error) {
	inspect, err := d.docker.ImageInspect(ctx, ref)
	if err != nil {
		return Image{}, fmt.Errorf("inspecting the image %s: %w", ref, dockerError(err))
	}
	return Image{Ref: ref, ID: inspect.ID, Size: inspect.Size}, nil
}

// forgetOlder removes the images of earlier builds of the same repository. One
// that is in use stays, which is no fault.
func (d *Driver) forgetOlder(ctx context.Context, ref string) {
	repo, _, _ := strings.Cut(ref, ":")
	list, err := d.docker.ImageList(ctx, client.ImageListOptions{Filters: make(client.Filters).Add("reference", repo)})
	if err != nil {
		return
	}
	for _, image := range list.Items {
		for _, tag := range image.RepoTags {
			if tag != ref {
				d.docker.ImageRemove(ctx, tag, client.ImageRemoveOptions{PruneChildren: true})
			}
		}
	}
}

// build returns the reference of a recipe's image, building it and what it
// stands on when they are not there yet. Its heirs are the recipes that stand on it.
func (d *Driver) build(ctx context.Context, r recipe, heirs []string, build builder) (string, error) {
	if slices.Contains(heirs, r.name) {
		return "", &UsageError{fmt.Errorf("%s stands on itself: %s", r.name, strings.Join(append(heirs, r.name), " → "))}
	}
	files, args, tag, err := r.resolve(func(image string, args map[string]string) (string, error) {
		return d.parent(ctx, image, args, append(heirs, r.name), build)
	})
	if err != nil {
		return "", err
	}
	ref := r.name + ":" + tag
	if build == nil {
		return ref, nil
	}
	return ref, build(ctx, ref, files, args)
}

// parent returns the reference that a FROM line's image stands for.
func (d *Driver) parent(ctx context.Context, image string, args map[string]string, heirs []string, build builder) (string, error) {
	if name, ok := strings.CutPrefix(image, basePrefix); ok {
		folder, ok := d.catalog.bases[name]
		if !ok {
			return "", &UsageError{fmt.Errorf("FROM %s: no folder base/%s", image, name)}
		}
		return d.build(ctx, recipe{image, folder, args}, heirs, build)
	}
	if m := debianImage.FindStringSubmatch(image); m != nil {
		return d.debian(ctx, m[1], build == nil)
	}
	return image, nil // scratch, a stage of the same Dockerfile, or an image from elsewhere
}

func (d *Driver) present(ctx context.Context, ref string) (bool, error) {
	_, err := d.docker.ImageInspect(ctx, ref)
	if errdefs.IsNotFound(err) {
		return false, nil
	}
	return err == nil, dockerError(err)
}

// buildFiles builds an image of a context, unless it is there.
func (d *Driver) buildFiles(ctx context.Context, ref string, files []File, args map[string]string) error {
	if ok, err := d.present(ctx, ref); ok || err != nil {
		return err
	}
	d.note("building " + ref)
	began := time.Now()
	tar, err := archive(files)
	if err != nil {
		return fmt.Errorf("packing the context of %s: %w", ref, err)
	}
	log, err := d.openLog(ref)
	if err != nil {
		return err
	}
	defer log.Close()
	var tail tailBuffer
	repo, tag, _ := strings.Cut(ref, ":")
	request := &testcontainers.ContainerRequest{FromDockerfile: testcontainers.FromDockerfile{
		ContextArchive: tar, Repo: repo, Tag: tag, BuildArgs: pointers(args), KeepImage: true,
		BuildLogWriter: io.MultiWriter(log, &tail, &steps{what: ref, note: d.note, now: time.Now, told: began}),
	}}
	_, err = d.provider.BuildImage(ctx, request)
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("building %s: %w", ref, ctx.Err())
	case err != nil:
		return &BuildError{Ref: ref, Tail: tail.String(), Log: log.Name(), cause: dockerError(err)}
	}
	if took := time.Since(began); took >= stepPause {
		d.note(fmt.Sprintf("built %s in %.0f s", ref, took.Seconds()))
	}
	return nil
}

// A BuildError is a recipe that does not build.
type BuildError struct {
	Ref   string // of the image
	Tail  string // last 4 KiB of the build's log
	Log   string // path of all of it
	cause error
}

// Error returns what the build said at last, and where all of it is.
func (e *BuildError) Error() string {
	return fmt.Sprintf("building %s: %v\n%s\nthe whole log: %s", e.Ref, e.cause, e.Tail, e.Log)
}

// Unwrap returns what Docker said.
func (e *BuildError) Unwrap() error { return e.cause }

func (d *Driver) openLog(ref string) (*os.File, error) {
	if err := os.MkdirAll(d.logs, 0o755); err != nil {
		return nil, fmt.Errorf("making the folder for build logs: %w", err)
	}
	name := strings.NewReplacer("/", "-", ":", "-").Replace(ref) + ".log"
	return os.Create(filepath.Join(d.logs, name))
}

func pointers(args map[string]string) map[string]*string {
	out := make(map[string]*string, len(args))
	for k, v := range args {
		out[k] = &v
	}
	return out
}

// A tailBuffer keeps the last lines of what is written to it.
type tailBuffer struct{ buf bytes.Buffer }

const tailBytes = 4 << 10

func (t *tailBuffer) Write(p []byte) (int, error) {
	t.buf.Write(p)
	if extra := t.buf.Len() - tailBytes; extra > 0 {
		t.buf.Next(extra)
	}
	return len(p), nil
}

func (t *tailBuffer) String() string {
	return strings.TrimSpace(colours.ReplaceAllString(t.buf.String(), ""))
}

// colours are a terminal's escape sequences, which have no place in an error.
var colours = regexp.MustCompile("\x1b\\[[0-9;]*m")
