package pull

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install"
	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/sync/bundle"
)

// adoption is a verified bundle on its way to be what runs.
type adoption struct {
	bundle  bundle.Verified
	trust   *Trust           // what is followed from now on; nil for the embedded bundle
	install bool             // place the program and register too, and prove in any case
	targets []install.Target // where to register
	record  *record
}

// adopt makes a verified bundle the one that runs: stage, prove, activate, prove
// through the settings, record. On an error what ran before runs on: everything
// from the first change on is taken back, the last one first.
func (m *Machine) adopt(ctx context.Context, held *install.Held, a adoption, in *Installation) (err error) {
	v := a.bundle
	sweepTrials(m.Home.Cache())
	e, err := m.engine(ctx, a, in)
	if err != nil {
		return err
	}
	defer e.close()
	rules, err := m.rules(ctx, v, e)
	if err != nil {
		return err
	}
	was := m.remember()
	old := m.hashes(was.pointer)
	intact, err := m.intact(v, rules, was, &in.Report)
	if err != nil {
		return err
	}
	if e.data != nil && !a.install && was.running.Digest == v.Digest() {
		in.Healed = append(in.Healed, m.Home.Binary())
	}
	key, err := m.key(in)
	if err != nil {
		return err
	}
	var back undo
	defer func() {
		if err != nil {
			err = errors.Join(err, back.run())
		}
	}()
	if intact && !a.install && e.data == nil && wired(a.targets) {
		back.add(func() error { return was.restore(m) })
		if err := m.accept(a.trust, in.To); err != nil {
			return err
		}
		return m.succeeded(a.record, in, key)
	}
	if err := m.configured(); err != nil {
		return err
	}
	cases, err := m.candidate(ctx, v, rules, e, intact, &in.Report, &back)
	if err != nil {
		return err
	}
	if a.install || e.brought {
		if err := m.place(in, e, &back); err != nil {
			return err
		}
	}
	next := home.Pointer{Digest: v.Digest(), Rules: install.Sum(rules), Release: v.Release(), Commit: v.Commit()}
	if !intact {
		if err := m.activate(a, was, next, in.To, &back); err != nil {
			return err
		}
	}
	if err := m.register(held, a, in, &back); err != nil {
		return err
	}
	if in.Wired, err = m.proveWired(ctx, cases, v.Release(), &in.Report); err != nil {
		return err
	}
	if err := m.accept(a.trust, in.To); err != nil {
		return err
	}
	in.Changed = was.pointer.Digest != v.Digest()
	in.Cases, in.Foreign = len(cases), e.foreign
	in.Files = changes(old, m.hashes(next))
	if err := m.succeeded(a.record, in, key); err != nil {
		return err
	}
	if _, err := install.GC(m.Files, m.Home, m.Now); err != nil {
		in.Notes = append(in.Notes, fmt.Sprintf("old generations were not cleared away: %v", err))
	}
	return nil
}

// configured asks whether config.yaml can be read. Where it cannot, the hook says so
// at each event, and no case that wants silence would hold through the settings.
func (m *Machine) configured() error {
	_, err := m.config()
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return &ConfigError{Path: m.Home.Config(), Err: err}
}

// config is what config.yaml says.
func (m *Machine) config() (manifests.Config, error) {
	b, err := home.ReadConfig(m.Home)
	if err != nil {
		return manifests.Config{}, err
	}
	return manifests.ParseConfig(b)
}

// accept records what was accepted, on a machine that follows a source.
func (m *Machine) accept(t *Trust, a Accepted) error {
	if t == nil {
		return nil
	}
	t.accept(a)
	return m.writeTrust(*t)
}

func encode(v bundle.Verified) ([]byte, error) {
	compiled, err := v.Compile()
	if err != nil {
		return nil, err
	}
	return compiled.Encode()
}

// intact reports whether v runs already, proven and to the byte; the files that
// differ go into the report.
func (m *Machine) intact(v bundle.Verified, rules []byte, was memory, rep *Report) (bool, error) {
	if was.running.Digest != v.Digest() {
		return false, nil
	}
	p := was.running
	problems, err := install.VerifyStore(m.Home, v.Digest(), wanted(v), p.Rules)
	if errors.As(err, new(*install.NameError)) { // "current" names no rules
		problems, err = []install.Problem{{Path: m.Home.Current()}}, nil
	}
	if err != nil {
		return false, err
	}
	if p.Release != v.Release() {
		problems = append(problems, install.Problem{Path: m.Home.Current()})
	}
	for _, pr := range problems {
		rep.Healed = append(rep.Healed, pr.Path)
	}
	same := p.Rules == install.Sum(rules) && p.Commit == v.Commit()
	return len(problems) == 0 && same && !was.unproven, nil
}

