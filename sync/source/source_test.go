package source

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestFetchLayouts(t *testing.T) {
	src := newRepo(t)
	src.commit("hookctl.yaml", "schema: 1\n")
	head := src.commit("gates/a.yaml", "id: a\n")
	base := filepath.Dir(src.dir)
	src.git("clone", "-q", "--bare", src.dir, "../bare.git")
	src.git("clone", "-q", "--shared", src.dir, "../shared")
	src.git("clone", "-q", "--bare", src.dir, "../packed.git")
	src.git("-C", "../packed.git", "gc", "-q", "--aggressive", "--prune=now")
	src.git("worktree", "add", "-q", "../linked", "-b", "other")
	tests := map[string]string{
		"work tree":              src.dir,
		"file URL":               "file://" + src.dir,
		"bare":                   base + "/bare.git",
		"bare, suffix left out":  base + "/bare",
		"bare and packed":        base + "/packed.git",
		"with alternates":        base + "/shared",
		"linked worktree":        base + "/linked",
		"git folder of its own":  src.dir + "/.git",
		"folder of the worktree": src.dir + "/.git/worktrees/linked",
	}
	for name, url := range tests {
		t.Run(name, func(t *testing.T) {
			t.Setenv("PATH", "") // no git program
			r := fetch(t, filepath.Join(t.TempDir(), "q"), url)
			if r.Head().Hash != head {
				t.Errorf("head %s, want %s", r.Head().Hash, head)
			}
			tree, err := r.Tree(head)
			if err != nil {
				t.Fatal(err)
			}
			if b, err := tree.ReadFile("gates/a.yaml"); err != nil || string(b) != "id: a\n" {
				t.Errorf("ReadFile = %q, %v", b, err)
			}
		})
	}
}

func TestFetchAgain(t *testing.T) {
	src := newRepo(t)
	one := src.commit("a", "1")
	dir := filepath.Join(t.TempDir(), "q")
	fetch(t, dir, src.dir)

	two := src.commit("a", "2")
	src.git("checkout", "-q", "-b", "side", one)
	src.commit("b", "side")
	src.git("checkout", "-q", "main")
	src.git("merge", "-q", "--no-ff", "-m", "merge", "side")
	merge := src.git("rev-parse", "HEAD")
	r := fetch(t, dir, src.dir)
	if r.Head().Hash != merge {
		t.Fatalf("head %s, want %s", r.Head().Hash, merge)
	}
	list, err := r.FirstParents(merge, one, 100)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range list {
		got = append(got, c.Hash)
	}
	if want := []string{merge, two, one}; !slices.Equal(got, want) {
		t.Errorf("FirstParents = %v, want %v", got, want)
	}
	if list, _ := r.FirstParents(merge, "", 2); len(list) != 2 {
		t.Errorf("FirstParents with limit 2 gave %d", len(list))
	}
	// Nothing new: the same head, and no file is written.
	before := listing(t, dir)
	if r := fetch(t, dir, src.dir); r.Head().Hash != merge {
		t.Errorf("head %s after nothing new, want %s", r.Head().Hash, merge)
	}
	if after := listing(t, dir); !slices.Equal(before, after) {
		t.Errorf("a fetch of nothing new changed the quarantine:\n%v\n%v", before, after)
	}
}

