package strict

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
)

func TestLocate(t *testing.T) {
	const text = `# [not.a.table]
top = 1
"quoted key" = "[no]" # = "no"
'lit.eral' = 'C:\'
"esc\u0061\"pe" = "\\"
text = """
[no]
inner = "\""" \
still = 1"""""
raw = '''
'no' = \
'''''
dates = [1979-05-27 07:32:00, 07:32:00]
a.b . "c" = 2
inline = { x = 1, y.z = [ { deep = '}' } ] , w = "," }
[implied.table]
k = [
  1 # ]
  , [2,
   3],
  { t = 4,
    u = "]" },
]
[implied]
late = 1
[[rows]]
n = 1
[rows.sub]
m = 1
[[rows.sub2]]
o = 1
[[ rows ]]
n = 2
[[rows.sub2]]
o = 2
[[rows.sub2]]
o = 3
`
	if _, err := toml.Decode(text, new(map[string]any)); err != nil {
		t.Fatal(err)
	}
	root := locate("x.toml", "\ufeff"+text)
	rows := root.At("rows")
	tests := []struct {
		at   *Node
		line int
		key  string
	}{
		{root, 1, ``},
		{root.At("top"), 2, `top`},
		{root.At("quoted key"), 3, `"quoted key"`},
		{root.At("lit.eral"), 4, `"lit.eral"`},
		{root.At(`esca"pe`), 5, `"esca\"pe"`},
		{root.At("text"), 6, `text`},
		{root.At("raw"), 10, `raw`},
		{root.At("dates").Item(1), 13, `dates`},
		{root.At("a", "b", "c"), 14, `a.b.c`},
		{root.At("inline", "y", "z").Item(0).At("deep"), 15, `inline.y.z.deep`},
		{root.At("inline", "w"), 15, `inline.w`},
		{root.At("implied", "table", "k").Item(0), 18, `implied.table.k`},
		{root.At("implied", "table", "k").Item(1).Item(1), 20, `implied.table.k`},
		{root.At("implied", "table", "k").Item(2).At("u"), 22, `implied.table.k.u`},
		{root.At("implied"), 24, `implied`},
		{root.At("implied", "table"), 16, `implied.table`},
		{rows, 26, `rows`},
		{rows.Item(0).At("sub", "m"), 29, `rows.sub.m`},
		{rows.Item(0).At("sub2").Item(0).At("o"), 31, `rows.sub2.o`},
		{rows.Item(1), 32, `rows`},
		{rows.Item(1).At("sub2").Item(1).At("o"), 37, `rows.sub2.o`},
		{rows.Item(1).At("sub", "missing"), 32, `rows.sub.missing`},
		{rows.Item(7), 26, `rows`},
		{root.At("inner"), 1, `inner`},
	}
	for _, tt := range tests {
		if tt.at.Line() != tt.line || tt.at.Key() != tt.key {
			t.Errorf("%s on line %d, want %s on line %d", tt.at.Key(), tt.at.Line(), tt.key, tt.line)
		}
	}
}

// A writer makes up TOML text and notes where it puts what: an account of positions that owes nothing to the scanner.
type writer struct {
	*rand.Rand
	text strings.Builder
	line int
	want map[string]int // key with the indices of elements → line
	keys int
}

func (w *writer) write(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	w.line += strings.Count(s, "\n")
	w.text.WriteString(s)
}

func (w *writer) oneOf(list ...string) string { return list[w.IntN(len(list))] }

// key writes a new key and returns its place below at.
func (w *writer) key(at string) string {
	w.keys++
	name := fmt.Sprintf("k%d", w.keys)
	switch w.IntN(5) {
	case 0:
		name += ".[#]= x"
		w.write("%s", w.oneOf(`"`+name+`"`, `'`+name+`'`))
	case 1:
		name += "\"\n"
		w.write(`"%s\"\n"`, strings.TrimSuffix(name, "\"\n"))
	default:
		w.write("%s", name)
	}
	at += "/" + name
	w.want[at] = w.line
	return at
}

