// Package judges makes the judges ready that a machine's config.yaml chooses: the
// programs and services of others, with the builtin judge behind or beside them.
// The hook asks for it only where there is such a choice, since the libraries that
// it needs take longer to start than a decision takes.
package judges

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/hook"
	"github.com/agenthooks/hookctl/gate/judge"
	"github.com/agenthooks/hookctl/gate/judge/api"
	"github.com/agenthooks/hookctl/gate/judge/builtin"
	"github.com/agenthooks/hookctl/gate/judge/cli"
	"github.com/agenthooks/hookctl/gate/judge/panel"
	"github.com/agenthooks/hookctl/gate/redact"
	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/manifests"
)

// defaultTimeout bounds a judge when the machine sets no time of its own. It
// lies below [gate.JudgeTimeout], so that a builtin judge can still take its place.
const defaultTimeout = 8 * time.Second

// Chosen are the judges of a machine. Its Layer2 is a [hook.Judge].
type Chosen struct {
	manifests.JudgeConfig
	// Version is that of this hookctl: what a judge has told another one is asked
	// again. It is asked for only where there is such a judge.
	Version func() string
}

// Asker is the judge for texts that come from no event, within the floor of the
// rules; nil for "none". Many may ask it at once. Without rules no floor holds:
// what is only measured answers no agent.
func (c Chosen) Asker(d home.Dir, rules *gate.Rules) gate.Asker {
	s := of(d)
	if rules != nil {
		s.Floor = rules.Floor
	}
	if ask, _ := c.Layer2(s); ask == nil {
		return nil
	}
	return func(ctx context.Context, q gate.Question) (map[string]gate.Answer, error) {
		ask, _ := c.Layer2(s)
		return ask(ctx, q)
	}
}

// All are the judges in the order in which they are asked, each as if it were asked
// for the first time: nothing is remembered.
func (c Chosen) All(d home.Dir) (all []panel.Judge) {
	m := maker{of(d), c}
	for _, choice := range c.Choices() {
		if choice.Backend != "none" {
			all = append(all, m.judge(choice, panel.Panel{}))
		}
	}
	return all
}

// of is a setting without an event.
func of(d home.Dir) hook.Setting {
	return hook.Setting{Home: d, State: d.State(os.Getenv), Getenv: os.Getenv, Heard: func(string) {}, Redacted: func(redact.Counts) {}}
}

// maker makes them ready for one event.
type maker struct {
	hook.Setting
	Chosen
}

// Layer2 chooses the judge for an event; nil for "none". notes tells that a judge of
// somebody else may answer, whose reason is for the agent.
func (c Chosen) Layer2(s hook.Setting) (ask gate.Asker, notes bool) {
	m := maker{s, c}
	choices := m.choices()
	notes = slices.ContainsFunc(choices, func(c manifests.JudgeChoice) bool { return c.Backend != "builtin" && c.Backend != "none" })
	switch {
	case choices[0].Backend == "none":
		return nil, notes
	case len(choices) == 1 && choices[0].Backend == "builtin":
		return builtin.Ask, notes
	}
	p := panel.Panel{Dir: m.State.Path("cache", "judges"), Version: m.version(), Now: time.Now, Heard: func(h panel.Heard) { m.Heard(h.String()) }}
	for _, c := range choices {
		p.Judges = append(p.Judges, m.judge(c, p))
	}
	return func(ctx context.Context, q gate.Question) (map[string]gate.Answer, error) {
		ctx, cancel := context.WithTimeout(ctx, gate.JudgeTimeout)
		defer cancel()
		return p.Ask(ctx, q)
	}, notes
}

func (c Chosen) version() string {
	if c.Version == nil {
		return ""
	}
	return c.Version()
}

// choices are the judges of this machine that the floor allows, and builtin where
// it allows none of them. There is always one.
func (m maker) choices() (allowed []manifests.JudgeChoice) {
	for _, c := range m.Choices() {
		if len(m.Floor.Judges) == 0 || slices.Contains(m.Floor.Judges, c.Backend) {
			allowed = append(allowed, c)
		}
	}
	if len(allowed) == 0 {
		return []manifests.JudgeChoice{{Backend: "builtin"}}
	}
	return allowed
}

// judge makes a judge of a choice.
func (m maker) judge(c manifests.JudgeChoice, p panel.Panel) panel.Judge {
	j := panel.Judge{Name: c.Backend, Model: c.Model, Timeout: m.timeout(c.Timeout)}
	program := judge.Program{
		Timeout: j.Timeout, Dir: m.State.Path("cache", "judges", "work"), GuardDir: m.State.Path("cache", "judge"), Env: c.Env,
	}
	switch {
	case c.IsAPI():
		return m.service(c, j, p)
	case c.IsAgent():
		a := cli.Agent{Program: program, Name: c.Backend, Model: c.Model}
		if len(c.Command) == 1 {
			a.Path = m.expand(c.Command[0])
		}
		j.Where, j.Ask = a.Path, judge.Asker(a.Send, m.Redacted)
	case c.Backend == "command":
		j.Where, j.Fresh = strings.Join(c.Command, " "), true
		j.Ask = judge.Command{Program: program, Argv: c.Command, Taken: m.Redacted}.Ask
	default:
		j.Local, j.Ask = true, withoutNotes
	}
	return j
}

func (m maker) service(c manifests.JudgeChoice, j panel.Judge, p panel.Panel) panel.Judge {
	u, err := address(c)
	if err != nil { // config.yaml was checked when it was read
		j.Ask = func(context.Context, gate.Question) (map[string]gate.Answer, error) { return nil, err }
		return j
	}
	j.Where = u.String()
	env, file := c.Key()
	s := api.Service{
		Dialect: c.Backend, Endpoint: u, Model: c.Model,
		Key:   api.Key{Env: env, File: m.expand(file), Host: u.Host, Getenv: m.Getenv},
		Shape: func() api.Shape { return p.Shape(j) }, Learned: func(shape api.Shape) { p.Learn(j, shape) },
	}
	j.Ask = judge.Asker(s.Send, m.Redacted)
	return j
}

func address(c manifests.JudgeChoice) (*url.URL, error) {
	target, err := c.Target()
	if err != nil {
		return nil, err
	}
	return url.Parse(target)
}

// withoutNotes is the builtin judge in a panel with others.
func withoutNotes(ctx context.Context, q gate.Question) (map[string]gate.Answer, error) {
	answers, err := builtin.Ask(ctx, q)
	for id, a := range answers {
		a.Note = ""
		answers[id] = a
	}
	return answers, err
}

// expand reads "~/" as the home of the user that hookctl is installed for.
func (m maker) expand(path string) string {
	rest, ok := strings.CutPrefix(path, "~/")
	if !ok {
		return path
	}
	for _, h := range []string{m.Home.User(), m.Getenv("HOME"), m.Getenv("USERPROFILE")} {
		if h != "" {
			return filepath.Join(h, rest)
		}
	}
	return path
}

// timeout is that of one judge.
func (m maker) timeout(chosen time.Duration) time.Duration {
	t := chosen
	if t <= 0 {
		t = defaultTimeout
	}
	if m.Floor.Timeout > 0 {
		t = min(t, m.Floor.Timeout)
	}
	return min(t, gate.JudgeTimeout)
}
