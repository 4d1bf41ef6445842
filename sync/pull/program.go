package pull

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install"
	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/source"
)

// StrandedError says that a machine is left without its program, and where the
// one before lies.
type StrandedError = install.StrandedError

// DownloadError says that the program that a release names could not be brought.
type DownloadError struct {
	Release int
	Where   string
	Err     error
}

func (e *DownloadError) Error() string {
	return fmt.Sprintf("the program of release %d: %v", e.Release, e.Err)
}
func (e *DownloadError) Unwrap() error { return e.Err }

// engine is the program that will run a release's rules: the one that the release
// brings for this platform, else the running one. What runs the rules compiles
// them, since the bundle that it carries may be another one.
type engine struct {
	path    string // where it can be started
	foreign bool   // it is not the running program: it compiles and is proven as a process
	brought bool   // by the release
	sum     string // SHA-256, hex; "" = not asked
	data    []byte // to be put in place; nil: what lies there stays

	staged *install.Staged
	work   string // folder in which it compiles
}

// close takes away what was only needed on the way.
func (e *engine) close() {
	if e.staged != nil {
		e.staged.Drop()
	}
	if e.work != "" {
		closeWork(e.work)
	}
}

// programs are the programs that lie on this machine, by their SHA-256.
type programs struct{ installed, running string }

