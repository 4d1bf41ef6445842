package pull

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/sync/bundle"
)

// A rollback takes hookctl back with the rules, from what lies on this machine.
// Where that program is gone, the one that is there stays, which is told, and the
// next sync brings the right one.
func TestRollbackTakesTheProgramBack(t *testing.T) {
	one, two := wrapped("# one"), wrapped("# two")
	r, b := newTeam(t), newBox(t)
	r.releaseWith(1, one)
	b.install(r.options())
	r.releaseWith(2, two)
	b.sync()
	b.runs(two)
	rep, err := b.Rollback(context.Background(), 0)
	must(t, err)
	if rep.To.Release != 1 || rep.Binary != (Change{b.Home.Binary(), hexSum(two), hexSum(one)}) {
		t.Errorf("report %+v", rep)
	}
	b.runs(one)
	for _, p := range b.problems() { // that a rollback holds is said, too
		if !strings.HasPrefix(p, "source ") {
			t.Errorf("verify: %s", p)
		}
	}
	b.sync() // holds what the rollback chose
	b.runs(one)

	// Forward again, and back once more without the program of release 1.
	if _, err := b.Rollback(context.Background(), 2); err != nil {
		t.Fatal(err)
	}
	b.runs(two)
	must(t, os.Remove(b.Home.OldBinary()))
	rep, err = b.Rollback(context.Background(), 1)
	must(t, err)
	if len(rep.Notes) != 1 || !strings.Contains(rep.Notes[0], "not on this machine") {
		t.Errorf("notes %q", rep.Notes)
	}
	b.runs(two)
	if rep := b.sync(); rep.Binary.After != hexSum(one) {
		t.Errorf("report %+v", rep)
	}
	b.runs(one)
}

// An archive brings hookctl to a machine that reaches no repository, and to no
// more than the platform that it is for.
func TestArchiveBringsTheProgram(t *testing.T) {
	two := wrapped("")
	r, b := newTeam(t), newBox(t)
	r.releaseWith(1, two)
	r.write("bin/foreign", "#!/bin/sh\nexit 1\n")
	r.write("hookctl.yaml", tiny(1)["hookctl.yaml"]+"binaries:\n  "+bundle.Platform()+": {path: "+programPath+"}\n  plan9/mips: {path: bin/foreign}\n")
	r.sign(2)
	r.commit("Release 2")
	c, err := bundle.FromFS(os.DirFS(r.dir))
	must(t, err)
	var archive bytes.Buffer
	_, err = bundle.Pack(&archive, c)
	must(t, err)
	path := filepath.Join(t.TempDir(), "release.tar.gz")
	must(t, os.WriteFile(path, archive.Bytes(), 0o644))
	in := b.install(Options{Agents: Agents, Archive: path, Signers: r.signers})
	if in.Binary.After != hexSum(two) {
		t.Errorf("%+v", in.Binary)
	}
	b.runs(two)
	if problems := b.problems(); len(problems) > 0 {
		t.Errorf("verify: %s", strings.Join(problems, "\n"))
	}
	// Shown to a person who is asked whose keys may release, too.
	cand, err := bundle.ReadPack(bytes.NewReader(archive.Bytes()))
	must(t, err)
	if o, err := cand.Offer(); err != nil || o.Release != 2 {
		t.Errorf("offer %+v, %v", o, err)
	}
	// Installed again without the archive: what is here stays.
	b.install(Options{Agents: Agents})
	b.runs(two)
}
