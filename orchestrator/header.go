package orchestrator

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"
	"unicode/utf8"

	"dyno/containers"
	"dyno/orchestrator/host"
	"dyno/results"
)

// header gathers all that is known before the first trial.
func (r *runner) header(ctx context.Context, id string, started time.Time) (results.Run, error) {
	sc := r.plan.Scenario
	run := results.Run{
		ID: id, Dyno: r.options.Version, Started: started, Command: r.options.Command,
		Scenario: results.Scenario{Name: sc.Name, About: sc.About, Source: sc.Source, SHA256: sc.Hash, Text: string(sc.Text)},
		Seed:     r.plan.Seed, Rounds: sc.Rounds, Isolation: string(sc.Isolation),
		ServerCPUs: host.FormatCPUs(r.plan.ServerCPUs), EngineCPUs: host.FormatCPUs(r.plan.EngineCPUs),
		Limits: r.plan.limits(), Host: results.Facts(host.ReadFacts(ctx)), Warnings: r.plan.Warnings,
	}
	docker, err := r.driver.Facts(ctx)
	if err != nil {
		return run, err
	}
	for name, value := range sysctls() {
		docker["pod.sysctl."+name] = value
	}
	run.Docker = results.Facts(docker)
	for _, warning := range containers.Warnings(docker) {
		run.Warnings = append(run.Warnings, warning.Text)
	}
	if r.remote = !containers.Local(docker); r.remote {
		run.Host = nil
	}
	if n, last := docker["docker.cpus"].(int64), slices.Max(r.plan.EngineCPUs); n <= int64(last) {
		return run, fmt.Errorf("the Docker daemon has %d CPUs, and the plan needs CPU %d", n, last)
	}
	subject := r.plan.Subject()
	run.Targets, run.Workloads, run.Claims = subject.Targets, subject.Workloads, subject.Claims
	run.Stacks, err = r.stacks(ctx)
	return run, err
}

// stacks describes each stack and choice of parameters once.
func (r *runner) stacks(ctx context.Context) (out []results.Stack, err error) {
	for i, s := range r.plan.Stacks {
		if r.plan.Missing[i] != "" {
			continue
		}
		if slices.ContainsFunc(out, func(o results.Stack) bool { return o.Name == s.Name && maps.Equal(o.Params, s.Chosen()) }) {
			continue
		}
		described := results.Stack{Name: s.Name, About: s.About, Params: s.Chosen()}
		files, sum, err := s.Files()
		if err != nil {
			return nil, err
		}
		described.SHA256 = sum
		for _, f := range files {
			described.Files = append(described.Files, fileOf(f))
		}
		for j, sv := range s.Services {
			service, err := r.service(ctx, sv, r.images[i][j])
			if err != nil {
				return nil, err
			}
			service.Command = slices.Clone(service.Command)
			for i, word := range service.Command {
				service.Command[i] = s.Redact(word)
			}
			for name, value := range service.Env { // of this configuration alone
				service.Env[name] = s.Redact(value)
			}
			described.Services = append(described.Services, service)
		}
		out = append(out, described)
	}
	return out, nil
}

func (r *runner) service(ctx context.Context, sv containers.Service, image containers.Image) (out results.Service, err error) {
	out = results.Service{
		Name: sv.Name, Of: sv.Of, Image: image.Ref, ImageID: image.ID, Command: sv.Command, Env: sv.Env, User: sv.User,
		Tmpfs: sv.Tmpfs, CapAdd: sv.CapAdd, MemoryBytes: containers.MemoryLimit, PidsLimit: containers.PidsLimit,
	}
	if out.Packages, err = r.packages(ctx, image); err != nil {
		return out, err
	}
	out.Facts, err = r.facts(ctx, sv, image)
	return out, err
}

// packages reads an image's packages, once.
func (r *runner) packages(ctx context.Context, image containers.Image) (map[string]string, error) {
	if known, ok := r.packagesOf[image.ID]; ok {
		return known, nil
	}
	packages, err := r.driver.Packages(ctx, image)
	r.packagesOf[image.ID] = packages
	return packages, err
}

// facts asks an image what it really runs, each question once. A question that
// gets no answer is null in the record: it is not the image's duty to answer.
func (r *runner) facts(ctx context.Context, sv containers.Service, image containers.Image) (results.Facts, error) {
	facts := results.Facts{}
	for _, name := range slices.Sorted(maps.Keys(sv.Facts)) {
		command := sv.Facts[name]
		question := fmt.Sprintf("%s %q %q", image.ID, command, sv.Env)
		answer, asked := r.answers[question]
		if !asked {
			text, err := r.driver.Fact(ctx, image, sv, command)
			switch {
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case err != nil:
				r.options.Watch(Event{Note: fmt.Sprintf("the fact %s of %s is not known: %v", name, image.Ref, err)})
			default:
				answer = text
			}
			r.answers[question] = answer
		}
		facts[name] = answer
	}
	return facts, nil
}

// maxFileText is the size of a stack's file up to which its text stands in the record.
const maxFileText = 64 << 10

func fileOf(f containers.File) results.File {
	out := results.File{Path: f.Path, SHA256: f.SHA256}
	if len(f.Text) <= maxFileText && utf8.Valid(f.Text) {
		out.Text = string(f.Text)
	}
	return out
}
