package pull

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/receipt"
)

// A spread of many cases runs through the command in the settings, where every case
// has just passed by the same program and the same rules; else all of them do.
func TestSpreadThroughTheSettings(t *testing.T) {
	const many = wiredSpread + 5
	r, b := newTeam(t), newBox(t)
	release := func(n int) {
		r.put(tiny(n))
		for i := range many - 4 {
			r.write(fmt.Sprintf("cases/all/allow/done-%02d.md", i), fmt.Sprintf("All %d tests pass.\n", i))
		}
		r.lock(bundle.LockOptions{Release: n}, r.key)
		r.commit(fmt.Sprintf("Release %d", n))
	}
	ran := func(what string, rep Report, through int) {
		t.Helper()
		last, err := receipt.Last(b.Home)
		must(t, err)
		if rep.Cases != many || rep.Through != through || last.Cases.Staged.Passed != many || last.Cases.Wired.Passed != through {
			t.Errorf("%s: %d cases, %d through the settings, receipt %+v; want %d and %d", what, rep.Cases, rep.Through, last.Cases, many, through)
		}
	}
	release(1)
	ran("install", b.install(r.options()).Report, wiredSpread)
	v, err := b.Verify(context.Background(), "", Agents)
	must(t, err)
	if v.Cases.Passed != many {
		t.Errorf("verify ran %d cases, want all", v.Cases.Passed)
	}
	if in := b.install(r.options()); in.Through != many {
		t.Errorf("a second install staged nothing, and ran %d cases through the settings", in.Through)
	}
	release(2)
	ran("sync", b.sync(), wiredSpread)

	// The one that does the sync is not the one that the settings start.
	b.Program = filepath.Join(b.User, "another", "hookctl")
	must(t, os.MkdirAll(filepath.Dir(b.Program), 0o755))
	must(t, os.WriteFile(b.Program, wrapped("# another"), 0o755))
	release(3)
	ran("sync by another program", b.sync(), many)
}
