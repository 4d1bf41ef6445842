package pull

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/source"
)

// TestRefused offers a machine what it must not take. Each time the error is of
// the bundle's own type, and nothing on the machine has changed.
func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		name  string
		offer func(r *team)
		is    func(error) bool
	}{
		{"tampered file", func(r *team) {
			r.put(tiny(4))
			r.lock(bundle.LockOptions{Release: 4}, r.key)
			r.write("gates/banana.yaml", strings.Replace(textGate, "banana time", "banana tame", 1))
			r.commit("x")
		}, isError[*bundle.DigestError]},
		{"longer file", func(r *team) {
			r.put(tiny(4))
			r.lock(bundle.LockOptions{Release: 4}, r.key)
			r.write("gates/banana.yaml", textGate+"\n")
			r.commit("x")
		}, isError[*bundle.FileSizeError]},
		{"unsigned", func(r *team) { r.put(tiny(4)); r.lock(bundle.LockOptions{Release: 4}, nil); r.commit("x") }, isError[*bundle.UnsignedError]},
		{"wrong key", func(r *team) { r.put(tiny(4)); r.lock(bundle.LockOptions{Release: 4}, newKey(r)); r.commit("x") }, isError[*bundle.SignatureError]},
		{"lower release", func(r *team) { r.release(2) }, isError[*bundle.RollbackError]},
		{"same release, other lock", func(r *team) { r.put(tiny(4)); r.lock(bundle.LockOptions{Release: 3}, r.key); r.commit("x") }, isError[*bundle.SameReleaseError]},
		{"expired", func(r *team) {
			r.put(tiny(4))
			r.lock(bundle.LockOptions{Release: 4, Expires: now.Add(-time.Minute)}, r.key)
			r.commit("x")
		}, isError[*bundle.ExpiredError]},
		{"rewound branch", func(r *team) { r.reset(r.commits[0]) }, isError[*bundle.RewrittenError]},
		{"rewound and released anew", func(r *team) { r.reset(r.commits[0]); r.release(9) }, isError[*bundle.RewrittenError]},
		{"force-pushed branch", func(r *team) {
			other := newTeam(r)
			other.key = r.key
			other.release(9)
			must(r, os.RemoveAll(r.dir))
			must(r, os.Rename(other.dir, r.dir))
		}, isError[*bundle.RewrittenError]},
		{"removed lock", func(r *team) { must(r, os.Remove(r.path(bundle.LockName))); r.commit("x") }, isError[*bundle.MissingLockError]},
		{"removed signature", func(r *team) { must(r, os.Remove(r.path(bundle.SigName))); r.commit("x") }, isError[*bundle.UnsignedError]},
		{"link", func(r *team) {
			r.put(tiny(4))
			r.lock(bundle.LockOptions{Release: 4}, r.key)
			must(r, os.Remove(r.path("gates/banana.yaml")))
			must(r, os.Symlink("secrets.yaml", r.path("gates/banana.yaml")))
			r.commit("x")
		}, isError[*bundle.KindError]},
		{"lock is a link", func(r *team) {
			must(r, os.Rename(r.path(bundle.LockName), r.path("real")))
			must(r, os.Symlink("real", r.path(bundle.LockName)))
			r.commit("x")
		}, isError[*bundle.KindError]},
		{"extra file", func(r *team) {
			r.put(tiny(4))
			r.lock(bundle.LockOptions{Release: 4}, r.key)
			r.write("hooks/evil.sh", "#!/bin/sh\n")
			r.commit("x")
		}, isError[*bundle.ExtraFileError]},
		{"missing file", func(r *team) {
			r.put(tiny(4))
			r.lock(bundle.LockOptions{Release: 4}, r.key)
			must(r, os.Remove(r.path("cases/all/allow/done.md")))
			r.commit("x")
		}, isError[*bundle.FileMissingError]},
		{"other mode", func(r *team) {
			r.put(tiny(4))
			r.lock(bundle.LockOptions{Release: 4}, r.key)
			must(r, os.Chmod(r.path("gates/banana.yaml"), 0o755))
			r.commit("x")
		}, isError[*bundle.ModeError]},
		{"lock is garbage", func(r *team) {
			sig, err := bundle.Sign([]byte("{}"), r.key)
			must(r, err)
			r.write(bundle.LockName, "{}")
			r.write(bundle.SigName, string(sig))
			r.commit("x")
		}, isError[*bundle.SchemaError]},
		{"newest is refused, a good one lies under it", func(r *team) {
			r.release(4)
			r.put(tiny(5))
			r.lock(bundle.LockOptions{Release: 5}, nil)
			r.commit("x")
		}, isError[*bundle.UnsignedError]},
		{"the source is gone", func(r *team) { must(r, os.RemoveAll(r.dir)) }, isError[*source.NotFoundError]},
		{"a gate that does not compile", func(r *team) {
			r.put(tiny(4))
			r.write("gates/banana.yaml", strings.Replace(textGate, "['banana time']", "['banana (time']", 1))
			r.lock(bundle.LockOptions{Release: 4}, r.key)
			r.commit("x")
		}, func(err error) bool { return strings.Contains(err.Error(), "banana") }},
		{"cases fail", func(r *team) {
			r.put(tiny(4))
			r.write("cases/banana/block/never.md", "Nothing to see.\n")
			r.lock(bundle.LockOptions{Release: 4}, r.key)
			r.commit("x")
		}, func(err error) bool { return isError[*ProofError](err) && strings.Contains(err.Error(), "in process") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, b := newTeam(t), newBox(t)
			r.release(1)
			r.release(3)
			b.install(r.options())
			before := tree(t, b.User)
			tt.offer(r)
			rep, err := b.Sync(context.Background())
			if err == nil || !tt.is(err) {
				t.Errorf("sync: %T %v", err, err)
			}
			if rep.Changed {
				t.Error("the report says that something changed")
			}
			same(t, "after sync", before, tree(t, b.User))
			if _, err := b.Check(context.Background()); tt.name != "cases fail" && !strings.Contains(tt.name, "compile") && (err == nil || !tt.is(err)) {
				t.Errorf("check: %T %v", err, err)
			}
			if tt.name == "the source is gone" {
				return
			}
			// Nor does an install take it: what is pinned counts there too.
			if _, err := b.Install(context.Background(), r.options()); err == nil || !tt.is(err) {
				t.Errorf("install: %T %v", err, err)
			}
			same(t, "after install", before, tree(t, b.User))
			if got := b.protects(); got != 3 {
				t.Errorf("%d secrets are protected, want 3", got)
			}
		})
	}
}

