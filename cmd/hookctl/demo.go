package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/gate/contract"
	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/sync/pull"
)

func demoCmd(e *env) *cobra.Command {
	var keep bool
	c := &cobra.Command{
		Use:   "demo",
		Short: "Show the whole loop in a throw-away home",
		Long: `demo makes a home, a Git repository and a signing key in a folder of its own and goes
through the loop there: install, a false block, its capture, its fix merged and
released, sync, the proof that the deployed bytes changed and behave, the receipt, and
four attacks that are refused.

It touches nothing of yours, and needs no network, no git program and no agent.`,
		Example: `  hookctl demo
  hookctl demo --keep      leave the folder to look around in`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.demo(cmd.Context(), keep) },
	}
	c.Flags().BoolVar(&keep, "keep", false, "leave the folder")
	return c
}

// demonstration is one run of the demo. Its env is that of a machine in the
// throw-away folder.
type demonstration struct {
	*env
	dir   string
	pub   *publisher
	m     *pull.Machine
	n     int
	merge string // the commit that merged the fix
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
	d := e.demonstration(dir)
	for _, step := range []func(context.Context) error{
		d.prepare, d.install, d.falseBlock, d.capture, d.fix, d.stale, d.sync, d.proof, d.verify, d.receipt,
		d.tampered, d.unsigned, d.lower, d.forced,
	} {
		if err := step(ctx); err != nil {
			return fmt.Errorf("demo, step %d: %w", d.n, err)
		}
	}
	e.printf("\nThe deployed hook is the reviewed one, and it says so itself.\n")
	return nil
}

func (e *env) demonstration(dir string) *demonstration {
	at := *e
	at.now = time.Now()
	at.user = filepath.Join(dir, "home")
	at.home = home.Dir(filepath.Join(at.user, ".hookctl"))
	at.getenv = func(k string) string {
		switch k {
		case "PATH", "TMPDIR", "SystemRoot":
			return e.getenv(k)
		}
		return ""
	}
	d := &demonstration{env: &at, dir: dir, m: at.machine()}
	d.m.Progress = nil // each step is told as it ends
	return d
}

func (d *demonstration) title(what string) {
	d.n++
	d.printf("\n%d. %s\n", d.n, what)
}

// say hands a message to the deployed hook as the agent does, and wants an answer.
// With it comes the hook's reason.
func (d *demonstration) say(ctx context.Context, message, want string) (reason string, err error) {
	command, err := d.m.Command()
	if err != nil {
		return "", err
	}
	event, err := json.Marshal(map[string]any{
		"hook_event_name": "Stop", "session_id": fmt.Sprintf("demo-%d-%d", d.n, time.Now().UnixNano()), "cwd": d.dir,
		"transcript_path": d.transcript(), "last_assistant_message": message,
	})
	if err != nil {
		return "", err
	}
	out, err := contract.Shell(command, d.m.Environ(), "")(ctx, event)
	if err != nil {
		return "", err
	}
	got := "PASS"
	var answer struct{ Decision, Reason string }
	if len(out.Stdout) > 0 {
		if err := json.Unmarshal(out.Stdout, &answer); err != nil {
			return "", err
		}
		got = strings.ToUpper(answer.Decision)
	}
	d.printf("   %-5s %s\n", got, strings.TrimSpace(message))
	if got != want {
		return "", fmt.Errorf("the deployed hook said %s, not %s: %s%s", got, want, out.Stdout, out.Stderr)
	}
	return answer.Reason, nil
}

// transcript is where the agent of the demo keeps its conversation.
func (d *demonstration) transcript() string {
	return filepath.Join(d.user, ".claude", "projects", "demo", "session.jsonl")
}

func indent(s string) string {
	return "   | " + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n   | ") + "\n"
}