func listing(t *testing.T, dir string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			info, _ := d.Info()
			list = append(list, p+info.ModTime().String())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// go-git's own fetch reports both without an error; here the head moves and
// descent is asked for.
func TestForcePushAndRewind(t *testing.T) {
	src := newRepo(t)
	one := src.commit("a", "1")
	two := src.commit("a", "2")
	dir := filepath.Join(t.TempDir(), "q")
	fetch(t, dir, src.dir)

	src.git("reset", "-q", "--hard", one)
	forced := src.commit("a", "other")
	r := fetch(t, dir, src.dir)
	if r.Head().Hash != forced {
		t.Fatalf("head %s, want the forced %s", r.Head().Hash, forced)
	}
	ask(t, r, two, forced, false)
	ask(t, r, one, forced, true)

	src.git("reset", "-q", "--hard", one)
	r = fetch(t, dir, src.dir)
	if r.Head().Hash != one {
		t.Fatalf("head %s, want the rewound %s", r.Head().Hash, one)
	}
	ask(t, r, forced, one, false)
	ask(t, r, one, one, true)
	ask(t, r, strings.Repeat("ab", 20), one, false)
	if _, err := r.IsAncestor("main", one); err == nil {
		t.Error("IsAncestor took a name for a hash")
	}
}

func ask(t *testing.T, r *Repo, ancestor, of string, want bool) {
	t.Helper()
	got, err := r.IsAncestor(ancestor, of)
	if err != nil || got != want {
		t.Errorf("IsAncestor(%.7s, %.7s) = %v, %v, want %v", ancestor, of, got, err, want)
	}
}

// The user's own settings (line ends, address rewriting) do not reach the bytes.
func TestUserConfigIsNotUsed(t *testing.T) {
	src := newRepo(t)
	src.write("hooks/gate.sh", "#!/bin/sh\necho ok\n")
	must(t, os.Chmod(filepath.Join(src.dir, "hooks", "gate.sh"), 0o755))
	head := src.commit(".gitattributes", "*.sh text eol=crlf filter=evil\n")

	home := t.TempDir()
	conf := "[core]\n\tautocrlf = true\n[url \"/nowhere/\"]\n\tinsteadOf = " + filepath.Dir(src.dir) + "/\n[filter \"evil\"]\n\tsmudge = false\n"
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(conf), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", home)
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(home, ".gitconfig"))
	r := fetch(t, filepath.Join(t.TempDir(), "q"), src.dir)
	tree, err := r.Tree(head)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := tree.ReadFile("hooks/gate.sh"); err != nil || string(b) != "#!/bin/sh\necho ok\n" {
		t.Errorf("ReadFile = %q, %v", b, err)
	}
	if e, _ := tree.Entry("hooks/gate.sh"); e.Kind != Exec {
		t.Errorf("hooks/gate.sh is a %v", e.Kind)
	}
}

func TestTreeKinds(t *testing.T) {
	src := newRepo(t)
	src.write("plain", "12345")
	if err := os.Symlink("../../etc/passwd", filepath.Join(src.dir, "link")); err != nil {
		t.Skip(err)
	}
	src.git("add", "-A")
	src.git("update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("12", 20)+",sub")
	src.git("commit", "-q", "-m", "kinds")
	r := fetch(t, filepath.Join(t.TempDir(), "q"), src.dir)
	tree, err := r.Tree(r.Head().Hash)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]Kind{"plain": File, "link": Symlink, "sub": Submodule}
	for _, e := range tree.Entries() {
		if e.Kind != want[e.Path] {
			t.Errorf("%s is a %v, want %v", e.Path, e.Kind, want[e.Path])
		}
		delete(want, e.Path)
	}
	if len(want) > 0 {
		t.Errorf("not listed: %v", want)
	}
	if _, err := tree.ReadFile("sub"); err == nil {
		t.Error("a submodule could be read")
	}
	if _, err := tree.ReadFile("gone"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("ReadFile(gone): %v", err)
	}
}

func TestFetchRefuses(t *testing.T) {
	src := newRepo(t)
	src.commit("a", "1")
	empty := newRepo(t)
	tests := []struct {
		name, url, branch string
		want              any
	}{
		{"no folder", src.dir + "-gone", "main", new(*NotFoundError)},
		{"no repository", t.TempDir(), "main", new(*NotFoundError)},
		{"no branch", src.dir, "release", new(*BranchError)},
		{"no commit", empty.dir, "main", new(*BranchError)},
		{"branch out of refs", src.dir, "../../HEAD", new(*BranchError)},
		{"branch left out", src.dir, "", new(*BranchError)},
		{"no address", "", "main", new(*URLError)},
		{"an option", "--upload-pack=x", "main", new(*URLError)},
		{"a program", "ext::sh -c true", "main", new(*URLError)},
		{"plain http", "http://127.0.0.1:1/x", "main", new(*URLError)},
		{"file on a host", "file://host/x", "main", new(*URLError)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "q")
			_, err := Fetch(t.Context(), dir, Remote{URL: tt.url, Branch: tt.branch})
			if err == nil || !errors.As(err, tt.want) {
				t.Errorf("error %v (%T), want %T", err, err, tt.want)
			}
		})
	}
}

