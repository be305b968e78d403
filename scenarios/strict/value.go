package strict

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// OneOrMany is a list that a file may also write as its only element, without brackets.
type OneOrMany[T any] []T

func (OneOrMany[T]) oneOrMany() {}

// A decoder copies a tree of TOML values into Go values and collects what does not fit.
type decoder struct{ errs List }

// value copies data, which stands at n, into to.
func (d *decoder) value(n *Node, data any, to reflect.Value) {
	if to.Kind() == reflect.Pointer {
		to.Set(reflect.New(to.Type().Elem()))
		to = to.Elem()
	}
	switch v := to.Addr().Interface().(type) {
	case encoding.TextUnmarshaler:
		d.text(n, "a string", data, v.UnmarshalText)
		return
	case *time.Duration:
		d.text(n, "a duration such as \"5s\"", data, func(text []byte) error { return parseDuration(v, string(text)) })
		return
	}
	switch to.Kind() {
	case reflect.Struct:
		d.table(n, data, to)
	case reflect.Map:
		d.mapping(n, data, to)
	case reflect.Slice:
		d.list(n, data, to)
	default:
		d.scalar(n, data, to)
	}
}

// text hands a string to parse.
func (d *decoder) text(n *Node, want string, data any, parse func([]byte) error) {
	assign(d, n, want, data, func(s string) {
		if err := parse([]byte(s)); err != nil {
			d.errs.Add(n.Errorf("%s", err))
		}
	})
}

// parseDuration reads "1.5s" and the like.
func parseDuration(to *time.Duration, text string) error {
	v, err := time.ParseDuration(text)
	if err != nil {
		return fmt.Errorf(`%q is not a duration such as "5s" or "500ms"`, text)
	}
	*to = v
	return nil
}

// table copies a TOML table into a struct: a key that the struct lacks is a mistake, and so is the absence of a required one,
// unless a misspelt key was probably meant for it.
func (d *decoder) table(n *Node, data any, to reflect.Value) {
	table, ok := data.(map[string]any)
	if !ok {
		d.mismatch(n, "a table", data)
		return
	}
	fields := fieldsOf(to.Type())
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	var meant []string
	for key, value := range table {
		if i := slices.Index(names, key); i >= 0 {
			d.value(n.At(key), value, to.FieldByIndex(fields[i].index))
			continue
		}
		d.errs.Add(n.At(key).Errorf("unknown key").Among(key, names))
		if near, ok := Nearest(key, names); ok {
			meant = append(meant, near)
		}
	}
	for _, f := range fields {
		if _, ok := table[f.name]; !ok && f.required && !slices.Contains(meant, f.name) {
			d.errs.Add(n.At(f.name).Errorf("missing"))
		}
	}
}

// A field is what a struct's field accepts from a file.
type field struct {
	name     string
	required bool
	index    []int
}

// fieldsOf returns the fields of a struct in order, those of structs that it embeds among them.
func fieldsOf(t reflect.Type) []field {
	var fields []field
	for _, f := range reflect.VisibleFields(t) {
		name, option, _ := strings.Cut(f.Tag.Get("toml"), ",")
		if name == "" {
			name = strings.ToLower(f.Name)
		}
		if f.IsExported() && !f.Anonymous && name != "-" {
			fields = append(fields, field{name, option == "required", f.Index})
		}
	}
	return fields
}

// mapping copies a TOML table into a map with string keys.
func (d *decoder) mapping(n *Node, data any, to reflect.Value) {
	table, ok := data.(map[string]any)
	if !ok {
		d.mismatch(n, "a table", data)
		return
	}
	to.Set(reflect.MakeMap(to.Type()))
	for key, value := range table {
		elem := reflect.New(to.Type().Elem()).Elem()
		d.value(n.At(key), value, elem)
		to.SetMapIndex(reflect.ValueOf(key).Convert(to.Type().Key()), elem)
	}
}

// list copies a TOML array or an array of tables into a slice.
func (d *decoder) list(n *Node, data any, to reflect.Value) {
	from := reflect.ValueOf(data)
	if _, ok := to.Interface().(interface{ oneOrMany() }); ok && from.Kind() != reflect.Slice {
		to.Set(reflect.MakeSlice(to.Type(), 1, 1))
		d.value(n, data, to.Index(0))
		return
	}
	if from.Kind() != reflect.Slice {
		want := "an array"
		if to.Type().Elem().Kind() == reflect.Struct {
			want = fmt.Sprintf("an array of tables, each headed [[%s]]", n.Key())
		}
		d.mismatch(n, want, data)
		return
	}
	to.Set(reflect.MakeSlice(to.Type(), from.Len(), from.Len()))
	for i := range from.Len() {
		d.value(n.Item(i), from.Index(i).Interface(), to.Index(i))
	}
}

// scalar copies a string, boolean or number. An integer will do for a float, nothing else is converted.
func (d *decoder) scalar(n *Node, data any, to reflect.Value) {
	switch to.Kind() {
	case reflect.String:
		assign(d, n, "a string", data, to.SetString)
	case reflect.Bool:
		assign(d, n, "true or false", data, to.SetBool)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		assign(d, n, "an integer", data, func(v int64) {
			if to.OverflowInt(v) {
				d.errs.Add(n.Errorf("%d is out of range", v))
			}
			to.SetInt(v)
		})
	case reflect.Float64:
		if v, ok := data.(int64); ok {
			data = float64(v)
		}
		assign(d, n, "a number", data, to.SetFloat)
	default:
		panic(fmt.Sprintf("strict: cannot decode into %s", to.Type()))
	}
}

// assign calls set with data if that is a T, and else reports what is wanted.
func assign[T any](d *decoder, n *Node, want string, data any, set func(T)) {
	if v, ok := data.(T); ok {
		set(v)
		return
	}
	d.mismatch(n, want, data)
}

// mismatch reports data of the wrong type.
func (d *decoder) mismatch(n *Node, want string, data any) {
	d.errs.Add(n.Errorf("must be %s, not %s", want, describe(data)))
}

// describe names a TOML value as its author would.
func describe(data any) string {
	switch v := data.(type) {
	case string:
		return fmt.Sprintf("the string %q", v)
	case int64:
		return fmt.Sprintf("the integer %d", v)
	case float64:
		return fmt.Sprintf("the number %v", v)
	case bool:
		return fmt.Sprint(v)
	case time.Time:
		return "a date or time"
	case map[string]any:
		return "a table"
	}
	return "an array"
}
