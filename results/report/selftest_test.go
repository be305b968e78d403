package report

import (
	"math"
	"strings"
	"testing"
	"time"

	"dyno/results"
)

func TestSelfTest(t *testing.T) {
	var b strings.Builder
	err := SelfTest(&b, results.SelfTest{
		Rounds: 9, Comparisons: 4, Claimed: 1, Pairs: 10, Raw: 2, Trials: 45,
		Visible: []results.Visible{{Rounds: 5, Goodput: math.NaN(), CPU: math.NaN()}, {Rounds: 9, Goodput: 0.0312, CPU: 0.0149}},
		Aside:   []results.Cause{{Text: "a busy machine", Trials: 3}},
	}, []Recovery{{Share: 0.999, Known: 250 * time.Millisecond, Measured: 250*time.Millisecond + 81*time.Microsecond}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"In 4 comparisons of a target with itself, over 9 rounds, a difference was claimed 1 times in",
		"Of all 10 pairs of", "2 differ at p < 0.05", "chance alone would give 0.500",
		"3 of 45 trials do not count: a busy machine",
		"       5         –            –\n", "       9     3.1 %        1.5 %\n",
		"    99.9 %     250.000 ms        250.081 ms       +81 µs\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
