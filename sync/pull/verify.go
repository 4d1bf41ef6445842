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

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/contract"
	"github.com/agenthooks/hookctl/install"
	"github.com/agenthooks/hookctl/install/agent"
	"github.com/agenthooks/hookctl/install/settings"
	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/receipt"
)

// Problem is one thing that is not as it must be. Warn marks what is worth
// saying while all is in force.
type Problem struct {
	Part string `json:"part"` // store, program, settings, cases, source, receipts, config
	Path string `json:"path,omitempty"`
	Text string `json:"text"`
	Warn bool   `json:"warn,omitempty"`
}

// Verification is what verify found.
type Verification struct {
	Installed *Installed      `json:"installed,omitempty"`
	Checked   []string        `json:"checked"` // what was looked at, in order
	Program   ProgramState    `json:"program,omitzero"`
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

// names reports whether something of a part is wrong.
func (v *Verification) names(part string) bool {
	return slices.ContainsFunc(v.Problems, func(p Problem) bool { return p.Part == part && !p.Warn })
}

// Verify compares what is deployed with what was accepted: every byte and mode
// of the generation and the program, the wiring and the switches in the agents'
// settings, and the contract cases through the very command that agents run.
// project is the folder whose settings are looked at as well; no agent named means
// those that hookctl is registered with, or else Claude Code.
func (m *Machine) Verify(ctx context.Context, project string, agents []string) (*Verification, error) {
	v := &Verification{Problems: []Problem{}}
	if len(agents) == 0 {
		agents = m.writtenFor()
	}
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
	m.verifyStore(v)
	m.verifySigned(v)
	m.verifyProgram(v)
	m.verifyReleased(v, m.running())
	m.verifyReceipts(v)
	m.verifyConfig(v, inst)
	m.verifySettings(v, project, agents, true)
	if v.Installed != nil {
		m.verifyCases(ctx, v, inst)
	}
	return v, ctx.Err()
}

// verifyStore checks the generation against the lock in it, and the lock against
// the pointer's digest.
func (m *Machine) verifyStore(v *Verification) {
	p := m.running()
	if p.Digest == "" {
		return
	}
	v.Checked = append(v.Checked, "bytes and modes of "+receipt.Named(p.Release))
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
	if lock.Release != p.Release {
		v.add("store", m.Home.Current(), "says release %d, the lock says %d", p.Release, lock.Release)
	}
	want := map[string]install.Want{bundle.LockName: {SHA256: install.Sum(raw), Size: int64(len(raw))}}
	for path, f := range lock.Files {
		want[path] = install.Want{SHA256: "sha256:" + f.SHA256, Size: f.Size, Exec: f.Mode == "0755"}
	}
	// The signatures vouch for themselves: verifySigned reads them.
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

// verifySigned checks the signatures once more, for a machine with a source, and
// that what runs is what was accepted last and has not expired.
func (m *Machine) verifySigned(v *Verification) {
	t, err := readTrust(m.Home)
	if errors.Is(err, ErrNoSource) {
		return
	}
	if err != nil {
		v.add("source", m.Home.Trust(), "%v", err)
		return
	}
	p := m.running()
	if p.Digest == "" {
		return
	}
	if t.unproven(p.Digest) {
		v.add("source", m.Home.Trust(), "the sync that activated release %d was cut short before its last proof", p.Release)
	}
	t = t.settled(p.Digest)
	switch back := t.RolledBack; {
	case back != nil && p.Digest == back.Digest:
		v.add("source", m.Home.Current(), "release %d runs since a rollback at %s, and release %d was accepted last", p.Release, back.At.Format(time.RFC3339), t.Accepted.Release)
	case p.Digest != t.runs().Digest:
		v.add("source", m.Home.Current(), "release %d runs, but release %d was accepted last", p.Release, t.runs().Release)
	}
	if p.Release == 0 {
		return // what the program carries, by a rollback: nobody has signed it
	}
	v.Checked = append(v.Checked, "signatures")
	trust, _, err := t.measure(t.runs().At)
	if err != nil {
		v.add("source", m.Home.Trust(), "%v", err)
		return
	}
	trust.MinRelease, trust.LastDigest = 0, "" // asked above
	dir := m.Home.Generation(p.Digest)
	cand, err := bundle.FromFS(os.DirFS(dir))
	if err != nil {
		v.add("store", dir, "%v", err)
		return
	}
	b, err := bundle.Verify(cand, trust)
	if bundle.IsFileError(err) && v.names("store") {
		return // the signatures hold, and verifyStore has named every file that differs
	}
	if err != nil {
		v.add("store", dir, "%v", err)
		return
	}
	if end := b.Expires(); !end.IsZero() && !m.Now.Before(end) {
		v.add("source", dir, "release %d expired at %s, and nothing newer has come", p.Release, end.Format(time.RFC3339))
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

// verifyReceipts checks the chain of receipts, and that its end is what runs.
func (m *Machine) verifyReceipts(v *Verification) {
	problems, err := receipt.Verify(m.Home, receipt.Options{Current: receipt.GenerationOf(m.running())})
	if err != nil {
		v.add("receipts", receipt.Folder(m.Home), "%v", err)
		return
	}
	v.Checked = append(v.Checked, "receipts")
	for _, p := range problems {
		// What a write that was cut short leaves is mended by the next one.
		v.Problems = append(v.Problems, Problem{Part: "receipts", Path: p.Path, Text: p.Text, Warn: p.Kind == receipt.Unfinished})
	}
}

// verifyConfig names choices of the machine that the floor of the bundle does
// not allow; the hook passes over them.
func (m *Machine) verifyConfig(v *Verification, inst Installed) {
	c, err := m.config()
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	v.Checked = append(v.Checked, "config.yaml")
	if err != nil {
		v.add("config", m.Home.Config(), "%v", err)
		return
	}
	floor := inst.Floor()
	for i, j := range c.Judge.Choices() {
		switch {
		case len(floor.Judges) == 0 || slices.Contains(floor.Judges, j.Backend) || i == 0 && c.Judge.Backend == "":
		case len(c.Judge.Fallback) == 0:
			v.add("config", m.Home.Config(), "judge.backend %s is below the floor of the bundle; builtin is used", j.Backend)
		case i == 0:
			v.add("config", m.Home.Config(), "judge.backend %s is below the floor of the bundle; it is passed over", j.Backend)
		default:
			v.add("config", m.Home.Config(), "judge.fallback %s is below the floor of the bundle; it is passed over", j.Backend)
		}
	}
	if floor.Timeout > 0 && c.Judge.Timeout > floor.Timeout {
		v.add("config", m.Home.Config(), "judge.timeout %s is over the floor's %s, which is used", c.Judge.Timeout, floor.Timeout)
	}
	m.verifyDemotions(v, inst, c.Demote)
}

// verifyDemotions names the gates that only warn on this machine, and those that
// the bundle does not let it weaken. One that was made for another bundle does
// nothing any more.
func (m *Machine) verifyDemotions(v *Verification, inst Installed, list []manifests.Demotion) {
	rules, err := gate.DecodeRules(inst.Rules)
	if err != nil {
		return // verifyStore has named it
	}
	for _, d := range list {
		switch {
		case d.Bundle != rules.Bundle:
		case rules.Demote(d.Gate, d.Bundle):
			v.Problems = append(v.Problems, Problem{
				Part: "config", Path: m.Home.Config(), Warn: true,
				Text: fmt.Sprintf("demote: gate %s only warns on this machine until the next release, since decision %s", d.Gate, d.Decision),
			})
		case !slices.ContainsFunc(rules.Gates, func(g gate.Rule) bool { return g.ID == d.Gate && g.Demotable }):
			v.add("config", m.Home.Config(), "demote: gate %s is below the floor of the bundle; it is enforced", d.Gate)
		}
	}
}

// verifySettings looks at every settings file of the agents that can register or
// switch off a hook here.
func (m *Machine) verifySettings(v *Verification, project string, agents []string, installed bool) {
	for _, f := range m.Examine(project, agents).Findings { // of others' hooks it only tells
		v.Problems = append(v.Problems, Problem{Part: "settings", Path: f.File, Text: f.String(), Warn: f.Severity != settings.Error || f.Whose == "other"})
	}
	for _, a := range agents {
		v.Checked = append(v.Checked, "settings of "+a)
		if !installed {
			continue
		}
		targets, err := m.wanted(a)
		if err != nil {
			v.add("settings", "", "%v", err)
		}
		for _, t := range targets {
			v.verifyWired(t)
		}
	}
}

// writtenFor are the agents whose settings install has written.
func (m *Machine) writtenFor() (agents []string) {
	written, err := install.Recorded(m.Home)
	if err != nil {
		written = nil // a damaged record: verify names it
	}
	for _, name := range agent.Names() {
		if slices.ContainsFunc(written, func(t install.Target) bool { return t.Agent == name }) {
			agents = append(agents, name)
		}
	}
	if len(agents) == 0 {
		return []string{agent.Claude}
	}
	return agents
}

// wanted are the files in which an agent is to find hookctl: those that install
// has written for it, or else the user's.
func (m *Machine) wanted(name string) ([]install.Target, error) {
	written, err := install.Recorded(m.Home)
	if err != nil {
		return nil, err
	}
	written = slices.DeleteFunc(written, func(t install.Target) bool { return t.Agent != name })
	if len(written) > 0 {
		return written, nil
	}
	return m.targets([]string{name}, agent.User)
}

// verifyWired asks whether the hook is registered as install registers it.
func (v *Verification) verifyWired(t install.Target) {
	problems, err := t.Wired()
	if err != nil {
		v.add("settings", t.Path, "%v", err)
	}
	for _, p := range problems {
		v.add("settings", p.Path, "%s", p.Text)
	}
}

// verifyCases runs the cases through every command that stands in the settings.
func (m *Machine) verifyCases(ctx context.Context, v *Verification, inst Installed) {
	commands, err := m.commands()
	if err != nil {
		v.add("settings", "", "%v", err)
		return
	}
	cases, err := inst.Cases()
	if err != nil {
		v.add("cases", "", "%v", err)
		return
	}
	for i, c := range commands {
		if bare(c) && !install.OnPath("hookctl", m.Getenv) {
			v.add("settings", "", "%q stands in a shared file, and no hookctl is on the PATH: add %s", c, filepath.Dir(m.Home.Binary()))
			continue
		}
		start := time.Now()
		cases := casesThrough(c, commands[:i], cases)
		r := contract.Run(ctx, cases, m.Places(), contract.Shell(c, m.Environ(), ""))
		v.Cases.Results = append(v.Cases.Results, r.Results...)
		v.Cases.Passed += r.Passed
		v.Cases.Failed += r.Failed
		v.Checked = append(v.Checked, fmt.Sprintf("%d cases through the command in the settings, in %.1f s", len(cases), time.Since(start).Seconds()))
	}
	for _, r := range v.Cases.Failures() {
		v.add("cases", r.Case.Name, "%s", r.Detail)
	}
}