func (m *Machine) programs() programs {
	p := programs{installed: hashFile(m.Home.Binary())}
	p.running = p.installed
	if !sameFile(m.Program, m.Home.Binary()) {
		p.running = hashFile(m.Program)
	}
	return p
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// look notes which programs lie here and reads the one that a release brings out
// of its own repository, while that is open, unless it is one of them.
func (m *Machine) look(v bundle.Verified, rep *Report) (err error) {
	want, ok := v.Binary(bundle.Platform())
	if !ok {
		return nil
	}
	rep.have = m.programs()
	if want.Path == "" || rep.fromStore || rep.have.installed == want.SHA256 || m.local(v, want).SHA256() != "" {
		return nil
	}
	m.step("read the program", "%s", want.Path)
	rep.carried, err = v.ReadProgram(bundle.Platform())
	return err
}

// local finds the program that a release brings among those that lie here: the
// installed one, the running one, the one before. The zero value is none.
func (m *Machine) local(v bundle.Verified, want bundle.Binary) bundle.Program {
	for _, path := range []string{m.Home.Binary(), m.Program, m.Home.OldBinary()} {
		if fi, err := os.Stat(path); err != nil || fi.Size() != want.Size || !fi.Mode().IsRegular() {
			continue
		}
		b, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		if p, err := v.Program(bundle.Platform(), b); err == nil {
			return p
		}
	}
	return bundle.Program{}
}

// engine chooses the program that will run v's rules, and stages and starts it
// when it is not the one that lies there.
func (m *Machine) engine(ctx context.Context, a adoption, in *Installation) (_ *engine, err error) {
	want, listed := a.bundle.Binary(bundle.Platform())
	if !listed {
		if a.install && len(a.bundle.Lock().Binaries) > 0 {
			in.Notes = append(in.Notes, fmt.Sprintf("release %d brings no hookctl for %s; the program that runs now was installed", a.bundle.Release(), bundle.Platform()))
		}
		return m.own(a)
	}
	have := in.have
	if have == (programs{}) { // the release came by another way than a fetch
		have = m.programs()
	}
	e := &engine{path: m.Home.Binary(), brought: true, sum: want.SHA256, foreign: have.running != want.SHA256}
	if have.installed == want.SHA256 && m.inOrder(want.SHA256) {
		return e, nil
	}
	p, err := m.obtain(ctx, a, want, in)
	if err != nil {
		return nil, err
	}
	if p.SHA256() == "" {
		in.Notes = append(in.Notes, fmt.Sprintf("release %d brings another hookctl, which is not on this machine; the one that is stays", a.bundle.Release()))
		return m.own(a)
	}
	defer func() {
		if err != nil {
			e.close()
		}
	}()
	m.step("stage the program", "%s", short("sha256:"+p.SHA256()))
	e.data = p.Data()
	if e.staged, err = install.StageProgram(m.Files, m.Home, p.Data(), p.SHA256()); err != nil {
		return nil, err
	}
	e.path = e.staged.Path
	if !e.foreign {
		return e, nil // the very bytes that run
	}
	return e, m.tryStart(ctx, e.path, want.Where())
}

// own is the running program, which install puts in place; sync leaves what lies
// there alone.
func (m *Machine) own(a adoption) (*engine, error) {
	e := &engine{path: m.Program}
	if !a.install {
		return e, nil
	}
	fi, err := os.Stat(m.Program)
	if err == nil && !fi.Mode().IsRegular() {
		err = &fs.PathError{Op: "read", Path: m.Program, Err: fs.ErrInvalid}
	}
	if err != nil {
		return nil, err
	}
	b, err := os.ReadFile(m.Program)
	if err != nil {
		return nil, err
	}
	e.sum = hexSum(b)
	if hashFile(m.Home.Binary()) != e.sum || !m.inOrder(e.sum) {
		e.data = b
	}
	return e, nil
}

// inOrder reports whether mode and digest file of the installed program are as
// they must be for a program with that SHA-256.
func (m *Machine) inOrder(sum string) bool {
	fi, err := os.Lstat(m.Home.Binary())
	if err != nil || !fi.Mode().IsRegular() || runtime.GOOS != "windows" && fi.Mode().Perm() != programMode {
		return false
	}
	line, err := os.ReadFile(programSum(m.Home.Binary()))
	return err == nil && string(line) == sum+"\n"
}

// obtain gets the program that a release names: from its repository, from this
// machine, or from its address. Of a release that was read out of the store only
// what lies on this machine can be had; the zero value says that it does not.
func (m *Machine) obtain(ctx context.Context, a adoption, want bundle.Binary, in *Installation) (bundle.Program, error) {
	if in.carried.SHA256() == want.SHA256 {
		return in.carried, nil
	}
	if p := m.local(a.bundle, want); p.SHA256() != "" {
		return p, nil
	}
	if in.fromStore {
		return bundle.Program{}, nil
	}
	if want.URL == "" {
		return a.bundle.ReadProgram(bundle.Platform())
	}
	m.step("download the program", "%s", want.URL)
	var from source.Remote
	if a.trust != nil {
		from = a.trust.Source
	}
	b, err := source.Download(ctx, want.URL, want.Size, from, source.Environment(m.Getenv))
	if err != nil {
		return bundle.Program{}, &DownloadError{Release: a.bundle.Release(), Where: want.URL, Err: err}
	}
	return a.bundle.Program(bundle.Platform(), b)
}

// place puts the engine in place, with its digest beside it. The one before is
// kept, and comes back when something fails later.
func (m *Machine) place(in *Installation, e *engine, back *undo) error {
	path := m.Home.Binary()
	before := hashFile(path)
	in.Binary = Change{Path: path, Before: before, After: before}
	if e.data == nil {
		return nil
	}
	if e.staged == nil {
		var err error
		if e.staged, err = install.StageProgram(m.Files, m.Home, e.data, e.sum); err != nil {
			return err
		}
	}
	if before != e.sum {
		back.file(m, m.Home.OldBinary())
	}
	back.program(m)
	m.step("replace the program", "")
	if err := e.staged.Commit(m.Files, m.Home, before != e.sum); err != nil {
		return err
	}
	in.Binary.After = e.sum
	line := []byte(e.sum + "\n")
	if old, err := os.ReadFile(programSum(path)); err == nil && bytes.Equal(old, line) {
		return nil
	}
	back.file(m, programSum(path))
	return m.Files.WriteFile(programSum(path), line, 0o644)
}

// program remembers the installed program. It goes back the way that it came,
// since the one in its place may be running.
func (u *undo) program(m *Machine) {
	path := m.Home.Binary()
	b, err := os.ReadFile(path)
	if err != nil {
		u.file(m, path)
		return
	}
	mode := fs.FileMode(programMode)
	if fi, err := os.Stat(path); err == nil {
		mode = fi.Mode().Perm()
	}
	u.add(func() error {
		if now, err := os.ReadFile(path); err == nil && bytes.Equal(now, b) {
			return nil
		}
		s, err := install.StageProgram(m.Files, m.Home, b, hexSum(b))
		if err == nil {
			defer s.Drop()
			err = s.Commit(m.Files, m.Home, false)
		}
		if err == nil && mode != programMode {
			err = m.Files.Chmod(path, mode)
		}
		if err != nil {
			return fmt.Errorf("%w; the program before is %s, with SHA-256 %s", err, m.Home.OldBinary(), hexSum(b))
		}
		return nil
	})
}

// verifyReleased compares the installed program with the one that the running
// release brings for this platform.
func (m *Machine) verifyReleased(v *Verification, p home.Pointer) {
	raw, err := os.ReadFile(filepath.Join(m.Home.Generation(p.Digest), bundle.LockName))
	if p.Digest == "" || err != nil || bundle.Digest(raw) != p.Digest {
		return // verifyStore names it
	}
	lock, err := lockOf(raw, p.Release)
	if err != nil {
		return
	}
	v.Program = ProgramState{Path: m.Home.Binary(), Runs: hashFile(m.Home.Binary()), Before: hashFile(m.Home.OldBinary())}
	want, ok := lock.Binaries[bundle.Platform()]
	if !ok {
		return
	}
	v.Program.Released = want.SHA256
	if v.Program.Runs != want.SHA256 {
		v.add("program", m.Home.Binary(), "SHA-256 is %s, release %d brings %s", v.Program.Runs, p.Release, want.SHA256)
	}
}

// ProgramState is the installed program as verify sees it, each SHA-256 in hex,
// "" where there is none.
type ProgramState struct {
	Path     string `json:"path"`
	Runs     string `json:"sha256"`
	Released string `json:"released,omitempty"` // what the running release brings for this platform
	Before   string `json:"before,omitempty"`   // the one that it took the place of
}
