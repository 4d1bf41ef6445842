package pull

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/install/files"
	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/receipt"
)

// receipts are those of a machine whose chain is whole.
func (b box) receipts() []receipt.Receipt {
	b.Helper()
	problems, err := receipt.Verify(b.Home, receipt.Options{Current: receipt.GenerationOf(b.running())})
	must(b, err)
	for _, p := range problems {
		b.Errorf("%s", p)
	}
	list, err := receipt.List(b.Home)
	must(b, err)
	return list
}

func (b box) lastReceipt(n int) receipt.Receipt {
	b.Helper()
	list := b.receipts()
	if len(list) != n {
		b.Fatalf("%d receipts, want %d: %s", len(list), n, receipt.Summary(list))
	}
	return list[n-1]
}

// TestReceipts follows a machine from its first install to the last uninstall.
func TestReceipts(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	b.Version = "v1.2.3"
	one := r.release(1).String()
	b.install(r.options())
	c := b.lastReceipt(1)
	trust, program := hashFile(b.Home.Trust()), hashFile(b.Home.Binary())
	switch {
	case c.Action != receipt.Install || c.Outcome != receipt.OK || c.Hookctl != "v1.2.3" || !c.Time.Equal(now):
		t.Errorf("receipt %+v", c)
	case c.Source.URL != r.dir || c.Source.Branch != "main" || c.Head != one || c.Commit != one || c.Release != 1 || c.Trust != trust:
		t.Errorf("receipt %+v", c)
	case c.Pointer.Before != nil || c.Pointer.After == nil || c.Pointer.After.Release != 1 || c.Rules != c.Pointer.After.Rules:
		t.Errorf("pointer %+v", c.Pointer)
	case c.Program.Before != "" || c.Program.After != program || len(c.Files) != 11:
		t.Errorf("program %+v, files %+v", c.Program, c.Files)
	case len(c.Signers) != 1 || c.Signers[0].Principal != "release@team.test" || !strings.HasPrefix(c.Signers[0].Fingerprint, "SHA256:"):
		t.Errorf("signers %+v", c.Signers)
	case len(c.Settings) != 1 || !c.Settings[0].Changed() || !strings.Contains(c.Settings[0].Diff, "hookctl") || strings.Contains(c.Settings[0].Diff, "opus"):
		t.Errorf("settings %+v", c.Settings)
	case c.Cases.InProcess.Passed != 4 || c.Cases.Staged.Passed != 4 || c.Cases.Wired.Passed != 4 || c.Cases.Failed() != 0:
		t.Errorf("cases %+v", c.Cases)
	}
	var steps []string
	for _, s := range c.Durations {
		steps = append(steps, s.Name)
	}
	if got := strings.Join(steps, ", "); got != "fetch, verify, stage, test in process, test the staged copy, replace the program, activate, register, test through the settings" {
		t.Errorf("steps: %s", got)
	}

	// Nothing new is recorded once: it says that the branch was looked at.
	b.sync()
	b.sync()
	if c := b.lastReceipt(2); c.Action != receipt.Sync || c.Line() != "sync: nothing changed" {
		t.Errorf("receipt %+v", c)
	}

	r.release(2)
	b.sync()
	c = b.lastReceipt(3)
	if !strings.HasPrefix(c.Line(), "sync: release 1 -> 2, commit ") || c.Pointer.Before.Release != 1 || c.Cases.Passed() != 12 || c.Program.Changed() {
		t.Errorf("receipt %+v", c)
	}

	// A refusal is recorded once, however often it is met.
	r.put(tiny(3))
	r.lock(bundle.LockOptions{Release: 3}, nil)
	r.commit("unsigned")
	for range 3 {
		if _, err := b.Sync(context.Background()); !isError[*bundle.UnsignedError](err) {
			t.Errorf("sync: %v", err)
		}
	}
	c = b.lastReceipt(4)
	if c.Outcome != receipt.Refused || c.Error == "" || len(c.Files) > 0 || c.Pointer.After.Release != 2 {
		t.Errorf("receipt %+v", c)
	}
	if got := receipt.Summary(b.receipts()); !strings.Contains(got, "release 1 -> 2") || !strings.Contains(got, "since then sync refused") {
		t.Errorf("summary %q", got)
	}

	if _, err := b.Rollback(context.Background(), 0); err != nil {
		t.Fatal(err)
	}
	c = b.lastReceipt(5)
	if c.Action != receipt.Rollback || !strings.HasPrefix(c.Line(), "rollback: release 2 -> 1, commit ") || len(c.Files) == 0 {
		t.Errorf("receipt %+v", c)
	}
	if _, _, err := b.Uninstall(t.Context(), false, []string{"claude"}, ""); err != nil {
		t.Fatal(err)
	}
	if c := b.lastReceipt(6); c.Action != receipt.Uninstall || len(c.Settings) != 1 || !c.Settings[0].Changed() {
		t.Errorf("receipt %+v", c)
	}
	if _, left, err := b.Uninstall(t.Context(), true, []string{"claude"}, ""); err != nil || len(left) > 0 {
		t.Errorf("purge: %v, left %q", err, left)
	}
}

