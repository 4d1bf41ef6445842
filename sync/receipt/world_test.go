package receipt

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/files"
)

func must[T any](t testing.TB, v T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func machine(t testing.TB) (home.Dir, Key) {
	t.Helper()
	d := home.Dir(t.TempDir())
	return d, must2(MakeKey(nil, d))(t)
}

// must2 lets a call with two results stand in a call of must.
func must2[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T { t.Helper(); return must(t, v, err) }
}

func generation(n int) *Generation {
	return &Generation{
		Digest: digestPrefix + sum(fmt.Append(nil, "bundle", n)), Rules: digestPrefix + sum(fmt.Append(nil, "rules", n)),
		Release: n, Commit: sum(fmt.Append(nil, "commit", n))[:40],
	}
}

// sample is a sync from release n-1 to n.
func sample(n int) Receipt {
	after := generation(n)
	r := Receipt{
		Time: time.Now(), Hookctl: "v1.2.3", Action: Sync, Outcome: OK,
		Source: Source{URL: "https://git.example/team/hooks", Branch: "main"},
		Head:   after.Commit, Commit: after.Commit, Release: n, Bundle: after.Digest, Rules: after.Rules,
		Signers:    []Signer{{"lead@team.example", "SHA256:" + strings.Repeat("A", 43)}},
		Trust:      sum([]byte("trust")),
		Protection: Evidence{Host: "git.example", Kind: "branch rule", Text: "reviews: 1"},
		Pointer:    Move{After: after},
		Program:    Change{"bin/hookctl", sum([]byte("old")), sum([]byte("new"))},
		Files:      []Change{{"gates/a.yaml", "", sum([]byte("a"))}, {"gates/b <&> é.yaml", sum([]byte("b")), ""}},
		Settings:   []Setting{{"/home/x/.claude/settings.json", "", sum([]byte("s")), "@@ -0,0 +1 @@\n+{}\n"}},
		Cases:      Cases{InProcess: Count{40, 0}, Staged: Count{40, 0}, Wired: Count{4, 0}},
		Durations:  []Step{{"fetch", 120}, {"verify", 7}},
		Notes:      []string{"one file was healed"},
	}
	if n > 1 {
		r.Pointer.Before = generation(n - 1)
	}
	return r
}

// chain writes n receipts.
func chain(t testing.TB, d home.Dir, k Key, n int) {
	t.Helper()
	for i := 1; i <= n; i++ {
		must2(Write(nil, d, sample(i), k))(t)
	}
}

func verify(t testing.TB, d home.Dir, o Options) []Problem {
	t.Helper()
	return must2(Verify(d, o))(t)
}

func good(t testing.TB, d home.Dir, o Options) {
	t.Helper()
	for _, p := range verify(t, d, o) {
		t.Errorf("%s: %v", p.Kind, p)
	}
}

// kinds are the problems as "kind number".
func kinds(ps []Problem) string {
	var all []string
	for _, p := range ps {
		all = append(all, fmt.Sprintf("%s %d", p.Kind, p.Sequence))
	}
	return strings.Join(all, ", ")
}

func cat(t testing.TB, path string) []byte {
	t.Helper()
	return must2(os.ReadFile(path))(t)
}

// put replaces a read-only file as well.
func put(t testing.TB, path string, b []byte) {
	t.Helper()
	os.Remove(path)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func remove(t testing.TB, paths ...string) {
	t.Helper()
	for _, p := range paths {
		if err := os.Remove(p); err != nil {
			t.Fatal(err)
		}
	}
}

// copyHome makes a second home with the same bytes.
func copyHome(t testing.TB, from home.Dir) home.Dir {
	t.Helper()
	to := home.Dir(t.TempDir())
	if err := os.CopyFS(string(to), os.DirFS(string(from))); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(to.Path(KeyName), keyMode); err != nil {
		t.Fatal(err)
	}
	return to
}

// stopAt lets n operations pass and stops the next and all after it, as a kill
// does. It counts them in *done.
func stopAt(n int, done *int, stop func() error) *files.Layer {
	return &files.Layer{Before: func(files.Op) error {
		if *done++; *done > n {
			return stop()
		}
		return nil
	}}
}

func noSecret(t testing.TB, d home.Dir, secrets ...string) {
	t.Helper()
	entries := must2(filepath.Glob(filepath.Join(Folder(d), "*")))(t)
	if len(entries) == 0 {
		t.Fatal("there is no receipt to look at")
	}
	for _, e := range entries {
		b := cat(t, e)
		for _, s := range secrets {
			if bytes.Contains(b, []byte(s)) {
				t.Errorf("%s holds %q:\n%s", filepath.Base(e), s, b)
			}
		}
	}
}
