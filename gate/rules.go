package gate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Versions of the compiled form. A reader takes the newest and the one before: a
// new program answers by the rules of the old one until its own are active. Rules
// that start executables have a version of their own: a hookctl that knows only
// the first would pass over them in silence, and so refuses them instead, visibly.
// Rules without are read by both.
const (
	RulesSchema = 1
	HooksSchema = 2
)

// Mode says what a violation does.
type Mode string

const (
	Off     Mode = "off"
	Shadow  Mode = "shadow"  // journal only
	Warn    Mode = "warn"    // tell the user, let the agent go on
	Enforce Mode = "enforce" // block
)

// Rules is a bundle's gates, compiled into the one file that the hook loads.
type Rules struct {
	Header
	Gates []Rule `json:"gates"`
	Executables
}

// Header is all that an event without a hit needs. It is the first line of the
// compiled file, so that the fast path parses a few kilobytes and no patterns.
type Header struct {
	Schema  int       `json:"schema"`
	Bundle  string    `json:"bundle"`  // digest of the bundle, "sha256:…"
	Name    string    `json:"name"`    // the bundle's name
	Release int       `json:"release"` // 0 = the embedded bundle
	Floor   Floor     `json:"floor,omitzero"`
	Filter  Prefilter `json:"filter"`
	// Wakes are the calls that some hook is to see: "stop", "pre-tool" for every
	// tool, "pre-tool Bash" for one. Plain strings, since each start of the program
	// pays for a type that is decoded.
	Wakes []string `json:"wakes,omitempty"`
}

// Floor is what the bundle demands of a machine's own choices.
type Floor struct {
	Judges  []string      `json:"judges,omitempty"`  // allowed backends; empty = every one
	Timeout time.Duration `json:"timeout,omitempty"` // upper bound for the judge, in nanoseconds; 0 = none
	Protect []string      `json:"protect,omitempty"` // paths protected on every machine
}

// Rule is one compiled gate.
type Rule struct {
	ID       string            `json:"id"`
	Events   []Kind            `json:"events"`
	Mode     Mode              `json:"mode"`
	Subagent Mode              `json:"subagent"` // the mode for subagent-stop
	Signals  []Pattern         `json:"signals,omitempty"`
	Evidence []Evidence        `json:"evidence,omitempty"`
	Judge    Judge             `json:"judge,omitzero"`
	Feedback map[string]string `json:"feedback"` // language -> text; "en" always there
	Protect  []string          `json:"protect,omitempty"`
	Commands []Guard           `json:"commands,omitempty"`
	// Demotable tells that a machine may let the gate warn only. It is never set for
	// a gate that judges tool calls.
	Demotable bool `json:"demotable,omitempty"`
}

// Demote lets a gate warn only, when the rules allow that and are those of the
// bundle that it was asked for. It reports whether the gate was enforced before.
func (r *Rules) Demote(id, bundle string) bool {
	for i := range r.Gates {
		g := &r.Gates[i]
		if g.ID != id || !g.Demotable || r.Bundle != bundle || g.Mode != Enforce && g.Subagent != Enforce {
			continue
		}
		if g.Mode == Enforce {
			g.Mode = Warn
		}
		if g.Subagent == Enforce {
			g.Subagent = Warn
		}
		return true
	}
	return false
}

// Pattern is a regular expression (RE2 syntax) over folded own speech.
type Pattern struct {
	Lang string `json:"lang"`
	Expr string `json:"expr"`
}

// Guard is a command that no agent is to run.
type Guard struct {
	ID  string `json:"id"`
	Why string `json:"why"`
	Ask bool   `json:"ask,omitempty"` // the user decides
	Off bool   `json:"off,omitempty"` // unless a machine asks for it
	Any []Form `json:"any"`
}

// Form is one way to say a guarded command. Of each list that is not empty one
// must be there, and none of None. In the patterns * stands for anything.
type Form struct {
	Run      []string `json:"run,omitempty"`      // "git push", "terraform destroy"
	Flags    []string `json:"flags,omitempty"`    // "-n" also out of "-an", "--no-verify" also cut short
	None     []string `json:"none,omitempty"`     // flags that make it harmless
	Args     []string `json:"args,omitempty"`     // operands
	Env      []string `json:"env,omitempty"`      // "NAME=value", set in front or exported before
	Config   []string `json:"config,omitempty"`   // git settings, "key" or "key=value", by -c, environment or git config
	Branches []string `json:"branches,omitempty"` // targets of a push
	Refspecs []string `json:"refspecs,omitempty"` // of a push, as they stand
	Changes  []string `json:"changes,omitempty"`  // files that are there, as in Protect; "!*.x" leaves some out
	How      []string `json:"how,omitempty"`      // what happens to them: write, delete, move, chmod, link
}

