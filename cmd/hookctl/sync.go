package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/sync/pull"
	"github.com/agenthooks/hookctl/sync/receipt"
)

func syncCmd(e *env) *cobra.Command {
	var check, dryRun, asJSON bool
	c := &cobra.Command{
		Use:   "sync",
		Short: "Fetch, verify, prove and activate the newest release",
		Long: `sync fetches the branch that install has set, takes the newest commit whose lock
matches its tree and carries an allowed signature, and refuses a rewritten branch, a
lower release and every byte that is not in the lock. It stages the release, runs its
contract cases on the staged copy, activates it by one small file, and runs the cases
again through the command in the settings: all of them, or of more than 60 a spread
where that command starts the very program and rules by which all have just passed.
On any failure what ran before runs on.

A release may bring hookctl itself. It is checked by the signed lock, started and
proven beside the installed one, and takes its place in one rename.

What is installed is hashed and healed each time, also when nothing is new.`,
		Example: `  hookctl sync
  hookctl sync --check      exit 1 when something newer waits
  hookctl sync --dry-run    print what would change, the same as "hookctl diff"`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if dryRun {
				return e.diff(cmd.Context(), diffFlags{json: asJSON})
			}
			return e.sync(cmd.Context(), check, asJSON)
		},
	}
	c.Flags().BoolVar(&check, "check", false, "fetch and verify only; exit 1 when a newer release waits")
	c.Flags().BoolVar(&dryRun, "dry-run", false, "print what would change, as \"hookctl diff\" does, and change nothing")
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}

// syncJSON is the JSON report of sync.
type syncJSON struct {
	Schema  int           `json:"schema"`
	Source  string        `json:"source"`
	Branch  string        `json:"branch"`
	Head    string        `json:"head"`
	Pending int           `json:"pending"`
	Changed bool          `json:"changed"`
	Waits   bool          `json:"newer_waits"`
	From    pull.Accepted `json:"from"`
	To      pull.Accepted `json:"to"`
	Signers []string      `json:"signers"`
	Files   []fileJSON    `json:"files"`
	Program *fileJSON     `json:"program,omitempty"` // hookctl itself, where the release brings it
	Healed  []string      `json:"healed"`
	Cases   int           `json:"cases"`
	Wired   bool          `json:"wired"`       // cases ran through the settings too
	Through int           `json:"wired_cases"` // how many
	Receipt string        `json:"receipt,omitempty"`
	Notes   []string      `json:"notes"`
	// Protection is what the source's host says about the branch.
	Protection protectionJSON `json:"protection"`
}

type protectionJSON struct {
	Host string `json:"host"`
	Kind string `json:"kind"` // protected, unprotected, unknown, none asked
	Text string `json:"text"`
}

func (e *env) sync(ctx context.Context, check, asJSON bool) error {
	m := e.machine()
	do := m.Sync
	if check {
		do = m.Check
	}
	r, err := do(ctx)
	if err != nil {
		return err
	}
	waits := check && r.Newer()
	switch {
	case asJSON:
		j := reportJSON(r)
		j.Waits = waits
		err = e.json(j)
	case waits:
		e.printf("release %d waits (this machine has %d); take it with: hookctl sync\n", r.To.Release, r.From.Release)
	default:
		e.printSync(r)
	}
	if err == nil && waits {
		return finding
	}
	return err
}

func reportJSON(r pull.Report) syncJSON {
	return syncJSON{
		Schema: schema, Source: r.Source.URL, Branch: r.Source.Branch, Head: r.Head, Pending: r.Pending, Changed: r.Changed,
		From: r.From, To: r.To, Signers: signedBy(r.Signers), Files: filesJSON(r.Files), Program: programJSON(r.Binary), Healed: orEmpty(r.Healed), Cases: r.Cases, Wired: r.Wired, Through: r.Through,
		Receipt: r.Receipt, Notes: orEmpty(r.Notes), Protection: protectionJSON(r.Protection),
	}
}

func (e *env) printSync(r pull.Report) {
	switch {
	case r.Changed:
		e.printRelease(r)
		e.printSums(r.Files)
		e.printProgram(r.Binary)
	case len(r.Healed) > 0:
		e.printf("%s was damaged here and is healed:\n", receipt.Named(r.To.Release))
		for _, p := range r.Healed {
			if p != r.Binary.Path || r.Binary.Before == r.Binary.After {
				e.printf("  %s\n", e.short(p))
			}
		}
		e.printProgram(r.Binary)
	case r.RolledBack:
		e.printf("%s runs by a rollback, and nothing newer than what was left has come\n", receipt.Named(r.To.Release))
	default:
		e.printf("release %d is the newest, and what is installed is intact\n", r.To.Release)
	}
	for _, c := range r.Settings {
		if c.Changed() {
			e.printf("  %s: registered again\n", e.short(c.Path))
		}
	}
	e.printProof(r)
	e.printPending(r)
}

// printRelease says which release comes after which, and who vouches for it.
func (e *env) printRelease(r pull.Report) {
	e.printf("%s, commit %s\n", receipt.FromTo(r.From.Release, r.To.Release), shortSum(r.To.Commit))
	for _, s := range signedBy(r.Signers) {
		e.printf("  signed by %s\n", s)
	}
	e.printProtection(r)
}

// printPending counts what is on the branch and in no release.
func (e *env) printPending(r pull.Report) {
	switch {
	case r.Pending == 1:
		e.printf("  1 commit on the branch waits for a release\n")
	case r.Pending > 1:
		e.printf("  %d commits on the branch wait for a release\n", r.Pending)
	}
}
