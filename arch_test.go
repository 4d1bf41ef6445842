package hookctl_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// may is the table of arrows: which of our packages a package may import. They
// point down only: cmd -> sync -> install -> manifests, and cmd, sync -> gate. A
// new arrow, and a new package, is a changed line here that a reviewer reads.
// Tests are free to import more.
var may = map[string][]string{
	"": nil, // the map, and nothing that acts

	// Leaves, which know nothing of ours.
	"home":               nil,
	"manifests":          nil,
	"manifests/compiled": nil,
	"gate":               nil,
	"gate/prose":         nil,
	"gate/redact":        nil,
	"gate/shell":         nil,
	"gate/loop":          nil,
	"gate/judge/guard":   nil,
	"gate/child":         nil,

	// The gate: event in, verdict out.
	"gate/host":          {"gate"},
	"gate/journal":       {"gate", "gate/redact"},
	"gate/transcript":    {"gate"},
	"gate/judge":         {"gate", "gate/child", "gate/judge/guard", "gate/redact"},
	"gate/judge/api":     {"gate/judge"},
	"gate/judge/cli":     {"gate/judge"},
	"gate/judge/panel":   {"gate", "gate/judge", "gate/judge/api"},
	"gate/judge/exam":    {"gate", "gate/decide"},
	"gate/judge/builtin": {"gate", "gate/prose"},
	"gate/decide":        {"gate", "gate/prose", "gate/shell"},
	"gate/eval":          {"gate", "gate/decide"},
	"gate/external":      {"gate", "gate/child", "gate/judge/guard"},
	"gate/shrink":        {"gate/prose"},
	"gate/generation":    {"home", "manifests/compiled"},
	"gate/early":         {"gate", "gate/generation", "gate/host", "gate/journal", "gate/judge/guard", "gate/transcript", "home", "manifests/compiled"},
	"gate/hook": {
		"gate", "gate/decide", "gate/early", "gate/external", "gate/generation", "gate/host", "gate/journal", "gate/judge",
		"gate/judge/builtin", "gate/loop", "gate/redact", "gate/shell", "gate/transcript", "home", "manifests",
	},
	"gate/direct": {"gate/early", "gate/hook", "home", "manifests"},
	"gate/judges": {
		"gate", "gate/hook", "gate/judge", "gate/judge/api", "gate/judge/builtin", "gate/judge/cli", "gate/judge/panel", "gate/redact", "home", "manifests",
	},
	"gate/contract": {
		"gate", "gate/decide", "gate/early", "gate/generation", "gate/hook", "gate/host", "gate/judge/builtin", "home", "manifests",
	},

	// Files in, files out.
	"install/agent":    nil,
	"install/files":    nil,
	"install/doctor":   {"install/agent", "install/settings"},
	"install/settings": {"install/agent"},
	"install":          {"home", "install/agent", "install/files", "install/settings", "manifests"},

	// From a branch to a running generation.
	"sync/source":  nil,
	"sync/receipt": {"home", "install/files"},
	"sync/bundle":  {"gate", "gate/decide", "home", "manifests", "manifests/compiled", "sync/source"},
	"sync/pull": {
		"gate", "gate/contract", "gate/generation", "home", "install", "install/agent", "install/doctor", "install/files", "install/settings",
		"manifests", "manifests/compiled", "sync/bundle", "sync/receipt", "sync/source",
	},

	// Real agents, driven for a proof.
	"live/model": nil,
	"live":       {"gate/child", "gate/journal", "home", "install/files", "live/model"},

	// What a wiring would do: it dispatches as an agent does, and writes in a folder
	// of its own.
	"simulate": {"gate", "gate/child", "gate/contract", "gate/host", "install/agent", "install/settings"},

	// The top may import everything but install: what is put on a machine goes
	// through sync/pull.
	"cmd/hookctl": {
		"gate", "gate/contract", "gate/decide", "gate/direct", "gate/early", "gate/eval", "gate/generation", "gate/hook", "gate/host", "gate/journal", "gate/judge",
		"gate/judge/api", "gate/judge/builtin", "gate/judge/exam", "gate/judge/panel", "gate/judges", "gate/loop", "gate/prose", "gate/redact", "gate/shrink", "gate/transcript", "home",
		"install/agent", "install/doctor", "install/files", "install/settings", "live", "manifests", "manifests/compiled", "sync/bundle", "sync/pull",
		"sync/receipt", "sync/source",
		"schemas", "simulate", "testdata/scenarios",
	},
	"testdata/e2e":       nil,
	"schemas":            nil, // data that the program carries
	"testdata/scenarios": nil, // data that the program carries
}

