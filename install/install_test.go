package install

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/agent"
	"github.com/agenthooks/hookctl/install/files"
	"github.com/agenthooks/hookctl/install/settings"
)

// machine is a home folder with hookctl's home in it.
type machine struct {
	testing.TB
	user string
	home home.Dir
}

func newMachine(t testing.TB) machine {
	t.Helper()
	user, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return at(t, user)
}

func at(t testing.TB, user string) machine {
	return machine{t, user, home.Dir(filepath.Join(user, ".hookctl"))}
}

func (m machine) path(elem ...string) string {
	return filepath.Join(append([]string{m.user}, elem...)...)
}

func (m machine) settings() string { return m.path(".claude", "settings.json") }

func (m machine) put(path, data string) {
	m.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		m.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
		m.Fatal(err)
	}
}

func (m machine) target() Target {
	m.Helper()
	t, err := Plan("claude", agent.User, m.home, Where{Home: m.user})
	if err != nil {
		m.Fatal(err)
	}
	return t
}

func (m machine) lock(l *files.Layer) *Held {
	m.Helper()
	held, err := Lock(context.Background(), l, m.home, 10*time.Second)
	if err != nil {
		m.Fatal(err)
	}
	return held
}

func (m machine) apply() Change {
	m.Helper()
	held := m.lock(nil)
	defer held.Release()
	c, err := Apply(held, nil, m.target())
	if err != nil {
		m.Fatal(err)
	}
	return c
}

func (m machine) uninstall() []Change {
	m.Helper()
	held := m.lock(nil)
	defer held.Release()
	c, err := Uninstall(held, nil, []Target{m.target()})
	if err != nil {
		m.Fatal(err)
	}
	return c
}

// read is a file's text, or "<none>".
func (m machine) read(path string) string {
	m.Helper()
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "<none>"
	}
	if err != nil {
		m.Fatal(err)
	}
	return string(b)
}

func (m machine) noTemp() {
	m.Helper()
	filepath.WalkDir(m.user, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && files.IsTemp(path) {
			m.Errorf("left behind: %s", path)
		}
		return nil
	})
}

// own counts our entries in a file by event.
func own(t testing.TB, src string) map[string]int {
	t.Helper()
	found, _, err := settings.Inspect([]byte(src), settings.Own, false)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	n := map[string]int{}
	for _, r := range found {
		if r.Own {
			n[r.Event]++
		}
	}
	return n
}

// env is an environment of one variable.
func env(name, value string) func(string) string {
	return func(k string) string {
		if k == name {
			return value
		}
		return ""
	}
}

func TestPlan(t *testing.T) {
	h := home.Dir(filepath.Join(t.TempDir(), "a b", ".hookctl"))
	plan, err := Plan("claude", agent.User, h, Where{Home: "/home/dev", Getenv: env("CLAUDE_CONFIG_DIR", "/etc/c")})
	if err != nil || plan.Path != filepath.FromSlash("/etc/c/settings.json") || len(plan.Entries) != 5 {
		t.Errorf("%+v, %v", plan, err)
	}
	for _, e := range plan.Entries {
		if !settings.Own(e.Command, nil) || !strings.Contains(e.Command, "a b") || e.Timeout != 30 || e.Matcher != "" {
			t.Errorf("entry %+v", e)
		}
	}
	if _, err := Plan("emacs", agent.User, h, Where{Home: "/x"}); !errors.As(err, new(*AgentError)) {
		t.Errorf("emacs: %v", err)
	}
	if _, err := Plan("claude", agent.User, h, Where{}); err == nil {
		t.Error("no home folder was accepted")
	}
}

func TestApplyRefuses(t *testing.T) {
	for name, tt := range map[string]struct{ src, mention string }{
		"truncated": {"{\n  \"model\": \"opus\",\n  \"hooks\": { \"Stop\": [ { \"hoo", "line 3"},
		"array":     {`{ "hooks": ["x"] }`, "hooks: expected object"},
		"object":    {`{ "hooks": { "Stop": {} } }`, "hooks.Stop: expected array"},
		"duplicate": {`{ "hooks": {}, "hooks": {} }`, "duplicate"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			m.put(m.settings(), tt.src)
			held := m.lock(nil)
			defer held.Release()
			_, err := Apply(held, nil, m.target())
			if !errors.As(err, new(*FileError)) || !strings.Contains(err.Error(), tt.mention) || !strings.Contains(err.Error(), "settings.json") {
				t.Errorf("Apply: %v, want %q", err, tt.mention)
			}
			if m.read(m.settings()) != tt.src || m.read(m.home.Record()) != "<none>" {
				t.Error("something was written")
			}
		})
	}
}