func TestFolderThatIsNoQuarantine(t *testing.T) {
	src := newRepo(t)
	src.commit("a", "1")
	dir := t.TempDir()
	mine := filepath.Join(dir, "mine")
	if err := os.WriteFile(mine, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Fetch(t.Context(), dir, Remote{URL: src.dir, Branch: "main"})
	if _, ok := errors.AsType[*FolderError](err); !ok {
		t.Errorf("error %v, want a FolderError", err)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}
}

func TestDamagedQuarantineIsRebuilt(t *testing.T) {
	damage := map[string]func(t *testing.T, path string){
		"cut off":  func(t *testing.T, p string) { must(t, os.Truncate(p, 20)) },
		"emptied":  func(t *testing.T, p string) { must(t, os.Truncate(p, 0)) },
		"garbage":  func(t *testing.T, p string) { must(t, os.WriteFile(p, []byte("garbage garbage garbage"), 0o644)) },
		"deleted":  func(t *testing.T, p string) { must(t, os.Remove(p)) },
		"one flip": flip,
	}
	for name, hurt := range damage {
		for _, ext := range []string{".pack", ".idx", "incoming"} {
			t.Run(name+" "+ext, func(t *testing.T) {
				src := newRepo(t)
				for range 5 {
					src.commit("a", strings.Repeat("x", src.n*10))
				}
				dir := filepath.Join(t.TempDir(), "q")
				fetch(t, dir, src.dir)
				err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
					if err == nil && !d.IsDir() && (filepath.Ext(p) == ext || d.Name() == ext) {
						must(t, os.Chmod(p, 0o644))
						hurt(t, p)
					}
					return err
				})
				must(t, err)
				head := src.commit("b", "new")
				r := fetch(t, dir, src.dir)
				if r.Head().Hash != head {
					t.Errorf("head %s, want %s", r.Head().Hash, head)
				}
				tree, err := r.Tree(head)
				must(t, err)
				for _, e := range tree.Entries() {
					if _, err := tree.ReadFile(e.Path); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
}

func flip(t *testing.T, p string) {
	t.Helper()
	b, err := os.ReadFile(p)
	must(t, err)
	b[len(b)/2] ^= 0x40
	must(t, os.WriteFile(p, b, 0o644))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Damage that a fetch of nothing new does not see is mended by the next one.
func TestDamageSeenLater(t *testing.T) {
	src := newRepo(t)
	src.commit("a", "1")
	head := src.commit("b", strings.Repeat("much to say\n", 100))
	dir := filepath.Join(t.TempDir(), "q")
	fetch(t, dir, src.dir).Close()
	packs, err := filepath.Glob(filepath.Join(dir, "objects/pack/*.pack"))
	must(t, err)
	b, err := os.ReadFile(packs[0])
	must(t, err)
	for i := 20; i < len(b)-20; i++ {
		b[i] ^= 0x40
	}
	must(t, os.Chmod(packs[0], 0o644))
	must(t, os.WriteFile(packs[0], b, 0o644))
	r, err := Fetch(t.Context(), dir, Remote{URL: src.dir, Branch: "main"})
	if err == nil {
		_, err = r.Tree(head)
		r.Close()
	}
	if err != nil {
		r = fetch(t, dir, src.dir)
	}
	if _, err := r.Tree(head); err != nil {
		t.Error(err)
	}
}

// A source from which an object is missing is refused, and what was there
// before stays readable.
func TestIncompleteSource(t *testing.T) {
	src := newRepo(t)
	good := src.commit("a", "1")
	dir := filepath.Join(t.TempDir(), "q")
	fetch(t, dir, src.dir)
	src.commit("b", "2")
	blob := src.git("rev-parse", "HEAD:b")
	must(t, os.Remove(filepath.Join(src.dir, ".git", "objects", blob[:2], blob[2:])))
	_, err := Fetch(t.Context(), dir, Remote{URL: src.dir, Branch: "main"})
	if _, ok := errors.AsType[*IncompleteError](err); !ok {
		t.Fatalf("error %v, want an IncompleteError", err)
	}
	src.git("reset", "-q", "--soft", good)
	if r := fetch(t, dir, src.dir); r.Head().Hash != good {
		t.Errorf("head %s, want %s", r.Head().Hash, good)
	}
}

func TestSlowRetrieval(t *testing.T) {
	src := newRepo(t)
	src.commit("a", "1")
	must(t, os.Remove(filepath.Join(src.dir, ".git", "refs", "heads", "main")))
	fifo(t, filepath.Join(src.dir, ".git", "refs", "heads", "main"))
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := Fetch(ctx, filepath.Join(t.TempDir(), "q"), Remote{URL: src.dir, Branch: "main"})
	if err == nil {
		t.Error("a pipe in place of a branch was read")
	}
	if d := time.Since(start); d > grace+2*time.Second {
		t.Errorf("took %v", d)
	}
}

func TestEndlessData(t *testing.T) {
	src := newRepo(t)
	big := filepath.Join(src.dir, "big")
	f, err := os.Create(big)
	must(t, err)
	must(t, f.Truncate(MaxObject+1))
	must(t, f.Close())
	src.git("add", "-A")
	src.git("commit", "-q", "-m", "big")
	_, err = Fetch(t.Context(), filepath.Join(t.TempDir(), "q"), Remote{URL: src.dir, Branch: "main"})
	if e, ok := errors.AsType[*LimitError](err); !ok || e.Limit != MaxObject {
		t.Errorf("error %v, want a LimitError of %d", err, MaxObject)
	}
}
