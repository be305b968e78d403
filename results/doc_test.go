package results

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// docs/record.md has a section for each type of the record, named after it, whose
// table has a row for each field, in the fields' order.
func TestDocNamesEveryField(t *testing.T) {
	want := map[string][]string{}
	for _, line := range []any{Run{}, Trial{}, Historic{}, End{}} {
		fieldsOf(reflect.TypeOf(line), want)
	}
	got := documented(t)
	delete(got, "Codes")
	delete(got, "Outcomes")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fields of the record (-Go +docs/record.md):\n%s", diff)
	}
}

func TestDocNamesEveryCode(t *testing.T) {
	if diff := cmp.Diff(reasonCodes(t), documented(t)["Codes"]); diff != "" {
		t.Errorf("codes (-Go +docs/record.md):\n%s", diff)
	}
}

// reasonCodes lists the codes of reasons, as validity.go has them.
func reasonCodes(t *testing.T) (codes []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "validity.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if ok && strings.HasPrefix(spec.Names[0].Name, "Code") {
			code, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			codes = append(codes, code)
		}
		return true
	})
	return codes
}

// fieldsOf lists the JSON names of a struct's fields, and of all structs in it.
func fieldsOf(t reflect.Type, names map[string][]string) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		fieldsOf(t.Elem(), names)
		return
	case reflect.Struct:
	default:
		return
	}
	if t.PkgPath() != reflect.TypeFor[Run]().PkgPath() || names[t.Name()] != nil {
		return
	}
	for _, field := range reflect.VisibleFields(t) {
		if !field.Anonymous { // else its fields stand among the others
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			names[t.Name()] = append(names[t.Name()], name)
		}
	}
	for field := range t.Fields() {
		fieldsOf(field.Type, names)
	}
}

// documented lists the first cell of each table row, by section.
func documented(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("../docs/record.md")
	if err != nil {
		t.Fatal(err)
	}
	heading, row := regexp.MustCompile(`^##+ (\w+)$`), regexp.MustCompile("^\\| `([^`]+)` \\| .*\\S \\|$")
	names, section := map[string][]string{}, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if m := heading.FindStringSubmatch(line); m != nil {
			section = m[1]
		} else if m := row.FindStringSubmatch(line); m != nil {
			names[section] = append(names[section], m[1])
		} else if strings.HasPrefix(line, "| `") {
			t.Errorf("a row without a meaning: %s", line)
		}
	}
	return names
}
