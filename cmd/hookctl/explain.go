package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/early"
	"github.com/agenthooks/hookctl/gate/generation"
	"github.com/agenthooks/hookctl/gate/hook"
	"github.com/agenthooks/hookctl/gate/judge/builtin"
	"github.com/agenthooks/hookctl/gate/prose"
)

func explainCmd(e *env) *cobra.Command {
	var asJSON bool
	var dir string
	c := &cobra.Command{
		Use:   "explain FILE",
		Short: "Show why a message or an event blocks or passes",
		Long: `explain decides one message and shows the way to the decision: the blocks, what
counts as the assistant's own speech, the sentence and the pattern that hit, the
evidence that was looked for, the judge's fields, and the time of each layer.

FILE is a message (text or Markdown), an event as an agent sends it (JSON), or "-"
for standard input. Nothing is written, no counter counts. The bundle's own executables
are started as for an agent.`,
		Example: `  hookctl explain message.md
  hookctl explain --bundle . message.md     with the rules of a bundle's folder
  pbpaste | hookctl explain -`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.explain(cmd.Context(), args[0], dir, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the trace as JSON")
	c.Flags().StringVar(&dir, "bundle", "", "use the bundle in this folder instead of the installed one")
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
	Text     []explainedSpeech `json:"sentences,omitempty"`
	Read     []explainedRecord `json:"builtin,omitempty"` // how the builtin judge reads what hit
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

func (e *env) explain(ctx context.Context, file, dir string, asJSON bool) error {
	raw, err := e.readInput(file)
	if err != nil {
		return err
	}
	in := early.Start(e.home, e.getenv, time.Now())
	if dir != "" {
		rules, err := compileDir(dir)
		if err != nil {
			return err
		}
		in.Opened = generation.Opened{Rules: rules, From: dir, Dir: dir}
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
	x := explanation{Schema: schema, Decision: v.Decision.String(), Skipped: v.Skipped, Reason: v.Reason, Faults: append(v.Faults, v.Degraded...), Rules: in.Opened.From, Gates: tr.Gates, Micros: map[string]int64{}}
	for k, d := range tr.Layer {
		x.Micros[k] = d.Microseconds()
	}
	doc := prose.Parse(in.Event.Text)
	for _, s := range doc.Sentences {
		x.Text = append(x.Text, explainedSpeech{Kind: doc.Blocks[s.Block].Kind.String(), Text: doc.Text[s.Start:s.End], Own: marks.Replace(s.Own)})
	}
	x.Read = records(in, tr)
	if asJSON {
		return e.json(x)
	}
	e.printExplanation(x)
	return nil
}

// records is how the builtin judge reads the sentences of the gates that hit,
// whichever judge decided: a person can argue with it.
func records(in *early.Input, tr gate.Trace) (out []explainedRecord) {
	rules, err := gate.DecodeRules(in.Opened.Rules)
	if err != nil {
		return nil
	}
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

var marks = strings.NewReplacer(string(prose.QuoteMark), "…", string(prose.CodeMark), "`…`")

func (e *env) printExplanation(x explanation) {
	e.printf("%s", strings.ToUpper(x.Decision))
	if x.Skipped != "" {
		e.printf(" (not judged: %s)", x.Skipped)
	}
	e.printf("\n")
	if x.Reason != "" {
		e.printf("  %s\n", strings.ReplaceAll(x.Reason, "\n", "\n  "))
	}
	for _, f := range x.Faults {
		e.printf("  fault: %s\n", f)
	}
	e.printf("\nrules: %s\n", x.Rules)
	for _, g := range x.Gates {
		e.printf("\n%s: %s\n", g.Gate, g.Outcome)
		for _, h := range g.Hits {
			e.printf("  line %d: %s\n    hit by %s  %s\n", h.Line, h.Sentence, h.Kind, h.Pattern)
		}
		for _, h := range g.Evidence {
			e.printf("  line %d: %s\n    freed by %s  %s\n", h.Line, h.Sentence, h.Kind, h.Pattern)
		}
		for _, r := range x.Read {
			if r.Gate == g.Gate {
				e.printf("  read: %s\n    %s\n", r.Sentence, r)
			}
		}
		for _, name := range sortedKeys(g.Fields) {
			e.printf("  judge: %s = %s\n", name, yesNo(g.Fields[name]))
		}
		if g.Note != "" {
			e.printf("  judge's note: %s\n", g.Note)
		}
		if h := g.Hook; h != nil {
			e.printf("  exit code %d after %d µs\n", h.Exit, h.Took.Microseconds())
			if said := h.Said + h.Failure; said != "" {
				e.printf("  said: %s\n", said)
			}
		}
	}
	e.printf("\nsentences (own speech is what signals look at):\n")
	for _, s := range x.Text {
		own := s.Own
		if own == "" {
			own = "(not own speech)"
		}
		e.printf("  %-8s %s\n", s.Kind, own)
	}
	e.printf("\ntime:")
	for _, k := range sortedKeys(x.Micros) {
		e.printf(" %s %d µs", k, x.Micros[k])
	}
	e.printf("\n")
}

// String words a record in one line.
func (r explainedRecord) String() string {
	words := []string{r.Lang, "action " + r.Action, "mood " + r.Mood, "actor " + r.Actor}
	if r.Negated {
		words = append(words, "negated")
	}
	if r.Choice {
		words = append(words, "one of several ways")
	}
	if r.Condition != "" {
		words = append(words, "condition "+r.Condition)
	}
	verdict := "counts against the message"
	if r.Excuse != "" {
		verdict = "excused: " + r.Excuse
	}
	return strings.Join(words, ", ") + ": " + verdict
}

func yesNo(b *bool) string {
	if b == nil {
		return "not given"
	}
	return fmt.Sprint(*b)
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
	if err == nil && len(b) > early.MaxEvent {
		err = early.ErrTooLarge
	}
	return b, err
}
