package install

import (
	"os"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/agent"
	"github.com/agenthooks/hookctl/install/settings"
	"github.com/google/go-cmp/cmp"
)

// TestUninstallRestores is the promise: the bytes from before come back, or
// there is no file where there was none.
func TestUninstallRestores(t *testing.T) {
	for name, src := range map[string]string{
		"missing": "<none>", "empty": "", "blank": " \n", "object": "{}", "spaced": "{ \n}\n",
		"null hooks": `{ "hooks": null, "model": "opus" }`, "empty hooks": "{\n    \"model\": \"opus\",\r\n    \"hooks\": {}\r\n}",
		"empty event": `{"hooks":{"Stop":[]}}`, "bom": settings.BOM + "{\"a\": 1}\n",
		"comments": "{\n  // 27\" display, don't touch\n  \"hooks\": { \"PreToolUse\": [ { \"matcher\": \"Bash\", \"hooks\": [ { \"type\": \"command\", \"command\": \"echo ,}\" } ] } ], },\n}\n",
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			if src != "<none>" {
				m.put(m.settings(), src)
			}
			preview, err := m.target().Preview()
			if err != nil || m.read(m.settings()) != src {
				t.Fatalf("Preview: %v, or it wrote", err)
			}
			c := m.apply()
			if d := cmp.Diff(preview, c); d != "" || c.Diff() == "" {
				t.Errorf("Apply does other than Preview says:\n%s", d)
			}
			text := m.read(m.settings())
			if text != string(c.After) {
				t.Errorf("file is not the change's After")
			}
			if got := own(t, text); len(got) != 5 {
				t.Errorf("own entries %v", got)
			}
			if p, err := m.target().Wired(); err != nil || len(p) > 0 {
				t.Errorf("Wired: %v %v", p, err)
			}
			for range 2 {
				if c := m.apply(); c.Changed() || m.read(m.settings()) != text {
					t.Error("a further Apply changed the file")
				}
			}
			m.uninstall()
			if got := m.read(m.settings()); got != src {
				t.Errorf("after Uninstall\n got %q\nwant %q", got, src)
			}
			if _, err := os.Lstat(m.path(".claude")); src == "<none>" && err == nil {
				t.Error("the folder that install made is still there")
			}
			if m.read(m.home.Record()) != "<none>" {
				t.Error("the record is still there")
			}
			m.noTemp()
		})
	}
}

