package containers

import (
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/distribution/reference"
	"golang.org/x/sys/unix"

	"dyno/scenarios/strict"
)

// The profile that every container is held to.
const (
	MemoryLimit = 1 << 30 // bytes, without swap
	PidsLimit   = 1024    // processes and threads
)

// What a stack.toml need not say.
const (
	defaultUser  = "10001:10001"
	defaultReady = 30 * time.Second
)

// Placeholders that are no parameter: the number of CPUs that a service may use,
// and the port of a replica.
const (
	cpusName = "cpus"
	portName = "port"
)

var ownNames = []string{cpusName, portName}

// Ports that services may have for themselves beside [Port]. No connection inside
// the pod is given one of them for its own end.
const (
	FirstPort = 9000
	LastPort  = 9099
)

// maxReplicas is how many containers of one image a pod may have.
const maxReplicas = 64

// A Stack is a system under test: a folder with a stack.toml, which is what this
// type holds, beside the recipes of its images, its configuration and its application.
type Stack struct {
	Name        string           `toml:"-"` // of the folder
	About       string           `toml:"about,required"`
	Base        string           `toml:"base"`        // base recipe whose stack.toml it takes over, key by key
	Connections int              `toml:"connections"` // concurrent clients that the configuration admits; 0: not stated
	Ready       time.Duration    `toml:"ready"`       // longest start-up; 30 s when not stated
	Params      map[string]Param `toml:"params"`
	Forbid      []Forbidden      `toml:"forbid"`
	Inputs      map[string]Input `toml:"inputs"`
	Services    []Service        `toml:"service"` // at least one, in the order in which they start

	chosen  map[string]string // the parameters' values, once configured
	given   map[string]string // the inputs' values, as far as the user gave them
	origins []string          // the bases whose stack.toml it takes over, the nearest first
	folder  fs.FS
	bases   map[string]fs.FS // of the catalog, by name
}

// A Param is a choice that a stack offers.
type Param struct {
	About  string   `toml:"about"`
	Values []string `toml:"values,required"` // the first is the default
}

// A Forbidden is a combination of parameters that cannot be.
type Forbidden struct {
	When    map[string]strict.OneOrMany[string] `toml:"when,required"` // parameters, each with the values that take part in it
	Because string                              `toml:"because,required"`
}

// covers reports whether a choice of parameters is such a combination.
func (f Forbidden) covers(chosen map[string]string) bool {
	for name, values := range f.When {
		if !slices.Contains(values, chosen[name]) {
			return false
		}
	}
	return true
}

// An Input is what only the user can give to an image's build, such as where a
// package that no distribution has is to be found. A stack with an input that is
// not given, or with which its image cannot be built, is missing: see [MissingError].
type Input struct {
	About string `toml:"about,required"`
}

// A Service is one container of a stack, or several of one image.
type Service struct {
	Name       string              `toml:"name,required"`
	Of         string              `toml:"-"`        // of a configured replica: the service's name in the file
	Replicas   int                 `toml:"replicas"` // containers NAME-1, NAME-2, …; 0: one, called NAME
	Port       int                 `toml:"port"`     // of the first replica on the pod's loopback, one more for each further one; 0: none of its own
	Build      string              `toml:"build"`    // folder of the Dockerfile, relative to the stack's; or
	Image      string              `toml:"image"`    // reference of an image that exists elsewhere
	Args       map[string]string   `toml:"args"`     // build arguments
	Command    []string            `toml:"command"`
	Env        map[string]string   `toml:"env"`
	User       string              `toml:"user"`        // uid:gid; 10001:10001 when not stated
	Tmpfs      []string            `toml:"tmpfs"`       // writable paths; /tmp and /run when not stated
	CapAdd     []string            `toml:"cap_add"`     // capabilities that it keeps
	StopSignal string              `toml:"stop_signal"` // SIGTERM when not stated
	Crash      []Pattern           `toml:"crash"`       // log lines that say that a worker crashed
	Facts      map[string][]string `toml:"facts"`       // commands that tell what the image really runs, by the fact's name
}

// A Pattern is a regular expression.
type Pattern struct{ *regexp.Regexp }

