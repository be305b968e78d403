package strict_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"dyno/scenarios/strict"

	"github.com/google/go-cmp/cmp"
)

// A level is a text that knows how to read itself.
type level int

func (l *level) UnmarshalText(text []byte) error {
	switch string(text) {
	case "low":
		*l = 1
	case "high":
		*l = 2
	default:
		return fmt.Errorf("%q is no level", text)
	}
	return nil
}

type machine struct {
	Name     string `toml:"name,required"`
	Cores    int
	Small    int8
	Load     float64
	On       bool
	Level    level
	Every    time.Duration
	Ports    strict.OneOrMany[int64]
	Labels   map[string]string
	Fans     []fan `toml:"fan"`
	Spare    *fan
	Internal string `toml:"-"`
}

type fan struct {
	Size  int `toml:"size,required"`
	Notes []string
}

func TestDecode(t *testing.T) {
	const text = `
name = "a"
cores = 4
load = 2
on = true
level = "high"
every = "1m30s"
ports = 80
labels = { x = "1", "y z" = "2" }
spare = { size = 3 }
[[fan]]
size = 1
notes = ["one", "two"]
[[fan]]
size = 2
`
	got := machine{Small: 7}
	root, err := strict.Decode("m.toml", []byte(text), &got)
	if err != nil {
		t.Fatal(err)
	}
	want := machine{
		Name: "a", Cores: 4, Small: 7, Load: 2, On: true, Level: 2, Every: 90 * time.Second,
		Ports:  []int64{80},
		Labels: map[string]string{"x": "1", "y z": "2"},
		Fans:   []fan{{1, []string{"one", "two"}}, {2, nil}},
		Spare:  &fan{Size: 3},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("decoded value (-want +got):\n%s", diff)
	}
	if !root.Has("ports") || root.Has("small") {
		t.Error("Has does not tell present keys from absent ones")
	}
}

// The fields of an embedded struct are keys of the table that embeds it.
func TestDecodeEmbedded(t *testing.T) {
	type size struct {
		Width  int `toml:"width,required"`
		Height int
	}
	var got struct {
		Name string
		size
		More []size
	}
	if _, err := strict.Decode("e.toml", []byte("name = \"a\"\nwidth = 1\n[[more]]\nwidth = 2\nheight = 3\n"), &got); err != nil {
		t.Fatal(err)
	}
	if got.Name != "a" || got.Width != 1 || got.Height != 0 || len(got.More) != 1 || got.More[0] != (size{2, 3}) {
		t.Errorf("%+v", got)
	}
	_, err := strict.Decode("e.toml", []byte("name = \"a\"\nhight = 1\n"), &got)
	if want := "e.toml:1: width: missing\ne.toml:2: hight: unknown key; did you mean \"height\"? (allowed: name, width, height, more)"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestDecodeErrors(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"unknown key, near", "name = 'a'\ncoers = 1", `m.toml:2: coers: unknown key; did you mean "cores"? (allowed: name, cores, small, load, on, level, every, ports, labels, fan, spare)`},
		{"unknown key, far", "name = 'a'\nfan = [{size = 1, \"blue light\" = 1}]", `m.toml:2: fan."blue light": unknown key (allowed: size, notes)`},
		{"the tags decide", "name = 'a'\ninternal = 1", `m.toml:2: internal: unknown key (allowed: name, cores, small, load, on, level, every, ports, labels, fan, spare)`},
		{"missing", "\n\ncores = 1", `m.toml:1: name: missing`},
		{"missing in the second table", "name = 'a'\n[[fan]]\nsize = 1\n[[fan]]\n", `m.toml:4: fan.size: missing`},
		{"a misspelt key is not missing too", "nmae = 'a'", `m.toml:1: nmae: unknown key; did you mean "name"? (allowed: name, cores, small, load, on, level, every, ports, labels, fan, spare)`},
		{"types", `
name = 1
cores = "x"
load = true
on = 1.5
level = 1979-05-27
every = 5
ports = [1, "2"]
labels = []
fan = {}
spare = [1]
`, `m.toml:2: name: must be a string, not the integer 1
m.toml:3: cores: must be an integer, not the string "x"
m.toml:4: load: must be a number, not true
m.toml:5: on: must be true or false, not the number 1.5
m.toml:6: level: must be a string, not a date or time
m.toml:7: every: must be a duration such as "5s", not the integer 5
m.toml:8: ports: must be an integer, not the string "2"
m.toml:9: labels: must be a table, not an array
m.toml:10: fan: must be an array of tables, each headed [[fan]], not a table
m.toml:11: spare: must be a table, not an array`},
		{"values", "name = 'a'\nsmall = 300\nlevel = 'mid'\nevery = '5'", `m.toml:2: small: 300 is out of range
m.toml:3: level: "mid" is no level
m.toml:4: every: "5" is not a duration such as "5s" or "500ms"`},
		{"the element's own line", "name = 'a'\nports = [\n1,\n# two\n'x',\n]", `m.toml:5: ports: must be an integer, not the string "x"`},
		{"syntax", "name = 'a'\ncores = = 1", `m.toml:2: cores: expected value but found '=' instead`},
		{"duplicate", "name = 'a'\n\nname = 'b'", `m.toml:3: name: key 'name' has already been defined`},
		{"empty file", "", `m.toml:1: name: missing`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := strict.Decode("m.toml", []byte(tt.text), &machine{})
			if err == nil {
				t.Fatal("no error")
			}
			if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
			e, ok := errors.AsType[*strict.Error](err)
			if !ok || e.ExitCode() != 2 || e.File != "m.toml" {
				t.Errorf("first mistake is %#v", e)
			}
		})
	}
}

