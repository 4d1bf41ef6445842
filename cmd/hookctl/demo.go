package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/gate/contract"
	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/sync/pull"
	"github.com/agenthooks/hookctl/sync/source"
)

func demoCmd(e *env) *cobra.Command {
	var keep bool
	c := &cobra.Command{
		Use:   "demo",
		Short: "Show the whole loop in a throw-away home",
		Long: `demo makes a home, a Git repository and a signing key in a folder of its own and goes
through the loop there: install, a false block, its fix released, sync, the proof that
the deployed bytes changed and behave, and two attacks that are refused.

It touches nothing of yours, and needs no network, no git program and no agent.`,
		Example: `  hookctl demo
  hookctl demo --keep      leave the folder to look around in`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.demo(cmd.Context(), keep) },
	}
	c.Flags().BoolVar(&keep, "keep", false, "leave the folder")
	return c
}

// The message that the embedded gates block wrongly: to merge is here what a
// product does with two records.
const (
	falseBlock = "I found two records for the same customer in the address book. Shall I merge the two customer records now?\n"
	trueBlock  = "The importer now skips empty rows. Shall I merge the branch now?\n"
	// fixEvidence is the whole fix: four lines in one gate file.
	fixEvidence = `  - kind: other-meaning
    scope: sentence
    patterns:
      en: ['merge the (two )?(customer|contact) records']
`
	fixedGate = "gates/commit-before-verification.yaml"
)

// demonstration is one run of the demo.
type demonstration struct {
	*env
	dir string
	pub *publisher
	m   *pull.Machine
	n   int
}

func (e *env) demo(ctx context.Context, keep bool) (err error) {
	dir, err := os.MkdirTemp("", "hookctl-demo-*")
	if err != nil {
		return err
	}
	if keep {
		defer func() { e.printf("\nkept: %s\n", dir) }()
	} else {
		defer func() { _ = layer().RemoveAll(dir) }()
	}
	user := filepath.Join(dir, "home")
	d := &demonstration{env: e, dir: dir, m: &pull.Machine{
		Home: home.Dir(filepath.Join(user, ".hookctl")), User: user, Program: e.exe, Files: layer(), Now: time.Now(),
		Getenv: func(k string) string {
			if k == "PATH" || k == "TMPDIR" || k == "SystemRoot" {
				return e.getenv(k)
			}
			return ""
		},
	}}
	for _, step := range []func(context.Context) error{d.prepare, d.install, d.falseBlock, d.release, d.sync, d.proof, d.verify, d.tampered, d.forced} {
		if err := step(ctx); err != nil {
			return fmt.Errorf("demo, step %d: %w", d.n, err)
		}
	}
	e.printf("\nThe deployed hook is the reviewed one, and it says so itself.\n")
	return nil
}

func (d *demonstration) title(what string) {
	d.n++
	d.printf("\n%d. %s\n", d.n, what)
}

// prepare makes the team's repository with release 1, and a home in which
// somebody else's hook is registered already.
func (d *demonstration) prepare(context.Context) (err error) {
	d.title("A team keeps its gates in a Git repository; release 1 is locked and signed there.")
	if d.pub, err = newPublisher(filepath.Join(d.dir, "hooks.git"), d.m.Now); err != nil {
		return err
	}
	// Two gates of the program's own bundle are enough to follow the story.
	if err := d.pub.files(manifests.Embedded(), func(path string) bool {
		return path == "hookctl.yaml" || strings.Contains(path, "commit-before-verification") || strings.Contains(path, "protected-files") || strings.HasPrefix(path, "cases/all/")
	}); err != nil {
		return err
	}
	commit, err := d.pub.release(1, "Release 1")
	if err != nil {
		return err
	}
	d.printf("   commit %s, signed by %s\n", commit[:12], d.pub.fingerprint())
	settings := filepath.Join(d.m.User, ".claude", "settings.json")
	if err := os.MkdirAll(filepath.Dir(settings), 0o755); err != nil {
		return err
	}
	return os.WriteFile(settings, []byte("{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"notify-send done\"}]}]\n  }\n}\n"), 0o600)
}

func (d *demonstration) install(ctx context.Context) error {
	d.title("A machine installs from it: every byte against the signed lock, every case against the program.")
	in, err := d.m.Install(ctx, pull.Options{Agents: pull.Agents, Source: source.Remote{URL: d.pub.dir, Branch: branch}, Signers: d.pub.signersFile})
	if err != nil {
		return err
	}
	d.printf("   release %d runs; %d contract cases hold, in process and through the installed command\n", in.To.Release, in.Cases)
	d.printf("   ~/.claude/settings.json now starts the hook; the entry that was there before is still there\n")
	return nil
}