// TestFreeze: a source that brings nothing new until what runs has expired.
// What runs is healed and runs on; the sync says that something is wrong.
func TestFreeze(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.put(tiny(1))
	r.lock(bundle.LockOptions{Release: 1, Expires: now.Add(time.Hour)}, r.key)
	r.commit("Release 1")
	b.install(r.options())
	b.good(1)
	whole := tree(t, b.User)
	b.Now = now.Add(2 * time.Hour)
	must(t, os.Chmod(filepath.Join(b.Home.Generation(b.trust().Accepted.Digest), "gates"), 0o755))
	rep, err := b.Sync(context.Background())
	if !isError[*bundle.ExpiredError](err) || len(rep.Healed) != 1 {
		t.Errorf("sync: %+v, %v", rep, err)
	}
	same(t, "frozen", whole, tree(t, b.User))
	if _, err := b.Check(context.Background()); !isError[*bundle.ExpiredError](err) {
		t.Errorf("check: %v", err)
	}
	if got := strings.Join(b.problems(), "\n"); !strings.Contains(got, "expired at 2026-05-04T13:00:00Z") {
		t.Errorf("verify: %s", got)
	}
	if got := b.protects(); got != 1 {
		t.Errorf("%d secrets are protected, want 1", got)
	}
}

// wrapper is a program that answers as hookctl does until file exists, and then
// as answer says.
func (b box) wrapper(path, file, answer string) {
	b.Helper()
	must(b, os.MkdirAll(filepath.Dir(path), 0o755))
	must(b, os.WriteFile(path, []byte(fmt.Sprintf("#!/bin/sh\nif [ -e %s ]; then\n%s\nfi\nexec %s \"$@\"\n", file, answer, b.Home.Binary())), 0o755))
}

// intercept puts a program in the place of the installed one that answers nothing
// to an event once flag exists, and else as hookctl does.
func (b box) intercept(event, flag string) {
	b.Helper()
	must(b, os.Remove(b.Home.Binary()))
	script := fmt.Sprintf("#!/bin/sh\nin=$(cat)\nif [ -e %s ]; then case $in in *'\"%s\"'*) exit 0;; esac; fi\nprintf %%s \"$in\" | %s \"$@\"\n", flag, event, built)
	must(b, os.WriteFile(b.Home.Binary(), []byte(script), 0o755))
}

