package pull

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install"
	"github.com/agenthooks/hookctl/install/files"
	"github.com/agenthooks/hookctl/sync/bundle"
)

// TestInstallTwice repairs what differs and touches nothing else.
func TestInstallTwice(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.release(1)
	b.install(r.options())
	before := tree(t, b.User)
	b.Files.Before = func(op files.Op) error { return fmt.Errorf("nothing differs, and yet: %v", op) }
	if in := b.install(r.options()); in.Changed || len(in.Files) > 0 || in.Settings[0].Changed() || in.Binary.Before != in.Binary.After {
		t.Errorf("the second install says that it changed something: %+v", in)
	}
	b.Files.Before = nil
	same(t, "second install", before, tree(t, b.User))
}

func TestSyncBringsARelease(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	first := r.release(1)
	in := b.install(r.options())
	if in.Embedded || in.To.Release != 1 || in.To.Commit != first.String() || in.Cases != 4 || len(in.Signers) != 1 {
		t.Errorf("installation %+v", in)
	}
	b.good(1)
	if got := b.protects(); got != 1 {
		t.Errorf("%d secrets are protected, want 1", got)
	}
	settings := tree(t, filepath.Dir(b.settings()))
	one, _ := home.ReadPointer(b.Home)
	oldTree := tree(t, b.Home.Generation(one.Digest))

	second := r.release(2)
	if rep, err := b.Check(context.Background()); err != nil || !rep.Newer() || rep.To.Release != 2 {
		t.Errorf("check: %+v, %v", rep, err)
	}
	rep := b.sync()
	b.good(2)
	if !rep.Changed || rep.From.Release != 1 || rep.To.Release != 2 || rep.To.Commit != second.String() || rep.Head != second.String() || rep.Cases != 4 || !rep.Wired {
		t.Errorf("report %+v", rep)
	}
	two, _ := home.ReadPointer(b.Home)
	if two.Digest == one.Digest || two.Rules == one.Rules || two.Commit != second.String() || two.Previous == nil || two.Previous.Digest != one.Digest {
		t.Errorf("current is %+v", two)
	}
	if got := b.trust().Accepted; got.Release != 2 || got.Commit != second.String() || got.Digest != two.Digest || !got.At.Equal(now) {
		t.Errorf("accepted %+v", got)
	}
	same(t, "the generation before", oldTree, tree(t, b.Home.Generation(one.Digest)))
	same(t, "settings", settings, tree(t, filepath.Dir(b.settings())))
	var names []string
	for _, c := range rep.Files {
		names = append(names, c.Path)
		if c.Before == c.After || len(c.Before) != 64 || len(c.After) != 64 {
			t.Errorf("%s: %q -> %q", c.Path, c.Before, c.After)
		}
		path := filepath.Join(b.Home.Generation(two.Digest), filepath.FromSlash(c.Path))
		if c.Path == compiledRules {
			path = filepath.Join(b.Home.Generation(two.Digest), home.RulesFile(two.Rules))
		}
		if got := hashFile(path); got != c.After {
			t.Errorf("%s is %s on the disk, %s in the report", c.Path, got, c.After)
		}
	}
	if got := strings.Join(names, " "); got != "cases/secrets/block/write.json gates/secrets.yaml hookctl.lock hookctl.lock.sig rules" {
		t.Errorf("changed files: %s", got)
	}
	if got := b.protects(); got != 2 {
		t.Errorf("%d secrets are protected, want 2", got)
	}

	before := tree(t, b.User)
	b.Files.Before = func(op files.Op) error { return fmt.Errorf("nothing is new, and yet: %v", op) }
	if rep := b.sync(); rep.Changed || len(rep.Healed) > 0 || len(rep.Files) > 0 {
		t.Errorf("nothing new: %+v", rep)
	}
	b.Files.Before = nil
	same(t, "nothing new", before, tree(t, b.User))
}

