package hook

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What exists is where the system says; what does not lies below what does.
func TestResolve(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	names := []string{"a", "b", "c", "d", "e", "f"}
	any := func() string { // a path of some names, which may lead up
		var p []string
		for range 1 + r.IntN(4) {
			p = append(p, names[r.IntN(len(names))])
			if r.IntN(5) == 0 {
				p = append(p, "..")
			}
		}
		return strings.Join(p, "/")
	}
	for range 12 {
		_ = os.MkdirAll(filepath.Join(root, any()), 0o755)
	}
	for range 60 { // links, also such as lead nowhere and in circles
		to := any()
		if r.IntN(2) == 0 {
			to = root + "/" + to
		}
		if err := os.Symlink(to, filepath.Join(root, any())); err != nil && os.IsPermission(err) {
			t.Skip("no links here: ", err)
		}
	}
	l := &links{}
	there, up := 0, 0 // paths that exist; those in which .. leads elsewhere than it says
	for range 2000 {
		p := root + "/" + any()
		got := l.resolve(p)
		if want, err := filepath.EvalSymlinks(p); err == nil {
			there++
			if lexical, err := filepath.EvalSymlinks(filepath.Clean(p)); lexical != want || err != nil {
				up++
			}
			if got != want {
				t.Fatalf("%s leads to %s, want %s", p, got, want)
			}
			continue
		}
		if !filepath.IsAbs(got) || got != filepath.Clean(got) {
			t.Fatalf("%s leads to %s", p, got)
		}
		if fresh := (&links{}).resolve(p); fresh != got {
			t.Fatalf("%s leads to %s, and to %s for who has looked at nothing before", p, got, fresh)
		}
	}
	if there < 300 || up < 5 {
		t.Errorf("%d paths exist, in %d of them .. leads behind a link: not much was tested", there, up)
	}
	if err := os.Symlink(filepath.Join(root, "new", "place"), filepath.Join(root, "later")); err != nil {
		t.Fatal(err)
	}
	if got, want := l.resolve(filepath.Join(root, "later", "x")), filepath.Join(root, "new", "place", "x"); got != want {
		t.Errorf("through a link to what is not there yet: %s, want %s", got, want)
	}
}
