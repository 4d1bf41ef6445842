package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/contract"
	"github.com/agenthooks/hookctl/gate/prose"
	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/sync/bundle"
)

func lintCmd(e *env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "lint [DIR]",
		Short: "Look for what a release must not have: broken, unproven or idle rules",
		Long: `lint says what lock would refuse, and what it would let pass: a gate without a case on
either side, a pattern that matches in no case or in every one, a language without
feedback, evidence that frees too much, a case that fails, a comment that got lost since
the last release. Cases run in process, as if every gate were enforced.

It exits with 1 when it finds anything.`,
		Example: `  hookctl bundle lint
  hookctl bundle lint policies --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return e.lint(cmd.Context(), dirArg(args), asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON")
	return c
}

// lintReport is the JSON report of bundle lint.
type lintReport struct {
	Schema   int              `json:"schema"`
	Findings []bundle.Finding `json:"findings"`
	Gates    int              `json:"gates"`
	Hooks    int              `json:"hooks,omitempty"`
	Cases    int              `json:"cases"`
}

func (e *env) lint(ctx context.Context, dir string, asJSON bool) error {
	fsys := os.DirFS(dir)
	if _, err := fs.Stat(fsys, bundle.Manifest); err != nil {
		return fmt.Errorf("%s is no bundle: %w", dir, err)
	}
	rep := lintReport{Schema: schema, Findings: bundle.Lint(fsys, cutUp)}
	ran, err := e.lintCases(ctx, dir)
	if err == nil { // what keeps cases from running is among the findings
		rep.Findings = append(rep.Findings, ran.findings()...)
		rep.Gates, rep.Hooks, rep.Cases = ran.gates, ran.hooks, len(ran.Results)
	} else if len(rep.Findings) == 0 {
		return err
	}
	lost, err := lostComments(dir)
	if err != nil {
		return err
	}
	rep.Findings = append(rep.Findings, lost...)
	bundle.Sort(rep.Findings)
	if asJSON {
		if rep.Findings == nil {
			rep.Findings = []bundle.Finding{}
		}
		err = e.json(rep)
	} else {
		e.printLint(dir, rep)
	}
	if err == nil && len(rep.Findings) > 0 {
		return finding
	}
	return err
}

func (e *env) printLint(dir string, rep lintReport) {
	for _, f := range rep.Findings {
		at := path.Join(filepath.ToSlash(dir), f.File)
		if f.Line > 0 {
			at += ":" + itoa(f.Line)
		}
		e.printf("%s: %s: %s\n", at, f.Rule, f.Message)
	}
	if len(rep.Findings) == 0 {
		hooks := ""
		if rep.Hooks > 0 {
			hooks = plural(rep.Hooks, "hook", "hooks") + ", "
		}
		e.printf("%s: %s, %s%s, nothing found\n", dir, plural(rep.Gates, "gate", "gates"), hooks, plural(rep.Cases, "case", "cases"))
		return
	}
	e.printf("%s\n", plural(len(rep.Findings), "finding", "findings"))
}

func cutUp(message string) (own, plain []string) {
	for _, s := range prose.Parse(message).Sentences {
		if s.Own != "" {
			own = append(own, s.Own)
		}
		if s.Plain != "" {
			plain = append(plain, s.Plain)
		}
	}
	return own, plain
}

type lintRun struct {
	contract.Report
	gates, hooks int
}

// lintCases runs every case, also those of a gate or hook that only warns so far, as if
// it were enforced: so it is seen before it blocks anybody.
func (e *env) lintCases(ctx context.Context, dir string) (lintRun, error) {
	fsys := os.DirFS(dir)
	r, err := bundle.Compile(fsys, "", "", 0)
	if err != nil {
		return lintRun{}, err
	}
	off := map[string]bool{}
	for i, g := range r.Gates {
		off[g.ID] = g.Mode == gate.Off
		if !off[g.ID] {
			r.Gates[i].Mode = gate.Enforce
		}
	}
	for i, h := range r.Hooks {
		off[h.ID] = h.Mode == gate.Off
		if !off[h.ID] {
			r.Hooks[i].Mode = gate.Enforce
		}
	}
	rules, err := r.Encode()
	if err != nil {
		return lintRun{}, err
	}
	all, err := manifests.AllCases(fsys)
	if err != nil {
		return lintRun{}, err
	}
	var cases []manifests.Case
	for _, c := range all {
		if !c.Block || !off[c.Gate] {
			cases = append(cases, c)
		}
	}
	m := e.machine()
	inside := contract.InProcess(contract.Candidate{Rules: rules, Dir: dir, Env: m.Environ()}, m.Places())
	return lintRun{contract.Run(ctx, cases, m.Places(), inside), len(r.Gates), len(r.Hooks)}, nil
}

func (r lintRun) findings() (out []bundle.Finding) {
	for _, f := range r.Failures() {
		found := bundle.Finding{File: f.Case.Path(), Rule: "case-fails", Message: f.Detail}
		if f.Case.Inherited {
			found.File, found.Message = bundle.Manifest, "the embedded case "+f.Case.Name+" fails ("+f.Detail+"); mend the patch, or drop the case with a reason (drop_cases)"
		}
		out = append(out, found)
	}
	return out
}

// lostComments compares the YAML files with those of the last release in Git: a
// comment is lost when the line that it speaks of is still there. A tool that
// writes a file anew loses all of them. Without a repository, or without a
// release in it, nothing can be said.
func lostComments(dir string) ([]bundle.Finding, error) {
	tree, sub := lastReleaseTree(dir)
	if tree == nil {
		return nil, nil
	}
	names := []string{bundle.Manifest}
	gates, err := fs.Glob(os.DirFS(dir), "gates/*.yaml")
	if err != nil {
		return nil, err
	}
	var out []bundle.Finding
	for _, name := range append(names, gates...) {
		now, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		was, err := readBlob(tree, path.Join(sub, name))
		if err != nil {
			continue // the file is new
		}
		out = append(out, lost(name, was, now)...)
	}
	return out, nil
}

func lost(name string, was, now []byte) (out []bundle.Finding) {
	there := map[string]bool{}
	for _, c := range manifests.Comments(now) {
		there[c.Text] = true
	}
	lines := map[string]int{}
	for i, line := range strings.Split(string(now), "\n") {
		line = strings.TrimSpace(line)
		if lines[line] == 0 {
			lines[line] = i + 1
		}
	}
	for _, c := range manifests.Comments(was) {
		if n := lines[c.On]; !there[c.Text] && c.On != "" && n > 0 {
			out = append(out, bundle.Finding{File: name, Line: n, Rule: "comment-lost", Message: "since the last release this comment is gone: # " + c.Text})
		}
	}
	return out
}

// maxReleaseWalk bounds how far back a release is looked for.
const maxReleaseWalk = 2000

// lastReleaseTree is the tree of the newest commit, along first parents, in which
// the lock changed; nil when there is none. sub is the bundle's folder in it.
func lastReleaseTree(dir string) (tree *object.Tree, sub string) {
	repo, err := git.PlainOpenWithOptions(dir, &git.PlainOpenOptions{DetectDotGit: true})
	if err != nil {
		return nil, ""
	}
	if sub, err = inWorkTree(repo, dir); err != nil {
		return nil, ""
	}
	head, err := repo.Head()
	if err != nil {
		return nil, ""
	}
	c, err := repo.CommitObject(head.Hash())
	last := ""
	for n := 0; err == nil && n < maxReleaseWalk; n++ {
		t, lock := lockOf(c, sub)
		if lock == "" || last != "" && lock != last {
			break
		}
		tree, last = t, lock
		if len(c.ParentHashes) == 0 {
			break
		}
		c, err = repo.CommitObject(c.ParentHashes[0])
	}
	return tree, sub
}

// lockOf is a commit's tree and the hash of the lock in it, "" without one.
func lockOf(c *object.Commit, sub string) (*object.Tree, string) {
	t, err := c.Tree()
	if err != nil {
		return nil, ""
	}
	f, err := t.FindEntry(path.Join(sub, bundle.LockName))
	if err != nil {
		return nil, ""
	}
	return t, f.Hash.String()
}

func inWorkTree(repo *git.Repository, dir string) (string, error) {
	w, err := repo.Worktree()
	if err != nil {
		return "", err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	root := w.Filesystem.Root()
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	rel, err := filepath.Rel(root, abs)
	return filepath.ToSlash(rel), err
}

func readBlob(t *object.Tree, name string) ([]byte, error) {
	f, err := t.File(name)
	if err != nil {
		return nil, err
	}
	r, err := f.Reader()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, bundle.MaxFile))
}