// TestSyncHeals damages what is installed: verify names it, sync mends it and
// says so.
func TestSyncHeals(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.release(1)
	b.install(r.options())
	p, err := home.ReadPointer(b.Home)
	must(t, err)
	gen := b.Home.Generation(p.Digest)
	in := func(name string) string { return filepath.Join(gen, filepath.FromSlash(name)) }
	rules := home.RulesFile(p.Rules)
	whole := tree(t, b.User)
	start := b.snapshot()
	for _, tt := range []struct {
		name, damaged string
		damage        func() error
	}{
		{"tampered gate", in("gates/banana.yaml"), func() error { return rewrite(in("gates/banana.yaml"), textGate+"\n") }},
		{"tampered rules", in(rules), func() error { return rewrite(in(rules), "{}\n[]\n") }},
		{"tampered signature", "hookctl.lock is not signed", func() error { return rewrite(in(bundle.SigName), "") }},
		{"tampered lock", in(bundle.LockName), func() error { return rewrite(in(bundle.LockName), "{}") }},
		{"missing file", in("cases/all/allow/done.md"), func() error { return os.Remove(in("cases/all/allow/done.md")) }},
		{"missing rules", in(rules), func() error { return os.Remove(in(rules)) }},
		{"missing signature", "", func() error { return os.Remove(in(bundle.SigName)) }},
		{"writable", in("gates/secrets.yaml"), func() error { return os.Chmod(in("gates/secrets.yaml"), 0o644) }},
		{"executable", in("gates/secrets.yaml"), func() error { return os.Chmod(in("gates/secrets.yaml"), 0o555) }},
		{"open folder", in("gates"), func() error { return os.Chmod(in("gates"), 0o777) }},
		{"extra file", in("hooks"), func() error {
			must(t, os.Mkdir(in("hooks"), 0o755))
			return os.WriteFile(in("hooks/evil.sh"), []byte("#!/bin/sh\n"), 0o755)
		}},
		{"other rules beside", in("rules-0123"), func() error { return os.WriteFile(in("rules-0123"), nil, 0o444) }},
		{"link", in("hookctl.yaml"), func() error {
			must(t, os.Remove(in("hookctl.yaml")))
			return os.Symlink("/etc/passwd", in("hookctl.yaml"))
		}},
		{"store folder is a link", "", func() error {
			must(t, os.Rename(gen, b.User+"/elsewhere"))
			t.Cleanup(func() { os.RemoveAll(b.User + "/elsewhere") })
			return os.Symlink(b.User+"/elsewhere", gen)
		}},
		{"generation is gone", gen, func() error { return b.Files.RemoveAll(gen) }},
		{"current is garbage", b.Home.Current(), func() error { return os.WriteFile(b.Home.Current(), []byte("{\"schema\":1,"), 0o644) }},
		{"current is gone", "", func() error { return os.Remove(b.Home.Current()) }},
		{"current says another release", b.Home.Current(), func() error {
			text, err := os.ReadFile(b.Home.Current())
			must(t, err)
			return os.WriteFile(b.Home.Current(), []byte(strings.Replace(string(text), `"release":1`, `"release":7`, 1)), 0o644)
		}},
		{"current leads elsewhere", b.Home.Current(), func() error {
			return os.WriteFile(b.Home.Current(), []byte(`{"schema":1,"digest":"sha256:../../..","rules":"sha256:../../../x","release":1}`), 0o644)
		}},
		{"rules of current lead elsewhere", b.Home.Current(), func() error {
			return os.WriteFile(b.Home.Current(), []byte(`{"schema":1,"digest":"`+p.Digest+`","rules":"sha256:../../../x","release":1}`), 0o644)
		}},
		{"current says other rules", "", func() error {
			text, err := os.ReadFile(b.Home.Current())
			must(t, err)
			return os.WriteFile(b.Home.Current(), []byte(strings.Replace(string(text), p.Rules, "sha256:"+strings.Repeat("0", 64), 1)), 0o644)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			start.back(t)
			folders(t, gen, 0o755)
			must(t, tt.damage())
			if tt.name != "open folder" {
				folders(t, gen, 0o555)
			}
			found := strings.Join(b.problems(), "\n")
			if found == "" || tt.damaged != "" && !strings.Contains(found, tt.damaged) {
				t.Errorf("verify does not name %s: %q", tt.damaged, found)
			}
			rep := b.sync()
			if len(rep.Healed) == 0 && !rep.Changed {
				t.Errorf("sync does not say that it healed: %+v", rep)
			}
			os.RemoveAll(b.User + "/elsewhere")
			same(t, "healed", whole, tree(t, b.User))
			b.good(1)
		})
	}
}