// TestNoReceiptNoRelease: a sync that cannot be recorded has not taken place.
func TestNoReceiptNoRelease(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.few(1)
	b.install(r.options())
	r.few(2)
	before := tree(t, b.User)
	full := errors.New("no space left on device")
	b.Files.Before = func(op files.Op) error {
		if strings.HasPrefix(op.Path, receipt.Folder(b.Home)) {
			return full
		}
		return nil
	}
	if _, err := b.Sync(context.Background()); !errors.Is(err, full) {
		t.Errorf("sync: %v", err)
	}
	same(t, "after a receipt that could not be written", before, tree(t, b.User))
	b.Files.Before = nil
	b.sync()
	b.good(2)
}

// TestLostMachineKey: a machine that lost its key gets its fixes all the same, and
// the chain says that the key is another one.
func TestLostMachineKey(t *testing.T) {
	for name, lose := range map[string]func(path string) error{
		"gone":    os.Remove,
		"damaged": func(path string) error { return os.WriteFile(path, []byte("x"), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			r, b := newTeam(t), newBox(t)
			r.few(1)
			b.install(r.options())
			first := b.lastReceipt(1).Machine
			must(t, lose(b.Home.Path(receipt.KeyName)))
			if got := strings.Join(b.problems(), "\n"); !strings.Contains(got, "machine.key") {
				t.Errorf("verify: %s", got)
			}
			r.few(2)
			rep := b.sync()
			if got := strings.Join(rep.Notes, "\n"); !strings.Contains(got, "a new machine key was made") {
				t.Errorf("notes: %s", got)
			}
			list := b.receipts()
			if len(list) != 3 || list[1].Action != receipt.NewKey || list[1].Formerly != first || list[2].Machine == first {
				t.Errorf("receipts %+v", list)
			}
			b.good(2)
		})
	}
}

// TestUnrecorded: a change whose command was cut short before its receipt is named
// by verify, and by the receipt after it.
func TestUnrecorded(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.few(1)
	b.install(r.options())
	r.few(2)
	b.Files.Before = func(op files.Op) error {
		if strings.HasPrefix(op.Path, receipt.Folder(b.Home)) {
			panic("dead")
		}
		return nil
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = b.Sync(context.Background())
	}()
	b.Files.Before = nil
	if got := b.problems(); len(got) != 1 || !strings.Contains(got[0], "the last receipt does not say so") {
		t.Errorf("verify: %q", got)
	}
	b.sync()
	if c := b.lastReceipt(2); len(c.Notes) != 1 || !strings.Contains(c.Notes[0], "has no receipt") || c.Pointer.After.Release != 2 {
		t.Errorf("receipt %+v", c)
	}
	b.good(2)
}

// TestNoSecretInReceipts: no part of a home keeps the credential of a source.
func TestNoSecretInReceipts(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.few(1)
	o := r.options()
	o.Source.URL = "https://user:hunter2-secret@127.0.0.1:1/hooks.git?token=hunter2-secret"
	if _, err := b.Install(context.Background(), o); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("install: %v", err)
	}
	b.install(r.options())
	if _, err := b.Install(context.Background(), o); err == nil {
		t.Error("installed from nowhere")
	}
	must(t, filepath.WalkDir(b.User, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if text, err := os.ReadFile(path); err != nil || strings.Contains(string(text), "hunter2") {
			t.Errorf("%s holds the secret (%v)", path, err)
		}
		return nil
	}))
	if c := b.lastReceipt(2); c.Outcome != receipt.Failed {
		t.Errorf("receipt %+v", c)
	}
}