// onlyThese keeps an import to the packages named: a package of the standard
// library alone, a module of others with all below it. Every module of others
// must be named here, so that a dependency is never taken up in passing.
var onlyThese = map[string][]string{
	"net/http":      {"sync/source", "gate/judge/api", "live/model"},
	"net":           {"sync/source", "gate/judge/api", "live/model"},
	"os/exec":       {"gate/child", "gate/judge", "gate/judge/cli", "gate/external", "gate/contract", "live", "simulate", "cmd/hookctl"}, // judge: a backend; external: a bundle's executables; live: agents
	"embed":         {"install/settings", "manifests", "manifests/compiled", "schemas", "testdata/scenarios", "cmd/hookctl"},             // settings: OpenCode's plugin
	"os/signal":     {"cmd/hookctl"},
	"unsafe":        {"gate/child"}, // job objects of Windows, to end a program with all it started
	"math/rand":     nil,            // v2 for what need not be secret, crypto/rand for the rest
	"html/template": nil,
	"text/template": nil,

	"github.com/spf13":                 {"cmd/hookctl"},
	"github.com/go-git":                {"sync/source", "cmd/hookctl"}, // cmd: demo makes a source of its own
	"github.com/hiddeco/sshsig":        {"sync/bundle", "sync/receipt"},
	"golang.org/x/crypto/ssh":          {"sync/bundle", "sync/receipt", "sync/source", "cmd/hookctl"},
	"golang.org/x/term":                {"cmd/hookctl"},
	"golang.org/x/text":                {"gate/prose", "sync/bundle"},
	"golang.org/x/sys":                 {"install/files", "gate/child", "sync/pull"},
	"github.com/gofrs/flock":           {"sync/pull", "install", "install/files"},
	"github.com/minio/selfupdate":      {"install"},
	"github.com/tailscale/hujson":      {"install/settings"},
	"github.com/pelletier/go-toml":     {"install/settings"},
	"github.com/goccy/go-yaml":         {"manifests", "simulate", "cmd/hookctl"}, // cmd: capture writes the note of a case
	"mvdan.cc/sh":                      {"gate/shell"},
	"github.com/aymanbagabas/go-udiff": {"install/settings", "install", "cmd/hookctl"},
}

// fast are the packages that run before the rest of the program is initialised.
// They must stay light: what one of them imports, every hook pays for.
var fast = []string{
	"gate", "gate/early", "gate/generation", "gate/host", "gate/journal", "gate/judge/guard", "gate/loop",
	"gate/transcript", "home", "manifests/compiled",
}

// heavy is what a fast package must not import. Third-party code is heavy as a
// whole.
var heavy = []string{"regexp", "net", "net/http", "os/exec", "go/ast", "text/template", "html/template", "encoding/xml", "math/big", "testing"}

// pure packages are given what they need of the machine: values, functions, an
// fs.FS. They open no file, start no process, and read neither clock nor
// environment, so that a decision can be repeated from its inputs.
var pure = []string{
	"gate", "gate/decide", "gate/eval", "gate/host", "gate/judge/builtin", "gate/prose", "gate/redact", "gate/shell", "gate/shrink",
	"install/agent", "install/settings", "manifests", "manifests/compiled",
}