// TestProofFails: a release whose cases hold in process and not as a process,
// or not through the settings. What ran before is what runs.
func TestProofFails(t *testing.T) {
	for _, answer := range []string{"exit 2", "exit 0", "echo nonsense; exit 0", "exit 1", "kill -9 $$", `echo '{"decision":"block","reason":"[banana] always"}'; exit 0`} {
		t.Run("as a process: "+answer, func(t *testing.T) {
			r, b := newTeam(t), newBox(t)
			r.release(1)
			b.install(r.options())
			broken := filepath.Join(b.User, "other", "hookctl")
			b.wrapper(broken, b.User, answer)
			before := tree(t, b.User)
			r.release(2)
			b.Program = broken
			_, err := b.Sync(context.Background())
			if !isError[*ProofError](err) || !strings.Contains(err.Error(), "on the staged copy") {
				t.Errorf("sync: %v", err)
			}
			same(t, "after sync", before, tree(t, b.User))
			if _, err := b.Install(context.Background(), r.options()); !isError[*ProofError](err) {
				t.Errorf("install: %v", err)
			}
			same(t, "after install", before, tree(t, b.User))
			if got := b.protects(); got != 1 {
				t.Errorf("%d secrets are protected, want 1", got)
			}
		})
	}
	for _, event := range []string{"Stop", "PreToolUse"} {
		t.Run("through the settings of "+event, func(t *testing.T) {
			r, b := newTeam(t), newBox(t)
			r.release(1)
			b.install(r.options())
			flag := filepath.Join(b.User, "broken")
			b.intercept(event, flag)
			r.release(2)
			b.sync() // it works so far
			must(t, os.WriteFile(flag, nil, 0o644))
			before := tree(t, b.User)
			r.release(3)
			_, err := b.Sync(context.Background())
			if !isError[*ProofError](err) || !strings.Contains(err.Error(), "through the settings") {
				t.Errorf("sync: %v", err)
			}
			same(t, "after sync", before, tree(t, b.User))
			p, err := home.ReadPointer(b.Home)
			if err != nil || p.Release != 2 || p.Previous == nil || p.Previous.Release != 1 {
				t.Errorf("current: %+v, %v", p, err)
			}
			must(t, os.Remove(flag))
			b.sync()
			if got := b.protects(); got != 3 {
				t.Errorf("%d secrets are protected, want 3", got)
			}
			// Install brings the program back and proves what then stands there.
			must(t, os.WriteFile(flag, nil, 0o644))
			b.install(r.options())
			b.good(3)
		})
	}
}

// TestFirstInstallFails: nothing is registered, nothing is left active.
func TestFirstInstallFails(t *testing.T) {
	for _, o := range []string{"embedded", "source"} {
		t.Run(o, func(t *testing.T) {
			if o == "embedded" && !longSweep() {
				t.Skip("the embedded bundle has many cases")
			}
			r, b := newTeam(t), newBox(t)
			r.release(1)
			opts := r.options()
			if o == "embedded" {
				opts = Options{Agents: Agents}
			}
			// Works until it lies in its place.
			b.Program = filepath.Join(b.User, "odd", "hookctl")
			must(t, os.MkdirAll(filepath.Dir(b.Program), 0o755))
			must(t, os.WriteFile(b.Program, []byte("#!/bin/sh\ncase $0 in */.hookctl/bin/*) exit 2;; esac\nHOOKCTL_HOME=${0%/bin/hookctl} exec "+built+" \"$@\"\n"), 0o755))
			settings := tree(t, filepath.Dir(b.settings()))
			_, err := b.Install(context.Background(), opts)
			if !isError[*ProofError](err) || !strings.Contains(err.Error(), "through the settings") {
				t.Errorf("install: %v", err)
			}
			same(t, "settings", settings, tree(t, filepath.Dir(b.settings())))
			for _, path := range []string{b.Home.Current(), b.Home.Binary(), programSum(b.Home.Binary()), b.Home.Trust(), b.Home.Record()} {
				if _, err := os.Lstat(path); !os.IsNotExist(err) {
					t.Errorf("%s is left", path)
				}
			}
			if left, _ := os.ReadDir(b.Home.Store()); len(left) > 0 {
				t.Errorf("left in the store: %v", left)
			}
			b.noTemp()
		})
	}
}

