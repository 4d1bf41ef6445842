package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/early"
	"github.com/agenthooks/hookctl/gate/generation"
	"github.com/agenthooks/hookctl/gate/hook"
	"github.com/agenthooks/hookctl/gate/judge/builtin"
	"github.com/agenthooks/hookctl/gate/prose"
)

type explainOptions struct {
	bundle         string
	json, minimize bool
	command, cwd   string
	within         time.Duration
}

func explainCmd(e *env) *cobra.Command {
	var o explainOptions
	c := &cobra.Command{
		Use:   "explain FILE | --command LINE",
		Short: "Show why a message or an event blocks or passes",
		Long: `explain decides one message and shows the way to the decision: the blocks, what
counts as the assistant's own speech, the sentence and the pattern that hit, the
evidence that was looked for, the judge's fields, and the time of each layer.

FILE is a message (text or Markdown), an event as an agent sends it (JSON), or "-"
for standard input. Nothing is written, no counter counts. The bundle's own executables
are started as for an agent.

A tool call is shown with the commands that its line runs and the files that they would
change, each with its bytes in the line. --command explains a shell command line as a call
of Claude Code's Bash tool.

With --minimize it leaves out blocks, then sentences, then words, as long as the same gate
still finds a violation, and prints the smallest part that is left and how often the gate
was asked. It ends after --within, with what it has found by then.`,
		Example: `  hookctl explain message.md
  hookctl explain --bundle . message.md     with the rules of a bundle's folder
  hookctl explain --minimize message.md     the words that it hangs on
  hookctl explain --command 'cp new.json ~/.claude/settings.json'
  pbpaste | hookctl explain -`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if (len(args) == 1) == cmd.Flags().Changed("command") {
				return &usageError{errors.New("name a file, or give a command line with --command")}
			}
			return e.explain(cmd.Context(), append(args, "")[0], o)
		},
	}
	c.Flags().BoolVar(&o.json, "json", false, "print the trace as JSON")
	c.Flags().StringVar(&o.bundle, "bundle", "", "use the bundle in this folder instead of the installed one")
	c.Flags().StringVar(&o.command, "command", "", "explain this shell command line")
	c.Flags().StringVar(&o.cwd, "cwd", "", "the folder that --command runs in (default: this one)")
	c.Flags().BoolVar(&o.minimize, "minimize", false, "find the smallest part that still blocks")
	c.Flags().DurationVar(&o.within, "within", 20*time.Second, "time for --minimize, for each gate")
	return c
}

// explanation is the JSON report of explain.
type explanation struct {
	Schema   int               `json:"schema"`
	Decision string            `json:"decision"`
	Skipped  string            `json:"skipped,omitempty"`
	Reason   string            `json:"reason,omitempty"`
	Faults   []string          `json:"faults,omitempty"`
	Rules    string            `json:"rules"` // where they come from
	Gates    []gate.GateTrace  `json:"gates"`
	Micros   map[string]int64  `json:"us"`
	Shell    *gate.ShellTrace  `json:"shell,omitempty"` // how a command line was read
	Text     []explainedSpeech `json:"sentences,omitempty"`
	Read     []explainedRecord `json:"builtin,omitempty"` // how the builtin judge reads what hit
	// Minimized is there with --minimize: one for each gate that finds a violation.
	Minimized *[]minimized `json:"minimized,omitempty"`

	rules *gate.Rules // nil when they could not be read
	doc   *prose.Doc
	tool  bool
}

type explainedRecord struct {
	Gate      string `json:"gate"`
	Sentence  string `json:"sentence"`
	Lang      string `json:"lang"`
	Action    string `json:"action,omitempty"`
	Mood      string `json:"mood,omitempty"`
	Actor     string `json:"actor,omitempty"`
	Negated   bool   `json:"negated,omitempty"`
	Condition string `json:"condition,omitempty"`
	Choice    bool   `json:"choice,omitempty"`
	Excuse    string `json:"excuse,omitempty"` // why it holds nothing against the message
}

type explainedSpeech struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
	Own  string `json:"own"`
}

