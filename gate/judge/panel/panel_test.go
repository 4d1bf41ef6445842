package panel

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/judge"
	"github.com/agenthooks/hookctl/gate/judge/api"
)

func rule(id string) *gate.Rule {
	return &gate.Rule{ID: id, Judge: gate.Judge{Prompt: map[string]string{"en": "Judge " + id}, Fields: []gate.Field{{Name: "new_proposal", Blocks: true, When: "w"}}}}
}

var ruleA, ruleB = rule("a"), rule("b")

func question(text string, rules ...*gate.Rule) gate.Question {
	q := gate.Question{Text: text, Context: text}
	for _, r := range rules {
		q.Gates = append(q.Gates, gate.Asked{Rule: r})
	}
	return q
}

// stub is a judge that counts how often it was asked, and for which gates.
type stub struct {
	fails error
	leave string // a gate that it leaves out
	calls []string
}

func (s *stub) ask(ctx context.Context, q gate.Question) (map[string]gate.Answer, error) {
	var ids []string
	answers := map[string]gate.Answer{}
	for _, a := range q.Gates {
		ids = append(ids, a.Rule.ID)
		if a.Rule.ID != s.leave {
			answers[a.Rule.ID] = gate.Answer{Fields: map[string]bool{"new_proposal": true}, Note: "n"}
		}
	}
	s.calls = append(s.calls, strings.Join(ids, "+"))
	if s.fails != nil {
		return nil, s.fails
	}
	return answers, ctx.Err()
}

// world is a panel with a clock of its own.
type world struct {
	Panel
	now   time.Time
	heard Heard
}

func newWorld(t *testing.T, judges ...Judge) *world {
	w := &world{now: time.Now()}
	w.Panel = Panel{Judges: judges, Dir: t.TempDir(), Version: "v1", Now: func() time.Time { return w.now }, Heard: func(h Heard) { w.heard = h }}
	return w
}

func (w *world) ask(q gate.Question) string {
	answers, err := w.Ask(context.Background(), q)
	if err != nil {
		return "!" + err.Error()
	}
	var out []string
	for _, a := range q.Gates {
		if _, ok := answers[a.Rule.ID]; ok {
			out = append(out, a.Rule.ID)
		}
	}
	return strings.Join(out, "+")
}

func TestAnswersAreRemembered(t *testing.T) {
	s := &stub{}
	j := Judge{Name: "openai", Model: "m", Where: "h", Ask: s.ask}
	w := newWorld(t, j)
	calls := func(want ...string) {
		t.Helper()
		if strings.Join(s.calls, " ") != strings.Join(want, " ") {
			t.Fatalf("asked %v, want %v (heard %v)", s.calls, want, w.heard)
		}
	}
	w.ask(question("x", ruleA))
	calls("a")
	if got := w.ask(question("x", ruleA)); got != "a" || w.heard.String() != "openai m, remembered" {
		t.Errorf("%s, %s", got, w.heard)
	}
	calls("a")
	if got := w.ask(question("x", ruleA, ruleB)); got != "a+b" { // only what is new
		t.Error(got)
	}
	calls("a", "b")
	w.ask(question("x secret DB_PASSWORD=hunter2", ruleA))
	w.ask(question("x secret DB_PASSWORD=hunter3", ruleA)) // the same to a judge
	calls("a", "b", "a")
	// Anything else that the answer hangs on asks again.
	changed := rule("a")
	changed.Judge.Prompt = map[string]string{"en": "Judge it otherwise"}
	w.ask(question("x", changed))
	calls("a", "b", "a", "a")
	for i, other := range []Judge{{Name: "anthropic", Model: "m", Where: "h"}, {Name: "openai", Model: "n", Where: "h"}, {Name: "openai", Model: "m", Where: "g"}} {
		other.Ask = s.ask
		w.Judges = []Judge{other}
		w.ask(question("x", ruleA))
		if len(s.calls) != 5+i {
			t.Errorf("%+v was not asked", other)
		}
	}
	w.Judges, w.Version = []Judge{j}, "v2"
	w.ask(question("x", ruleA))
	w.Version, w.now = "v1", w.now.Add(maxAge+time.Minute)
	w.ask(question("x", ruleA))
	if len(s.calls) != 9 {
		t.Errorf("%d calls, want 9", len(s.calls))
	}
}

