package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agenthooks/hookctl/gate/journal"
	"github.com/agenthooks/hookctl/install/agent"
	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/sync/pull"
	"github.com/agenthooks/hookctl/sync/receipt"
	"github.com/agenthooks/hookctl/sync/source"
)

// What the agent of the demo says. The embedded gate takes the first two for the
// proposal to merge a branch.
const (
	falseBlock = "I found two records for the same customer in the address book. Shall I merge the two customer records now?"
	fixReport  = "The gate no longer takes customer data for a branch. Shall I merge the two customer records now?"
	trueBlock  = "The importer now skips empty rows. Shall I merge the branch now?"
)

const (
	fixedGateID = "commit-before-verification"
	fixedGate   = "gates/" + fixedGateID + ".yaml"
	// fixEvidence is the whole fix: four lines in one gate file.
	fixEvidence = `  - kind: other-meaning
    scope: sentence
    patterns:
      en: ['merge the (two )?(customer|contact) records']
`
)

// prepare makes the team's repository with release 1, and a home in which
// somebody else's hook is registered already.
func (d *demonstration) prepare(context.Context) (err error) {
	d.title("A team keeps its gates in a Git repository; release 1 is locked and signed there.")
	if d.pub, err = newPublisher(filepath.Join(d.dir, "hooks.git"), d.now); err != nil {
		return err
	}
	// One gate of the program's own bundle, with its English cases, is enough to
	// follow the story.
	if err := d.pub.files(manifests.Embedded(), func(path string) bool {
		return path == "hookctl.yaml" || path == fixedGate || strings.HasPrefix(path, "cases/all/") ||
			strings.HasPrefix(path, "cases/"+fixedGateID+"/") && strings.Contains(path, "-en.")
	}); err != nil {
		return err
	}
	commit, err := d.pub.release(1, "Release 1")
	if err != nil {
		return err
	}
	d.printf("   commit %s, signed by %s\n", shortCommit(commit), d.pub.fingerprint())
	settings := filepath.Join(d.user, ".claude", "settings.json")
	if err := os.MkdirAll(filepath.Dir(settings), 0o755); err != nil {
		return err
	}
	return os.WriteFile(settings, []byte("{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"echo done\"}]}]\n  }\n}\n"), 0o600)
}

func (d *demonstration) install(ctx context.Context) error {
	d.title("A machine installs from it: every byte against the signed lock, every case against the program.")
	in, err := d.m.Install(ctx, pull.Options{Agents: []string{agent.Claude}, Source: source.Remote{URL: d.pub.dir, Branch: branch}, Signers: d.pub.signersFile})
	if err != nil {
		return err
	}
	d.printf("   release %d runs; %d contract cases hold, in process, on the staged copy and through the settings\n", in.To.Release, in.Cases)
	d.printf("   ~/.claude/settings.json now starts the hook; the entry that was there before is still there\n")
	return nil
}

func (d *demonstration) falseBlock(ctx context.Context) error {
	d.title("The agent ends its turn, and the deployed hook blocks it wrongly: to merge two records is no merge of a branch.")
	line, err := json.Marshal(map[string]any{"type": "assistant", "uuid": "demo-message", "message": map[string]any{
		"role": "assistant", "content": []any{map[string]string{"type": "text", "text": falseBlock}},
	}})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(d.transcript()), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(d.transcript(), append(line, '\n'), 0o600); err != nil {
		return err
	}
	reason, err := d.say(ctx, falseBlock, "BLOCK")
	d.printf("   %s\n", reason)
	return err
}

// capture takes the message from the transcript by the decision's line in the
// journal, so that its hash is checked.
func (d *demonstration) capture(context.Context) error {
	d.title("hookctl capture: the very message becomes a contract case. Nobody retypes it.")
	var decision string
	err := journal.Read(d.home.Journal(), func(l journal.Line) bool {
		decision = l.ID
		return true
	})
	if err != nil {
		return err
	}
	if decision == "" {
		return errors.New("the decision log has no line")
	}
	quiet := *d.env
	quiet.out = new(strings.Builder)
	o := captureOptions{
		wanted: wanted{journal: decision}, gate: fixedGateID, side: "allow", slug: "merge-customer-records", dir: d.pub.dir,
		why: "to merge records is what the product does",
	}
	if err := quiet.capture("", o); err != nil {
		return err
	}
	d.printf("   decision %s -> cases/%s/allow/%s.md\n", decision, fixedGateID, o.slug)
	return nil
}