func TestUninstallKeepsEdits(t *testing.T) {
	edit := func(m machine, from, to string) {
		m.Helper()
		text := m.read(m.settings())
		if !strings.Contains(text, from) {
			m.Fatalf("%q is not in %s", from, text)
		}
		m.put(m.settings(), strings.Replace(text, from, to, 1))
	}
	t.Run("edited after install", func(t *testing.T) {
		m := newMachine(t)
		m.put(m.settings(), settings.BOM+"{\n  \"model\": \"a\"\n}\n")
		m.apply()
		edit(m, `"a"`, `"b"`)
		m.uninstall()
		if got, want := m.read(m.settings()), settings.BOM+"{\n  \"model\": \"b\"\n}\n"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
	t.Run("installed again after the edit", func(t *testing.T) {
		m := newMachine(t)
		m.put(m.settings(), "{\n  \"model\": \"a\"\n}\n")
		m.apply()
		edit(m, `"a"`, `"b"`)
		m.apply()
		m.apply()
		m.uninstall()
		if got, want := m.read(m.settings()), "{\n  \"model\": \"b\"\n}\n"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
	t.Run("first original kept over two versions of ours", func(t *testing.T) {
		m := newMachine(t)
		m.put(m.settings(), "{ \n}")
		held := m.lock(nil)
		older := m.target()
		for i := range older.Entries {
			older.Entries[i].Timeout = 20
		}
		if _, err := Apply(held, nil, older); err != nil {
			t.Fatal(err)
		}
		held.Release()
		if c := m.apply(); !c.Changed() {
			t.Fatal("the newer version changed nothing")
		}
		m.uninstall()
		if got := m.read(m.settings()); got != "{ \n}" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("our own file, edited", func(t *testing.T) {
		m := newMachine(t)
		m.apply()
		edit(m, "{", "{\n  \"model\": \"b\",")
		m.uninstall()
		if got, want := m.read(m.settings()), "{\n  \"model\": \"b\"\n}\n"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
	t.Run("our own file, written anew by the agent", func(t *testing.T) {
		m := newMachine(t)
		m.apply()
		edit(m, "{", "{ ")
		m.uninstall()
		if got := m.read(m.settings()); got != "<none>" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("our own file, written anew, installed again", func(t *testing.T) {
		m := newMachine(t)
		m.apply()
		edit(m, "{", "{ ")
		edit(m, `"timeout": 30`, `"timeout": 31`)
		if c := m.apply(); !c.Changed() {
			t.Fatal("the timeout was not mended")
		}
		m.uninstall()
		if got := m.read(m.settings()); got != "<none>" {
			t.Errorf("got %q", got)
		}
		if _, err := os.Lstat(m.path(".claude")); err == nil {
			t.Error("the folder that install made is still there")
		}
	})
	t.Run("without a record", func(t *testing.T) {
		m := newMachine(t)
		m.put(m.settings(), `{ "hooks": { "Stop": [ {"hooks":[{"type":"command","command":"hookctl gate"},{"type":"command","command":"say done"}]} ], "PreToolUse": [ {"matcher":"Bash|Edit|Write","hooks":[{"type":"command","command":"hookctl gate"}]} ] }, "model": "opus" }`)
		preview, err := PreviewUninstall(m.home, []Target{m.target()})
		if err != nil || len(preview) != 1 {
			t.Fatal(preview, err)
		}
		m.uninstall()
		want := `{ "hooks": { "Stop": [ {"hooks":[{"type":"command","command":"say done"}]} ] }, "model": "opus" }`
		if got := m.read(m.settings()); got != want || got != string(preview[0].After) {
			t.Errorf("got %q", got)
		}
	})
	t.Run("entries from before the record", func(t *testing.T) {
		m := newMachine(t)
		m.put(m.settings(), `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"hookctl gate"}]}]},"model":"a"}`)
		m.apply()
		m.uninstall()
		if got := m.read(m.settings()); got != `{"model":"a"}` {
			t.Errorf("got %q", got)
		}
	})
	t.Run("recorded elsewhere", func(t *testing.T) {
		m := newMachine(t)
		held := m.lock(nil)
		defer held.Release()
		moved, err := Plan("claude", agent.User, m.home, Where{Getenv: env("CLAUDE_CONFIG_DIR", m.path("conf"))})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Apply(held, nil, moved); err != nil {
			t.Fatal(err)
		}
		recorded, err := Recorded(m.home)
		if err != nil || len(recorded) != 1 || recorded[0].Path != moved.Path {
			t.Fatal(recorded, err)
		}
		if _, err := Uninstall(held, nil, recorded); err != nil {
			t.Fatal(err)
		}
		if got := m.read(moved.Path); got != "<none>" {
			t.Errorf("the file of another CLAUDE_CONFIG_DIR stays: %q", got)
		}
	})
}

func TestPurge(t *testing.T) {
	m := newMachine(t)
	p, err := everything(nil, m)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(m.home.Generation(p.Digest)); err != nil {
		t.Fatal(err)
	}
	m.uninstall()
	held := m.lock(nil)
	if left, err := Purge(held, nil); err != nil || len(left) > 0 {
		t.Fatal(left, err)
	}
	if entries, _ := os.ReadDir(m.user); len(entries) > 0 {
		t.Errorf("left: %v", entries)
	}

	// A home that somebody chose keeps what is not ours.
	m.home = home.Dir(m.path("chosen"))
	m.put(m.path("chosen", "thesis.tex"), "x")
	if _, err := everything(nil, m); err != nil {
		t.Fatal(err)
	}
	left, err := Purge(m.lock(nil), nil)
	if err != nil || len(left) != 1 || m.read(m.path("chosen", "thesis.tex")) != "x" {
		t.Errorf("left %v, %v", left, err)
	}
	if entries, _ := os.ReadDir(m.path("chosen")); len(entries) != 1 {
		t.Errorf("left: %v", entries)
	}
}
