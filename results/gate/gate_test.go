package gate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// without leaves out where names stand.
var without = cmpopts.IgnoreUnexported(Subject{})

func TestParse(t *testing.T) {
	of := func(f Figure, target, workload string) *Subject {
		return &Subject{Figure: f, Target: target, Workload: workload}
	}
	for text, want := range map[string]Gate{
		"goodput(mruby) >= 0.95 * baseline": {
			Subject: Subject{Figure: Goodput, Target: "mruby", Workload: All}, Op: AtLeast,
			Limit: Limit{Text: "0.95 * baseline", Value: 0.95, Baseline: true},
		},
		"errors(*) == 0": {
			Subject: Subject{Figure: Errors, Target: All, Workload: All}, Op: Equal,
			Limit: Limit{Text: "0"},
		},
		"p99(lua)<5ms": {
			Subject: Subject{Figure: P99, Target: "lua", Workload: All}, Op: Less,
			Limit: Limit{Text: "5ms", Value: 0.005},
		},
		"  p50 ( lua , c=100 keepalive ) <= 200 µs  ": {
			Subject: Subject{Figure: P50, Target: "lua", Workload: "c=100 keepalive"}, Op: AtMost,
			Limit: Limit{Text: "200 µs", Value: 200e-6},
		},
		"p99(mruby) <= 1.1*p99(lua)": {
			Subject: Subject{Figure: P99, Target: "mruby", Workload: All}, Op: AtMost,
			Limit: Limit{Text: "1.1*p99(lua)", Value: 1.1, Of: of(P99, "lua", All)},
		},
		"p999(a, c=1 close) < 50 * p50(a, c=1 close)": {
			Subject: Subject{Figure: P999, Target: "a", Workload: "c=1 close"}, Op: Less,
			Limit: Limit{Text: "50 * p50(a, c=1 close)", Value: 50, Of: of(P50, "a", "c=1 close")},
		},
		"goodput(*) > baseline": {
			Subject: Subject{Figure: Goodput, Target: All, Workload: All}, Op: More,
			Limit: Limit{Text: "baseline", Value: 1, Baseline: true},
		},
		"goodput(new) >= 97.5% * goodput(old)": {
			Subject: Subject{Figure: Goodput, Target: "new", Workload: All}, Op: AtLeast,
			Limit: Limit{Text: "97.5% * goodput(old)", Value: 0.975, Of: of(Goodput, "old", All)},
		},
		"memory(a[config=stock,workers=2], *) < 64MiB": {
			Subject: Subject{Figure: Memory, Target: "a[config=stock,workers=2]", Workload: All}, Op: Less,
			Limit: Limit{Text: "64MiB", Value: 64 << 20},
		},
		`goodput("worker, (shared)") > 50000 req/s`: {
			Subject: Subject{Figure: Goodput, Target: "worker, (shared)", Workload: All}, Op: More,
			Limit: Limit{Text: "50000 req/s", Value: 50_000},
		},
	} {
		want.Text = text
		got, err := Parse(text)
		if diff := cmp.Diff(want, got, without); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", text, err, diff)
		}
	}
}

// Every unit is of one quantity, and counts what it says.
func TestUnits(t *testing.T) {
	for text, want := range map[string]float64{
		"p99(a) < 2s": 2, "p99(a) < 2ms": 2e-3, "p99(a) < 2us": 2e-6, "p99(a) < 2\u00b5s": 2e-6, "p99(a) < 2\u03bcs": 2e-6, "p99(a) < 2ns": 2e-9, "p99(a) < 0": 0,
		"cpu(a) < 12.5us": 12.5e-6, "startup(a) < .5s": -1, "startup(a) < 0.5s": 0.5, "mean(a) < 1ms": 1e-3,
		"errors(a) < 0.1%": 0.001, "errors(a) <= 0": 0, "errors(a) < 1": -1, "errors(a) < 1ms": -1,
		"memory(a) < 2B": 2, "memory(a) < 2kB": 2000, "memory(a) < 2MB": 2e6, "memory(a) < 2GB": 2e9,
		"memory(a) < 2KiB": 2048, "memory(a) < 2MiB": 2 << 20, "memory(a) < 2GiB": 2 << 30, "memory(a) < 2": -1, "memory(a) < 2ms": -1,
		"goodput(a) > 2": 2, "goodput(a) > 2/s": 2, "throughput(a) > 2 req/s": 2, "goodput(a) > 2ms": -1, "goodput(a) > 2%": -1,
	} {
		g, err := Parse(text)
		if want < 0 {
			if err == nil {
				t.Errorf("%s is taken as %v", text, g.Limit.Value)
			}
			continue
		}
		if err != nil || g.Limit.Value < want*(1-1e-12) || g.Limit.Value > want*(1+1e-12) {
			t.Errorf("%s: %v, %v; want %v", text, g.Limit.Value, err, want)
		}
	}
}