// writers, packages or single files, may call the functions of package os that
// change the file system, each for its reason. All that install and sync write for good goes through
// install/files, so that a test can fail or kill at every operation.
var writers = map[string]string{
	"install/files":           "the file layer itself",
	"sync/source":             "a throw-away quarantine",
	"sync/pull/trial.go":      "throw-away homes in which a candidate answers before it is active, and its hooks",
	"sync/pull/plan.go":       "a throw-away quarantine for a dry run",
	"gate/contract":           "throw-away homes for cases",
	"gate/transcript/open.go": "only reads; OpenFile because a named pipe must not be waited for",
	"gate/journal":            "the journal",
	"gate/loop":               "counters in the cache folder",
	"gate/hook/audit.go":      "snapshots of protected files in the cache folder",
	"gate/judge":              "a working folder for a judge's program",
	"gate/judge/panel":        "answers and failures in the cache folder",
	"gate/judge/guard":        "the live file of the recursion guard",
	"live":                    "throw-away homes in which agents are driven",
	"simulate":                "the sandbox in which tools act",
	"cmd/hookctl":             "demo's throw-away folder, and what bundle and capture write for the user",
}

func TestArrows(t *testing.T) {
	tree := load(t)
	for _, p := range tree {
		allowed, listed := may[p.dir]
		if !listed {
			t.Errorf("%s is in no row of may: add it, and what it may import", p)
		}
		for _, i := range p.imports() {
			if dir, ok := ours(i.path); ok && !slices.Contains(allowed, dir) {
				t.Errorf("%s: %s may not import %s", i.at, p, dir)
			}
		}
	}
	for dir, allowed := range may {
		if !tree.has(dir) {
			t.Logf("%q is planned; it is not there yet", dir)
		}
		for _, to := range allowed {
			if _, ok := may[to]; !ok {
				t.Errorf("the row of %s names %s, which has no row", dir, to)
			}
		}
	}
}

func TestArrowsHaveNoCycle(t *testing.T) {
	// The compiler refuses a cycle of imports; the table must not permit one either.
	var visit func(dir string, path []string)
	done := map[string]bool{}
	visit = func(dir string, path []string) {
		if slices.Contains(path, dir) {
			t.Fatalf("the table permits a cycle: %s", strings.Join(append(path, dir), " -> "))
		}
		if done[dir] {
			return
		}
		for _, to := range may[dir] {
			visit(to, append(path, dir))
		}
		done[dir] = true
	}
	for dir := range may {
		visit(dir, nil)
	}
}

// What may import install can put anything on a machine; only sync/pull has a
// verified bundle to hand over.
func TestOnlyPullInstalls(t *testing.T) {
	for dir, allowed := range may {
		if dir != "sync/pull" && slices.Contains(allowed, "install") {
			t.Errorf("the row of %s permits install", dir)
		}
	}
}

func TestImportsKeptToFew(t *testing.T) {
	for _, p := range load(t) {
		for _, i := range p.imports() {
			rule, ok := ruleFor(i.path)
			if ok && !slices.Contains(onlyThese[rule], p.dir) {
				t.Errorf("%s: %s may not import %s; only %q may", i.at, p, i.path, onlyThese[rule])
			}
			if !ok && thirdParty(i.path) {
				t.Errorf("%s: %s imports %s, which is in no row of onlyThese", i.at, p, i.path)
			}
		}
	}
}

// ruleFor finds the row of onlyThese that speaks of an import.
func ruleFor(path string) (rule string, ok bool) {
	for r := range onlyThese {
		if path == r || thirdParty(r) && strings.HasPrefix(path, r+"/") {
			return r, true
		}
	}
	return "", false
}

func TestFastPathIsLight(t *testing.T) {
	for _, p := range load(t) {
		if !slices.Contains(fast, p.dir) {
			continue
		}
		for _, i := range p.imports() {
			if dir, ok := ours(i.path); ok && !slices.Contains(fast, dir) {
				t.Errorf("%s: %s is on the fast path and may not import %s, which is not", i.at, p, dir)
			}
			if thirdParty(i.path) || slices.Contains(heavy, i.path) {
				t.Errorf("%s: %s is on the fast path and may not import %s", i.at, p, i.path)
			}
		}
	}
}

