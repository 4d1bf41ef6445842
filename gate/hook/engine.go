package hook

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/decide"
)

// engine is the decision path with this machine's judge and paths.
func (r *run) engine() *decide.Engine {
	if r.decider != nil {
		return r.decider
	}
	ask, notes := r.layer2()
	r.decider = &decide.Engine{
		Rules: r.rules,
		Ask:   ask,
		Paths: r.paths(),
		Now:   time.Now,
		Start: r.start,
		Admit: r.admit,
		Notes: notes,
	}
	return r.decider
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