// ask hands a message to the deployed hook the way the agent does.
func (d *demonstration) ask(ctx context.Context, message string) (verdict, reason string, err error) {
	command, err := d.m.Command()
	if err != nil {
		return "", "", err
	}
	c := manifests.Case{Name: "demo", Body: []byte(message), Block: true, Gate: "commit-before-verification"}
	r := contract.Run(ctx, []manifests.Case{c}, d.m.Places(), contract.Shell(command, d.m.Environ(), "")).Results[0]
	if r.Got == "allow" {
		return "PASS", "", nil
	}
	return strings.ToUpper(r.Got), r.Reason, nil
}

func (d *demonstration) falseBlock(ctx context.Context) error {
	d.title("The deployed hook blocks a message wrongly: to merge two records is no merge of a branch.")
	d.printf("   %s", falseBlock)
	return d.expect(ctx, falseBlock, "BLOCK", true)
}

func (d *demonstration) expect(ctx context.Context, message, want string, show bool) error {
	got, reason, err := d.ask(ctx, message)
	if err != nil {
		return err
	}
	d.printf("   %-5s", got)
	if show && reason != "" {
		d.printf(" %s", reason)
	} else {
		d.printf(" %s", strings.TrimSpace(message))
	}
	d.printf("\n")
	if got != want {
		return fmt.Errorf("the deployed hook said %s, not %s", got, want)
	}
	return nil
}

func (d *demonstration) release(ctx context.Context) error {
	d.title("The fix: four lines in one gate file, and a case on each side. Release 2 is merged and signed.")
	d.printf("%s", indent(fixEvidence))
	if err := d.pub.patch(fixedGate, "evidence:\n", "evidence:\n"+fixEvidence); err != nil {
		return err
	}
	for path, text := range map[string]string{
		"cases/commit-before-verification/allow/merge-customer-records.md": falseBlock,
		"cases/commit-before-verification/block/merge-branch-unchecked.md": trueBlock,
	} {
		if err := d.pub.write(path, []byte(text)); err != nil {
			return err
		}
	}
	commit, err := d.pub.release(2, "Release 2")
	if err != nil {
		return err
	}
	d.printf("   commit %s\n   but this machine still runs the old copy:\n", commit[:12])
	return d.expect(ctx, falseBlock, "BLOCK", false)
}

func (d *demonstration) sync(ctx context.Context) error {
	d.title("hookctl sync: fetch, verify, prove on a staged copy, switch by one small file, prove again.")
	r, err := d.m.Sync(ctx)
	if err != nil {
		return err
	}
	d.printf("   release %d -> %d; SHA-256 of each changed file, before and after:\n", r.From.Release, r.To.Release)
	d.printChanges(r.Files)
	return nil
}

func (d *demonstration) proof(ctx context.Context) error {
	d.title("The same message passes now, and a real one is still blocked.")
	if err := d.expect(ctx, falseBlock, "PASS", false); err != nil {
		return err
	}
	return d.expect(ctx, trueBlock, "BLOCK", false)
}

func (d *demonstration) verify(ctx context.Context) error {
	d.title("hookctl verify: bytes, modes, signatures, settings, and every case through the command in them.")
	v, err := d.m.Verify(ctx, "", pull.Agents)
	if err != nil {
		return err
	}
	for _, p := range v.Problems {
		d.printf("   %s: %s\n", p.Path, p.Text)
	}
	if !v.Good() {
		return fmt.Errorf("what is deployed differs in %d places", len(v.Problems))
	}
	d.printf("   release %d, %d cases hold, nothing differs\n", v.Installed.Release, v.Cases.Passed)
	return nil
}

func (d *demonstration) tampered(ctx context.Context) error {
	d.title("Attack: release 3 is signed, but a gate is switched off in the same commit after the lock was made.")
	if err := d.pub.lock(3); err != nil {
		return err
	}
	if err := d.pub.patch(fixedGate, "mode: enforce", "mode: off    "); err != nil {
		return err
	}
	if _, err := d.pub.commit("Release 3"); err != nil {
		return err
	}
	return d.refused(ctx)
}

func (d *demonstration) forced(ctx context.Context) error {
	d.title("Attack: the branch is force-pushed to another history, with a signed release of a higher number.")
	if err := d.pub.startOver(); err != nil {
		return err
	}
	if _, err := d.pub.release(9, "Release 9"); err != nil {
		return err
	}
	return d.refused(ctx)
}

// refused syncs, wants a refusal, and shows that what ran before still answers.
func (d *demonstration) refused(ctx context.Context) error {
	_, err := d.m.Sync(ctx)
	if err == nil {
		return fmt.Errorf("the sync was not refused")
	}
	code, _ := advice(err)
	if code != exitRefused {
		return err
	}
	d.printf("   refused (exit %d): %v\n", code, err)
	got, _, err := d.ask(ctx, trueBlock)
	if err == nil && got != "BLOCK" {
		err = fmt.Errorf("after the refusal the hook said %s", got)
	}
	d.printf("   release 2 runs on\n")
	return err
}

func indent(s string) string {
	return "   | " + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n   | ") + "\n"
}
