package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/agenthooks/hookctl/gate/contract"
	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/manifests/compiled"
	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/pull"
)

// editions is the help of what names a bundle to be compared.
const editions = `Each of the two is a bundle's folder, a pack (see "hookctl bundle pack"), "installed",
or "embedded": the bundle that this program carries. A folder of that name is ./embedded.
A folder or a pack is read as it is; no signature is asked for.`

// edition is one bundle that is compared with another.
type edition struct {
	name     string
	fsys     fs.FS
	rules    []byte
	dir      string                   // holds hooks/; "" = the edition has none
	binaries map[string]bundle.Binary // hookctl itself, by platform
}

// edition opens a bundle. What it had to unpack goes with done.
func (e *env) edition(arg string) (ed edition, done func(), err error) {
	done = func() {}
	switch arg {
	case "embedded":
		return edition{name: arg, fsys: manifests.Embedded(), rules: compiled.Rules()}, done, nil
	case "installed":
		i, err := e.machine().Installed()
		if err != nil {
			return edition{}, done, err
		}
		ed := edition{name: arg, fsys: i.Bundle, rules: i.Rules, dir: e.home.Generation(i.Digest)}
		if raw, err := fs.ReadFile(i.Bundle, bundle.LockName); err == nil && i.Release > 0 {
			ed.binaries = lockedBinaries(raw)
		}
		return ed, done, nil
	}
	fi, err := os.Stat(arg)
	if err != nil {
		return edition{}, done, err
	}
	if fi.IsDir() {
		rules, err := compileDir(arg)
		if err != nil {
			return edition{}, done, err
		}
		binaries, err := bundle.Binaries(os.DirFS(arg))
		return edition{arg, os.DirFS(arg), rules, arg, binaries}, done, err
	}
	if ed, err = packed(arg); err != nil {
		return edition{}, done, err
	}
	if ed.dir, err = os.MkdirTemp("", "hookctl-pack-*"); err != nil {
		return edition{}, done, err
	}
	done = func() { os.RemoveAll(ed.dir) }
	_, err = pull.CopyHooks(ed.fsys, ed.dir)
	return ed, done, err
}

// packed reads an archive.
func packed(arg string) (edition, error) {
	f, err := os.Open(arg)
	if err != nil {
		return edition{}, err
	}
	defer f.Close()
	c, err := bundle.ReadPack(f)
	if err != nil {
		return edition{}, fmt.Errorf("%s: %w", arg, err)
	}
	r, err := bundle.Compile(c.FS(), "", "", 0)
	if err != nil {
		return edition{}, fmt.Errorf("%s: %w", arg, err)
	}
	rules, err := r.Encode()
	return edition{name: arg, fsys: c.FS(), rules: rules, binaries: lockedBinaries(c.Lock)}, err
}

// lockedBinaries are the programs that a lock names; a lock that cannot be read
// names none here, and lint and sync say what is wrong with it.
func lockedBinaries(raw []byte) map[string]bundle.Binary {
	l, err := bundle.ParseLock(raw)
	if err != nil {
		return nil
	}
	return l.Binaries
}

// decision is what one bundle says to one case.
type decision struct {
	Verdict string   `json:"verdict"` // pass, warn, ask, block; else what went wrong
	Gates   []string `json:"gates,omitempty"`
	Reason  string   `json:"reason,omitempty"`
}

func (d decision) String() string {
	s := strings.ToUpper(d.Verdict)
	if len(d.Gates) > 0 {
		s += " " + strings.Join(d.Gates, ", ")
	}
	return s
}

// same ignores the wording of the feedback.
func (d decision) same(o decision) bool {
	return d.Verdict == o.Verdict && slices.Equal(d.Gates, o.Gates)
}

// decide runs cases in process: with the recorded answer where a case has one,
// else with the builtin judge, so that both sides have the same judge.
func (ed edition) decide(ctx context.Context, cases []manifests.Case, m *pull.Machine) []decision {
	places := m.Places()
	out := make([]decision, len(cases))
	for i, c := range cases {
		var said contract.Outcome
		inside := contract.InProcess(contract.Candidate{Rules: ed.rules, Dir: ed.dir, Env: m.Environ()}, places)
		rep := contract.Run(ctx, []manifests.Case{c}, places, func(ctx context.Context, event []byte) (o contract.Outcome, err error) {
			said, err = inside(ctx, event)
			return said, err
		})
		r := rep.Results[0]
		d := decision{Verdict: r.Got, Reason: r.Reason}
		switch {
		case r.Got == "allow" && len(said.Stdout)+len(said.Stderr) > 0:
			d.Verdict, d.Reason = "warn", strings.TrimSpace(string(said.Stdout)+string(said.Stderr))
		case r.Got == "allow":
			d.Verdict = "pass"
		case r.Got != "block" && r.Got != "ask":
			d.Reason = r.Detail
		}
		d.Gates = gatesIn(d.Reason)
		out[i] = d
	}
	return out
}

var gateNamed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`hookctl \[([a-z0-9-]+)\]`) })

// gatesIn lists the gates that a feedback names.
func gatesIn(reason string) (ids []string) {
	for _, m := range gateNamed().FindAllStringSubmatch(reason, -1) {
		if !slices.Contains(ids, m[1]) {
			ids = append(ids, m[1])
		}
	}
	return ids
}

// comparison is one case as two bundles decide it.
type comparison struct {
	Case    string   `json:"case"`
	Old     decision `json:"old"`
	New     decision `json:"new"`
	Differs bool     `json:"differs"`
}

// compareCases decides cases by both bundles, one on each of two processors.
func (e *env) compareCases(ctx context.Context, was, is edition, cases []manifests.Case) []comparison {
	m := e.machine()
	var before, after []decision
	var wg sync.WaitGroup
	wg.Go(func() { before = was.decide(ctx, cases, m) })
	wg.Go(func() { after = is.decide(ctx, cases, m) })
	wg.Wait()
	out := make([]comparison, len(cases))
	for i, c := range cases {
		out[i] = comparison{Case: c.Name, Old: before[i], New: after[i], Differs: !before[i].same(after[i])}
	}
	return out
}

// union is the cases of both bundles. Where one name means two messages, both
// are in it.
func union(was, is edition) ([]manifests.Case, error) {
	after, err := manifests.AllCases(is.fsys)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", is.name, err)
	}
	before, err := manifests.AllCases(was.fsys)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", was.name, err)
	}
	byName := map[string]manifests.Case{}
	for _, c := range after {
		byName[c.Name] = c
	}
	all := after
	for _, c := range before {
		switch now, ok := byName[c.Name]; {
		case !ok:
			all = append(all, c)
		case string(now.Body) != string(c.Body):
			c.Name += " (as in " + was.name + ")"
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b manifests.Case) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}
