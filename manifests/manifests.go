// Package manifests owns the bundle's file formats and the embedded bundle: the
// gates that serve when no source is configured. It turns bytes into values and
// refuses what it does not know; it trusts nothing and decides nothing.
package manifests

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// Schema is the version of hookctl.yaml and of the gate files.
const Schema = 1

//go:embed hookctl.yaml gates cases
var embedded embed.FS

// Embedded is the bundle that this program carries.
func Embedded() fs.FS { return embedded }

// Bundle is hookctl.yaml.
type Bundle struct {
	Schema   int    `yaml:"schema"`
	Name     string `yaml:"name"`
	Requires string `yaml:"requires,omitempty"` // the oldest hookctl that may run it, as 1.2.0
	// Extends is "embedded" when the bundle's gates and cases come on top of
	// those that the program carries, "" when it stands alone.
	Extends   string        `yaml:"extends,omitempty"`
	DropCases []DroppedCase `yaml:"drop_cases,omitempty"` // embedded cases that no longer hold
	Agents    []string      `yaml:"agents,omitempty"`
	Hooks     []Hook        `yaml:"hooks,omitempty"`
	Floor     Floor         `yaml:"floor,omitempty"`
	// RequireProtection refuses a release from a branch that its Git host does not
	// call protected, or whose host cannot be asked.
	RequireProtection bool `yaml:"require_protection,omitempty"`
	// Binaries is hookctl itself for platforms such as "linux/amd64".
	Binaries map[string]Binary `yaml:"binaries,omitempty"`
}

// DroppedCase names an embedded case that a bundle means to contradict.
type DroppedCase struct {
	Case string `yaml:"case"` // "<gate>/<side>/<slug>"
	Why  string `yaml:"why"`
}

// Floor is what a machine's config.yaml cannot weaken.
type Floor struct {
	Judges    []string      `yaml:"judges,omitempty"`  // allowed backends; empty = every one
	Timeout   time.Duration `yaml:"timeout,omitempty"` // upper bound for the judge; 0 = none
	Gates     []string      `yaml:"gates,omitempty"`   // must be there; a hook counts as well
	Protect   []string      `yaml:"protect,omitempty"` // paths protected on every machine
	Demotable bool          `yaml:"demotable,omitempty"`
}

// Gate is gates/<id>.yaml.
type Gate struct {
	Schema   int                 `yaml:"schema"`
	ID       string              `yaml:"id"`
	Title    string              `yaml:"title"`
	Events   []string            `yaml:"events"`             // stop, subagent-stop, pre-tool, post-tool
	Mode     string              `yaml:"mode"`               // enforce, warn, shadow, off
	Subagent string              `yaml:"subagent,omitempty"` // the mode for subagent-stop; "" = off
	Signals  map[string][]string `yaml:"signals,omitempty"`  // by language
	Evidence []Evidence          `yaml:"evidence,omitempty"`
	Judge    *Judge              `yaml:"judge,omitempty"`
	Feedback map[string]string   `yaml:"feedback"`           // by language; en is required
	Protect  []string            `yaml:"protect,omitempty"`  // tool gates: paths; ~ and ${PROJECT} are expanded
	Commands []Guard             `yaml:"commands,omitempty"` // tool gates: commands that no agent is to run
}

// Evidence frees a hit without the judge.
type Evidence struct {
	Kind     string              `yaml:"kind"`  // verification, past, option, future, …
	Scope    string              `yaml:"scope"` // sentence, block, anywhere
	Patterns map[string][]string `yaml:"patterns"`
}

// Judge is what layer 2 is asked about a gate.
type Judge struct {
	Analyzer string              `yaml:"analyzer,omitempty"` // the builtin judge's way of reading
	Prompt   map[string]string   `yaml:"prompt"`             // by language; en is what the others fall back to
	Fields   []Field             `yaml:"fields"`
	Counter  map[string][]string `yaml:"counter_examples,omitempty"` // by language
}

// Field is one yes/no question.
type Field struct {
	Name    string `yaml:"name"`
	Verdict string `yaml:"verdict"` // blocks or allows
	When    string `yaml:"when"`
}

// Config is config.yaml: the choices of one machine.
type Config struct {
	Agents  []string      `yaml:"agents,omitempty"`
	Judge   JudgeConfig   `yaml:"judge,omitempty"`
	Protect ProtectConfig `yaml:"protect,omitempty"`
	Loop    LoopConfig    `yaml:"loop,omitempty"`
	Demote  []Demotion    `yaml:"demote,omitempty"`
}