// TestCanceled: a sync that is stopped says so, and does not blame the release.
func TestCanceled(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.release(1)
	b.install(r.options())
	r.release(2)
	before := tree(t, b.User)
	for _, at := range []string{"in process", "the staged copy", "through the settings"} {
		ctx, cancel := context.WithCancel(context.Background())
		b.Progress = func(step string) {
			if strings.Contains(step, at) {
				cancel()
			}
		}
		_, err := b.Sync(ctx)
		if err == nil || isError[*ProofError](err) || !strings.Contains(err.Error(), "canceled") {
			t.Errorf("canceled %s: %v", at, err)
		}
		same(t, "canceled "+at, before, tree(t, b.User))
	}
	b.Progress = nil
	b.sync()
	b.good(2)
}

// TestVerifyMore names what the store tests do not cover.
func TestVerifyMore(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.release(1)
	b.install(r.options())
	clean := string(must1(t)(os.ReadFile(b.settings())))
	write := func(path, text string) func() {
		return func() {
			t.Helper()
			must(t, os.MkdirAll(filepath.Dir(path), 0o755))
			must(t, os.WriteFile(path, []byte(text), 0o644))
		}
	}
	trust := string(must1(t)(os.ReadFile(b.Home.Trust())))
	managed := filepath.Join(b.Managed, "managed-settings.json")
	for _, tt := range []struct {
		name, want string
		damage     func()
	}{
		{"program", "program " + b.Home.Binary() + ": SHA-256 is", func() {
			f, err := os.OpenFile(b.Home.Binary(), os.O_APPEND|os.O_WRONLY, 0)
			must(t, err)
			_, err = f.Write([]byte{0})
			must(t, err)
			must(t, f.Close())
		}},
		{"program's mode", "mode is 0777", func() { must(t, os.Chmod(b.Home.Binary(), 0o777)) }},
		{"program is gone", "program " + b.Home.Binary(), func() { must(t, os.Remove(b.Home.Binary())) }},
		{"program's digest is gone", programSum(b.Home.Binary()), func() { must(t, os.Remove(programSum(b.Home.Binary()))) }},
		{"judge below the floor", "judge.backend command is below the floor", write(b.Home.Config(), "judge: {backend: command, command: [x]}\n")},
		{"fallback below the floor", "judge.fallback claude is below the floor of the bundle; it is passed over", write(b.Home.Config(), "judge: {backend: builtin, fallback: [claude]}\n")},
		{"timeout over the floor", "judge.timeout 9s is over the floor's 5s", write(b.Home.Config(), "judge: {timeout: 9s}\n")},
		{"config.yaml is garbage", "config " + b.Home.Config(), write(b.Home.Config(), "judge: [\n")},
		{"all hooks off", "disableAllHooks", write(b.settings(), strings.Replace(clean, "{", "{\"disableAllHooks\": true,", 1))},
		{"managed only", "allowManagedHooksOnly", write(managed, `{"allowManagedHooksOnly": true}`)},
		{"managed off", "disableAllHooks", write(managed, `{"disableAllHooks": true}`)},
		{"settings are no JSON", b.settings(), write(b.settings(), clean[:len(clean)/2])},
		{"settings are gone", "hookctl is not registered", func() { must(t, os.Remove(b.settings())) }},
		{"one event is gone", "hooks.PreToolUse: hookctl is not registered", write(b.settings(), strings.Replace(clean, "PreToolUse", "PreToolUsed", 1))},
		{"another command", "command is", write(b.settings(), strings.Replace(clean, b.Home.Binary()+" gate", "/opt/hookctl gate", 1))},
		{"trust.json of another key", "not an allowed signer", write(b.Home.Trust(), strings.Replace(trust, strings.Fields(r.trustLine(t))[3], strings.Fields((&team{key: newKey(t)}).trustLine(t))[3], 1))},
		{"trust.json is garbage", b.Home.Trust(), write(b.Home.Trust(), "{")},
		{"another release was accepted", "release 1 runs, but release 8 was accepted last", write(b.Home.Trust(), strings.Replace(strings.Replace(trust, `"release": 1`, `"release": 8`, 1), "sha256:", "sha256:0", 1))},
		{"not installed", "hookctl is not installed here", func() { must(t, b.Files.RemoveAll(string(b.Home))) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			os.Remove(b.Home.Config())
			os.RemoveAll(b.Managed)
			write(b.settings(), clean)()
			write(b.Home.Trust(), trust)()
			b.install(r.options())
			b.good(1)
			tt.damage()
			if got := strings.Join(b.problems(), "\n"); !strings.Contains(got, tt.want) {
				t.Errorf("verify says %q, want %q in it", got, tt.want)
			}
		})
	}
}