func TestNearest(t *testing.T) {
	words := []string{"connections", "keepalive", "requests", "warmup", "on"}
	tests := []struct{ got, want string }{
		{"conections", "connections"},
		{"keep_alive", "keepalive"},
		{"KeepAlive", "keepalive"},
		{"reqeusts", "requests"},
		{"wramup", "warmup"},
		{"no", "on"},
		{"duration", ""},
		{"", ""},
	}
	for _, tt := range tests {
		if got, ok := strict.Nearest(tt.got, words); got != tt.want || ok != (tt.want != "") {
			t.Errorf("Nearest(%q) = %q, %v, want %q", tt.got, got, ok, tt.want)
		}
	}
}

func ExampleDecode() {
	const text = `[workload]
conections = 100
duration = 5
`
	var file struct {
		Workload struct {
			Connections int
			Duration    time.Duration
		}
	}
	_, err := strict.Decode("small.toml", []byte(text), &file)
	fmt.Println(err)
	// Output:
	// small.toml:2: workload.conections: unknown key; did you mean "connections"? (allowed: connections, duration)
	// small.toml:3: workload.duration: must be a duration such as "5s", not the integer 5
}

func ExampleNode_Errorf() {
	const text = `[[user]]
name = "ann"
age  = 31
[[user]]
name = "bob"
age  = -1
`
	var file struct {
		User []struct {
			Name string
			Age  int
		}
	}
	root, err := strict.Decode("users.toml", []byte(text), &file)
	if err != nil {
		fmt.Println(err)
	}
	var mistakes strict.List
	for i, user := range file.User {
		if user.Age < 0 {
			mistakes.Add(root.At("user").Item(i).At("age").Errorf("must not be below 0"))
		}
	}
	fmt.Println(mistakes.Err())
	// Output:
	// users.toml:6: user.age: must not be below 0
}

// FuzzDecode holds that Decode never panics and that each of its errors has a place inside the file.
func FuzzDecode(f *testing.F) {
	f.Add("name = 'a'\n[[fan]]\nsize = 1")
	f.Add("fan = [{size = 1},\n{size = 'x'}]\n\"na\\u006de\" = '''\nx'''")
	f.Add("name = \"\"\"\n[fan]\n\"\"\"\"\"\nlabels.x.y = 1\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		_, err := strict.Decode("m.toml", []byte(text), &machine{})
		if err == nil {
			return
		}
		list, ok := errors.AsType[strict.List](err)
		if !ok || len(list) == 0 {
			t.Fatalf("error is a %T: %v", err, err)
		}
		for _, e := range list {
			if e.File != "m.toml" || e.Line < 1 || e.Line > strings.Count(text, "\n")+1 || e.Problem == "" {
				t.Errorf("%#v", e)
			}
		}
	})
}
