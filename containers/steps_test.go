package containers

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// A build says at which step it is, but not more often than people can read.
func TestSteps(t *testing.T) {
	var said []string
	var now time.Time
	s := &steps{what: "dyno/x", note: func(text string) { said = append(said, text) }, now: func() time.Time { return now }}
	s.told = now
	for _, w := range []struct {
		after time.Duration
		text  string
	}{
		{0, "Step 1/9 : FROM debian\n ---> 123\n"},
		{4 * time.Second, "Step 2/9 : RUN a\n"},
		{7 * time.Second, "noise Step 3/9 : RUN no\nStep 4/"},
		{0, "9 : RUN apt-get update\nStep 5/9 : COPY x /x\n"},
		{11 * time.Second, "Step 6/9 : CMD y\n"},
	} {
		now = now.Add(w.after)
		fmt.Fprint(s, w.text)
	}
	want := []string{"building dyno/x: step 4 of 9, RUN", "building dyno/x: step 6 of 9, CMD"}
	if !slices.Equal(said, want) {
		t.Errorf("it said %q, want %q", said, want)
	}
}