// rewrite replaces a read-only file's bytes and leaves its mode.
func rewrite(path, text string) error {
	return errors.Join(os.Remove(path), os.WriteFile(path, []byte(text), 0o644), os.Chmod(path, 0o444))
}

// folders sets the mode of every folder of a generation.
func folders(t testing.TB, gen string, mode os.FileMode) {
	t.Helper()
	if fi, err := os.Lstat(gen); err != nil || !fi.IsDir() {
		return
	}
	must(t, filepath.WalkDir(gen, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			err = os.Chmod(path, mode)
		}
		return err
	}))
}

// TestRulesOfAnotherProgram: a hookctl that compiles the same bundle to
// other rules replaces them; that is no damage.
func TestRulesOfAnotherProgram(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.release(1)
	b.install(r.options())
	p, err := home.ReadPointer(b.Home)
	must(t, err)
	whole := tree(t, b.User)
	// What an older program had compiled.
	gen := b.Home.Generation(p.Digest)
	rules, err := os.ReadFile(filepath.Join(gen, home.RulesFile(p.Rules)))
	must(t, err)
	older := slices.Concat(rules, []byte("\n"))
	p.Rules = install.Sum(older)
	lock, err := os.ReadFile(filepath.Join(gen, bundle.LockName))
	must(t, err)
	l, err := bundle.ParseLock(lock)
	must(t, err)
	all := map[string]install.File{bundle.LockName: {Data: lock}}
	for name := range l.Files {
		data, err := os.ReadFile(filepath.Join(gen, name))
		must(t, err)
		all[name] = install.File{Data: data}
	}
	all[bundle.SigName] = install.File{}
	all[bundle.SigName] = install.File{Data: must1(t)(os.ReadFile(filepath.Join(gen, bundle.SigName)))}
	must(t, install.Stage(b.Files, b.Home, p.Digest, all, older))
	_, err = install.Activate(b.Files, b.Home, p)
	must(t, err)
	_, err = install.GC(b.Files, b.Home, now)
	must(t, err)
	if got := b.problems(); len(got) != 1 || !strings.Contains(got[0], "the last receipt does not say so") {
		t.Errorf("verify: %q", got)
	}
	rep := b.sync()
	if len(rep.Healed) > 0 || rep.Changed || len(rep.Files) != 1 || rep.Files[0].Path != compiledRules {
		t.Errorf("report %+v", rep)
	}
	same(t, "compiled again", whole, tree(t, b.User))
	b.good(1)
}

func must1(t testing.TB) func([]byte, error) []byte {
	return func(b []byte, err error) []byte { t.Helper(); must(t, err); return b }
}

func TestPendingCommits(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	one := r.release(1)
	b.install(r.options())
	r.write("README.md", "nothing of the bundle\n")
	r.commit("Read me")
	r.write("gates/secrets.yaml", toolGate(5))
	r.commit("Protect more, not released")
	r.write("gates/secrets.yaml", toolGate(6))
	r.commit("And more")
	before := tree(t, b.User)
	if rep := b.sync(); rep.Changed || rep.Pending != 2 || rep.To.Release != 1 {
		t.Errorf("pending commits: %+v", rep)
	}
	same(t, "pending", before, tree(t, b.User))

	// A release that comes in by a merge: the merge is what counts.
	main := r.commits[len(r.commits)-1]
	r.reset(one)
	side := r.release(2)
	r.reset(main)
	r.put(tiny(2))
	for _, name := range []string{bundle.LockName, bundle.SigName} {
		c, err := r.repo.CommitObject(side)
		must(t, err)
		f, err := c.File(name)
		must(t, err)
		text, err := f.Contents()
		must(t, err)
		r.write(name, text)
	}
	merge := r.commit("Merge release 2", main, side)
	rep := b.sync()
	if !rep.Changed || rep.To.Release != 2 || rep.To.Commit != merge.String() || rep.Pending != 0 {
		t.Errorf("release by a merge: %+v", rep)
	}
	b.good(2)
}

