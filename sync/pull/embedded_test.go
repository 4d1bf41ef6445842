package pull

import (
	"context"
	"errors"
	"os"
	"testing"
)

// TestInstallEmbedded installs what the program carries, follows a branch from
// there, and goes back. It is one test because the cases are many.
func TestInstallEmbedded(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	b.Program = built
	in := b.install(Options{Agents: Agents})
	if !in.Embedded || !in.Changed || !in.Wired || in.Cases < 100 || in.Through != wiredSpread || in.Binary.Before != "" || in.Binary.After != hashFile(built) {
		t.Errorf("installation %+v", in)
	}
	if _, err := os.Stat(b.Home.Trust()); !os.IsNotExist(err) {
		t.Errorf("a machine without a source has a trust.json: %v", err)
	}
	b.good(0)
	if _, err := b.Sync(context.Background()); !errors.Is(err, ErrNoSource) {
		t.Errorf("sync without a source: %v", err)
	}
	if longSweep() { // each case is a process
		before := tree(t, b.User)
		if in := b.install(Options{Agents: Agents}); in.Changed || len(in.Files) > 0 || in.Settings[0].Changed() {
			t.Errorf("the second install says it changed something: %+v", in)
		}
		same(t, "second install", before, tree(t, b.User))
	}
	r.few(1)
	b.install(r.options())
	if rep := b.rollback(0); rep.To.Release != 0 {
		t.Errorf("rollback: %+v", rep)
	}
	if rep := b.sync(); rep.Changed || b.running().Release != 0 {
		t.Errorf("sync after it: %+v", rep)
	}
	r.few(2)
	b.sync()
	b.good(2)
}