func (e *env) explain(ctx context.Context, file string, o explainOptions) error {
	raw, err := e.explained(file, o)
	if err != nil {
		return err
	}
	in := early.Start(e.home, e.getenv, time.Now())
	if o.bundle != "" {
		rules, err := compileDir(o.bundle)
		if err != nil {
			return err
		}
		in.Opened = generation.Opened{Rules: rules, From: o.bundle, Dir: o.bundle}
	}
	if trimmed := bytes.TrimSpace(raw); len(trimmed) > 0 && trimmed[0] == '{' {
		in.Read(bytes.NewReader(raw), "")
	} else {
		in.Event = gate.Event{Kind: gate.Stop, Host: "claude", Name: "Stop", CWD: e.dir, Text: string(raw), HasText: true, Context: string(raw)}
		// What the bundle's executables read of it.
		if in.Event.Raw, err = json.Marshal(map[string]any{"hook_event_name": "Stop", "cwd": e.dir, "last_assistant_message": string(raw)}); err != nil {
			return err
		}
	}
	v, tr := hook.Decide(ctx, in, hookConfig(e.home))
	x := explanation{Schema: schema, Decision: v.Decision.String(), Skipped: v.Skipped, Reason: v.Reason, Faults: append(v.Faults, v.Degraded...), Rules: in.Opened.From, Gates: tr.Gates, Shell: tr.Shell, Micros: map[string]int64{}}
	for k, d := range tr.Layer {
		x.Micros[k] = d.Microseconds()
	}
	x.tool = in.Event.Kind == gate.PreTool || in.Event.Kind == gate.PostTool
	x.doc = prose.Parse(in.Event.Text)
	for _, s := range x.doc.Sentences {
		x.Text = append(x.Text, explainedSpeech{Kind: x.doc.Blocks[s.Block].Kind.String(), Text: x.doc.Text[s.Start:s.End], Own: marks.Replace(s.Own)})
	}
	if x.rules, err = gate.DecodeRules(in.Opened.Rules); err == nil { // a fault has named the error
		x.Read = records(in, x.rules, tr)
	}
	if o.minimize {
		least, err := e.minimize(ctx, in, tr, o.within)
		if err != nil {
			return err
		}
		x.Minimized = &least
	}
	if o.json {
		return e.json(x)
	}
	e.printExplanation(x)
	if x.Minimized != nil {
		e.printMinimized(*x.Minimized)
	}
	return nil
}

// explained is what explain is asked about: a file, or a command line as an event.
func (e *env) explained(file string, o explainOptions) ([]byte, error) {
	if o.command == "" {
		return e.readInput(file)
	}
	cwd := o.cwd
	if cwd == "" {
		cwd = e.dir
	}
	return json.Marshal(map[string]any{"hook_event_name": "PreToolUse", "cwd": cwd, "tool_name": "Bash", "tool_input": map[string]string{"command": o.command}})
}

// records is how the builtin judge reads the sentences of the gates that hit,
// whichever judge decided: a person can argue with it.
func records(in *early.Input, rules *gate.Rules, tr gate.Trace) (out []explainedRecord) {
	q := gate.Question{Text: in.Event.Text, Context: in.Event.Context}
	for i := range rules.Gates {
		for _, gt := range tr.Gates {
			if gt.Gate == rules.Gates[i].ID && len(gt.Hits) > 0 {
				q.Gates = append(q.Gates, gate.Asked{Rule: &rules.Gates[i], Hits: gt.Hits})
			}
		}
	}
	for _, r := range builtin.Explain(q) {
		out = append(out, explainedRecord{
			Gate: r.Gate, Sentence: r.Sentence, Lang: r.Lang, Action: r.Action, Mood: string(r.Mood), Actor: r.Actor,
			Negated: r.Negated, Condition: string(r.Condition), Choice: r.Choice, Excuse: r.Excuse,
		})
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// readInput reads a file, or standard input for "-", up to the size of an event.
func (e *env) readInput(file string) ([]byte, error) {
	r := e.in
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		r = f
	}
	b, err := io.ReadAll(io.LimitReader(r, early.MaxEvent+1))
	switch {
	case err != nil:
		return nil, err
	case isLines(b):
		return nil, fmt.Errorf("%s: %w", file, errLines)
	case len(b) > early.MaxEvent:
		return nil, fmt.Errorf("%s: %w", file, early.ErrTooLarge)
	}
	return b, nil
}

// errLines says that a transcript stands where one message is wanted.
var errLines = errors.New("holds one JSON object a line, as a transcript does, and not one message or event")

func isLines(b []byte) bool {
	first, rest, more := bytes.Cut(bytes.TrimSpace(b), []byte("\n"))
	return more && len(first) > 0 && first[0] == '{' && json.Valid(first) && bytes.HasPrefix(bytes.TrimSpace(rest), []byte("{"))
}
