package pull

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install"
	"github.com/agenthooks/hookctl/sync/bundle"
)

// Trial is a home of its own in which a candidate's rules answer as a process
// before anything is activated: a copy of the program lies in it, and an
// installed program takes the home that it lies in.
type Trial struct {
	Dir     home.Dir
	Program string
}

// trialNames is how the folders of trials are called.
const trialNames = "hookctl-trial-*"

// sweepTrials removes what killed trials left below parent. Nobody else may be
// at work there.
func sweepTrials(parent string) {
	left, _ := filepath.Glob(filepath.Join(parent, trialNames)) // only a bad pattern fails
	for _, dir := range left {
		_ = os.RemoveAll(dir) // what cannot go does no harm
	}
}

// NewTrial makes a trial for the compiled rules of a bundle below parent, which it
// makes ("" = the system's folder for temporary files). The bundle's hooks/ is
// copied.
func NewTrial(parent, program string, rules []byte, bundle fs.FS) (Trial, error) {
	if parent != "" {
		if err := os.MkdirAll(parent, 0o700); err != nil {
			return Trial{}, err
		}
	}
	dir, err := os.MkdirTemp(parent, trialNames)
	if err != nil {
		return Trial{}, err
	}
	t := Trial{Dir: home.Dir(dir)}
	t.Program = t.Dir.Binary()
	if err := t.fill(program, rules, bundle); err != nil {
		t.Close()
		return Trial{}, err
	}
	return t, nil
}

func (t Trial) fill(program string, rules []byte, bundle fs.FS) error {
	digest := install.Sum(rules)
	gen := t.Dir.Generation(digest)
	for _, d := range []string{filepath.Dir(t.Program), gen} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(gen, home.RulesFile(digest)), rules, 0o600); err != nil {
		return err
	}
	h, err := gate.DecodeHeader(rules)
	if err != nil {
		return err
	}
	starts := h.Schema == gate.HooksSchema // else nothing below hooks/ is looked at
	if starts {
		if _, err := CopyHooks(bundle, gen); err != nil {
			return err
		}
	}
	p, err := json.Marshal(home.Pointer{Schema: home.PointerSchema, Digest: digest, Rules: digest, Hooks: starts})
	if err != nil {
		return err
	}
	if err := os.WriteFile(t.Dir.Current(), p, 0o600); err != nil {
		return err
	}
	return copyProgram(program, t.Program)
}

// CopyHooks copies a bundle's executables into a generation, with their modes. It
// reports whether there are any.
func CopyHooks(bundle fs.FS, gen string) (some bool, err error) {
	err = fs.WalkDir(bundle, "hooks", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(gen, filepath.FromSlash(name))
		if d.IsDir() {
			return os.MkdirAll(to, 0o700)
		}
		some = true
		info, err := d.Info()
		if err != nil {
			return err
		}
		b, err := fs.ReadFile(bundle, name)
		if err != nil {
			return err
		}
		return os.WriteFile(to, b, info.Mode().Perm()|0o600)
	})
	if errors.Is(err, fs.ErrNotExist) && !some {
		return false, nil
	}
	return some, err
}

// Close takes the trial away.
func (t Trial) Close() { _ = os.RemoveAll(string(t.Dir)) }

// workBundle is the folder of the bundle in what newWork makes.
const workBundle = "bundle"

// newWork makes a folder below parent, which it makes, with a bundle's files for
// another program to compile.
func newWork(parent string, v bundle.Verified) (dir string, err error) {
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return "", err
	}
	if dir, err = os.MkdirTemp(parent, trialNames); err != nil {
		return "", err
	}
	for name, f := range v.Files() {
		path := filepath.Join(dir, workBundle, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if err == nil {
			err = os.WriteFile(path, f.Data, 0o600) // nothing of it is run from here
		}
		if err != nil {
			closeWork(dir)
			return "", err
		}
	}
	return dir, nil
}

func closeWork(dir string) { _ = os.RemoveAll(dir) }

// copyProgram links a program where the file system can, which costs nothing,
// else it copies it.
func copyProgram(from, to string) error {
	from, err := filepath.EvalSymlinks(from)
	if err != nil {
		return err
	}
	if os.Link(from, to) == nil {
		return nil
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o700)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}