// What lies in the folder is not believed further than its form, and never the text
// itself.
func TestMemoryOnDisk(t *testing.T) {
	s := &stub{}
	w := newWorld(t, Judge{Name: "openai", Ask: s.ask})
	w.ask(question("a secret word", ruleA))
	files, err := filepath.Glob(filepath.Join(w.answers(), "*"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if b, err := os.ReadFile(files[0]); err != nil || strings.Contains(string(b), "secret") {
		t.Errorf("%s, %v", b, err)
	}
	for _, broken := range []string{"", "{", "[]", `{"fields":{"other":true}}`, `{"fields":{"new_proposal":1}}`, `{"x":1}`, strings.Repeat(" ", maxFile) + `{"fields":{}}`} {
		if err := os.WriteFile(files[0], []byte(broken), 0o600); err != nil {
			t.Fatal(err)
		}
		before := len(s.calls)
		if w.ask(question("a secret word", ruleA)); len(s.calls) != before+1 {
			t.Errorf("%q was taken for an answer", broken)
		}
	}
	if err := errors.Join(os.Remove(files[0]), os.Symlink(filepath.Join(w.Dir, "else"), files[0]), os.WriteFile(filepath.Join(w.Dir, "else"), []byte(`{"fields":{"new_proposal":false}}`), 0o600)); err != nil {
		t.Fatal(err)
	}
	before := len(s.calls)
	if w.ask(question("a secret word", ruleA)); len(s.calls) != before+1 {
		t.Error("a link was followed")
	}
}

func TestMemoryIsBounded(t *testing.T) {
	s := &stub{}
	w := newWorld(t, Judge{Name: "openai", Ask: s.ask})
	if err := os.MkdirAll(w.answers(), 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range maxAnswers + 20 {
		f := filepath.Join(w.answers(), fmt.Sprintf("%064x", i))
		old := w.now.Add(-time.Duration(i+1) * time.Second)
		if i == 3 {
			old = w.now.Add(-maxAge - time.Hour)
		}
		if err := errors.Join(os.WriteFile(f, []byte("{}"), 0o600), os.Chtimes(f, old, old)); err != nil {
			t.Fatal(err)
		}
	}
	w.ask(question("x", ruleA))
	files, err := os.ReadDir(w.answers())
	if err != nil || len(files) > maxAnswers {
		t.Errorf("%d files, %v", len(files), err)
	}
	if _, err := os.Stat(filepath.Join(w.answers(), fmt.Sprintf("%064x", 3))); !errors.Is(err, os.ErrNotExist) {
		t.Error("an old answer is kept")
	}
	if _, err := os.Stat(filepath.Join(w.answers(), fmt.Sprintf("%064x", 0))); err != nil {
		t.Error("the newest answer has gone")
	}
}

func TestFallback(t *testing.T) {
	boom := &judge.Failure{Kind: judge.Rate, Status: 429}
	first, second, local := &stub{fails: boom}, &stub{fails: errors.New("no verdict")}, &stub{}
	w := newWorld(t, Judge{Name: "openai", Ask: first.ask}, Judge{Name: "claude", Ask: second.ask}, Judge{Name: "builtin", Local: true, Ask: local.ask})
	if got := w.ask(question("x", ruleA)); got != "a" || w.heard.String() != "builtin; openai: too many requests (HTTP 429); claude: no verdict" {
		t.Errorf("%s, %s", got, w.heard)
	}
	w.Judges = w.Judges[:2]
	if got := w.ask(question("x", ruleA)); got != "!openai: too many requests (HTTP 429); claude: no verdict" || w.heard.Judge != "" {
		t.Errorf("%s", got)
	}
	// A gate that one judge leaves out is the next one's.
	half := &stub{leave: "a"}
	w.Judges = []Judge{{Name: "gemini", Ask: half.ask}, {Name: "builtin", Local: true, Ask: local.ask}}
	local.calls = nil
	if got := w.ask(question("y", ruleA, ruleB)); got != "a+b" || strings.Join(local.calls, " ") != "a" {
		t.Errorf("%s, %v", got, local.calls)
	}
	w.Judges = w.Judges[:1]
	if got := w.ask(question("z", ruleA, ruleB)); got != "b" {
		t.Errorf("%s", got)
	}
}

// When the time is over only a judge that needs none is asked.
func TestNoTimeIsLeft(t *testing.T) {
	slow, late, local := &stub{}, &stub{}, &stub{}
	ctx, cancel := context.WithCancel(context.Background())
	w := newWorld(t,
		Judge{Name: "openai", Ask: func(_ context.Context, q gate.Question) (map[string]gate.Answer, error) {
			cancel()
			return slow.ask(ctx, q)
		}},
		Judge{Name: "claude", Ask: late.ask}, Judge{Name: "builtin", Local: true, Ask: func(_ context.Context, q gate.Question) (map[string]gate.Answer, error) {
			return local.ask(context.Background(), q)
		}})
	answers, err := w.Ask(ctx, question("x", ruleA))
	if err != nil || len(answers) != 1 || len(late.calls) != 0 || len(local.calls) != 1 {
		t.Errorf("%v, %v, late %v, local %v", answers, err, late.calls, local.calls)
	}
	if s := w.state(w.Judges[0]); s.Failures != 0 {
		t.Error("an agent that has gone away is no failure of the judge")
	}
}

func TestTimeoutOfOne(t *testing.T) {
	w := newWorld(t, Judge{Name: "openai", Timeout: time.Millisecond, Ask: func(ctx context.Context, _ gate.Question) (map[string]gate.Answer, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	if got := w.ask(question("x", ruleA)); !strings.Contains(got, "deadline") {
		t.Error(got)
	}
	if s := w.state(w.Judges[0]); s.Failures != 1 {
		t.Errorf("%+v", s)
	}
}

func TestBreaker(t *testing.T) {
	s := &stub{fails: errors.New("boom")}
	j := Judge{Name: "openai", Ask: s.ask}
	w := newWorld(t, j)
	for range 3 {
		w.ask(question("x", ruleA))
	}
	if got := w.ask(question("x", ruleA)); got != "!openai: it has failed 3 times in a row; it is asked again in 30s" || len(s.calls) != 3 {
		t.Errorf("%s, %d calls", got, len(s.calls))
	}
	// Each further failure doubles the rest, up to a bound.
	for _, want := range []time.Duration{30, 60, 120, 240, 480, 900, 900} {
		w.now = w.now.Add(want*time.Second - time.Second)
		if w.ask(question("x", ruleA)); len(s.calls) != 3 {
			t.Fatalf("asked before %ds", want)
		}
		w.now = w.now.Add(2 * time.Second)
		if w.ask(question("x", ruleA)); len(s.calls) != 4 {
			t.Fatalf("not asked after %ds", want)
		}
		s.calls = s.calls[:3]
	}
	// A clock that was set back ends no rest later than it may last.
	w.now = w.now.Add(-48 * time.Hour)
	if w.ask(question("x", ruleA)); len(s.calls) != 4 {
		t.Error("it rests for two days")
	}
	// One answer ends it.
	s.fails, w.now = nil, w.now.Add(maxRest+time.Second)
	if got := w.ask(question("x", ruleA)); got != "a" || w.state(j).Failures != 0 {
		t.Errorf("%s, %+v", got, w.state(j))
	}
}

// A remembered answer needs no judge, also while it rests; a service that asks for a
// while gets it.
func TestRest(t *testing.T) {
	s := &stub{}
	w := newWorld(t, Judge{Name: "openai", Ask: s.ask})
	w.ask(question("x", ruleA))
	s.fails = &judge.Failure{Kind: judge.Rate, After: 40 * time.Second}
	w.ask(question("y", ruleA))
	if got := w.ask(question("y", ruleA)); got != "!openai: it asked to be left alone; it is asked again in 40s" {
		t.Error(got)
	}
	if got := w.ask(question("x", ruleA)); got != "a" {
		t.Error(got)
	}
	w.Forget(w.Judges[0])
	if s.fails = nil; w.ask(question("y", ruleA)) != "a" {
		t.Error("it still rests")
	}
}

// Where nothing can be written, every judge is asked as if for the first time.
func TestNothingCanBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"", filepath.Join(file, "below")} {
		s := &stub{}
		w := newWorld(t, Judge{Name: "openai", Ask: s.ask})
		w.Dir = dir
		for range 4 {
			if got := w.ask(question("x", ruleA)); got != "a" {
				t.Error(got)
			}
		}
		s.fails = errors.New("boom")
		for range 5 {
			w.ask(question("x", ruleA))
		}
		w.Learn(w.Judges[0], api.Shape{NoSchema: true})
		if len(s.calls) != 9 || w.Shape(w.Judges[0]).NoSchema {
			t.Errorf("%d calls", len(s.calls))
		}
	}
}

// A judge without a name for what is behind it, and one that is always there, are
// not remembered.
func TestFresh(t *testing.T) {
	s := &stub{}
	for _, j := range []Judge{{Name: "command", Fresh: true}, {Name: "builtin", Local: true}} {
		s.calls = nil
		j.Ask = s.ask
		w := newWorld(t, j)
		w.ask(question("x", ruleA))
		if w.ask(question("x", ruleA)); len(s.calls) != 2 {
			t.Errorf("%s: %v", j.Name, s.calls)
		}
	}
}

func TestShapeIsRemembered(t *testing.T) {
	s := &stub{fails: errors.New("boom")}
	j := Judge{Name: "openai", Ask: s.ask}
	w := newWorld(t, j)
	w.Learn(j, api.Shape{NoSchema: true})
	w.ask(question("x", ruleA)) // a failure forgets nothing of it
	if !w.Shape(j).NoSchema || w.state(j).Failures != 1 {
		t.Errorf("%+v", w.state(j))
	}
	w.Learn(Judge{Name: "other"}, api.Shape{})
	if !w.Shape(j).NoSchema {
		t.Error("another judge's shape was taken")
	}
}