// A mistake is told with its column and with what is right.
func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"":                            `column 1: the end is no figure; there are goodput throughput mean p50 p90 p99 p999 errors cpu memory startup`,
		"goodputt(a) > 1":             `column 1: "goodputt" is no figure; there are goodput`,
		"  (a) > 1":                   `column 3: "(" is no figure`,
		"goodput a > 1":               `column 9: "(" is missing before "a", as in goodput(my-target)`,
		"goodput() > 1":               `column 9: the name of a target is missing before ")"; * is all of them`,
		"goodput(a, ) > 1":            `column 12: the name of a workload is missing before ")"`,
		`goodput("") > 1`:             `column 9: the name of a target is empty`,
		`goodput("a) > 1`:             `column 16: "\"" is missing before the end`,
		"goodput(a > 1":               `column 14: ")" is missing before the end`,
		"goodput(a)":                  `column 11: the end is no comparison; there are <, <=, >, >= and, for errors, ==`,
		"goodput(a) = 1":              `column 12: "=" is no comparison`,
		"goodput(a) == 1":             `column 12: == is for errors, which are counted; goodput is an estimate`,
		"goodput(a) > ":               `column 14: the end is no limit; it is a number with its unit, baseline, a figure such as goodput(my-target), or a number times one of these`,
		"goodput(a) > fast":           `column 14: "fast" is no limit`,
		"goodput(a) > -1":             `column 14: "-" is no limit`,
		"goodput(a) > 1.2.3":          `column 14: "1.2.3" is no number`,
		"goodput(a) > 50,000":         `column 16: ",000" is left over; a gate ends with its limit`,
		"p99(a) < 5":                  `column 11: a number without a unit is no limit of p99; its units are ms, µs, ns, s`,
		"p99(a) < 5 MiB":              `column 12: "MiB" is no limit of p99; its units are ms, µs, ns, s`,
		"errors(a) < 0.001":           `column 18: a number without a unit is no limit of errors; its units are %`,
		"goodput(a) > 0 * baseline":   `column 14: a factor is above 0`,
		"goodput(a) > 2ms * baseline": `column 15: a factor has no unit, and here it has "ms"`,
		"goodput(a) > 2 * 3":          `column 18: "3" is no limit`,
		"goodput(a) > p99(b)":         `column 14: goodput and p99 are not measured in the same unit`,
		"p99(a) < p99(*)":             `column 14: a limit is of one target: name it`,
		"p99(a) < 2 * p99(b) * 3":     `column 21: "* 3" is left over`,
		"µ(a) < 1":                    `column 1: "µ" is no figure`,
		"memory(é) < " + strings.Repeat("9", 400):        `column 13: "999`,
		"memory(a) < " + strings.Repeat("9", 306) + "GB": `column 319: the limit is larger than dyno can hold`,
	} {
		_, err := Parse(text)
		if err == nil || !strings.HasPrefix(err.Error(), fmt.Sprintf("gate %q, %s", text, want)) {
			t.Errorf("%s: %v\nwant %s", text, err, want)
		}
	}
}

