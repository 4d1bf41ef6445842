package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/crypto/ssh"

	"github.com/agenthooks/hookctl/sync/pull"
	"github.com/agenthooks/hookctl/sync/receipt"
)

type verifyFlags struct {
	agents       []string
	question     pull.Question
	receipt, key string
	live         bool
	bins         agentBins
	limit        time.Duration
	asJSON       bool
}

func verifyCmd(e *env) *cobra.Command {
	f := verifyFlags{bins: agentBins{}}
	c := &cobra.Command{
		Use:   "verify",
		Short: "Check that what is deployed is what was accepted, and behaves",
		Long: `verify compares every byte and mode of the installed bundle with its lock and its
signatures, the program with its digest, the receipts with each other, looks for
everything in the agents' settings that keeps the hook from running, and runs every
contract case through the very command that the agents run. It names each thing that
differs and exits with 1.

On a machine that follows a branch it also tells whether what runs is the newest release
that was fetched; with --commit whether a commit, such as a merge, is in what runs; with
--release whether that release runs. It asks no network. Exit code 0 is yes, 1 no, 2 that
it cannot be told.

With --receipt it checks the signature of one receipt and nothing else, on any machine:
FILE.sig lies beside FILE; --key is the machine's public key, by default this machine's.

With --live it proves instead that the agents of this machine honour the hook. Each runs
without a screen, in a scratch home into which hookctl is installed, against a scripted
model on loopback: with no key of yours, and no way to another machine. It takes about
half a minute an agent. Exit code 1 is a broken promise, 2 one that could not be told.`,
		Example: `  hookctl verify
  hookctl verify --commit 3f2a91c
  hookctl verify --receipt ~/.hookctl/receipts/000007.json
  hookctl verify --receipt 000007.json --key machine.pub
  hookctl verify --live
  hookctl verify --live --agent codex --agent-bin codex=/opt/codex/bin/codex`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case f.receipt != "":
				return e.verifyReceipt(f)
			case f.live:
				return e.verifyLive(cmd.Context(), f)
			}
			return e.verify(cmd.Context(), f)
		},
	}
	fl := c.Flags()
	fl.StringSliceVar(&f.agents, "agent", nil, agentsFlag+"; default: those that install has registered, else claude")
	fl.StringVar(&f.question.Commit, "commit", "", "is this commit in what runs? (a hash, or at least 7 digits of it)")
	fl.IntVar(&f.question.Release, "release", 0, "does this release run?")
	fl.StringVar(&f.receipt, "receipt", "", "check one receipt, offline")
	fl.StringVar(&f.key, "key", "", "with --receipt: public key of the machine that wrote it")
	fl.BoolVar(&f.live, "live", false, "drive the agents of this machine, in scratch homes, against a model on loopback")
	fl.Var(f.bins, "agent-bin", "with --live: the program of an agent; may be given again (also $HOOKCTL_AGENT_NAME)")
	fl.DurationVar(&f.limit, "limit", 2*time.Minute, "with --live: how long one run of an agent may take")
	fl.BoolVar(&f.asJSON, "json", false, "print the result as JSON")
	c.MarkFlagsMutuallyExclusive("commit", "release", "receipt", "live")
	return c
}

func (e *env) verify(ctx context.Context, f verifyFlags) error {
	m := e.machine()
	v, err := m.Verify(ctx, e.dir, f.agents)
	if err != nil {
		return err
	}
	answer := m.Answer(f.question)
	if f.asJSON {
		err = e.json(struct {
			Schema int          `json:"schema"`
			Good   bool         `json:"good"`
			Passed int          `json:"cases_passed"`
			Failed int          `json:"cases_failed"`
			Answer *pull.Answer `json:"question,omitempty"`
			*pull.Verification
		}{schema, v.Good(), v.Cases.Passed, v.Cases.Failed, answer, v})
	} else {
		e.printVerification(v)
		if answer != nil {
			e.printf("does %s run here? %s: %s\n", answer.Asked, answer.Is, answer.Why)
		}
	}
	switch {
	case err != nil:
		return err
	case answer != nil && answer.Is == pull.Unknown:
		return &codeError{code: exitUsage}
	case !v.Good(), answer != nil && answer.Is == pull.No:
		return finding
	}
	return nil
}

// verifyReceipt checks one receipt by a key that is known from elsewhere.
func (e *env) verifyReceipt(f verifyFlags) error {
	b, err := os.ReadFile(f.receipt)
	if err != nil {
		return err
	}
	sig, err := os.ReadFile(f.receipt + ".sig")
	if err != nil {
		return err
	}
	key, err := e.receiptKey(f.key)
	if err != nil {
		return err
	}
	r, err := receipt.VerifyFile(b, sig, key)
	if err != nil {
		return fmt.Errorf("%s: %w", f.receipt, err)
	}
	if f.asJSON {
		return e.json(struct {
			Schema  int             `json:"schema"`
			Good    bool            `json:"good"`
			Receipt receipt.Receipt `json:"receipt"`
		}{schema, true, r})
	}
	e.printf("receipt %d is good: signed by machine %s\n", r.Sequence, r.Machine)
	e.printf("  %s  %s\n", r.Time.Format(time.RFC3339), r.Line())
	return nil
}

func (e *env) receiptKey(file string) (ssh.PublicKey, error) {
	if file == "" {
		return receipt.ReadPublic(e.home)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	k, err := receipt.ParsePublic(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return k, nil
}

// manyCases are more than a person reads of what one fault makes of them.
const manyCases = 10

func (e *env) printVerification(v *pull.Verification) {
	cases := 0
	for _, p := range v.Problems {
		if p.Part == "cases" {
			if cases++; cases > manyCases {
				continue
			}
		}
		mark := "DIFFERS"
		if p.Warn {
			mark = "note   "
		}
		if p.Path == "" {
			e.printf("%s %s: %s\n", mark, p.Part, p.Text)
		} else {
			e.printf("%s %s: %s: %s\n", mark, p.Part, e.short(p.Path), p.Text)
		}
	}
	if cases > manyCases {
		e.printf("DIFFERS cases: and %d more; all of them: hookctl test\n", cases-manyCases)
	}
	for _, c := range v.Checked {
		e.printf("checked %s\n", c)
	}
	if p := v.Program; p.Path != "" {
		e.printf("program %s\n  runs     %s\n", e.short(p.Path), orNone(p.Runs))
		if p.Released != "" {
			e.printf("  released %s\n", p.Released)
		}
		if p.Before != "" {
			e.printf("  before   %s\n", p.Before)
		}
	}
	_, err := os.Lstat(e.home.Current())
	switch {
	case v.Installed == nil && errors.Is(err, fs.ErrNotExist):
		e.printf("install it with: hookctl install\n")
	case v.Good():
		e.printf("all that is deployed is as accepted: %s, %s\n", receipt.Named(v.Installed.Release), shortSum(v.Installed.Digest[len("sha256:"):]))
	default:
		e.printf("mend the store with: hookctl sync (with a source) or hookctl install; the settings with: hookctl install\n")
	}
}
