package main

import (
	"bytes"
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"dyno/results"
)

// The workflow of docs/ci does what it says: all that it runs is run here, in its
// order, in a repository with two versions of a server. What comes out hangs on how
// busy this machine is, that something does does not.
func TestWorkflow(t *testing.T) {
	needDocker(t)
	text, err := os.ReadFile("../../docs/ci/compare.yml")
	if err != nil {
		t.Fatal(err)
	}
	steps := commands(string(text))
	if len(steps) != 5 {
		t.Fatalf("docs/ci/compare.yml runs %d commands, want 5: %q", len(steps), steps)
	}
	dir, base, head := repository(t)
	for _, step := range steps {
		step = strings.Replace(step, "dyno run ", "dyno run --wait ", 1) // other tests measure too
		cmd := exec.Command("bash", "-e", "-c", step)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "BASE="+base, "HEAD="+head, "GITHUB_STEP_SUMMARY="+filepath.Join(dir, "summary.md"))
		out, err := cmd.CombinedOutput()
		t.Logf("%s\n%s", step, out)
		if gated := strings.Contains(step, "--gate"); err != nil && !(gated && bytes.Contains(out, []byte("gate"))) {
			t.Fatalf("%s: %v", step, err)
		}
	}
	summary, err := os.ReadFile(filepath.Join(dir, "summary.md"))
	if err != nil || !bytes.Contains(summary, []byte("| goodput(head) \\>= 0.95 \\* baseline |")) {
		t.Errorf("the summary: %v\n%s", err, summary)
	}
	junit, err := os.ReadFile(filepath.Join(dir, "bench/results/report.xml"))
	if err != nil || xml.Unmarshal(junit, new(struct{})) != nil || !bytes.Contains(junit, []byte("gate cpu(head)")) {
		t.Errorf("the tests: %v\n%s", err, junit)
	}
	paths, _ := filepath.Glob(filepath.Join(dir, "bench/results/*.jsonl"))
	if len(paths) != 1 {
		t.Fatalf("records: %q", paths)
	}
	record, err := results.Read(paths[0])
	if err != nil || record.End == nil || record.End.Status != results.Complete || len(record.Run.Stacks) != 2 {
		t.Errorf("the record: %v, end %+v, %d stacks", err, record.End, len(record.Run.Stacks))
	}
}

// commands returns what a workflow runs, in its order.
func commands(workflow string) (all []string) {
	block := regexp.MustCompile(`(?m)^( *)run: (.*)\n((?:\s*\n| {10}.*\n)*)`)
	for _, m := range block.FindAllStringSubmatch(workflow, -1) {
		if m[2] != "|" {
			all = append(all, m[2])
			continue
		}
		all = append(all, strings.ReplaceAll("\n"+m[3], "\n"+m[1]+"  ", "\n"))
	}
	return all
}

// repository returns that of a server with two commits, with dyno and the stack of
// docs/ci in it, as the workflow finds them. Its rounds are few and short.
func repository(t *testing.T) (dir, base, head string) {
	t.Helper()
	dir = t.TempDir()
	server, err := os.ReadFile("template/server.py")
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(dir, "bench"), os.DirFS("../../docs/ci/bench")); err != nil {
		t.Fatal(err)
	}
	scenario := filepath.Join(dir, "bench/builds.toml")
	text, err := os.ReadFile(scenario)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte("rounds = 12"), []byte("rounds = 2"), 1)
	text = bytes.Replace(text, []byte(`duration    = "3s"`), []byte(`duration = "500ms"`), 1)
	if err := os.WriteFile(scenario, text, 0o644); err != nil {
		t.Fatal(err)
	}
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	if err := os.Symlink(root, filepath.Join(dir, "dyno")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "server"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, version := range []string{"# one\n", "# two\n"} {
		if err := os.WriteFile(filepath.Join(dir, "server/server.py"), append([]byte(version), server...), 0o644); err != nil {
			t.Fatal(err)
		}
		git("add", "server")
		git("commit", "-q", "-m", version)
		base, head = head, git("rev-parse", "HEAD")
	}
	return dir, base, head
}
