package manifests

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Backends are the judges that config.yaml can name.
var Backends = []string{"builtin", "none", "command", "claude", "codex", "gemini", "anthropic", "openai"}

// JudgeConfig chooses the judge, and those that are asked in its place when it has
// failed, in order.
type JudgeConfig struct {
	JudgeChoice `yaml:",inline"`
	Fallback    []FallbackJudge `yaml:"fallback,omitempty"`
}

// JudgeChoice is one judge.
type JudgeChoice struct {
	Backend string `yaml:"backend,omitempty"` // one of [Backends]; "" = builtin
	// Command is the program of the backend command with its arguments; of claude,
	// codex and gemini the program alone, where it is not the one in PATH.
	Command []string `yaml:"command,omitempty"`
	Model   string   `yaml:"model,omitempty"`
	// Endpoint is the address of an API; the key goes to its host only.
	Endpoint string `yaml:"endpoint,omitempty"`
	KeyEnv   string `yaml:"key_env,omitempty"`  // the variable that holds the key
	KeyFile  string `yaml:"key_file,omitempty"` // or the file
	// Env names further variables that a program gets.
	Env     []string      `yaml:"env,omitempty"`
	Timeout time.Duration `yaml:"timeout,omitempty"`
}

// FallbackJudge is a [JudgeChoice] that may be written as its backend alone.
type FallbackJudge JudgeChoice

// UnmarshalYAML reads "builtin" and {backend: builtin}.
func (f *FallbackJudge) UnmarshalYAML(decode func(any) error) error {
	var name string
	if decode(&name) == nil {
		f.Backend = name
		return nil
	}
	return decode((*JudgeChoice)(f))
}

// Choices are the judges in the order in which they are asked.
func (c JudgeConfig) Choices() []JudgeChoice {
	all := []JudgeChoice{c.JudgeChoice}
	for _, f := range c.Fallback {
		all = append(all, JudgeChoice(f))
	}
	for i := range all {
		if all[i].Backend == "" {
			all[i].Backend = "builtin"
		}
	}
	return all
}

// Builtin reports that nobody but the builtin judge is asked.
func (c JudgeConfig) Builtin() bool {
	return (c.Backend == "" || c.Backend == "builtin") && len(c.Fallback) == 0
}

// IsAPI and IsAgent tell the kinds of backends apart.
func (c JudgeChoice) IsAPI() bool { return c.Backend == "anthropic" || c.Backend == "openai" }

func (c JudgeChoice) IsAgent() bool {
	return slices.Contains([]string{"claude", "codex", "gemini"}, c.Backend)
}

// Target is the address of an API: its endpoint, or the one that the backend has by
// itself. Only https may leave the machine.
func (c JudgeChoice) Target() (string, error) {
	endpoint := c.Endpoint
	switch {
	case endpoint != "":
	case c.Backend == "anthropic":
		endpoint = "https://api.anthropic.com"
	case c.Backend == "openai":
		endpoint = "https://api.openai.com/v1"
	}
	endpoint = strings.TrimRight(endpoint, "/")
	_, err := hostOf(endpoint)
	return endpoint, err
}

// Key is the variable, or the file, that holds the key of an API. Without a choice
// it is the vendor's own variable, and only for the vendor's own host: a key goes
// nowhere else unless this file pins it there.
func (c JudgeChoice) Key() (env, file string) {
	endpoint, _ := c.Target()
	host, err := hostOf(endpoint)
	switch {
	case c.KeyEnv != "" || c.KeyFile != "" || err != nil:
		return c.KeyEnv, c.KeyFile
	case c.Backend == "anthropic" && host == "api.anthropic.com":
		return "ANTHROPIC_API_KEY", ""
	case c.Backend == "openai" && host == "api.openai.com":
		return "OPENAI_API_KEY", ""
	}
	return "", ""
}

// check refuses what cannot be meant.
func (c JudgeConfig) check() error {
	f := faults{file: "config.yaml"}
	for i, choice := range c.Choices() {
		at := "judge."
		if i > 0 {
			at = fmt.Sprintf("judge.fallback[%d].", i-1)
		}
		choice.check(&f, at)
	}
	return f.err()
}

func (c JudgeChoice) check(f *faults, at string) {
	switch {
	case !slices.Contains(Backends, c.Backend):
		f.add(at+"backend", "%q, want one of %s", c.Backend, strings.Join(Backends, ", "))
		return
	case at != "judge." && c.Backend == "none":
		f.add(at+"backend", "none is no judge to fall back to: leave it out")
	case c.Backend == "command" && len(c.Command) == 0:
		f.add(at+"command", "missing: the program that is the judge, as [\"/path/to/judge\"]")
	case c.IsAgent() && len(c.Command) > 1:
		f.add(at+"command", "want the program of %s alone; arguments are hookctl's", c.Backend)
	case c.IsAPI() && len(c.Command) > 0:
		f.add(at+"command", "%s is no program", c.Backend)
	}
	if c.Timeout < 0 {
		f.add(at+"timeout", "%s, want a time such as 8s", c.Timeout)
	}
	if c.IsAPI() {
		c.checkAPI(f, at)
	} else if c.IsAgent() || c.Backend == "command" { // what is left over of another choice does no harm to the others
		for name, v := range map[string]string{"endpoint": c.Endpoint, "key_env": c.KeyEnv, "key_file": c.KeyFile} {
			if v != "" {
				f.add(at+name, "is for anthropic and openai, not for %s", c.Backend)
			}
		}
	}
}

func (c JudgeChoice) checkAPI(f *faults, at string) {
	if c.Model == "" {
		f.add(at+"model", "missing: %s needs the name of a model", c.Backend)
	}
	if len(c.Env) > 0 {
		f.add(at+"env", "%s is no program", c.Backend)
	}
	if c.KeyEnv != "" && c.KeyFile != "" {
		f.add(at+"key_file", "key_env is there already: name one")
	}
	if strings.ContainsAny(c.KeyEnv, "=$ \t") || len(c.KeyEnv) > 100 {
		f.add(at+"key_env", "want the name of a variable, not a key or $NAME")
	}
	if _, err := c.Target(); err != nil {
		f.add(at+"endpoint", "%v", err)
	}
}

// ErrJudgeChosen says that config.yaml has a judge already.
var ErrJudgeChosen = errors.New("config.yaml: judge: a choice is there already")

// AddJudge puts the choice of a judge, one line of YAML, at the end of config.yaml,
// which must hold none, and leaves every other byte as it is.
func AddJudge(text []byte, line string) ([]byte, error) {
	before, err := ParseConfig(text)
	if err != nil {
		return nil, err
	}
	var keys map[string]any
	if err := unmarshal(text, &keys); err != nil {
		return nil, err
	}
	if _, there := keys["judge"]; there {
		return nil, ErrJudgeChosen
	}
	out := slices.Clone(text)
	if len(out) > 0 && out[len(out)-1] != '\n' {
		out = append(out, '\n')
	}
	out = append(out, line+"\n"...)
	after, err := ParseConfig(out)
	chosen := after.Judge
	after.Judge = before.Judge
	if err != nil || chosen.Backend == "" || !reflect.DeepEqual(before, after) {
		return nil, fmt.Errorf("config.yaml: %w: %s", ErrByHand, line)
	}
	return out, nil
}
