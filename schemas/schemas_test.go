package schemas_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/goccy/go-yaml"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/schemas"
	"github.com/agenthooks/hookctl/simulate"
	"github.com/agenthooks/hookctl/sync/bundle"
)

// readers are what the program does with each kind of file.
var readers = map[string]func(name string, b []byte) error{
	"hookctl":  func(_ string, b []byte) error { _, err := manifests.ParseBundle(b); return err },
	"gate":     readGate,
	"case":     readNote,
	"config":   func(_ string, b []byte) error { _, err := manifests.ParseConfig(b); return err },
	"scenario": func(name string, b []byte) error { _, err := simulate.Parse(name, b); return err },
}

// readGate reads a gate as a release does, on top of the embedded bundle.
func readGate(name string, b []byte) error {
	fsys := fstest.MapFS{
		"hookctl.yaml":             {Data: []byte("schema: 1\nname: t\nextends: embedded\n")},
		"gates/" + path.Base(name): {Data: b},
	}
	_, _, err := manifests.OwnGates(fsys)
	if err == nil { // compiling takes its time
		_, err = bundle.Compile(fsys, "", "", 0)
	}
	return err
}

func readNote(_ string, b []byte) error {
	_, err := manifests.Cases(fstest.MapFS{"cases/g/allow/c.md": {}, "cases/g/allow/c.yaml": {Data: b}})
	return err
}

// compiled are the schemas, ready to be asked.
var compiled = sync.OnceValue(func() map[string]*jsonschema.Resolved {
	all := map[string]*jsonschema.Resolved{}
	for _, name := range schemas.Names() {
		var s jsonschema.Schema
		if err := json.Unmarshal(schemas.Text(name), &s); err != nil {
			panic(fmt.Errorf("%s: %w", name, err))
		}
		r, err := s.Resolve(nil)
		if err != nil {
			panic(fmt.Errorf("%s: %w", name, err))
		}
		all[name] = r
	}
	return all
})

// judged is what the schema says to a YAML text, as an editor would see it.
func judged(kind string, text []byte) (err error) {
	defer func() {
		if p := recover(); p != nil { // the YAML library panics on some odd texts
			err = fmt.Errorf("%v", p)
		}
	}()
	var v any
	if err := yaml.Unmarshal(text, &v); err != nil {
		return err
	}
	if v == nil { // no text: there is nothing that an editor could mark
		v = map[string]any{}
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		return err
	}
	return compiled()[kind].Validate(v)
}

// file is one file of a kind.
type file struct {
	kind, name, at string // name as in its bundle; at is where it was found
	text           []byte
}