// LoopConfig bounds how often the agent is sent back.
type LoopConfig struct {
	Blocks int `yaml:"blocks,omitempty"` // by one gate in one turn of the user, 1 to 9; 0 = 2
}

// Demotion makes a gate warn only on this machine, where the bundle lets it. It
// holds for the bundle that it was made under: the next release, which may bring
// the fix, is enforced again.
type Demotion struct {
	Gate     string `yaml:"gate" json:"gate"`
	Bundle   string `yaml:"bundle" json:"-"`                              // its digest
	Decision string `yaml:"decision,omitempty" json:"decision,omitempty"` // the false block, by its id in the journal
}

// ProtectConfig adds to what the bundle protects.
type ProtectConfig struct {
	Paths    []string `yaml:"paths,omitempty"`
	Commands []string `yaml:"commands,omitempty"`
}

// ParseBundle reads hookctl.yaml.
func ParseBundle(b []byte) (Bundle, error) {
	var v Bundle
	if err := decode("hookctl.yaml", b, &v); err != nil {
		return Bundle{}, err
	}
	if v.Schema != Schema {
		return Bundle{}, fmt.Errorf("hookctl.yaml: schema %d, want %d", v.Schema, Schema)
	}
	if err := v.check(); err != nil {
		return Bundle{}, err
	}
	return v, nil
}

// maxConfig bounds config.yaml in bytes: the hook reads it at each hit.
const maxConfig = 256 << 10

// ParseConfig reads config.yaml. No bytes are a Config without choices. With the
// error of a judge that cannot be meant, the Config holds the other choices.
func ParseConfig(b []byte) (Config, error) {
	if len(b) > maxConfig {
		return Config{}, fmt.Errorf("config.yaml: %d bytes, at most %d are read", len(b), maxConfig)
	}
	var v Config
	err := decode("config.yaml", b, &v)
	if n := v.Loop.Blocks; err == nil && (n < 0 || n > 9) {
		return Config{}, fmt.Errorf("config.yaml: loop.blocks: %d, want 1 to 9", n)
	}
	if err == nil {
		if err = v.Judge.check(); err != nil {
			v.Judge = JudgeConfig{}
		}
	}
	return v, err
}

// ParseGate reads one gate file; name is its path in the bundle.
func ParseGate(name string, b []byte) (Gate, error) {
	var g Gate
	if err := decode(name, b, &g); err != nil {
		return Gate{}, err
	}
	if err := g.check(); err != nil {
		return Gate{}, fmt.Errorf("%s: %w", name, err)
	}
	if id := strings.TrimSuffix(path.Base(name), ".yaml"); id != g.ID {
		return Gate{}, fmt.Errorf("%s: id is %q, want %q as the file is named", name, g.ID, id)
	}
	return g, nil
}

func (g Gate) check() error {
	errs := []error{one("mode", g.Mode, modes...)}
	if g.Schema != Schema {
		errs = append(errs, fmt.Errorf("schema %d, want %d", g.Schema, Schema))
	}
	if g.Subagent != "" {
		errs = append(errs, one("subagent", g.Subagent, modes...))
	}
	if len(g.Events) == 0 {
		errs = append(errs, errors.New("events: none"))
	}
	for _, e := range g.Events {
		errs = append(errs, one("event", e, "stop", "subagent-stop", "pre-tool", "post-tool"))
	}
	for i, e := range g.Evidence {
		if e.Kind == "" {
			errs = append(errs, fmt.Errorf("evidence[%d]: kind is missing", i))
		}
		errs = append(errs, one("scope of evidence "+e.Kind, e.Scope, scopes...))
	}
	if g.Judge != nil {
		if len(g.Judge.Fields) == 0 {
			errs = append(errs, errors.New("judge: no fields"))
		}
		for _, f := range g.Judge.Fields {
			errs = append(errs, one("verdict of field "+f.Name, f.Verdict, "blocks", "allows"))
		}
	}
	for i, c := range g.Commands {
		errs = append(errs, c.check(i))
	}
	if g.Feedback["en"] == "" {
		errs = append(errs, errors.New("feedback: en is missing"))
	}
	return errors.Join(errs...)
}

// modes are the values of mode and of subagent.
var modes = []string{"enforce", "warn", "shadow", "off"}

// scopes are where evidence may stand.
var scopes = []string{"sentence", "block", "anywhere"}

func one(what, got string, want ...string) error {
	if !slices.Contains(want, got) {
		return fmt.Errorf("%s is %q, want one of %s", what, got, strings.Join(want, ", "))
	}
	return nil
}
