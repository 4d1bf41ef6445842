package pull

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/gate/contract"
	"github.com/agenthooks/hookctl/install"
	"github.com/agenthooks/hookctl/install/settings"
	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/sync/bundle"
)

// Problem is one thing that is not as it must be. Warn marks what is worth
// saying while all is in force.
type Problem struct {
	Part string `json:"part"` // store, program, settings, cases, source, config
	Path string `json:"path,omitempty"`
	Text string `json:"text"`
	Warn bool   `json:"warn,omitempty"`
}

// Verification is what verify found.
type Verification struct {
	Installed *Installed      `json:"installed,omitempty"`
	Checked   []string        `json:"checked"` // what was looked at, in order
	Problems  []Problem       `json:"problems"`
	Cases     contract.Report `json:"-"`
}

// Good reports that nothing is wrong.
func (v *Verification) Good() bool {
	return !slices.ContainsFunc(v.Problems, func(p Problem) bool { return !p.Warn })
}

func (v *Verification) add(part, path, format string, args ...any) {
	v.Problems = append(v.Problems, Problem{Part: part, Path: path, Text: fmt.Sprintf(format, args...)})
}

// Verify compares what is deployed with what was accepted: every byte and mode
// of the generation and the program, the wiring and the switches in the agents'
// settings, and the contract cases through the very command that agents run.
// project is the folder whose settings are looked at as well.
func (m *Machine) Verify(ctx context.Context, project string, agents []string) (*Verification, error) {
	v := &Verification{Problems: []Problem{}}
	inst, err := m.Installed()
	var none *NotInstalledError
	if errors.As(err, &none) {
		v.add("store", string(m.Home), "hookctl is not installed here")
		m.verifySettings(v, project, agents, false)
		return v, nil
	}
	if err != nil {
		v.add("store", string(m.Home), "%v", err)
	} else {
		v.Installed = &inst
	}
	m.verifyStore(v, inst)
	m.verifyProgram(v)
	m.verifyConfig(v, inst)
	m.verifySettings(v, project, agents, true)
	if v.Installed != nil && inst.Command != "" {
		m.verifyCases(ctx, v, inst)
	}
	return v, ctx.Err()
}

// verifyStore checks the generation against the lock in it, and the lock against
// the pointer's digest and, with a source, the keys that may release.
func (m *Machine) verifyStore(v *Verification, inst Installed) {
	p := m.running()
	if p.Digest == "" {
		return
	}
	v.Checked = append(v.Checked, "bytes and modes of release "+fmt.Sprint(p.Release))
	dir := m.Home.Generation(p.Digest)
	raw, err := os.ReadFile(filepath.Join(dir, bundle.LockName))
	if err != nil {
		v.add("store", dir, "%v", err)
		return
	}
	if got := bundle.Digest(raw); got != p.Digest {
		v.add("store", filepath.Join(dir, bundle.LockName), "digest is %s, want %s", got, p.Digest)
		return
	}
	lock, err := lockOf(raw, p.Release)
	if err != nil {
		v.add("store", filepath.Join(dir, bundle.LockName), "%v", err)
		return
	}
	want := map[string]install.Want{bundle.LockName: {SHA256: install.Sum(raw), Size: int64(len(raw))}}
	for path, f := range lock.Files {
		want[path] = install.Want{SHA256: "sha256:" + f.SHA256, Size: f.Size, Exec: f.Mode == "0755"}
	}
	if sig, err := os.ReadFile(filepath.Join(dir, bundle.SigName)); err == nil {
		want[bundle.SigName] = install.Want{SHA256: install.Sum(sig), Size: int64(len(sig))}
	}
	problems, err := install.VerifyStore(m.Home, p.Digest, want, p.Rules)
	if err != nil {
		v.add("store", dir, "%v", err)
	}
	for _, pr := range problems {
		v.add("store", pr.Path, "%s", pr.Text)
	}
	m.verifySigned(v, dir, inst)
}

// lockOf reads the lock of a generation; the embedded bundle's has release 0,
// which no lock from outside may have.
func lockOf(raw []byte, release int) (bundle.Lock, error) {
	if release > 0 {
		return bundle.ParseLock(raw)
	}
	e, err := bundle.Embedded()
	if err != nil {
		return bundle.Lock{}, err
	}
	if bundle.Digest(e.LockBytes()) != bundle.Digest(raw) {
		return bundle.Lock{}, errors.New("is not the bundle that this program carries; hookctl install brings that")
	}
	return e.Lock(), nil
}

// verifySigned checks the signatures once more, for a machine with a source.
func (m *Machine) verifySigned(v *Verification, dir string, inst Installed) {
	t, err := readTrust(m.Home)
	if errors.Is(err, ErrNoSource) {
		return
	}
	if err != nil {
		v.add("source", m.Home.Trust(), "%v", err)
		return
	}
	v.Checked = append(v.Checked, "signatures")
	trust, _, err := t.measure(t.Accepted.At)
	if err != nil {
		v.add("source", m.Home.Trust(), "%v", err)
		return
	}
	trust.MinRelease, trust.LastDigest = 0, ""
	cand, err := bundle.FromFS(os.DirFS(dir))
	if err == nil {
		_, err = bundle.Verify(cand, trust)
	}
	if err != nil {
		v.add("store", dir, "%v", err)
	}
	if inst.Digest != "" && inst.Digest != t.Accepted.Digest {
		v.add("source", m.Home.Current(), "release %d runs, but release %d was accepted last", inst.Release, t.Accepted.Release)
	}
}