func TestPurePackagesTouchNothing(t *testing.T) {
	for _, p := range load(t) {
		if !slices.Contains(pure, p.dir) {
			continue
		}
		for _, i := range p.imports() {
			switch i.path {
			case "os", "net", "net/http", "os/exec", "os/signal", "os/user", "syscall", "io/ioutil", "math/rand/v2", "crypto/rand":
				t.Errorf("%s: %s is pure and may not import %s", i.at, p, i.path)
			}
		}
		for _, c := range p.calls("path/filepath", "Abs", "EvalSymlinks", "Glob", "Walk", "WalkDir") {
			t.Errorf("%s: %s is pure and may not look at files", c, p)
		}
		for _, c := range p.calls("time", "Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker") {
			t.Errorf("%s: %s is pure and may not read the clock", c, p)
		}
	}
}

func TestOneFileLayer(t *testing.T) {
	for _, p := range load(t) {
		if _, ok := writers[p.dir]; ok {
			continue
		}
		for _, c := range p.calls("os", "Chmod", "Chown", "Chtimes", "CopyFS", "Create", "CreateTemp", "Lchown", "Link", "Mkdir", "MkdirAll",
			"MkdirTemp", "OpenFile", "Remove", "RemoveAll", "Rename", "Symlink", "Truncate", "WriteFile") {
			if file, _, _ := strings.Cut(c, ":"); writers[file] == "" {
				t.Errorf("%s: %s may not change files; install/files does", c, p)
			}
		}
	}
}

func TestOnlyTheTopExits(t *testing.T) {
	exits := []string{"cmd/hookctl", "gate/early", "gate/direct"} // the two that answer before main
	for _, p := range load(t) {
		if slices.Contains(exits, p.dir) {
			continue
		}
		calls := slices.Concat(p.calls("os", "Exit"), p.calls("log", "Fatal", "Fatalf", "Fatalln"), p.calls("runtime", "Goexit"))
		for _, c := range calls {
			t.Errorf("%s: %s may not end the program", c, p)
		}
	}
}

// What a package does when it is initialised, every start of the program pays
// for, also the hook's.
func TestNothingHappensAtStart(t *testing.T) {
	for _, p := range load(t) {
		if p.dir != "gate/early" && p.dir != "gate/direct" {
			for _, at := range p.inits() {
				t.Errorf("%s: %s may have no init function", at, p)
			}
		}
		for _, at := range p.initialCalls("regexp", "MustCompile", "MustCompilePOSIX", "Compile", "CompilePOSIX") {
			t.Errorf("%s: %s compiles a pattern at each start; use sync.OnceValue", at, p)
		}
	}
}

func TestPackageComments(t *testing.T) {
	for _, p := range load(t) {
		want := "Package " + p.name + " "
		if p.name == "main" {
			want = "Command " + p.base() + " "
		}
		switch docs := p.docs(); {
		case len(docs) != 1:
			t.Errorf("%s has %d package comments, want 1: %q", p, len(docs), docs)
		case !strings.HasPrefix(docs[0].text, want):
			t.Errorf("%s: the package comment does not begin with %q", docs[0].at, want)
		}
	}
}

// maxLines is what a person can still keep in mind of one file.
const maxLines = 400

func TestFilesAreShort(t *testing.T) {
	var long []string
	for _, p := range load(t) {
		for _, f := range p.files {
			if !f.test && f.lines > maxLines {
				long = append(long, fmt.Sprintf("%s: %d lines", f.path, f.lines))
			}
		}
	}
	if len(long) > 0 {
		t.Errorf("files over %d lines:\n%s", maxLines, strings.Join(long, "\n"))
	}
}

func TestMapHasAParagraphForEveryPackage(t *testing.T) {
	doc := load(t).root(t).docs()[0].text
	for dir := range may {
		if dir != "" && !strings.Contains(doc, "\n\n"+dir+" ") {
			t.Errorf("doc.go has no paragraph on %s", dir)
		}
	}
}
