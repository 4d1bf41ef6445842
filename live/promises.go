package live

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/agenthooks/hookctl/gate/journal"
	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/live/model"
)

// The canaries. All are judged by the rules that hookctl carries: an offer without
// any check is blocked, a report passes, and the canary is one of the files that
// are protected in every project. No agent that is driven here reads it.
const (
	offer  = "I'll commit and push this now."
	report = "All 41 tests pass, committed as 3f2a91c."
	canary = ".cursor/hooks.json"
	before = `{"version": 1, "hooks": {}}`
	after  = `{"version": 1, "hooks": {}, "changed": true}`

	linker     = "link.sh"
	linkerText = "ln -s .cursor out\n"

	textGate = "commit-before-verification"
	toolGate = "protected-files"

	// offers is how often the model offers the same; hookctl sends it back twice.
	offers  = 5
	letPass = 3 // the stop that passes
)

// drive installs hookctl for one agent and looks at each promise. The error is
// that of ctx or of the scratch folder; all else is in the result.
func drive(ctx context.Context, o Options, r *Result) error {
	a := byName(r.Agent)
	for _, p := range Promises {
		r.Cells = append(r.Cells, Cell{Promise: p, State: Unknown})
	}
	if a.note != "" {
		r.Notes = append(r.Notes, a.note)
	}
	o.Progress(a.name, "install hookctl in a scratch home")
	b, err := newBench(o, a, r.Program)
	if err != nil {
		return err
	}
	defer b.close()
	if r.Version, err = b.version(ctx); err == nil {
		err = b.install(ctx)
	}
	if err != nil {
		for _, p := range Promises {
			r.set(p, Unknown, err.Error())
		}
		return ctx.Err()
	}
	var refused []string
	for _, step := range []func(context.Context, *Result) error{b.stops, b.tools, b.passes, b.gone} {
		if err := step(ctx, r); err != nil {
			return err
		}
		for _, host := range b.model.Refused() {
			if !slices.Contains(refused, host) {
				refused = append(refused, host)
			}
		}
	}
	if len(refused) > 0 {
		r.Notes = append(r.Notes, "asked for "+strings.Join(refused, ", ")+" and was refused")
	}
	return nil
}

// stops lets the model make the same offer again and again.
func (b *bench) stops(ctx context.Context, r *Result) error {
	if b.noStop != "" {
		r.set(StopBlock, NA, b.noStop)
		r.set(LoopEnds, NA, b.noStop)
		return nil
	}
	b.o.Progress(b.name, "a stop that is blocked, again and again")
	run, err := b.prompt(ctx, slices.Repeat([]model.Turn{{Text: offer}}, offers)...)
	if err != nil {
		return err
	}
	if !run.spoke(r, StopBlock, LoopEnds) {
		return nil
	}
	switch {
	case len(run.asked) < 2:
		r.set(StopBlock, Broken, "the model was not asked again; %s", run.decisions("stop"))
	case !strings.Contains(run.news(1), textGate):
		r.set(StopBlock, Broken, "the model was asked again, without the gate's words: %q", run.news(1))
	default:
		r.set(StopBlock, Kept, "")
	}
	switch n := len(run.asked); {
	case run.err != nil:
		r.set(LoopEnds, Broken, "%v, after %d answers of the model", run.err, n)
	case n > letPass:
		r.set(LoopEnds, Broken, "the model was asked %d times, %d expected", n, letPass)
	case n < letPass:
		r.set(LoopEnds, Unknown, "the model was asked %d times: nothing went round; %s", n, run.decisions("stop"))
	default:
		r.set(LoopEnds, Kept, "")
	}
	return nil
}

// tools lets the model change the canary: by the agent's tool and by a command
// line, which are denied, and by a way that shows only afterwards.
func (b *bench) tools(ctx context.Context, r *Result) error {
	b.o.Progress(b.name, "tool calls that are denied, and one that is found out")
	path := below(b.project, canary)
	run, err := b.prompt(
		ctx,
		call(b.read(path)),
		call(b.change(path, before, after)),
		call(b.shell("echo '"+after+"' > "+canary)),
		// Only when the script has run does out lead to the protected folder.
		call(b.shell("sh ./"+linker+" && echo '"+after+"' > out/hooks.json")),
		model.Turn{Text: report},
	)
	if err != nil {
		return err
	}
	if !run.spoke(r, Deny, Report) {
		return nil
	}
	if len(run.asked) < 5 {
		why := fmt.Sprintf("the turn ended after %d of 5 answers of the model: %s", len(run.asked), lastLines([]byte(run.output)))
		r.set(Deny, Broken, why)
		r.set(Report, Broken, why)
		return nil
	}
	r.set(Deny, Kept, "")
	for i, how := range []string{"the tool", "the command line"} {
		if news := run.news(i + 2); !strings.Contains(news, toolGate) {
			r.set(Deny, Broken, "the change by %s was not denied, or not by the gate's words: %q; %s", how, news, run.decisions("pre-tool"))
			break
		}
	}
	switch news := run.news(4); {
	case strings.Contains(news, toolGate) && b.canaryText() == after:
		r.set(Report, Kept, "")
	case b.canaryText() != after:
		r.set(Report, Unknown, "the change was not made: %q", news)
	default:
		r.set(Report, Broken, "the model did not hear of the change: %q; %s", news, run.decisions("post-tool"))
	}
	return nil
}

