package hook

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/decide"
	"github.com/agenthooks/hookctl/gate/early"
	"github.com/agenthooks/hookctl/gate/judge"
	"github.com/agenthooks/hookctl/gate/judge/builtin"
	"github.com/agenthooks/hookctl/gate/redact"
	"github.com/agenthooks/hookctl/home"
)

// defaultTimeout bounds a judge when the machine sets no time of its own. It
// lies below the limit that install gives the hook.
const defaultTimeout = 8 * time.Second

// engine is the decision path with this machine's judge and paths.
func (r *run) engine() *decide.Engine {
	if r.decider != nil {
		return r.decider
	}
	r.decider = &decide.Engine{
		Rules: r.rules,
		Ask:   r.asker(),
		Paths: r.paths(),
		Now:   time.Now,
		Start: r.start,
		Admit: r.admit,
		Notes: r.backend() == "command",
	}
	return r.decider
}

// Asker is the judge that cfg chooses, within the floor of the rules, for texts
// that come from no event; nil for "none". Many may ask it at once. Without rules no
// floor holds: what is only measured answers no agent.
func Asker(d home.Dir, cfg Config, rules *gate.Rules) gate.Asker {
	judge := func() gate.Asker { return (&run{in: &early.Input{Home: d}, cfg: cfg, rules: rules}).asker() }
	if judge() == nil {
		return nil
	}
	return func(ctx context.Context, q gate.Question) (map[string]gate.Answer, error) { return judge()(ctx, q) }
}

// asker chooses layer 2.
func (r *run) asker() gate.Asker {
	if r.in.Event.Contract {
		return contractAsker(r.in.Event.Recorded)
	}
	switch r.backend() {
	case "none":
		return nil
	case "command":
		return judge.Command{
			Argv: r.cfg.Command, Timeout: r.timeout(), GuardDir: r.in.Home.Path("cache", "judge"),
			Taken: func(c redact.Counts) { r.redacted = c },
		}.Ask
	}
	return builtin.Ask
}

// backend is the judge that this machine chose, or builtin where the floor does
// not allow it.
func (r *run) backend() string {
	b := r.cfg.Backend
	if r.rules != nil && len(r.rules.Floor.Judges) > 0 && !slices.Contains(r.rules.Floor.Judges, b) {
		return "builtin"
	}
	return b
}

func (r *run) timeout() time.Duration {
	t := r.cfg.Timeout
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

// withText makes the turn's text end with the final message, which a transcript
// that lags does not hold yet, within [gate.ContextBytes].
func withText(context, text string) string {
	if !strings.HasSuffix(strings.TrimSpace(context), strings.TrimSpace(text)) {
		context = strings.TrimSpace(context + "\n\n" + text)
	}
	if len(context) <= gate.ContextBytes {
		return context
	}
	context = context[len(context)-gate.ContextBytes:]
	for context != "" && !utf8.RuneStart(context[0]) {
		context = context[1:]
	}
	return context
}
