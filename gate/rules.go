package gate

import "time"

// Mode says what a violation does.
type Mode string

const (
	Off     Mode = "off"
	Shadow  Mode = "shadow"  // journal only
	Warn    Mode = "warn"    // tell the user, let the agent go on
	Enforce Mode = "enforce" // block
)

// Rules is a bundle's gates, compiled into the one file that the hook loads, or
// the part of them that an event needs.
type Rules struct {
	Header
	// Literals are what the patterns need, folded by [Squeeze].
	Literals []string
	Gates    []Rule
	Executables
}

// Header names the rules and tells which events they may bear on.
type Header struct {
	Schema  int    `json:"schema"`
	Bundle  string `json:"bundle"`  // digest of the bundle, "sha256:…"
	Name    string `json:"name"`    // the bundle's name
	Release int    `json:"release"` // 0 = the embedded bundle
	Floor   Floor  `json:"floor,omitzero"`
	// Wakes are the calls that some hook is to see: "stop", "pre-tool" for every
	// tool, "pre-tool Bash" for one. Plain strings, since each start of the program
	// pays for a type that is decoded.
	Wakes []string `json:"wakes,omitempty"`
	// Lines counts the signals, the patterns of evidence and the gates, each of which
	// is a line of the compiled form.
	Lines Lines `json:"lines"`
}

// Lines are the sizes of the parts of the compiled form.
type Lines struct {
	Signals  int `json:"signals"`
	Evidence int `json:"evidence"`
	Gates    int `json:"gates"`
}

// Floor is what the bundle demands of a machine's own choices.
type Floor struct {
	Judges  []string      `json:"judges,omitempty"`  // allowed backends; empty = every one
	Timeout time.Duration `json:"timeout,omitempty"` // upper bound for the judge, in nanoseconds; 0 = none
	Protect []string      `json:"protect,omitempty"` // paths protected on every machine
}

// Rule is one compiled gate.
type Rule struct {
	ID       string
	Events   []Kind
	Mode     Mode
	Subagent Mode // the mode for subagent-stop
	Signals  []Pattern
	Evidence []Evidence
	Judge    Judge
	Feedback map[string]string // language -> text; "en" always there
	Protect  []string
	Commands []Guard
	// Demotable tells that a machine may let the gate warn only. It is never set for
	// a gate that judges tool calls.
	Demotable bool
}

// Filter is the prefilter of the signals.
func (r *Rules) Filter() Prefilter {
	p := Prefilter{Literals: r.Literals}
	for _, g := range r.Gates {
		for _, s := range g.Signals {
			p.Signals = append(p.Signals, s.Needs)
		}
	}
	return p
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
	Lang  string
	Expr  string
	Needs Needs // of [Rules.Literals]
}

// Guard is a command that no agent is to run.
type Guard struct {
	ID  string
	Why string
	Ask bool // the user decides
	Off bool // unless a machine asks for it
	Any []Form
}

// Form is one way to say a guarded command. Of each list that is not empty one
// must be there, and none of None. In the patterns * stands for anything.
type Form struct {
	Run      []string // "git push", "terraform destroy"
	Flags    []string // "-n" also out of "-an", "--no-verify" also cut short
	None     []string // flags that make it harmless
	Args     []string // operands
	Env      []string // "NAME=value", set in front or exported before
	Config   []string // git settings, "key" or "key=value", by -c, environment or git config
	Branches []string // targets of a push
	Refspecs []string // of a push, as they stand
	Changes  []string // files that are there, as in Protect; "!*.x" leaves some out
	How      []string // what happens to them: write, delete, move, chmod, link
}

// Evidence is a pattern that frees a hit without the judge.
type Evidence struct {
	Kind  string // verification, past, option, future, or a gate's own word
	Scope string // sentence, block (the signal's own), anywhere
	Pattern
}

// Judge is what layer 2 is asked.
type Judge struct {
	// Analyzer names the builtin judge's way of reading for this gate, "" when
	// builtin has none: then builtin is a judge that failed.
	Analyzer string  `json:"analyzer,omitempty"`
	Fields   []Field `json:"fields,omitempty"`
	// Prompt and Counter are for judges that are no part of hookctl.
	Prompt  map[string]string   `json:"-"` // language -> prompt
	Counter map[string][]string `json:"-"` // language -> counter-examples: what is not a violation
}

// Field is one yes/no question to the judge.
type Field struct {
	Name   string `json:"name"`
	Blocks bool   `json:"blocks"` // true: a yes blocks. false: a yes allows
	When   string `json:"when"`   // what makes it true
}

// Timeouts of a decision.
const (
	// JudgeTimeout bounds everything that layer 2 does for one event.
	JudgeTimeout = 10 * time.Second
	// SettleTimeout bounds the wait for a transcript that lags.
	SettleTimeout = 2 * time.Second
)