// candidate stages v, unless it is there to the byte, and proves it with the
// program that will run it.
func (m *Machine) candidate(ctx context.Context, v bundle.Verified, rules []byte, e *engine, intact bool, rep *Report, back *undo) ([]manifests.Case, error) {
	if intact && e.staged == nil {
		return casesFor(v, e)
	}
	dir := m.Home.Generation(v.Digest())
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		back.add(func() error { return m.Files.RemoveAll(dir) })
	}
	m.step("stage", "%s", short(v.Digest()))
	if err := install.Stage(m.Files, m.Home, v.Digest(), stageable(v), rules); err != nil {
		return nil, err
	}
	return m.prove(ctx, v, rules, e, rep)
}

// activate marks the activation in trust.json, so that one that is killed before
// its last proof is known as such, and then replaces the pointer.
func (m *Machine) activate(a adoption, was memory, p home.Pointer, to Accepted, back *undo) error {
	back.add(func() error { return was.restore(m) })
	if a.trust != nil {
		marked := *a.trust
		marked.Activating = &to
		if err := m.writeTrust(marked); err != nil {
			return err
		}
	}
	m.step("activate", "release %d", p.Release)
	_, err := install.Activate(m.Files, m.Home, p)
	return err
}

// register writes the settings that differ. A sync that may not write them brings
// the release all the same, and says so.
func (m *Machine) register(held *install.Held, a adoption, in *Installation, back *undo) error {
	back.file(m, m.Home.Record())
	for _, t := range a.targets {
		m.step("register", "with %s", t.Agent)
		c, err := install.Apply(held, m.Files, t)
		if errors.Is(err, fs.ErrPermission) && !a.install {
			in.Notes = append(in.Notes, fmt.Sprintf("%s differs from what install writes, and could not be mended: %v", t.Path, err))
			continue
		}
		if err != nil {
			return err
		}
		back.add(func() error { return install.Revert(held, m.Files, t, c) })
		in.Settings = append(in.Settings, c)
	}
	return nil
}

// memory is what ran when a command began, and what to bring back.
type memory struct {
	running  home.Pointer // what "current" names, zero when nothing or nothing readable
	pointer  home.Pointer // what was proven last: running, or the one before it
	unproven bool
	current  []byte // of the file "current", nil = none
	trust    []byte // of trust.json, nil = none
}

// remember looks at what runs. An activation that was killed before its last
// proof is not what should come back, but what it took the place of.
func (m *Machine) remember() memory {
	var was memory
	was.current, _ = os.ReadFile(m.Home.Current()) // unreadable is as good as none
	was.trust, _ = os.ReadFile(m.Home.Trust())
	was.running = m.running()
	was.pointer = was.running
	stored, err := readTrust(m.Home)
	if err != nil || !stored.unproven(was.running.Digest) {
		return was
	}
	was.unproven = true
	was.pointer = home.Pointer{}
	if p := was.running.Previous; p != nil {
		if b, err := json.Marshal(p); err == nil {
			b = append(b, '\n')
			was.pointer, was.current = *p, b
		}
	}
	return was
}

// restore brings back, byte for byte, what was remembered.
func (was memory) restore(m *Machine) error {
	return errors.Join(
		m.put(m.Home.Current(), was.current, 0o644),
		m.put(m.Home.Trust(), was.trust, 0o600))
}

// put makes a file what it was; nil is no file.
func (m *Machine) put(path string, b []byte, mode fs.FileMode) error {
	now, err := os.ReadFile(path)
	switch {
	case b == nil && errors.Is(err, fs.ErrNotExist), b != nil && err == nil && bytes.Equal(now, b):
		return nil
	case b == nil:
		return m.Files.Remove(path)
	}
	return m.Files.WriteFile(path, b, mode)
}

// undo is how to take back what was done so far.
type undo struct{ steps []func() error }

func (u *undo) add(step func() error) { u.steps = append(u.steps, step) }

// file remembers a file's bytes and mode.
func (u *undo) file(m *Machine, path string) {
	b, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return // unreadable: nothing that could be put back
	}
	mode := fs.FileMode(programMode)
	if fi, err := os.Stat(path); err == nil {
		mode = fi.Mode().Perm()
	}
	u.add(func() error { return m.put(path, b, mode) })
}

// run goes back step by step, the last one first, as far as each goes.
func (u *undo) run() error {
	var errs []error
	for _, step := range slices.Backward(u.steps) {
		if err := step(); err != nil {
			errs = append(errs, fmt.Errorf("take back: %w", err))
		}
	}
	return errors.Join(errs...)
}
