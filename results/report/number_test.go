package report

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dyno/results"
)

func TestNumbers(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{three(88_912), "88,900"},
		{three(1_234_567), "1,230,000"},
		{three(999.6), "1,000"},
		{three(100), "100"},
		{three(12.35), "12.3"},
		{three(1.2), "1.20"},
		{three(0.7182), "0.718"},
		{three(0.000123456), "0.000123"},
		{three(0), "0"},
		{three(math.NaN()), none},
		{three(math.Inf(1)), none},
		{share(0), "0"},
		{share(1), "100"},
		{share(0.13), "13"},
		{share(0.0995), "10"},
		{share(0.05), "5.0"},
		{share(0.00051), "0.051"},
		{share(1e-9), "<0.0001"},
		{ratio(1.0041), "1.004"},
		{ratio(0.1), "0.100"},
		{ratio(0.0123), "0.0123"},
		{ratio(12.345), "12.3"},
		{probability(1), "1"},
		{probability(0.03125), "0.031"},
		{probability(0.000_001_9), "<0.0001"},
		{signed(0.0757, 0.108), "+0.076"},
		{signed(-1234.5, 1234.5), "−1,234"},
		{signed(-0.0001, 1), "0.00"},
		{signed(0, 0), "0"},
		{trim(1_000_000), "1,000,000"},
		{trim(0.5), "0.5"},
		{plural(1, "round"), "1 round"},
		{plural(1200, "target"), "1,200 targets"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestWrap(t *testing.T) {
	got := wrap("one two three-and-a-half four"+joint+"five six", 9)
	want := []string{"one two", "three-and-a-half", "four" + joint + "five", "six"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestCommandIsTakenByAShell(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"dyno", "run", "a"}, "dyno run a --seed 7"},
		{[]string{"dyno", "run", "--seed=1", "a b", "it's", ""}, `dyno run --seed=1 'a b' 'it'\''s' ''`},
		{[]string{"dyno", "run", "--seed", "1"}, "dyno run --seed 1"},
	} {
		if got := command(results.Run{Command: c.args, Seed: 7}); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// A record keeps only what the JSON has, a fresh run what the host's own package
// says: both read alike.
func TestFactsFreshAndRead(t *testing.T) {
	fresh := results.Facts{"cpu.cores": int64(4), "cpu.threads": int64(8), "memory.total": int64(8 << 30)}
	read := results.Facts{"cpu.cores": 4.0, "cpu.threads": 8.0, "memory.total": float64(8 << 30)}
	if a, b := machine(fresh), machine(read); a != b || a != "4"+joint+"cores, 8"+joint+"threads, 8.00"+joint+"GiB" {
		t.Errorf("%q and %q", a, b)
	}
	if got := machine(results.Facts{"cpu.model": nil, "cpu.cores": nil}); got != "" {
		t.Errorf("unknown facts became %q", got)
	}
}