// verifyProgram compares the installed program with the digest that install
// wrote beside it.
func (m *Machine) verifyProgram(v *Verification) {
	v.Checked = append(v.Checked, "the program")
	path := m.Home.Binary()
	fi, err := os.Stat(path)
	if err != nil {
		v.add("program", path, "%v", err)
		return
	}
	want, err := os.ReadFile(programSum(path))
	if err != nil {
		v.add("program", programSum(path), "%v", err)
	} else if got := hashFile(path); got != strings.TrimSpace(string(want)) {
		v.add("program", path, "SHA-256 is %s, want %s", got, strings.TrimSpace(string(want)))
	}
	if mode := fi.Mode().Perm(); runtime.GOOS != "windows" && mode != programMode {
		v.add("program", path, "mode is %04o, want %04o", mode, programMode)
	}
}

// verifyConfig names choices of the machine that the floor of the bundle does
// not allow; the hook passes over them.
func (m *Machine) verifyConfig(v *Verification, inst Installed) {
	b, err := os.ReadFile(m.Home.Config())
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	v.Checked = append(v.Checked, "config.yaml")
	c, perr := manifests.ParseConfig(b)
	if err := errors.Join(err, perr); err != nil {
		v.add("config", m.Home.Config(), "%v", err)
		return
	}
	floor := inst.Floor()
	if backend := c.Judge.Backend; backend != "" && len(floor.Judges) > 0 && !slices.Contains(floor.Judges, backend) {
		v.add("config", m.Home.Config(), "judge.backend %s is below the floor of the bundle; builtin is used", backend)
	}
	if floor.Timeout > 0 && c.Judge.Timeout > floor.Timeout {
		v.add("config", m.Home.Config(), "judge.timeout %s is over the floor's %s, which is used", c.Judge.Timeout, floor.Timeout)
	}
}

// verifySettings looks at every settings file of the agents that can register or
// switch off a hook here.
func (m *Machine) verifySettings(v *Verification, project string, agents []string, installed bool) {
	for _, a := range agents {
		t, err := m.target(a)
		if err != nil {
			v.add("settings", "", "%v", err)
			continue
		}
		v.Checked = append(v.Checked, "settings of "+a)
		own := 0
		for _, f := range settingsFiles(t.Path, project) {
			own += inspectFile(v, f)
		}
		if !installed {
			continue
		}
		problems, err := t.Wired()
		if err != nil {
			v.add("settings", t.Path, "%v", err)
		}
		for _, p := range problems {
			v.add("settings", p.Path, "%s", p.Text)
		}
		if own > len(t.Entries) {
			v.Problems = append(v.Problems, Problem{Part: "settings", Path: t.Path, Warn: true, Text: "hookctl is registered twice, here and in another settings file; a stop is answered once all the same"})
		}
	}
}

type settingsFile struct {
	path    string
	managed bool
}

// settingsFiles are the files that Claude Code 2.1 merges: the user's, the
// project's, the local ones and the managed ones.
func settingsFiles(user, project string) []settingsFile {
	all := []settingsFile{{path: user}}
	for _, name := range []string{"settings.json", "settings.local.json"} {
		if p := filepath.Join(project, ".claude", name); project != "" && p != user {
			all = append(all, settingsFile{path: p})
		}
	}
	dir := managedDir()
	if dir == "" {
		return all
	}
	all = append(all, settingsFile{filepath.Join(dir, "managed-settings.json"), true})
	parts, _ := filepath.Glob(filepath.Join(dir, "managed-settings.d", "*.json"))
	for _, p := range parts {
		all = append(all, settingsFile{p, true})
	}
	return all
}

// inspectFile adds a file's problems and returns how many of our entries it has.
func inspectFile(v *Verification, f settingsFile) (own int) {
	b, err := os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	if err != nil {
		v.add("settings", f.path, "%v", err)
		return 0
	}
	found, problems, err := settings.Inspect(b, settings.Own, f.managed)
	if err != nil {
		v.add("settings", f.path, "%v", err)
	}
	for _, p := range problems {
		v.Problems = append(v.Problems, Problem{Part: "settings", Path: f.path, Text: p.String(), Warn: p.Warn})
	}
	for _, r := range found {
		if r.Own {
			own++
		}
	}
	return own
}

func (m *Machine) verifyCases(ctx context.Context, v *Verification, inst Installed) {
	cases, err := inst.Cases()
	if err != nil {
		v.add("cases", "", "%v", err)
		return
	}
	start := time.Now()
	v.Cases = contract.Run(ctx, cases, m.Places(), contract.Shell(inst.Command, m.Environ(), ""))
	v.Checked = append(v.Checked, fmt.Sprintf("%d cases through the command in the settings, in %.1f s", len(cases), time.Since(start).Seconds()))
	for _, r := range v.Cases.Failures() {
		v.add("cases", r.Case.Name, "%s", r.Detail)
	}
}