// value writes the value of at, at most depth deep.
func (w *writer) value(at string, depth int) {
	kinds := 7
	if depth > 0 {
		kinds = 9
	}
	switch w.IntN(kinds) {
	case 0:
		w.write("%s", w.oneOf("1", "-1_000", "0xff", "1e5", "inf", "true", "1979-05-27 07:32:00", "07:32:00.5"))
	case 1:
		w.write("%s", w.oneOf(`""`, `"a = [b] # c, }"`, `"\"\\"`, `"\u0041'"`))
	case 2:
		w.write("%s", w.oneOf(`''`, `'\'`, `'"""'`, `'# }'`))
	case 3:
		w.write("%s", w.oneOf("\"\"\"\n[x]\nk1 = 1 \"\" \\\"\"\" \\\\\"\"\"", `""""""`, `"""""a"""""`, "\"\"\"a \\\n  b\"\"\""))
	case 4:
		w.write("%s", w.oneOf("'''\n[[x]]\nk1 = 1 '' \\'''", `''''''`, `'''''a'''''`))
	case 5, 6:
		w.write("[%s]", w.oneOf("", "1, 2", "\n", "# ]\n 1, # [\n", "'x', \"]\",", "[[], [1]]"))
	case 7:
		w.write("[")
		for i := range 1 + w.IntN(3) {
			w.write("%s", w.oneOf("", "\n", "# , ]\n\t"))
			item := fmt.Sprintf("%s/%d", at, i)
			w.want[item] = w.line
			w.value(item, depth-1)
			w.write("%s,", w.oneOf("", " ", "\n"))
		}
		w.write("]")
	case 8:
		w.write("{")
		for i := range 1 + w.IntN(3) {
			if i > 0 {
				w.write(",")
			}
			w.write("%s", w.oneOf("", " "))
			w.pair(at, depth-1)
		}
		w.write("}")
	}
}

func (w *writer) pair(at string, depth int) {
	at = w.key(at)
	for w.IntN(4) == 0 {
		w.write("%s", w.oneOf(".", " . "))
		at = w.key(at)
	}
	w.write("%s=%s", w.oneOf("", " ", "\t"), w.oneOf("", "  "))
	w.value(at, depth)
}

func (w *writer) file() {
	at, rows := "", 0
	for range w.IntN(20) {
		w.write("%s", w.oneOf("", "\n", " # [c]\n", "\r\n", "#\n\n\t"))
		switch w.IntN(5) {
		case 0:
			w.write("[")
			at = w.key("")
			w.write(" . ")
			at = w.key(at)
			w.write("]")
		case 1:
			if rows == 0 {
				w.want["/rows"] = w.line
			}
			at = fmt.Sprintf("/rows/%d", rows)
			w.want[at] = w.line
			rows++
			w.write("%s", w.oneOf("[[rows]]", "[[ 'rows' ]]", "[[\"ro\\u0077s\" ]]"))
		default:
			w.pair(at, 2)
		}
		w.write("%s\n", w.oneOf("", " ", "\t# c = 1", "\r"))
	}
}

// places lists what a tree of values holds, in the terms of writer.want.
func places(at string, v any, n *Node, found map[string]int) {
	if at != "" {
		found[at] = n.Line()
	}
	switch v := v.(type) {
	case map[string]any:
		for key, v := range v {
			if !n.Has(key) {
				found[at+"/"+key] = -1
				continue
			}
			places(at+"/"+key, v, n.At(key), found)
		}
	case []map[string]any:
		for i, v := range v {
			places(fmt.Sprintf("%s/%d", at, i), v, n.Item(i), found)
		}
	case []any:
		for i, v := range v {
			places(fmt.Sprintf("%s/%d", at, i), v, n.Item(i), found)
		}
	}
}

func TestLocateGenerated(t *testing.T) {
	for seed := range uint64(1000) {
		w := writer{Rand: rand.New(rand.NewPCG(seed, 0)), line: 1, want: map[string]int{}}
		w.file()
		var tree map[string]any
		md, err := toml.Decode(w.text.String(), &tree)
		if err != nil {
			t.Fatalf("seed %d: the generated text is no TOML: %v\n%s", seed, err, w.text.String())
		}
		root, found := locate("x.toml", w.text.String()), map[string]int{}
		places("", tree, root, found)
		for at, line := range found {
			if _, ok := w.want[at]; !ok && line > 0 {
				delete(found, at) // elements that the generator does not note
			}
		}
		if diff := cmp.Diff(w.want, found); diff != "" {
			t.Fatalf("seed %d: lines (-want +got):\n%s\n%s", seed, diff, w.text.String())
		}
		if len(md.Keys()) > len(w.want) {
			t.Fatalf("seed %d: %d keys noted of %d", seed, len(w.want), len(md.Keys()))
		}
	}
}

// FuzzLocate holds, for every text that the TOML library accepts, that each key it found has a place inside the text, and for every
// other that locate comes to an end.
func FuzzLocate(f *testing.F) {
	f.Add("a.b = [{c = '''\n'''}, {\"d\\n\" = 1}]\n[[e]]\n[e.f]\n")
	f.Add("[[[{{\"\"\"'''#\\")
	f.Add("a = [}")
	f.Add("a = {]")
	f.Add("a = {b = 1, # }\nc = \"\\\"\"\r\n}\n\"\" = 2")
	f.Fuzz(func(t *testing.T, text string) {
		root := locate("x.toml", text)
		var tree map[string]any
		if _, err := toml.Decode(text, &tree); err != nil {
			return
		}
		found := map[string]int{}
		places("", tree, root, found)
		for at, line := range found {
			if line < 1 || line > strings.Count(text, "\n")+1 {
				t.Errorf("%q on line %d", at, line)
			}
		}
	})
}
