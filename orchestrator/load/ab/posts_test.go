package ab

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The derived lines of the posts' reports follow from their counts and times,
// as far as the time's last digit tells.
func TestRatesOfThePosts(t *testing.T) {
	paths, err := filepath.Glob("testdata/posts/*.txt")
	if err != nil || len(paths) != 8 {
		t.Fatalf("%d posts, %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			p := post{t, string(text)}
			taken, digit := p.figure(`Time taken for tests:\s+(\S+) seconds`)
			for _, line := range []struct {
				pattern string
				of      func(Rates) float64
			}{
				{`Requests per second:\s+(\S+) `, func(r Rates) float64 { return r.PerSecond }},
				{`Time per request:\s+(\S+) \[ms\] \(mean\)`, func(r Rates) float64 { return r.EachOfC }},
				{`Time per request:\s+(\S+) \[ms\] \(mean, across`, func(r Rates) float64 { return r.Each }},
				{`Transfer rate:\s+(\S+) `, func(r Rates) float64 { return r.In }},
			} {
				printed, last := p.figure(line.pattern)
				x, y := line.of(p.account(taken-digit/2).Rates()), line.of(p.account(taken+digit/2).Rates())
				if printed < min(x, y)-last || printed > max(x, y)+last {
					t.Errorf("%s: the post has %v, its counts give %v to %v", line.pattern, printed, x, y)
				}
			}
		})
	}
}

// A post is an old report.
type post struct {
	*testing.T
	text string
}

// figure returns a number of the report and the worth of its last digit.
func (p post) figure(pattern string) (value, digit float64) {
	p.Helper()
	found := regexp.MustCompile(pattern).FindStringSubmatch(p.text)
	if found == nil {
		p.Fatalf("no %s", pattern)
	}
	value, err := strconv.ParseFloat(found[1], 64)
	if err != nil {
		p.Fatal(err)
	}
	_, fraction, _ := strings.Cut(found[1], ".")
	return value, math.Pow10(-len(fraction))
}

// account returns the report's counts. ab 2.0 cut the bytes to whole KiB.
func (p post) account(seconds float64) *Account {
	whole := func(pattern string) int64 { v, _ := p.figure(pattern); return int64(v) }
	received := whole(`Total transferred:\s+(\d+)`)
	if strings.Contains(p.text, "Version 2.0") {
		received -= received % 1024
	}
	return &Account{
		Command:  Command{Concurrency: int(whole(`Concurrency Level:\s+(\d+)`))},
		Taken:    time.Duration(seconds * 1e9),
		Complete: whole(`Complete requests:\s+(\d+)`),
		Received: received,
	}
}
