package hookctl_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/agenthooks/hookctl"

// tree is every package below this folder, as its source says: all systems'
// files, no build, no network.
type tree []*pkg

type pkg struct {
	dir   string // slashes, "" is the root
	name  string
	files []*file
}

type file struct {
	path  string
	test  bool
	lines int
	ast   *ast.File
}

// place is an import or a comment, and where it stands.
type place struct{ at, path, text string }

var fset = token.NewFileSet()

var parsed = sync.OnceValues(func() (tree, error) {
	pkgs := map[string]*pkg{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			// testdata at the root holds programs of ours; elsewhere it holds data.
			if b := d.Name(); name != "." && (b[0] == '.' || b[0] == '_' || b == "dist" || b == "testdata" && name != "testdata") {
				return fs.SkipDir
			}
			return nil
		}
		if filepath.Ext(name) != ".go" {
			return nil
		}
		name = filepath.ToSlash(name)
		f, err := parse(name)
		if err != nil {
			return err
		}
		dir := path.Dir(name)
		if dir == "." {
			dir = ""
		}
		p := pkgs[dir]
		if p == nil {
			p = &pkg{dir: dir}
			pkgs[dir] = p
		}
		p.files = append(p.files, f)
		if n := f.ast.Name.Name; p.name == "" || !f.test {
			p.name = strings.TrimSuffix(n, "_test")
		}
		return nil
	})
	return slices.SortedFunc(maps.Values(pkgs), func(a, b *pkg) int { return strings.Compare(a.dir, b.dir) }), err
})

func parse(name string) (*file, error) {
	src, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	tree, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return &file{path: name, test: strings.HasSuffix(name, "_test.go"), lines: bytes.Count(src, []byte("\n")), ast: tree}, nil
}

func load(t *testing.T) tree {
	t.Helper()
	pkgs, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	if len(pkgs) < 10 {
		t.Fatalf("only %d packages found: these tests look at nothing", len(pkgs))
	}
	return pkgs
}

func (t tree) has(dir string) bool {
	return slices.ContainsFunc(t, func(p *pkg) bool { return p.dir == dir })
}

func (t tree) root(tt *testing.T) *pkg {
	tt.Helper()
	if t[0].dir != "" {
		tt.Fatal("no package at the root")
	}
	return t[0]
}

func (p *pkg) String() string {
	if p.dir == "" {
		return "the root"
	}
	return p.dir
}

func (p *pkg) base() string { return path.Base(p.dir) }

// imports are those of the package itself, not of its tests.
func (p *pkg) imports() []place {
	var all []place
	for f := range p.shipped() {
		for _, i := range f.ast.Imports {
			name, _ := strconv.Unquote(i.Path.Value) // the parser has seen to it
			all = append(all, place{at: at(i), path: name})
		}
	}
	return all
}

// calls are the places where the package uses one of the functions of an
// imported package: as a call or as a value.
func (p *pkg) calls(of string, functions ...string) []string {
	var all []string
	for f := range p.shipped() {
		all = append(all, uses(f, f.ast, of, functions)...)
	}
	return all
}

// initialCalls are those among the calls that run when the package is
// initialised: in the value of a package variable, outside any function.
func (p *pkg) initialCalls(of string, functions ...string) []string {
	var all []string
	for f := range p.shipped() {
		for _, d := range f.ast.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				all = append(all, uses(f, g, of, functions)...)
			}
		}
	}
	return all
}

func uses(f *file, in ast.Node, of string, functions []string) []string {
	local, ok := localName(f, of)
	if !ok {
		return nil
	}
	_, atStart := in.(*ast.GenDecl)
	var all []string
	ast.Inspect(in, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok && atStart {
			return false // runs later
		}
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := s.X.(*ast.Ident); ok && x.Name == local && slices.Contains(functions, s.Sel.Name) {
			all = append(all, at(s))
		}
		return true
	})
	return all
}

// localName is the name by which a file calls a package that it imports.
func localName(f *file, of string) (string, bool) {
	for _, i := range f.ast.Imports {
		if name, _ := strconv.Unquote(i.Path.Value); name == of {
			if i.Name != nil {
				return i.Name.Name, true
			}
			return path.Base(of), true
		}
	}
	return "", false
}

func (p *pkg) inits() []string {
	var all []string
	for f := range p.shipped() {
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				all = append(all, at(fn))
			}
		}
	}
	return all
}

// docs are the package comments, those in tests only when there is nothing else.
func (p *pkg) docs() []place {
	onlyTests := !slices.ContainsFunc(p.files, func(f *file) bool { return !f.test })
	var all []place
	for _, f := range p.files {
		if f.ast.Doc != nil && (onlyTests || !f.test) {
			all = append(all, place{at: at(f.ast.Doc), text: f.ast.Doc.Text()})
		}
	}
	return all
}

func (p *pkg) shipped() func(func(*file) bool) {
	return func(yield func(*file) bool) {
		for _, f := range p.files {
			if !f.test && !yield(f) {
				return
			}
		}
	}
}

func at(n ast.Node) string { return fset.Position(n.Pos()).String() }

// ours gives the folder of one of our packages.
func ours(importPath string) (dir string, ok bool) {
	if importPath == module {
		return "", true
	}
	return strings.CutPrefix(importPath, module+"/")
}

// thirdParty tells a module of others from the standard library: its first
// element is a host name.
func thirdParty(importPath string) bool {
	if _, us := ours(importPath); us {
		return false
	}
	first, _, _ := strings.Cut(importPath, "/")
	return strings.Contains(first, ".")
}
