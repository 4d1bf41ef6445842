package pull

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/agenthooks/hookctl/sync/bundle"
)

// What Waiting says is what Sync does, to the digest, and it leaves no trace.
func TestWaitingIsWhatSyncDoes(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.few(1)
	b.install(r.options())
	w := b.waiting()
	if w.Changes || w.Newer() || len(w.Files) != 0 || len(w.Healed) != 0 {
		t.Errorf("nothing new: %+v", w.Report)
	}
	r.few(2)
	before := tree(t, b.User)
	w = b.waiting()
	same(t, "after looking", before, tree(t, b.User))
	if !w.Changes || !w.Newer() || w.From.Release != 1 || w.To.Release != 2 || len(w.Signers) != 1 {
		t.Errorf("release 2: %+v", w.Report)
	}
	for _, side := range []fs.FS{w.Before, w.After} {
		if _, err := fs.ReadFile(side, bundle.Manifest); err != nil {
			t.Error(err)
		}
	}
	rep := b.sync()
	if len(rep.Files) == 0 || len(rep.Files) != len(w.Files) {
		t.Fatalf("sync changed %+v, announced %+v", rep.Files, w.Files)
	}
	for i := range rep.Files {
		if rep.Files[i] != w.Files[i] {
			t.Errorf("sync changed %+v, announced %+v", rep.Files[i], w.Files[i])
		}
	}
	if w := b.waiting(); w.Changes {
		t.Errorf("after the sync: %+v", w.Report)
	}
}

// Damage of what runs is told, file by file, also where only a mode differs.
func TestWaitingTellsDamage(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.few(1)
	b.install(r.options())
	gate := filepath.Join(b.Home.Generation(b.trust().Accepted.Digest), "gates", "banana.yaml")
	must(t, os.Chmod(gate, 0o644))
	if w := b.waiting(); !w.Changes || len(w.Healed) != 1 || len(w.Files) != 0 {
		t.Errorf("mode: %+v", w.Report)
	}
	must(t, os.WriteFile(gate, []byte("x"), 0o644))
	w := b.waiting()
	if !w.Changes || w.Newer() || len(w.Files) != 1 || w.Files[0].Path != "gates/banana.yaml" || w.Files[0].Before != sumOf([]byte("x")) {
		t.Errorf("bytes: %+v", w.Report)
	}
}

func (b box) waiting() Waiting {
	b.Helper()
	w, err := b.Waiting(context.Background())
	must(b, err)
	return w
}