// UnmarshalText compiles a regular expression.
func (p *Pattern) UnmarshalText(text []byte) (err error) {
	p.Regexp, err = regexp.Compile(string(text))
	return err
}

// userForm is what a service's user looks like. Names are not enough: tmpfs folders
// are given to the user by number.
var userForm = regexp.MustCompile(`^[0-9]+(:[0-9]+)?$`)

// capabilities are those that Linux knows (capabilities(7)).
var capabilities = strings.Fields(`AUDIT_CONTROL AUDIT_READ AUDIT_WRITE BLOCK_SUSPEND BPF CHECKPOINT_RESTORE CHOWN
	DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID IPC_LOCK IPC_OWNER KILL LEASE LINUX_IMMUTABLE MAC_ADMIN MAC_OVERRIDE
	MKNOD NET_ADMIN NET_BIND_SERVICE NET_BROADCAST NET_RAW PERFMON SETFCAP SETGID SETPCAP SETUID SYSLOG SYS_ADMIN
	SYS_BOOT SYS_CHROOT SYS_MODULE SYS_NICE SYS_PACCT SYS_PTRACE SYS_RAWIO SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG WAKE_ALARM`)

// placeholder is what a parameter, or cpus, is written as in commands, environments and build arguments.
var placeholder = regexp.MustCompile(`\{([a-z][a-z0-9_]*)\}`)

// check returns every way in which a decoded stack is unusable, at its place in the file.
func (s *Stack) check(at *strict.Node) error {
	var mistakes strict.List
	if s.Ready < 0 {
		mistakes.Add(at.At("ready").Errorf("%v is less than 0", s.Ready))
	}
	if s.Connections < 0 {
		mistakes.Add(at.At("connections").Errorf("%d is less than 0 (0: not stated)", s.Connections))
	}
	mistakes.Add(s.checkChoices(at)...)
	if len(s.Services) == 0 {
		mistakes.Add(at.Errorf("no [[service]]; a stack needs at least one"))
	}
	taken := map[string]bool{EngineName: true}
	for i, sv := range s.Services {
		place := at.At("service").Item(i)
		for _, replica := range sv.expand() {
			if !nameForm.MatchString(replica.Name) || taken[replica.Name] {
				mistakes.Add(place.At("name").Errorf("%q; a name has small letters, digits and dashes, and is used once (%q is taken)", replica.Name, EngineName))
			}
			if port := strconv.Itoa(replica.Port); replica.Port != 0 && taken[port] {
				mistakes.Add(place.At("port").Errorf("port %s belongs to another service", port))
			} else {
				taken[port] = true
			}
			taken[replica.Name] = true
		}
		mistakes.Add(s.checkService(sv, place)...)
	}
	return mistakes.Err()
}

// checkChoices checks parameters, forbidden combinations of them, and inputs.
func (s *Stack) checkChoices(at *strict.Node) (mistakes strict.List) {
	for name, p := range s.Params {
		if len(p.Values) == 0 {
			mistakes.Add(at.At("params", name).Errorf("no values; list at least the default"))
		}
		if slices.Contains(ownNames, name) {
			mistakes.Add(at.At("params", name).Errorf("the name is taken: {%s} is dyno's own", name))
		}
	}
	for name := range s.Inputs {
		if _, ok := s.Params[name]; ok || slices.Contains(ownNames, name) {
			mistakes.Add(at.At("inputs", name).Errorf("the name is taken"))
		}
	}
	for i, f := range s.Forbid {
		when := at.At("forbid").Item(i).At("when")
		if len(f.When) == 0 {
			mistakes.Add(when.Errorf("it names no parameter"))
		}
		for name, values := range f.When {
			p, ok := s.Params[name]
			if !ok {
				mistakes.Add(when.At(name).Errorf("no such parameter").Among(name, slices.Sorted(maps.Keys(s.Params))))
				continue
			}
			for _, value := range values {
				if !slices.Contains(p.Values, value) {
					mistakes.Add(when.At(name).Errorf("the parameter has no value %q", value).Among(value, p.Values))
				}
			}
		}
	}
	return mistakes
}

