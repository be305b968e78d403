package containers

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Configure returns the stack with its parameters chosen (those not given have
// their defaults), services with replicas spelt out, and all placeholders
// replaced, for services that may use cpus CPUs.
func (s Stack) Configure(params map[string]string, cpus int) Stack {
	s.chosen = s.choose(params)
	values := maps.Clone(s.chosen)
	maps.Copy(values, s.given)
	values[cpusName] = strconv.Itoa(cpus)
	var services []Service
	for _, sv := range s.Services {
		for _, replica := range sv.expand() {
			values[portName] = strconv.Itoa(replica.Port)
			services = append(services, replica.fill(values))
		}
	}
	s.Services = services
	return s
}

// choose completes a choice of parameters with the defaults.
func (s Stack) choose(params map[string]string) map[string]string {
	chosen := map[string]string{}
	for name, p := range s.Params {
		v, ok := params[name]
		if !ok {
			v = p.Values[0]
		}
		chosen[name] = v
	}
	return chosen
}

// expand returns one service for each replica.
func (sv Service) expand() []Service {
	if sv.Replicas == 0 {
		return []Service{sv}
	}
	replicas := make([]Service, min(max(sv.Replicas, 0), maxReplicas)) // beyond that it is a mistake, which is told
	for i := range replicas {
		r := sv
		r.Of, r.Replicas = sv.Name, 0
		r.Name = fmt.Sprintf("%s-%d", sv.Name, i+1)
		if sv.Port != 0 {
			r.Port += i
		}
		replicas[i] = r
	}
	return replicas
}

// fill returns the service with its placeholders replaced.
func (sv Service) fill(values map[string]string) Service {
	fill := func(text string) string {
		return placeholder.ReplaceAllStringFunc(text, func(m string) string { return values[m[1:len(m)-1]] })
	}
	sv.Command = filledWords(sv.Command, fill)
	sv.Env, sv.Args = filled(sv.Env, fill), filled(sv.Args, fill)
	facts := make(map[string][]string, len(sv.Facts))
	for name, command := range sv.Facts {
		facts[name] = filledWords(command, fill)
	}
	sv.Facts = facts
	return sv
}

func filledWords(words []string, fill func(string) string) []string {
	words = slices.Clone(words)
	for i, word := range words {
		words[i] = fill(word)
	}
	return words
}

func filled(m map[string]string, fill func(string) string) map[string]string {
	out := make(map[string]string, len(m))
	for k, v := range m {
		out[k] = fill(v)
	}
	return out
}

// Chosen returns the values of a configured stack's parameters.
func (s Stack) Chosen() map[string]string { return s.chosen }

// refuse returns why a choice of parameters cannot be, or nil.
func (s Stack) refuse(params map[string]string) error {
	chosen := s.choose(params)
	for _, f := range s.Forbid {
		if !f.covers(chosen) {
			continue
		}
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(f.When)) {
			parts = append(parts, name+"="+chosen[name])
		}
		return fmt.Errorf("stack %s cannot have %s: %s", s.Name, strings.Join(parts, " with "), f.Because)
	}
	return nil
}

// Redact replaces what the user gave for inputs by their names: it may hold
// passwords, and what is recorded is meant to be shown.
func (s Stack) Redact(text string) string {
	for name, value := range s.given {
		if len(value) > 3 { // what is shorter is no password, and part of many words
			text = strings.ReplaceAll(text, value, "{"+name+"}")
		}
	}
	return text
}

// A MissingError is a stack that cannot be had here: an input that was not given,
// or with which its image cannot be built.
type MissingError struct{ error }

// Unwrap returns what stood in the way.
func (e *MissingError) Unwrap() error { return e.error }

// Missing returns a *MissingError where an input was not given, or nil.
func (s Stack) Missing() error {
	for _, name := range slices.Sorted(maps.Keys(s.Inputs)) {
		if s.given[name] == "" {
			return &MissingError{fmt.Errorf("it needs %s, %s: give --input %s=…", name, s.Inputs[name].About, name)}
		}
	}
	return nil
}