func TestNoGitProgram(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.release(1)
	// A configuration of the user's that would change bytes and the address.
	must(t, os.WriteFile(filepath.Join(b.User, ".gitconfig"), []byte("[core]\n\tautocrlf = true\n\teol = crlf\n[url \"/nowhere/\"]\n\tinsteadOf = "+r.dir+"\n[fetch]\n\tfsckObjects = false\n"), 0o644))
	t.Setenv("HOME", b.User)
	t.Setenv("XDG_CONFIG_HOME", b.User)
	t.Setenv("PATH", "")
	if _, err := exec.LookPath("git"); err == nil {
		t.Fatal("there is still a git")
	}
	b.install(r.options())
	b.good(1)
	r.release(2)
	b.sync()
	b.good(2)
	if text, err := os.ReadFile(filepath.Join(b.Home.Generation(b.trust().Accepted.Digest), "gates/banana.yaml")); err != nil || string(text) != textGate {
		t.Errorf("gates/banana.yaml is %q, %v", text, err)
	}
}

// TestSourceChanges: what was accepted from one repository says nothing about
// another; the machine follows the new one from then on.
func TestSourceChanges(t *testing.T) {
	a, other, b := newTeam(t), newTeam(t), newBox(t)
	a.release(5)
	b.install(a.options())
	first := other.release(1)
	in := b.install(other.options())
	if in.To.Release != 1 || !in.Changed {
		t.Errorf("installation %+v", in)
	}
	b.good(1)
	if p, _ := home.ReadPointer(b.Home); p.Commit != first.String() {
		t.Errorf("current names commit %s", p.Commit)
	}
	other.release(2)
	b.sync()
	b.good(2)
	// Without a source the one that is pinned stays.
	if in := b.install(Options{Agents: Agents}); in.Embedded || in.To.Release != 2 {
		t.Errorf("installation %+v", in)
	}
	// The same release elsewhere: the bytes are the same, the commit is not.
	mirror := newTeam(t)
	mirror.key, mirror.signers = other.key, other.signers
	mirror.put(tiny(2))
	for _, name := range []string{bundle.LockName, bundle.SigName} {
		mirror.write(name, string(must1(t)(os.ReadFile(other.path(name)))))
	}
	h := mirror.commit("The same release")
	b.install(mirror.options())
	b.good(2)
	if p, _ := home.ReadPointer(b.Home); p.Commit != h.String() || b.trust().Accepted.Commit != h.String() {
		t.Errorf("current names commit %s, trust.json %s, want %s", p.Commit, b.trust().Accepted.Commit, h)
	}
}

// TestRelativeSource: a sync that is started elsewhere finds the source.
func TestRelativeSource(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.release(1)
	t.Chdir(filepath.Dir(r.dir))
	o := r.options()
	o.Source.URL = filepath.Base(r.dir)
	b.install(o)
	t.Chdir(t.TempDir())
	r.release(2)
	b.sync()
	b.good(2)
}

// TestNewKeysByInstall: keys change by another install, and not by a release.
func TestNewKeysByInstall(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.release(1)
	b.install(r.options())
	old := r.trustLine(t)
	r.key = newKey(t)
	must(t, os.WriteFile(r.signers, []byte(r.trustLine(t)), 0o644))
	r.release(2)
	before := tree(t, b.User)
	if _, err := b.Sync(context.Background()); !isError[*bundle.SignatureError](err) {
		t.Errorf("a release of keys that are not pinned: %v", err)
	}
	same(t, "new keys", before, tree(t, b.User))
	b.install(r.options())
	b.good(2)
	if got := b.trust().Signers; strings.Contains(got, strings.Fields(old)[3]) {
		t.Errorf("the old key is still pinned: %s", got)
	}
}