// Names that a run does not have are told where they stand.
func TestCheck(t *testing.T) {
	cast := Cast{Targets: []string{"lua", "mruby"}, Baseline: "lua", Workloads: []string{"c=1 close"}}
	for text, want := range map[string]string{
		"goodput(mruby) > 1":                       "",
		"goodput(*, *) > baseline":                 "",
		"p99(mruby, c=1 close) < 2 * p99(lua)":     "",
		"goodput(mrubi) > 1":                       `column 9: no target is called "mrubi"; there are lua, mruby`,
		"goodput(mruby, c=2 close) > 1":            `column 16: no workload is called "c=2 close"; there are c=1 close`,
		"p99(mruby) < p99(php)":                    `column 18: no target is called "php"`,
		"p99(mruby) < 2 * p99(lua, c=9 close)":     `column 27: no workload is called "c=9 close"`,
		"goodput(lua) > 0.9 * baseline":            `column 9: lua is the baseline itself`,
		"goodput(lua) > 0.9 * goodput(mruby)":      "",
		"goodput(lua) > 0.9 * goodput( lua )":      "",
		"goodput(\"mruby\") > 0.9 * baseline":      "",
		"errors(*) <= errors(lua, c=1 close)":      "",
		"errors(*) <= errors(\"lu a\", c=1 close)": `column 21: no target is called "lu a"`,
	} {
		g, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		err = g.Check(cast)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v\nwant %q", text, err, want)
		}
	}
	g, err := Parse("goodput(*) > 0.9 * baseline")
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Check(Cast{Targets: []string{"lua"}, Baseline: "lua"}); err == nil {
		t.Error("a gate that is about no target at all is let pass")
	}
	if err := g.Check(Cast{Targets: []string{"lua"}}); err != nil {
		t.Errorf("against another record: %v", err)
	}
}

func TestFor(t *testing.T) {
	for text, want := range map[string]string{
		"goodput(*, c=1 close)>=95%*baseline": "goodput(lua) >= 95%*baseline",
		"p99( * )  <  5 ms ":                  "p99(lua) < 5 ms",
	} {
		g, err := Parse(text)
		if err != nil || g.For("lua") != want {
			t.Errorf("%s: %s, %v; want %s", text, g.For("lua"), err, want)
		}
	}
	g := Gate{Subject: Subject{Figure: CPU}, Op: Less, Limit: Limit{Text: "1ms"}}
	for name, want := range map[string]string{
		"a[b=1,c=2]": "cpu(a[b=1,c=2]) < 1ms", "a again": "cpu(a again) < 1ms", "a, b": `cpu("a, b") < 1ms`, " a": `cpu(" a") < 1ms`, "f(x)": `cpu("f(x)") < 1ms`,
	} {
		if got := g.For(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

func TestEveryFigureHasAQuantity(t *testing.T) {
	if len(Figures()) != 11 || slices.Contains(Figures(), "") {
		t.Errorf("%v", Figures())
	}
	for _, f := range Figures() {
		if q := f.Quantity(); len(q.units()) == 0 || (q == Share) != (f == Errors) || (q == Size) != (f == Memory) {
			t.Errorf("%s is measured in %v", f, q)
		}
	}
}

// Whatever is written, a gate that is taken fits its units, and says of itself
// what it was read from.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"goodput(mruby) >= 0.95 * baseline", "errors(*) == 0", "p99(lua, c=100 keepalive) < 5ms", "p99(a) < 1.1 * p50(b, *)",
		`memory("a, b") <= 64MiB`, "cpu(a[x=1,y=2]) < 12.5\u00b5s", "goodput(a) > 97%*goodput(b)", "((((", "goodput(]],) > 1", "p99(\xff) < 1ms",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := Parse(text)
		if err != nil {
			at, ok := err.(*SyntaxError)
			if !ok || at.Column < 1 || at.Column > len([]rune(text))+1 || at.Gate != text {
				t.Fatalf("%q: %#v", text, err)
			}
			return
		}
		if g.Limit.Value < 0 || g.Limit.Relative() && !(g.Limit.Value > 0) {
			t.Fatalf("%q: the limit is %v", text, g.Limit.Value)
		}
		again, err := Parse(g.For(g.Subject.Target))
		if err != nil {
			t.Fatalf("%q says of itself %q: %v", text, g.For(g.Subject.Target), err)
		}
		g.Subject.Workload, again.Text = All, g.Text
		if diff := cmp.Diff(g, again, without); diff != "" {
			t.Fatalf("%q says of itself %q:\n%s", text, again.Text, diff)
		}
	})
}
