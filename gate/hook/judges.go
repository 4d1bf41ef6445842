package hook

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/early"
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

// Asker is the judge that cfg chooses, within the floor of the rules, for texts
// that come from no event; nil for "none". Many may ask it at once. Without rules no
// floor holds: what is only measured answers no agent.
func Asker(d home.Dir, cfg Config, rules *gate.Rules) gate.Asker {
	judge := func() gate.Asker {
		return (&run{in: &early.Input{Home: d, Getenv: os.Getenv}, cfg: cfg, rules: rules}).asker()
	}
	if judge() == nil {
		return nil
	}
	return func(ctx context.Context, q gate.Question) (map[string]gate.Answer, error) { return judge()(ctx, q) }
}

// Judges are the judges that cfg chooses, in the order in which they are asked,
// each as if it were asked for the first time: nothing is remembered.
func Judges(d home.Dir, cfg Config) (all []panel.Judge) {
	r := &run{in: &early.Input{Home: d, Getenv: os.Getenv}, cfg: cfg}
	for _, c := range cfg.Judge.Choices() {
		if c.Backend != "none" {
			all = append(all, r.judge(c, panel.Panel{}))
		}
	}
	return all
}

// asker chooses layer 2.
func (r *run) asker() gate.Asker {
	if r.in.Event.Contract {
		return contractAsker(r.in.Event.Recorded)
	}
	choices := r.choices()
	switch {
	case choices[0].Backend == "none":
		return nil
	case len(choices) == 1 && choices[0].Backend == "builtin":
		return builtin.Ask
	}
	p := panel.Panel{Dir: r.in.State().Path("cache", "judges"), Version: r.cfg.version(), Now: time.Now, Heard: func(h panel.Heard) { r.heard = h.String() }}
	for _, c := range choices {
		p.Judges = append(p.Judges, r.judge(c, p))
	}
	return func(ctx context.Context, q gate.Question) (map[string]gate.Answer, error) {
		ctx, cancel := context.WithTimeout(ctx, gate.JudgeTimeout)
		defer cancel()
		return p.Ask(ctx, q)
	}
}

// choices are the judges of this machine that the floor allows, and builtin where
// it allows none of them. There is always one.
func (r *run) choices() (allowed []manifests.JudgeChoice) {
	for _, c := range r.cfg.Judge.Choices() {
		if r.rules == nil || len(r.rules.Floor.Judges) == 0 || slices.Contains(r.rules.Floor.Judges, c.Backend) {
			allowed = append(allowed, c)
		}
	}
	if len(allowed) == 0 {
		return []manifests.JudgeChoice{{Backend: "builtin"}}
	}
	return allowed
}

// others reports that a judge of somebody else may answer, whose reason is for the
// agent; builtin's notes tell how it read.
func (r *run) others() bool {
	return slices.ContainsFunc(r.choices(), func(c manifests.JudgeChoice) bool { return c.Backend != "builtin" && c.Backend != "none" })
}

// judge makes a judge of a choice.
func (r *run) judge(c manifests.JudgeChoice, p panel.Panel) panel.Judge {
	j := panel.Judge{Name: c.Backend, Model: c.Model, Timeout: r.timeout(c.Timeout)}
	program := judge.Program{
		Timeout: j.Timeout, Dir: r.in.State().Path("cache", "judges", "work"), GuardDir: r.in.State().Path("cache", "judge"), Env: c.Env,
	}
	taken := func(counts redact.Counts) { r.redacted = counts }
	switch {
	case c.IsAPI():
		return r.service(c, j, p, taken)
	case c.IsAgent():
		a := cli.Agent{Program: program, Name: c.Backend, Model: c.Model}
		if len(c.Command) == 1 {
			a.Path = r.expand(c.Command[0])
		}
		j.Where, j.Ask = a.Path, judge.Asker(a.Send, taken)
	case c.Backend == "command":
		j.Where, j.Fresh = strings.Join(c.Command, " "), true
		j.Ask = judge.Command{Program: program, Argv: c.Command, Taken: taken}.Ask
	default:
		j.Local, j.Ask = true, withoutNotes
	}
	return j
}

func (r *run) service(c manifests.JudgeChoice, j panel.Judge, p panel.Panel, taken func(redact.Counts)) panel.Judge {
	u, err := c.Target()
	if err != nil { // config.yaml was checked when it was read
		j.Ask = func(context.Context, gate.Question) (map[string]gate.Answer, error) { return nil, err }
		return j
	}
	j.Where = u.String()
	env, file := c.Key()
	s := api.Service{
		Dialect: c.Backend, Endpoint: u, Model: c.Model,
		Key:   api.Key{Env: env, File: r.expand(file), Host: u.Host, Getenv: r.in.Getenv},
		Shape: func() api.Shape { return p.Shape(j) }, Learned: func(shape api.Shape) { p.Learn(j, shape) },
	}
	j.Ask = judge.Asker(s.Send, taken)
	return j
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
func (r *run) expand(path string) string {
	rest, ok := strings.CutPrefix(path, "~/")
	if !ok {
		return path
	}
	for _, h := range []string{r.in.Home.User(), r.in.Getenv("HOME"), r.in.Getenv("USERPROFILE")} {
		if h != "" {
			return filepath.Join(h, rest)
		}
	}
	return path
}

// timeout is that of one judge.
func (r *run) timeout(chosen time.Duration) time.Duration {
	t := chosen
	if t <= 0 {
		t = defaultTimeout
	}
	if r.rules != nil && r.rules.Floor.Timeout > 0 {
		t = min(t, r.rules.Floor.Timeout)
	}
	return min(t, gate.JudgeTimeout)
}

// contractAsker gives the answer that a contract case carries, else builtin's:
// what a case must yield cannot depend on a machine's model.
func contractAsker(recorded json.RawMessage) gate.Asker {
	if len(recorded) == 0 {
		return builtin.Ask
	}
	return func(_ context.Context, q gate.Question) (map[string]gate.Answer, error) {
		return judge.Parse(recorded, q)
	}
}
