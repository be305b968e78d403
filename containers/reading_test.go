package containers

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestParsePackages(t *testing.T) {
	dpkg := `Package: nginx
Status: install ok installed
Version: 1.22.1-9
Description: small, powerful
 Version: of the description, no field

Package: gone
Status: deinstall ok config-files
Version: 1

Package: last
Status: hold ok installed
Version: 2:3~rc1`
	got, err := parseDpkg(strings.NewReader(dpkg))
	if want := map[string]string{"nginx": "1.22.1-9", "last": "2:3~rc1"}; err != nil || !maps.Equal(got, want) {
		t.Errorf("dpkg: %v, %v, want %v", got, err, want)
	}
	got, err = parsePlain(strings.NewReader("libmruby-dev 3.1.0-3\n\n"))
	if want := map[string]string{"libmruby-dev": "3.1.0-3"}; err != nil || !maps.Equal(got, want) {
		t.Errorf("plain: %v, %v, want %v", got, err, want)
	}
	got, err = parseApk(strings.NewReader("C:Q1\nP:musl\nV:1.2.4-r2\n\nP:zlib\nV:1.3\n"))
	if want := map[string]string{"musl": "1.2.4-r2", "zlib": "1.3"}; err != nil || !maps.Equal(got, want) {
		t.Errorf("apk: %v, %v, want %v", got, err, want)
	}
}

func TestScanLog(t *testing.T) {
	var p Pattern
	if err := p.UnmarshalText([]byte(`exited on signal \d+`)); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", tailBytes)
	log, err := scanLog(strings.NewReader("worker 7 exited on signal 11\n"+long+"\nlast\xff\n"), []Pattern{p})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"worker 7 exited on signal 11"}; !slices.Equal(log.Crashes, want) {
		t.Errorf("crashes %q, want %q", log.Crashes, want)
	}
	if !strings.HasSuffix(log.Tail, "x\nlast\uFFFD") || strings.Contains(log.Tail, "signal") {
		t.Errorf("the tail of %d bytes ends %q", len(log.Tail), log.Tail[max(0, len(log.Tail)-10):])
	}
}

func TestDeadOwners(t *testing.T) {
	self, err := Self("run")
	if err != nil {
		t.Fatal(err)
	}
	changed := func(change func(*Owner)) string {
		other := self
		change(&other)
		return other.labels("web")[labelOwner]
	}
	for name, c := range map[string]struct {
		label   string
		running bool
		want    bool
	}{
		"this process": {changed(func(*Owner) {}), true, false},
		"one of its number that started at another time": {changed(func(o *Owner) { o.Started = "1" }), true, true},
		"one of another pid namespace":                   {changed(func(o *Owner) { o.Space = "pid:[1]" }), true, false},
		"the same, its container stopped":                {changed(func(o *Owner) { o.Space = "pid:[1]" }), false, true},
		"one of an earlier boot, its container stopped":  {changed(func(o *Owner) { o.Boot = "another" }), false, true},
		"a malformed label":                              {"a b c", true, false},
	} {
		if got := dead(c.label, c.running); got != c.want {
			t.Errorf("%s: dead %t, want %t", name, got, c.want)
		}
	}
}
