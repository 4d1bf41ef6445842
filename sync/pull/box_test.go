package pull

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/gate/contract"
	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/files"
	"github.com/agenthooks/hookctl/manifests"
)

// Agents are those that the tests install for.
var Agents = []string{"claude"}

// box is a machine in a throw-away folder.
type box struct {
	testing.TB
	*Machine
}

// machineAt is a machine whose user folder is user.
func machineAt(user string) *Machine {
	return &Machine{
		Home: home.Dir(filepath.Join(user, ".hookctl")), User: user, Program: program, Files: &files.Layer{}, Now: now,
		Getenv: func(k string) string {
			if k == "PATH" {
				return os.Getenv(k)
			}
			return ""
		},
		Managed: filepath.Join(user, "managed"),
	}
}

const userSettings = "{\n  \"model\": \"opus\",\n  \"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"true\"}]}]}\n}\n"

func newBox(t testing.TB) box {
	t.Helper()
	user, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	b := box{t, machineAt(filepath.Join(user, "u"))}
	must(t, os.MkdirAll(filepath.Join(b.User, ".claude"), 0o755))
	must(t, os.WriteFile(b.settings(), []byte(userSettings), 0o600))
	// A store is read-only; the test's own cleaning up must not stumble on it.
	t.Cleanup(func() { _ = (&files.Layer{}).RemoveAll(b.User) })
	return b
}

func (b box) settings() string { return filepath.Join(b.User, ".claude", "settings.json") }

func (b box) install(o Options) Installation {
	b.Helper()
	in, err := b.Install(context.Background(), o)
	must(b, err)
	return in
}

func (b box) sync() Report {
	b.Helper()
	r, err := b.Sync(context.Background())
	must(b, err)
	return r
}

func (b box) trust() Trust {
	b.Helper()
	t, err := readTrust(b.Home)
	must(b, err)
	return t
}

// problems are those that verify finds, one line each.
func (b box) problems() []string {
	b.Helper()
	v, err := b.Verify(context.Background(), "", Agents)
	must(b, err)
	var out []string
	for _, p := range v.Problems {
		out = append(out, fmt.Sprintf("%s %s: %s", p.Part, p.Path, p.Text))
	}
	return out
}

// good asks everything of an installation that works: release n runs, verify
// finds nothing, nothing unfinished lies about.
func (b box) good(n int) {
	b.Helper()
	p, err := home.ReadPointer(b.Home)
	must(b, err)
	if p.Release != n {
		b.Errorf("release %d runs, want %d", p.Release, n)
	}
	if problems := b.problems(); len(problems) > 0 {
		b.Errorf("verify: %s", strings.Join(problems, "\n"))
	}
	b.noTemp()
	if t, err := readTrust(b.Home); err == nil && (t.Accepted.Release != n || t.Activating != nil) {
		b.Errorf("trust.json has %+v, activating %+v, want release %d", t.Accepted, t.Activating, n)
	}
}

// noTemp fails when something unfinished lies about.
func (b box) noTemp() {
	b.Helper()
	must(b, filepath.WalkDir(b.User, func(path string, d fs.DirEntry, err error) error {
		if err == nil && (files.IsTemp(path) || strings.Contains(d.Name(), "trial")) {
			b.Errorf("left over: %s", path)
		}
		return err
	}))
}

// protects counts how many of the secrets the command in the settings guards;
// -1 when hookctl is not registered.
func (b box) protects() int {
	b.Helper()
	command, err := b.Command()
	must(b, err)
	if command == "" {
		return -1
	}
	for n := 1; ; n++ {
		c := manifests.Case{Name: "ask", Gate: "secrets", IsEvent: true, Body: []byte(toolEvent(fmt.Sprintf("${HOME}/secret-%d", n)))}
		res := contract.Run(context.Background(), []manifests.Case{c}, b.Places(), contract.Shell(command, b.Environ(), "")).Results[0]
		if res.Got == "allow" {
			return n - 1
		}
		if res.Got != "block" {
			b.Fatalf("the gate does not answer: %s %s", res.Got, res.Detail)
		}
	}
}

// moving are the names in a home that a command may change and fail: the
// quarantine, the lock, and the receipts with the key that signs them.
var moving = []string{"cache", "lock", "receipts", "machine.key", "machine.pub"}

// tree is a whole folder: kind, mode and bytes of everything, by path, less what
// is moving.
func tree(t testing.TB, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	must(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		if dir, base := filepath.Split(name); dir == ".hookctl/" && slices.Contains(moving, base) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		fi, err := d.Info()
		if err != nil {
			return err
		}
		entry := fi.Mode().String()
		switch {
		case fi.Mode().IsRegular():
			entry += " " + hashFile(path)
		case fi.Mode()&fs.ModeSymlink != 0:
			to, _ := os.Readlink(path)
			entry += " " + to
		}
		out[name] = entry
		return nil
	}))
	return out
}

// same compares two trees.
func same(t testing.TB, what string, before, after map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if after[name] != before[name] {
			t.Errorf("%s: %s was %q, is %q", what, name, before[name], after[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if _, ok := before[name]; !ok {
			t.Errorf("%s: %s is new: %s", what, name, after[name])
		}
	}
}

// isError asks for an error type, and for a message.
func isError[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok && err.Error() != ""
}

func validJSON(path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !json.Valid(b) {
		return fmt.Errorf("%s is not JSON: %s", path, b)
	}
	return nil
}