func (d *demonstration) fix(context.Context) (err error) {
	d.title("The fix: four lines in one gate file, and a case on each side. It is merged, and release 2 is signed.")
	d.printf("%s", indent(fixEvidence))
	if err := d.pub.patch(fixedGate, "evidence:\n", "evidence:\n"+fixEvidence); err != nil {
		return err
	}
	if err := d.pub.write("cases/"+fixedGateID+"/block/merge-branch-unchecked.md", []byte(trueBlock+"\n")); err != nil {
		return err
	}
	if d.merge, err = d.pub.mergeWork("Take customer records for what they are"); err != nil {
		return err
	}
	commit, err := d.pub.release(2, "Release 2")
	if err != nil {
		return err
	}
	d.printf("   merge %s, release commit %s\n", shortCommit(d.merge), shortCommit(commit))
	return nil
}

func (d *demonstration) stale(ctx context.Context) error {
	d.title("Merged is not deployed: this machine's old copy blocks the very report of the fix.")
	_, err := d.say(ctx, fixReport, "BLOCK")
	return err
}

func (d *demonstration) sync(ctx context.Context) error {
	d.title("hookctl sync: fetch, verify, prove on a staged copy, switch by one small file, prove again.")
	r, err := d.m.Sync(ctx)
	if err != nil {
		return err
	}
	d.printf("   release %d -> %d; %d contract cases hold on the deployed copy\n", r.From.Release, r.To.Release, r.Cases)
	d.printf("   SHA-256 of each changed file, before and after:\n")
	for _, c := range r.Files {
		d.printf("   %s  ->  %s  %s\n", shortSum(c.Before), shortSum(c.After), c.Path)
	}
	return nil
}

func (d *demonstration) proof(ctx context.Context) error {
	d.title("The new copy lets the report and the captured message pass, and blocks a real proposal as before.")
	for _, message := range []struct{ text, want string }{{fixReport, "PASS"}, {falseBlock, "PASS"}, {trueBlock, "BLOCK"}} {
		if _, err := d.say(ctx, message.text, message.want); err != nil {
			return err
		}
	}
	return nil
}

func (d *demonstration) verify(ctx context.Context) error {
	d.title("hookctl verify --commit " + shortCommit(d.merge) + ": bytes, modes, signatures, settings, cases, and: is the merge in what runs?")
	v, err := d.m.Verify(ctx, "", []string{agent.Claude})
	if err != nil {
		return err
	}
	for _, p := range v.Problems {
		d.printf("   %s: %s\n", p.Path, p.Text)
	}
	if !v.Good() {
		return fmt.Errorf("what is deployed differs in %d places", len(v.Problems))
	}
	a := d.m.Answer(pull.Question{Commit: d.merge})
	d.printf("   release %d, %d cases hold through the command in the settings, nothing differs\n", v.Installed.Release, v.Cases.Passed)
	d.printf("   %s: %s\n", a.Is, a.Why)
	if a.Is != pull.Yes {
		return errors.New("the merge is not in what runs")
	}
	return nil
}

func (d *demonstration) receipt(context.Context) error {
	d.title("The receipt: signed by this machine, linked to the one before.")
	problems, err := receipt.Verify(d.home, receipt.Options{})
	if err != nil || len(problems) > 0 {
		return errors.Join(err, fmt.Errorf("the chain of receipts: %v", problems))
	}
	r, err := receipt.Last(d.home)
	if err != nil {
		return err
	}
	d.printf("   %d  %s\n", r.Sequence, r.Line())
	d.printf("   follows %s, by machine %s\n", shortSum(r.Previous), r.Machine)
	return nil
}

// shortCommit is a commit as hosts show it, long enough to be the only one.
func shortCommit(hash string) string { return hash[:min(12, len(hash))] }