func (s *Stack) checkService(sv Service, at *strict.Node) (mistakes strict.List) {
	if (sv.Build == "") == (sv.Image == "") {
		mistakes.Add(at.Errorf("say either build (a folder with a Dockerfile) or image (a reference)"))
	}
	if sv.Build != "" {
		mistakes.Add(s.checkBuild(sv, at)...)
	}
	if sv.Image != "" {
		if _, err := reference.ParseNormalizedNamed(sv.Image); err != nil {
			mistakes.Add(at.At("image").Errorf("%q is no reference such as registry.example/name:tag", sv.Image))
		}
	}
	if !userForm.MatchString(sv.User) {
		mistakes.Add(at.At("user").Errorf("%q is no uid:gid in numbers, such as %q", sv.User, defaultUser))
	}
	for _, path := range sv.Tmpfs {
		if !strings.HasPrefix(path, "/") {
			mistakes.Add(at.At("tmpfs").Errorf("%q is no absolute path", path))
		}
	}
	for _, name := range sv.CapAdd {
		if !slices.Contains(capabilities, strings.TrimPrefix(name, "CAP_")) {
			mistakes.Add(at.At("cap_add").Errorf("%q is no capability", name).Among(name, capabilities))
		}
	}
	if unix.SignalNum(sv.StopSignal) == 0 {
		mistakes.Add(at.At("stop_signal").Errorf("%q is no signal such as %q", sv.StopSignal, "SIGQUIT"))
	}
	if sv.Replicas < 0 || sv.Replicas > maxReplicas {
		mistakes.Add(at.At("replicas").Errorf("%d is not within 0 to %d", sv.Replicas, maxReplicas))
	}
	if last := sv.Port + max(sv.Replicas, 1) - 1; sv.Port != 0 && (sv.Port < FirstPort || last > LastPort) {
		mistakes.Add(at.At("port").Errorf("%d to %d; services' own ports are %d to %d", sv.Port, last, FirstPort, LastPort))
	}
	for name, command := range sv.Facts {
		if len(command) == 0 {
			mistakes.Add(at.At("facts", name).Errorf("no command"))
		}
	}
	allowed := slices.Concat(slices.Sorted(maps.Keys(s.Params)), slices.Sorted(maps.Keys(s.Inputs)), ownNames)
	for _, use := range sv.placeholders() {
		if use.name == portName && sv.Port == 0 {
			mistakes.Add(at.At(use.key).Errorf("{%s} is used, and the service has no port", portName))
		}
		if !slices.Contains(allowed, use.name) {
			mistakes.Add(at.At(use.key).Errorf("{%s} is no parameter", use.name).Among(use.name, allowed))
		}
	}
	return mistakes
}

// checkBuild checks a service's Dockerfile, as far as it can be without building.
func (s *Stack) checkBuild(sv Service, at *strict.Node) (mistakes strict.List) {
	dockerfile, err := fs.ReadFile(s.folder, path.Join(sv.Build, "Dockerfile"))
	if err != nil {
		mistakes.Add(at.At("build").Errorf("no file %s in the stack's folder", path.Join(sv.Build, "Dockerfile")))
		return mistakes
	}
	_, declared := recipe{}.arguments(string(dockerfile))
	for name := range sv.Args {
		if _, ok := declared[name]; !ok {
			mistakes.Add(at.At("args", name).Errorf("the Dockerfile has no ARG %s", name))
		}
	}
	for _, name := range basesOf(newFile("Dockerfile", dockerfile)) {
		if s.bases[name] == nil {
			mistakes.Add(at.At("build").Errorf("its Dockerfile stands on %s%s, which does not exist", basePrefix, name).Among(name, slices.Sorted(maps.Keys(s.bases))))
		}
	}
	return mistakes
}

// A use is a placeholder's name and the key that it stands under.
type use struct{ key, name string }

// placeholders returns all placeholders that the service uses.
func (sv Service) placeholders() (uses []use) {
	for key, texts := range map[string][]string{
		"command": sv.Command, "env": slices.Collect(maps.Values(sv.Env)), "args": slices.Collect(maps.Values(sv.Args)),
		"facts": slices.Concat(slices.Collect(maps.Values(sv.Facts))...),
	} {
		for _, text := range texts {
			for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
				uses = append(uses, use{key, m[1]})
			}
		}
	}
	return uses
}
