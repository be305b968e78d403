package containers

import (
	"io/fs"
	"slices"
	"testing"
)

func TestInstalls(t *testing.T) {
	base := folder("Dockerfile", "ARG SUITE=bookworm\nFROM debian:${SUITE}-slim\nRUN apt-get update \\\n && apt-get -y install ruby \\\n    rack && rm -rf /x\n")
	own := folder("Dockerfile", `FROM dyno/base/build AS build
RUN apt-get update && apt-get install gcc
FROM dyno/base/ruby
ARG SERVER
RUN apt-get update && apt-get install --no-install-recommends ${SERVER} libyaml; echo done
`)
	s := Stack{folder: own, bases: map[string]fs.FS{"ruby": base}}
	got := s.Installs(Service{Build: ".", Args: map[string]string{"SERVER": "puma"}})
	if want := []string{"gcc", "libyaml", "puma", "rack", "ruby"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := s.Installs(Service{Image: "x"}); got != nil {
		t.Errorf("of an image from elsewhere: %q", got)
	}
}
