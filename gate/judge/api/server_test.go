package api

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/agenthooks/hookctl/gate"
)

// asked is what the server was asked once.
type asked struct {
	path   string
	header http.Header
	body   map[string]any
	prompt string
	nonce  string
}

// server is a service on loopback that answers as its test says.
type server struct {
	*httptest.Server
	mu   sync.Mutex
	seen []asked
}

var marker = regexp.MustCompile(`--- text-end ([0-9a-f]{32}) ---`)

// serve starts a server; answer gets each request with its prompt read.
func serve(t *testing.T, answer func(w http.ResponseWriter, r *http.Request, a asked)) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		a := asked{path: r.URL.Path, header: r.Header.Clone()}
		if err := json.Unmarshal(b, &a.body); err != nil {
			t.Errorf("the request is no JSON: %v", err)
		}
		if messages, ok := a.body["messages"].([]any); ok && len(messages) == 1 {
			a.prompt, _ = messages[0].(map[string]any)["content"].(string)
		}
		if m := marker.FindStringSubmatch(a.prompt); m != nil {
			a.nonce = m[1]
		}
		s.mu.Lock()
		s.seen = append(s.seen, a)
		s.mu.Unlock()
		answer(w, r, a)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) requests() []asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]asked(nil), s.seen...)
}

// service is the judge that asks s.
func (s *server) service(t *testing.T, dialect string) Service {
	t.Helper()
	return Service{Dialect: dialect, Endpoint: at(t, s.URL), Model: "m"}
}

func at(t *testing.T, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// said is a whole answer of a dialect with these words in it.
func said(dialect, words string) string {
	text, _ := json.Marshal(words)
	if dialect == "anthropic" {
		return fmt.Sprintf(`{"id":"x","type":"message","role":"assistant","content":[{"type":"text","text":%s}],"stop_reason":"end_turn"}`, text)
	}
	return fmt.Sprintf(`{"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":%s},"finish_reason":"stop"}]}`, text)
}

func yes(nonce string) string {
	return fmt.Sprintf(`{"nonce":%q,"reason":"it offers","new_proposal":true,"verification_reported":false}`, nonce)
}

var commitRule = &gate.Rule{ID: "commit-before-verification", Judge: gate.Judge{Prompt: map[string]string{"en": "Judge it."}, Fields: []gate.Field{
	{Name: "new_proposal", Blocks: true, When: "a commit is offered"}, {Name: "verification_reported", When: "a check is reported"},
}}}

func question(text string) gate.Question {
	return gate.Question{Text: text, Context: text, Gates: []gate.Asked{{Rule: commitRule}}}
}

func write(w io.Writer, s string) { _, _ = io.WriteString(w, s) }

// outcome words what became of a question.
func outcome(answers map[string]gate.Answer, err error) string {
	if err != nil {
		return err.Error()
	}
	violation, ok := commitRule.Judge.Violates(answers[commitRule.ID])
	switch {
	case !ok:
		return "no answer"
	case violation:
		return "block"
	}
	return "allow"
}

func contains(t *testing.T, what, s string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(s, p) {
			t.Errorf("%s lacks %q: %s", what, p, s)
		}
	}
}