// Evidence is a pattern that frees a hit without the judge.
type Evidence struct {
	Kind  string `json:"kind"`  // verification, past, option, future, or a gate's own word
	Scope string `json:"scope"` // sentence, block (the signal's own), anywhere
	Pattern
}

// Judge is what layer 2 is asked.
type Judge struct {
	// Analyzer names the builtin judge's way of reading for this gate, "" when
	// builtin has none: then builtin is a judge that failed.
	Analyzer string              `json:"analyzer,omitempty"`
	Prompt   map[string]string   `json:"prompts,omitempty"` // language -> prompt
	Fields   []Field             `json:"fields,omitempty"`
	Counter  map[string][]string `json:"counters,omitempty"` // language -> counter-examples: what is not a violation
}

// Field is one yes/no question to the judge.
type Field struct {
	Name   string `json:"name"`
	Blocks bool   `json:"blocks"` // true: a yes blocks. false: a yes allows
	When   string `json:"when"`   // what makes it true
}

// Encode writes the compiled form: one line of header, one line of gates, and one
// of the hooks when there are any.
func (r *Rules) Encode() ([]byte, error) {
	head, err := json.Marshal(r.Header)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(r.Gates)
	if err != nil {
		return nil, err
	}
	lines := [][]byte{head, body}
	if len(r.Hooks) > 0 {
		hooks, err := json.Marshal(r.Executables)
		if err != nil {
			return nil, err
		}
		lines = append(lines, hooks)
	}
	return bytes.Join(append(lines, nil), []byte("\n")), nil
}

// DecodeHeader reads the first line of a compiled file.
func DecodeHeader(b []byte) (Header, error) {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	var h Header
	if err := json.Unmarshal(line, &h); err != nil {
		return Header{}, fmt.Errorf("compiled rules, line 1: %w", err)
	}
	if !reads(HooksSchema, h.Schema) {
		return Header{}, fmt.Errorf("compiled rules, line 1: schema %d, want %d or %d", h.Schema, RulesSchema, HooksSchema)
	}
	return h, nil
}

// reads tells which schemas a program reads that writes schema own.
func reads(own, schema int) bool { return schema > 0 && (schema == own || schema == own-1) }

// DecodeRules reads a whole compiled file.
func DecodeRules(b []byte) (*Rules, error) {
	h, err := DecodeHeader(b)
	if err != nil {
		return nil, err
	}
	return DecodeRest(h, b)
}

// DecodeRest reads a compiled file whose header has been read: it is a third of
// the file, and the fast path has mostly been there.
func DecodeRest(h Header, b []byte) (*Rules, error) {
	_, body, ok := bytes.Cut(b, []byte("\n"))
	if !ok {
		return nil, errors.New("compiled rules, line 2: missing")
	}
	body, hooks, _ := bytes.Cut(body, []byte("\n"))
	r := &Rules{Header: h}
	if err := json.Unmarshal(body, &r.Gates); err != nil {
		return nil, fmt.Errorf("compiled rules, line 2: %w", err)
	}
	if h.Schema == HooksSchema {
		if err := json.Unmarshal(hooks, &r.Executables); err != nil {
			return nil, fmt.Errorf("compiled rules, line 3: %w", err)
		}
	}
	if err := r.checkHooks(); err != nil {
		return nil, err
	}
	signals, evidence := 0, 0
	for _, g := range r.Gates {
		signals += len(g.Signals)
		evidence += len(g.Evidence)
	}
	if signals != len(r.Filter.Signals) || evidence != len(r.Filter.Evidence) {
		return nil, fmt.Errorf("compiled rules: %d signals and %d patterns of evidence, but the filter knows %d and %d", signals, evidence, len(r.Filter.Signals), len(r.Filter.Evidence))
	}
	return r, nil
}

// Timeouts of a decision.
const (
	// JudgeTimeout bounds everything that layer 2 does for one event.
	JudgeTimeout = 10 * time.Second
	// SettleTimeout bounds the wait for a transcript that lags.
	SettleTimeout = 2 * time.Second
)
