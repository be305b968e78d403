package containers

import (
	"cmp"
	"maps"
	"slices"
)

// inherit completes what a stack's file says with what its base's says. A service
// takes over from the base's of the same name; those that it does not name follow
// after its own.
func (s *Stack) inherit(base Stack) {
	s.Connections = cmp.Or(s.Connections, base.Connections)
	s.Ready = cmp.Or(s.Ready, base.Ready)
	s.Params, s.Inputs = merge(s.Params, base.Params), merge(s.Inputs, base.Inputs)
	s.Forbid = slices.Concat(s.Forbid, base.Forbid)
	for _, theirs := range base.Services {
		i := slices.IndexFunc(s.Services, func(sv Service) bool { return sv.Name == theirs.Name })
		if i < 0 {
			s.Services = append(s.Services, theirs)
			continue
		}
		s.Services[i].inherit(theirs)
	}
}

func (sv *Service) inherit(base Service) {
	if sv.Build == "" && sv.Image == "" {
		sv.Build, sv.Image = base.Build, base.Image
	}
	sv.Replicas, sv.Port = cmp.Or(sv.Replicas, base.Replicas), cmp.Or(sv.Port, base.Port)
	sv.User, sv.StopSignal = cmp.Or(sv.User, base.User), cmp.Or(sv.StopSignal, base.StopSignal)
	sv.Args, sv.Env, sv.Facts = merge(sv.Args, base.Args), merge(sv.Env, base.Env), merge(sv.Facts, base.Facts)
	sv.Command = said(sv.Command, base.Command)
	sv.Tmpfs, sv.CapAdd, sv.Crash = said(sv.Tmpfs, base.Tmpfs), said(sv.CapAdd, base.CapAdd), said(sv.Crash, base.Crash)
}

// merge returns both maps in one; what is in own wins.
func merge[V any](own, base map[string]V) map[string]V {
	all := make(map[string]V, len(own)+len(base))
	maps.Copy(all, base)
	maps.Copy(all, own)
	return all
}

// said returns own if the file has the key, be it empty.
func said[V any](own, base []V) []V {
	if own == nil {
		return base
	}
	return own
}