// TestForeignWrite has the agent save the file between our read and our rename.
func TestForeignWrite(t *testing.T) {
	m := newMachine(t)
	m.put(m.settings(), `{ "hooks": {} }`)
	n := 0
	l := &files.Layer{Before: func(op files.Op) error {
		if op.Kind == files.Sync && filepath.Dir(op.Path) == filepath.Dir(m.settings()) && n < 3 {
			n++
			m.put(m.settings(), `{ "hooks": {}, "addedMeanwhile": `+strings.Repeat("1", n)+` }`)
		}
		return nil
	}}
	held := m.lock(l)
	if _, err := Apply(held, l, m.target()); err != nil {
		t.Fatal(err)
	}
	held.Release()
	text := m.read(m.settings())
	if !strings.Contains(text, `"addedMeanwhile": 111`) || len(own(t, text)) != 5 {
		t.Errorf("an update was lost: %s", text)
	}
	m.uninstall()
	if got := m.read(m.settings()); got != `{ "hooks": {}, "addedMeanwhile": 111 }` {
		t.Errorf("after Uninstall: %q", got)
	}
	m.noTemp()
}

func TestLinkedSettings(t *testing.T) {
	link := func(m machine, to, path string) {
		if err := os.Symlink(filepath.FromSlash(to), path); err != nil {
			m.Skip("no symbolic links here:", err)
		}
	}
	check := func(m machine, link, target, before string) {
		m.Helper()
		m.apply()
		if got := own(m, m.read(target)); got["Stop"] != 1 {
			m.Errorf("own entries %v", got)
		}
		m.uninstall()
		if got := m.read(target); got != before {
			m.Errorf("target is %q, want %q", got, before)
		}
		if fi, err := os.Lstat(link); err != nil || fi.Mode()&fs.ModeSymlink == 0 {
			m.Errorf("the link is gone: %v", err)
		}
	}
	t.Run("folder", func(t *testing.T) {
		m := newMachine(t)
		m.put(m.path("dotfiles", "claude", "settings.json"), "{}")
		link(m, "dotfiles/claude", m.path(".claude"))
		check(m, m.path(".claude"), m.path("dotfiles", "claude", "settings.json"), "{}")
	})
	t.Run("dangling", func(t *testing.T) {
		m := newMachine(t)
		m.put(m.path(".claude", "other"), "")
		link(m, "../dotfiles/new.json", m.settings())
		check(m, m.settings(), m.path("dotfiles", "new.json"), "<none>")
		if _, err := os.Lstat(m.path("dotfiles")); err == nil {
			t.Error("the folder that install made is still there")
		}
	})
}

func TestWired(t *testing.T) {
	m := newMachine(t)
	if p, err := m.target().Wired(); err != nil || len(p) != 1 || !strings.Contains(p[0].Text, "missing") {
		t.Errorf("no file: %v %v", p, err)
	}
	m.apply()
	text := m.read(m.settings())
	for _, tt := range []struct{ from, to, mention string }{
		{`"timeout": 30`, `"timeout": 3`, "timeout is 3 s"},
		{m.user, "/elsewhere", "command is"},
		{`"Stop"`, `"Stopp"`, "hooks.Stop: hookctl is not registered"},
		{`"hooks": [`, `"matcher": "Edit", "hooks": [`, "differs"},
	} {
		m.put(m.settings(), strings.Replace(text, tt.from, tt.to, 1))
		p, err := m.target().Wired()
		if err != nil || len(p) != 1 || !strings.Contains(p[0].String(), tt.mention) {
			t.Errorf("%s -> %s: %v %v, want %q", tt.from, tt.to, p, err, tt.mention)
		}
	}
}

func TestLockBusy(t *testing.T) {
	m := newMachine(t)
	held := m.lock(nil)
	_, err := Lock(context.Background(), nil, m.home, 50*time.Millisecond)
	if !errors.As(err, new(*BusyError)) {
		t.Errorf("a second lock: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Lock(ctx, nil, m.home, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("a wait that was given up: %v", err)
	}
	held.Release()
	held.Release()
	m.lock(nil).Release()
}

func TestRecordIsPrivate(t *testing.T) {
	m := newMachine(t)
	m.put(m.settings(), `{"env":{"KEY":"secret"}}`)
	m.apply()
	fi, err := os.Stat(m.home.Record())
	if err != nil || modesCount && fi.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", fi.Mode(), err)
	}
	var r record
	if err := json.Unmarshal([]byte(m.read(m.home.Record())), &r); err != nil || !bytes.Contains(r.Files[0].Original, []byte("secret")) {
		t.Error(err, r)
	}
	m.put(m.home.Record(), "{")
	held := m.lock(nil)
	defer held.Release()
	if _, err := Apply(held, nil, m.target()); err == nil || !strings.Contains(err.Error(), "install.json") {
		t.Errorf("a broken record: %v", err)
	}
}