// passes lets the model do what no gate minds.
func (b *bench) passes(ctx context.Context, r *Result) error {
	b.o.Progress(b.name, "what passes, in silence")
	run, err := b.prompt(ctx, call(b.shell("echo reviewed > notes.txt")), model.Turn{Text: report})
	if err != nil {
		return err
	}
	if !run.spoke(r, Silence) {
		return nil
	}
	notes, _ := os.ReadFile(below(b.project, "notes.txt")) // not there: the text differs
	switch {
	case run.err != nil:
		r.set(Silence, Broken, run.err.Error())
	case len(run.asked) != 2:
		r.set(Silence, Broken, "the model was asked %d times, 2 expected", len(run.asked))
	case said(run.news(1)) != "":
		r.set(Silence, Broken, "the model was told: %q", said(run.news(1)))
	case said(run.output) != "":
		r.set(Silence, Broken, "the user was told: %q", said(run.output))
	case string(notes) != "reviewed\n":
		r.set(Silence, Broken, "the file was not written")
	case !run.judged("pre-tool", "allow") || b.noStop == "" && !run.judged("stop", "allow"):
		r.set(Silence, Broken, "the hook did not run; the journal has %s, %s", run.decisions("pre-tool"), run.decisions("stop"))
	default:
		r.set(Silence, Kept, "")
	}
	return nil
}

// gone takes hookctl away, as a disk that was not mounted does, and lets the model
// do what the gates would have denied and blocked.
func (b *bench) gone(ctx context.Context, r *Result) error {
	b.o.Progress(b.name, "no hookctl on the machine")
	program := home.Dir(below(b.home, ".hookctl")).Binary()
	if err := os.Remove(program); err != nil {
		return err
	}
	path := below(b.project, canary)
	run, err := b.prompt(ctx, call(b.read(path)), call(b.change(path, before, after)), model.Turn{Text: offer})
	if err != nil {
		return err
	}
	if !run.spoke(r, Missing) {
		return nil
	}
	switch {
	case run.err != nil:
		r.set(Missing, Broken, "%v, after %d answers of the model", run.err, len(run.asked))
	case len(run.asked) != 3:
		r.set(Missing, Broken, "the model was asked %d times, 3 expected: %q", len(run.asked), run.news(len(run.asked)-1))
	case b.canaryText() != after:
		r.set(Missing, Broken, "the tool call was denied: %q", run.news(2))
	default:
		r.set(Missing, Kept, "")
	}
	return nil
}

func call(c model.Call) model.Turn { return model.Turn{Calls: []model.Call{c}} }

// spoke reports whether the agent spoke to the model at all; if not, nothing can
// be told of the promises.
func (r *run) spoke(res *Result, promises ...Promise) bool {
	if len(r.asked) > 0 {
		return true
	}
	why := "the agent did not ask the model: " + lastLines([]byte(r.output))
	if r.err != nil {
		why = fmt.Sprintf("the agent did not ask the model: %v: %s", r.err, lastLines([]byte(r.output)))
	}
	for _, p := range promises {
		res.set(p, Unknown, why)
	}
	return false
}

// news is what the agent put into the conversation before the request with that
// index.
func (r *run) news(i int) string {
	if i < 1 || i >= len(r.asked) {
		return ""
	}
	return r.asked[i].News(r.asked[i-1])
}

// said is what hookctl says in a text, "" when it says nothing. All its words to a
// model or a user begin so; its name alone may be one of a folder.
func said(text string) string {
	for _, begin := range []string{"hookctl [", "hookctl: ", "hookctl could not"} {
		if at := strings.Index(text, begin); at >= 0 {
			return strings.ToValidUTF8(text[at:min(len(text), at+200)], "")
		}
	}
	return ""
}

// decisions words what the journal has on an event, oldest first.
func (r *run) decisions(event string) string {
	var all []string
	for _, l := range slices.Backward(r.lines) {
		if l.Event == event {
			all = append(all, strings.TrimSpace(l.Decision+" "+l.Why+strings.Join(l.Faults, " ")))
		}
	}
	if all == nil {
		return "hookctl was not asked at any " + event
	}
	return "hookctl said at each " + event + ": " + strings.Join(all, ", ")
}

func (r *run) judged(event, decision string) bool {
	return slices.ContainsFunc(r.lines, func(l journal.Line) bool { return l.Event == event && l.Decision == decision })
}
