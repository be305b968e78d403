package host

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
)

// A mount is where one hierarchy of control groups can be seen.
type mount struct {
	v2          bool
	controllers []string // v1: those of the hierarchy, among other mount options
	root        string   // the group that is mounted; not "/" inside some containers
	dir         string   // the mount point
}

// parseMounts picks the control group mounts out of /proc/PID/mountinfo, which
// proc_pid_mountinfo(5) describes.
func parseMounts(mountinfo string) []mount {
	escapes := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
	var mounts []mount
	for line := range strings.Lines(mountinfo) {
		place, source, _ := strings.Cut(line, " - ")
		where, what := strings.Fields(place), strings.Fields(source)
		if len(where) < 5 || len(what) < 3 || what[0] != "cgroup" && what[0] != "cgroup2" {
			continue
		}
		mounts = append(mounts, mount{
			v2:          what[0] == "cgroup2",
			controllers: strings.Split(what[2], ","),
			root:        escapes.Replace(where[3]),
			dir:         escapes.Replace(where[4]),
		})
	}
	return mounts
}

// parseGroups reads /proc/PID/cgroup: the group by controller, that of version
// 2 under "".
func parseGroups(text string) map[string]string {
	groups := map[string]string{}
	for line := range strings.Lines(text) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(fields) < 3 {
			continue
		}
		for controller := range strings.SplitSeq(fields[1], ",") {
			groups[controller] = fields[2]
		}
	}
	return groups
}

// below returns the folder in which the mount shows the group, if it does. A
// group with ".." in it lies outside this process's own namespace.
func (mt mount) below(group string) (string, bool) {
	if slices.Contains(strings.Split(group, "/"), "..") {
		return "", false
	}
	if mt.root == "/" {
		return path.Join(mt.dir, group), true
	}
	rest, ok := strings.CutPrefix(group, mt.root)
	if !ok || rest != "" && rest[0] != '/' {
		return "", false
	}
	return path.Join(mt.dir, rest), true
}

func (mt mount) has(controller string) bool {
	if controller == "" {
		return mt.v2
	}
	return !mt.v2 && slices.Contains(mt.controllers, controller)
}

// groupDirs returns the folder of a process's own group by controller, that of
// version 2 under "". A controller whose group is the whole machine's is left
// out: what it counts is not the process's.
func (m machine) groupDirs(pid int) (map[string]string, error) {
	b, err := os.ReadFile(m.path(fmt.Sprintf("proc/%d/cgroup", pid)))
	if err != nil {
		return nil, err
	}
	mounts := parseMounts(m.text("proc/self/mountinfo"))
	dirs := map[string]string{}
	for controller, group := range parseGroups(string(b)) {
		for _, mt := range mounts {
			dir, ok := mt.below(group)
			if ok && mt.has(controller) && m.exists(path.Join(dir, "cgroup.procs")) && !m.isWholeMachine(dir) {
				dirs[controller] = dir
			}
		}
	}
	return dirs, nil
}

// isWholeMachine knows the root of a hierarchy, even where a namespace or a mount
// shows another group as "/": only the root has a release_agent (version 1)
// and only the root has no cgroup.type (version 2).
func (m machine) isWholeMachine(dir string) bool {
	v1 := m.exists(path.Join(dir, "tasks"))
	return v1 && m.exists(path.Join(dir, "release_agent")) || !v1 && !m.exists(path.Join(dir, "cgroup.type"))
}
