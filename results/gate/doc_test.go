package gate

import (
	"os"
	"strings"
	"testing"
)

// The examples of docs/gates.md are gates, and its table has every figure and unit.
func TestDocExamples(t *testing.T) {
	text, err := os.ReadFile("../../docs/gates.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "```\n")
	examples, _, _ := strings.Cut(rest, "```\n")
	if strings.Count(examples, "\n") < 5 {
		t.Fatalf("docs/gates.md has the examples %q", examples)
	}
	for example := range strings.Lines(examples) {
		if _, err := Parse(strings.TrimSpace(example)); err != nil {
			t.Error(err)
		}
	}
	for _, f := range Figures() {
		if !strings.Contains(string(text), "`"+string(f)+"`") {
			t.Errorf("docs/gates.md has no %s", f)
		}
		for _, u := range f.Quantity().units() {
			if name := strings.ReplaceAll(u.name, "μ", "µ"); name != "" && !strings.Contains(string(text), "`"+name+"`") {
				t.Errorf("docs/gates.md has no unit %s", name)
			}
		}
	}
}
