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
	names := []string{"a", "b", "c", "d"}
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
	for range 60 { // folders, files and links, also such as lead nowhere and in circles
		p := filepath.Join(root, any())
		switch r.IntN(3) {
		case 0:
			_ = os.MkdirAll(p, 0o755)
		case 1:
			_ = os.WriteFile(p, nil, 0o600)
		default:
			to := any()
			if r.IntN(2) == 0 {
				to = root + "/" + to
			}
			if err := os.Symlink(to, p); err != nil && os.IsPermission(err) {
				t.Skip("no links here: ", err)
			}
		}
	}
	l := &links{}
	there := 0
	for range 3000 {
		p := root + "/" + any()
		got := l.resolve(p)
		if want, err := filepath.EvalSymlinks(p); err == nil {
			there++
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
	if there < 300 {
		t.Errorf("only %d of the paths exist: not much was tested", there)
	}
	if err := os.Symlink(filepath.Join(root, "new", "place"), filepath.Join(root, "later")); err != nil {
		t.Fatal(err)
	}
	if got, want := l.resolve(filepath.Join(root, "later", "x")), filepath.Join(root, "new", "place", "x"); got != want {
		t.Errorf("through a link to what is not there yet: %s, want %s", got, want)
	}
}
