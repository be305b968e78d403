package results

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each case changes one thing about b, whose stack has another name than a's, and
// these two are what they differ in.
func TestConfounders(t *testing.T) {
	service := func(change func(*Service)) func(*Record) {
		return func(r *Record) { change(&r.Run.Stacks[1].Services[0]) }
	}
	trials := func(change func(*Trial)) func(*Record) {
		return func(r *Record) {
			for round := range 3 {
				edit(*r, "b", round+1, change)
			}
		}
	}
	answer := func(change func(*Answer)) func(*Record) {
		return trials(func(t *Trial) { change(t.Contract) })
	}
	for name, c := range map[string]struct {
		change func(*Record)
		want   []Confounder
	}{
		"nothing": {func(*Record) {}, nil},
		"parameters": {func(r *Record) {
			r.Run.Targets[1].Params = map[string]string{"config": "stock", "mpm": "event"}
			r.Run.Stacks[1].Params = r.Run.Targets[1].Params
		}, []Confounder{{"parameter", "config", "stock", "tuned"}, {"parameter", "mpm", "event", ""}}},
		"request": {func(r *Record) { r.Run.Targets[1].Request = "POST /b HTTP/1.1\r\nHost: x\r\n\r\n" }, []Confounder{
			{"request", "", "POST /b", "GET /"},
		}},
		"rest of the request": {func(r *Record) { r.Run.Targets[1].Request = "GET / HTTP/1.1\r\nHost: y\r\n\r\n" }, []Confounder{
			{"rest of the request", "", "Host: y", "Host: x"},
		}},
		"protocol":   {answer(func(a *Answer) { a.Head = "HTTP/1.0 200 OK\r\n" }), []Confounder{{"protocol", "", "HTTP/1.0", "HTTP/1.1"}}},
		"status":     {answer(func(a *Answer) { a.Status = 201 }), []Confounder{{"status", "", "201", "200"}}},
		"head":       {answer(func(a *Answer) { a.HeadBytes = 143 }), []Confounder{{"head", "", "143 B", "123 B"}}},
		"body":       {answer(func(a *Answer) { a.BodyBytes = 22 }), []Confounder{{"body", "", "22 B", "21 B"}}},
		"framing":    {answer(func(a *Answer) { a.Framing = "chunked" }), []Confounder{{"framing", "", "chunked", "content-length"}}},
		"keep-alive": {answer(func(a *Answer) { a.KeepAlive = false }), []Confounder{{"keep-alive", "", "no", "yes"}}},
		"processes": {trials(func(t *Trial) { t.Services[0].Processes = new(int64(63 + t.Round)) }), []Confounder{
			{"processes", "", "64–66", "2"},
		}},
		"processes of all services": {trials(func(t *Trial) {
			t.Services = append(t.Services, Usage{Name: "app", Processes: new(int64(4)), Threads: new(int64(8)), Users: []int64{10001}})
		}), []Confounder{{"processes", "", "6", "2"}, {"threads", "", "12", "4"}}},
		"as many processes in one round": {trials(func(t *Trial) { t.Services[0].Processes = new(int64(1 + t.Round)) }), nil},
		"threads":                        {trials(func(t *Trial) { t.Services[0].Threads = new(int64(8)) }), []Confounder{{"threads", "", "8", "4"}}},
		"threads not known":              {trials(func(t *Trial) { t.Services[0].Threads = nil }), nil},
		"effective users": {trials(func(t *Trial) { t.Services[0].Users = []int64{0, 33} }), []Confounder{
			{"effective users", "", "0 and 33", "10001"},
		}},
		"open-file limit": {func(r *Record) {
			for round := range 3 {
				edit(*r, "a", round+1, func(t *Trial) { t.Services[0].OpenFiles = new(int64(65536)) })
				edit(*r, "b", round+1, func(t *Trial) { t.Services[0].OpenFiles = new(int64(1024)) })
			}
		}, []Confounder{{"open-file limit", "", "1024", "65536"}}},
		"a limit of one alone": {trials(func(t *Trial) { t.Services[0].OpenFiles = new(int64(1024)) }), nil},
		"a head that varies":   {trials(func(t *Trial) { t.Contract.HeadBytes = int64(122 + t.Round%2) }), nil},
		"services": {func(r *Record) {
			app := r.Run.Stacks[1].Services[0]
			app.Name, app.Of = "app-1", "app"
			r.Run.Stacks[1].Services = append(r.Run.Stacks[1].Services, app, app)
		}, []Confounder{{"services", "", "web, app × 2", "web"}}},
		"user":           {service(func(s *Service) { s.User = "0:0" }), []Confounder{{"user", "", "0:0", "10001:10001"}}},
		"memory limit":   {service(func(s *Service) { s.MemoryBytes = 512 << 20 }), []Confounder{{"memory limit", "", "512 MiB", "1,024 MiB"}}},
		"process limit":  {service(func(s *Service) { s.PidsLimit = 64 }), []Confounder{{"process limit", "", "64", "1,024"}}},
		"capabilities":   {service(func(s *Service) { s.CapAdd = []string{"SETUID"} }), []Confounder{{"capabilities", "", "SETUID", ""}}},
		"writable paths": {service(func(s *Service) { s.Tmpfs = []string{"/tmp", "/run"} }), []Confounder{{"writable paths", "", "/tmp /run", "/tmp"}}},
		"command":        {service(func(s *Service) { s.Command = []string{"web", "-2"} }), []Confounder{{"command", "", "web -2", "web"}}},
		"variables": {service(func(s *Service) { s.Env = map[string]string{"A": "2", "B": "1"} }), []Confounder{
			{"variable", "A", "2", "1"}, {"variable", "B", "1", ""},
		}},
		"facts": {service(func(s *Service) { s.Facts = Facts{"build": "x\ny", "modules": []any{"a"}, "lost": "found"} }), []Confounder{
			{"fact", "build", "x y", "x"}, {"fact", "lost", "found", "not known"},
		}},
		"packages": {service(func(s *Service) { s.Packages = map[string]string{"libc6": "2.36", "web": "1.3", "lua": "5.1"} }), []Confounder{
			{"package", "web", "1.3", "1.2"}, {"package", "lua", "5.1", ""}, {"package", "zlib", "", "1.2.13"},
		}},
		"no package list": {service(func(s *Service) { s.Packages = nil }), []Confounder{{"package list", "", "not known", "known"}}},
		"files": {func(r *Record) {
			r.Run.Stacks[1].Files = []File{{Path: "Dockerfile", SHA256: "aa"}, {Path: "web.conf", SHA256: "cc"}, {Path: "x", SHA256: "dd"}}
		}, []Confounder{{"file", "web.conf", "cc", "bb"}, {"file", "x", "dd", ""}}},
		"image":               {service(func(s *Service) { s.ImageID = "sha256:2" }), []Confounder{{"image", "", "web:1 sha256:2", "web:1 sha256:1"}}},
		"a stack undescribed": {func(r *Record) { r.Run.Stacks = r.Run.Stacks[:1] }, nil},
	} {
		record := alike()
		c.change(&record)
		pair := Judge(record).Comparisons[0].Pairs[0]
		if pair.Target != "b" || pair.Against != "a" {
			t.Fatalf("the pair is %s against %s", pair.Target, pair.Against)
		}
		want := append([]Confounder{{"stack", "", "twin", "web"}}, c.want...)
		if diff := cmp.Diff(want, pair.Confounders); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestMissingTargetHasNoConfounders(t *testing.T) {
	record := alike()
	record.Run.Claims, record.Run.Targets[1].Missing = []Claim{{"b", "a", 0}}, "no such package"
	if pair := Judge(record).Comparisons[0].Pairs[0]; pair.Confounders != nil {
		t.Errorf("%+v", pair.Confounders)
	}
}

// A control differs from its target in nothing, though trials of the same target
// differ: its answers' length, its processes.
func TestControlDiffersInNothing(t *testing.T) {
	record := alike()
	record.Run.Targets[1] = record.Run.Targets[0]
	record.Run.Targets[1].Name, record.Run.Targets[1].ControlOf = "b", "a"
	record.Run.Targets = append(record.Run.Targets, Target{Name: "c", Stack: "other"})
	for _, target := range []string{"a", "b"} {
		for round := range 3 {
			edit(record, target, round+1, func(t *Trial) {
				t.Contract.HeadBytes += int64(round % 2)
				t.Services[0].Processes = new(int64(2 + 3*round + len(t.Target)))
			})
		}
	}
	controls := Judge(record).Comparisons[0].Controls
	if len(controls) != 1 || len(controls[0].Pair.Confounders) > 0 {
		t.Errorf("controls %+v", controls)
	}
}

// alike is a record of two targets that differ in nothing but the names of their
// stacks.
func alike() Record {
	record := sampleRecord(map[string][]float64{"a": {100, 100, 100}, "b": {110, 110, 110}})
	stack := func(name string) Stack {
		return Stack{
			Name: name, Params: map[string]string{"config": "tuned"},
			Files: []File{{Path: "Dockerfile", SHA256: "aa"}, {Path: "web.conf", SHA256: "bb"}},
			Services: []Service{{
				Name: "web", Image: "web:1", ImageID: "sha256:1", Command: []string{"web"}, Env: map[string]string{"A": "1"}, User: "10001:10001",
				Tmpfs: []string{"/tmp"}, MemoryBytes: 1 << 30, PidsLimit: 1024,
				Packages: map[string]string{"libc6": "2.36", "web": "1.2", "zlib": "1.2.13"},
				Facts:    Facts{"build": "x", "modules": []any{"a"}, "lost": nil},
			}},
		}
	}
	record.Run.Stacks = []Stack{stack("web"), stack("twin")}
	for i := range record.Run.Targets {
		t := &record.Run.Targets[i]
		t.Stack, t.Params, t.Request = record.Run.Stacks[i].Name, map[string]string{"config": "tuned"}, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
	}
	for i := range record.Trials {
		t := &record.Trials[i]
		t.Contract.Head = "HTTP/1.1 200 OK\r\n"
		t.Services[0].Threads, t.Services[0].Users = new(int64(4)), []int64{10001}
	}
	return record
}