// every file of these kinds in this repository: of the embedded bundle, of what
// bundle init writes, and of the tests, also inside their archives.
func everyFile(t *testing.T) (all []file) {
	t.Helper()
	add := func(at, name string, b []byte) {
		if k := kindOf(name); k != "" && !strings.Contains(string(b), "@NAME@") {
			all = append(all, file{k, name, at, b})
		}
	}
	for _, root := range []string{"../manifests", "../testdata", "../cmd/hookctl/skeleton", "../docs"} {
		err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			b, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			switch path.Ext(p) {
			case ".yaml":
				add(p, filepath.ToSlash(p), b)
			case ".txtar":
				for _, f := range txtar.Parse(b).Files {
					add(p+": "+f.Name, f.Name, f.Data)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// kindOf tells a file by its place, "" = it is of none.
func kindOf(name string) string {
	dir := path.Base(path.Dir(name))
	switch {
	case path.Ext(name) != ".yaml":
		return ""
	case path.Base(name) == "hookctl.yaml":
		return "hookctl"
	case path.Base(name) == "config.yaml":
		return "config"
	case dir == "gates":
		return "gate"
	case dir == "scenarios":
		return "scenario"
	case (dir == "allow" || dir == "block") && strings.Contains(name, "cases/"):
		return "case"
	}
	return ""
}

// What the program takes, the schema takes: no editor marks a file that works.
func TestSchemasTakeWhatIsTaken(t *testing.T) {
	taken := map[string]int{}
	for _, f := range everyFile(t) {
		if readers[f.kind](f.name, f.text) != nil {
			continue // that is what its test is about
		}
		taken[f.kind]++
		if err := judged(f.kind, f.text); err != nil {
			t.Errorf("%s is taken, and is refused by the schema %s:\n%v", f.at, f.kind, err)
		}
	}
	for kind, least := range map[string]int{"hookctl": 4, "gate": 10, "case": 10, "config": 3, "scenario": 4} {
		if taken[kind] < least {
			t.Errorf("%s: only %d files were found", kind, taken[kind])
		}
	}
}

// A file in which one name is unknown, or one value of another type, is refused by
// both. This is asked of every value in every file.
func TestSchemasRefuseWhatIsRefused(t *testing.T) {
	seen := map[string]bool{} // kind and path: one of each is enough
	for _, f := range everyFile(t) {
		var v any
		if readers[f.kind](f.name, f.text) != nil || yaml.Unmarshal(f.text, &v) != nil {
			continue
		}
		for _, m := range mutants(v) {
			if free(f.kind, m.path) || seen[f.kind+m.path+m.how] {
				continue
			}
			seen[f.kind+m.path+m.how] = true
			text, err := yaml.Marshal(m.value)
			if err != nil {
				t.Fatal(err)
			}
			read, schema := readers[f.kind](f.name, text), judged(f.kind, text)
			if read == nil || schema == nil {
				t.Errorf("%s: %s at %s:\n reader: %v\n schema: %v", f.at, m.how, m.path, read, schema)
			}
		}
	}
	if len(seen) < 100 {
		t.Errorf("only %d broken files were made", len(seen))
	}
}

// free tells what is a person's to name.
func free(kind, at string) bool {
	return kind == "case" && (strings.HasPrefix(at, "/event/") || strings.HasPrefix(at, "/judge/")) || kind == "scenario" && strings.Contains(at, "files")
}

type mutant struct {
	path, how string
	value     any
}

// mutants are copies of a value, each with one fault.
func mutants(v any) (out []mutant) {
	switch v := v.(type) {
	case map[string]any:
		for k, child := range v {
			for _, m := range mutants(child) {
				c := maps.Clone(v)
				c[k] = m.value
				out = append(out, mutant{"/" + k + m.path, m.how, c})
			}
		}
		c := maps.Clone(v)
		c["no such name"] = "x"
		out = append(out, mutant{"/", "an unknown name", c}, mutant{"", "a list for a mapping", []any{"x"}})
	case []any:
		for i, child := range v {
			for _, m := range mutants(child) {
				c := slices.Clone(v)
				c[i] = m.value
				out = append(out, mutant{"/*" + m.path, m.how, c})
			}
		}
		out = append(out, mutant{"", "a mapping for a list", map[string]any{"x": "y"}}, mutant{"", "a text for a list", "x"})
	default:
		out = append(out, mutant{"", "a mapping for a scalar", map[string]any{"x": "y"}}, mutant{"", "a list for a scalar", []any{"x"}})
	}
	return out
}

// Broken by hand: what the types alone do not say.
func TestSchemasRefuse(t *testing.T) {
	for _, c := range broken {
		if c.name == "" {
			c.name = "gates/g.yaml"
		}
		for _, text := range c.texts {
			read, schema := readers[c.kind](c.name, []byte(c.head+text)), judged(c.kind, []byte(c.head+text))
			if read == nil || schema == nil {
				t.Errorf("%s:\n%s%s\n reader: %v\n schema: %v", c.kind, c.head, text, read, schema)
			}
		}
		if err := readers[c.kind](c.name, []byte(c.head+c.good)); err != nil {
			t.Errorf("%s: what the broken texts are made of is not taken: %v", c.kind, err)
		}
		if err := judged(c.kind, []byte(c.head+c.good)); err != nil {
			t.Errorf("%s: what the broken texts are made of is refused by the schema: %v", c.kind, err)
		}
	}
}

// Every name that a reader knows stands in its schema, with a description, and no
// other does.
func TestSchemasNameEveryField(t *testing.T) {
	for kind, places := range map[string]map[string]reflect.Type{
		"hookctl":  {"#": reflect.TypeFor[manifests.Bundle]()},
		"gate":     {"#/definitions/gate": reflect.TypeFor[manifests.Gate](), "#/definitions/patch": reflect.TypeFor[manifests.Patch]()},
		"case":     {"#": reflect.TypeFor[manifests.CaseNote]()},
		"config":   {"#": reflect.TypeFor[manifests.Config]()},
		"scenario": {"#": reflect.TypeFor[simulate.Scenario]()},
	} {
		var root map[string]any
		if err := json.Unmarshal(schemas.Text(kind), &root); err != nil {
			t.Fatal(err)
		}
		w := walk{t: t, kind: kind, root: root}
		for at, typ := range places {
			w.compare(at, w.ref(at), typ)
		}
	}
}

type walk struct {
	t    *testing.T
	kind string
	root map[string]any
}

func (w walk) ref(pointer string) map[string]any {
	node := any(w.root)
	for _, k := range strings.Split(pointer, "/")[1:] {
		node = node.(map[string]any)[k]
	}
	found, ok := node.(map[string]any)
	if !ok {
		w.t.Fatalf("%s: there is nothing at %s", w.kind, pointer)
	}
	return found
}

// follow finds what a schema refers to, and of several the one with properties.
func (w walk) follow(s map[string]any) map[string]any {
	if r, ok := s["$ref"].(string); ok {
		return w.follow(w.ref(r))
	}
	if one, ok := s["oneOf"].([]any); ok && s["properties"] == nil {
		return one[len(one)-1].(map[string]any)
	}
	return s
}

func (w walk) compare(at string, s map[string]any, typ reflect.Type) {
	s = w.follow(s)
	switch typ.Kind() {
	case reflect.Pointer:
		w.compare(at, s, typ.Elem())
	case reflect.Slice:
		items, ok := s["items"].(map[string]any)
		if !ok {
			w.t.Errorf("%s: %s has no items", w.kind, at)
			return
		}
		w.compare(at+"/*", items, typ.Elem())
	case reflect.Map:
		if values, ok := s["additionalProperties"].(map[string]any); ok {
			w.compare(at+"/*", values, typ.Elem())
		}
	case reflect.Struct:
		w.compareNames(at, s, typ)
	}
}

func (w walk) compareNames(at string, s map[string]any, typ reflect.Type) {
	props, _ := s["properties"].(map[string]any)
	if s["additionalProperties"] != false {
		w.t.Errorf("%s: %s takes names that the reader refuses", w.kind, at)
	}
	fields := map[string]reflect.Type{}
	yamlFields(typ, fields)
	if got, want := slices.Sorted(maps.Keys(props)), slices.Sorted(maps.Keys(fields)); !slices.Equal(got, want) {
		w.t.Errorf("%s: %s has the names %v, the reader knows %v", w.kind, at, got, want)
	}
	for name, f := range fields {
		p, ok := props[name].(map[string]any)
		if !ok {
			continue
		}
		if d, _ := p["description"].(string); d == "" {
			if d, _ := w.follow(p)["description"].(string); d == "" {
				w.t.Errorf("%s: %s/%s has no description", w.kind, at, name)
			}
		}
		w.compare(at+"/"+name, p, f)
	}
}

func yamlFields(typ reflect.Type, into map[string]reflect.Type) {
	for f := range typ.Fields() {
		name, rest, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		switch {
		case strings.Contains(rest, "inline"):
			yamlFields(f.Type, into)
		case name != "":
			into[name] = f.Type
		}
	}
}

// The lists of words are those of the readers.
func TestSchemasListTheWords(t *testing.T) {
	for _, c := range []struct {
		kind, at string
		want     []string
	}{
		{"config", "#/properties/judge/properties/backend", manifests.Backends},
		{"scenario", "#/properties/agent", simulate.Agents()},
	} {
		var root map[string]any
		if err := json.Unmarshal(schemas.Text(c.kind), &root); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, v := range (walk{t: t, kind: c.kind, root: root}).ref(c.at)["enum"].([]any) {
			got = append(got, v.(string))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %s lists %v, the reader knows %v", c.kind, c.at, got, c.want)
		}
	}
}

func TestTextKnowsItsNames(t *testing.T) {
	if schemas.Text("none") != nil {
		t.Error("there is a schema of no name")
	}
	names, err := fs.Glob(os.DirFS("."), "*.schema.json")
	if err != nil || len(names) != len(schemas.All()) {
		t.Error(errors.Join(err, fmt.Errorf("%d files, %d schemas", len(names), len(schemas.All()))))
	}
	for _, s := range schemas.All() {
		if !slices.Contains(names, s.File()) || len(schemas.Text(s.Name)) == 0 {
			t.Errorf("%s has no file", s.Name)
		}
	}
}
