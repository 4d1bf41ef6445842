package judge

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agenthooks/hookctl/gate/judge/guard"
	"github.com/agenthooks/hookctl/gate/redact"
)

// nonceIn is the nonce of a prompt.
func nonceIn(t *testing.T, prompt string) string {
	t.Helper()
	_, rest, _ := strings.Cut(prompt, "--- text-end ")
	nonce, _, ok := strings.Cut(rest, " ---")
	if !ok {
		t.Fatalf("no marker in\n%s", prompt)
	}
	return nonce
}

// Only a verdict with the nonce of its call counts, in both forms.
func TestNonce(t *testing.T) {
	fields := `"new_proposal":true,"reason":"r"`
	for name, tt := range map[string]struct {
		answer string // N is the nonce
		want   string
	}{
		"flat":                         {`{"nonce":"N",` + fields + `}`, "block"},
		"gates":                        {`{"nonce":"N","gates":{"commit-before-verification":{` + fields + `}}}`, "block"},
		"none":                         {`{` + fields + `}`, "error"},
		"gates, none":                  {`{"gates":{"commit-before-verification":{` + fields + `}}}`, "error"},
		"inside a gate":                {`{"gates":{"commit-before-verification":{"nonce":"N",` + fields + `}}}`, "error"},
		"another":                      {`{"nonce":"00000000000000000000000000000000",` + fields + `}`, "error"},
		"a number":                     {`{"nonce":1,` + fields + `}`, "error"},
		"empty":                        {`{"nonce":"",` + fields + `}`, "error"},
		"twice":                        {`{"nonce":"x","nonce":"N",` + fields + `}`, "error"},
		"a foreign one after it":       {`{"nonce":"N",` + fields + `}` + "\n" + `{"nonce":"x","new_proposal":false}`, "block"},
		"a contradiction with its own": {`{"nonce":"N",` + fields + `}` + "\n" + `{"nonce":"N","new_proposal":false}`, "error"},
		"in the envelope":              {`{"type":"result","is_error":false,"result":"{\"nonce\":\"N\",\"new_proposal\":true}"}`, "block"},
	} {
		ask := Asker(func(_ context.Context, c Call) ([]byte, error) {
			return []byte(strings.ReplaceAll(tt.answer, "N", nonceIn(t, c.Prompt))), nil
		}, nil)
		if got := outcome(ask(context.Background(), one)); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

// Each call has a nonce of its own, and the schema is the same: services compile it
// once.
func TestCall(t *testing.T) {
	var calls []Call
	var taken redact.Counts
	ask := Asker(func(_ context.Context, c Call) ([]byte, error) {
		calls = append(calls, c)
		return nil, errors.New("boom")
	}, func(c redact.Counts) { taken = c })
	for range 2 {
		if _, err := ask(context.Background(), question("DB_PASSWORD=hunter2", commitRule, scopeRule)); err == nil || err.Error() != "boom" {
			t.Errorf("error %v", err)
		}
	}
	if nonceIn(t, calls[0].Prompt) == nonceIn(t, calls[1].Prompt) || string(calls[0].Schema) != string(calls[1].Schema) {
		t.Error("want a new nonce and the same schema")
	}
	if strings.Contains(calls[0].Prompt, "hunter2") || taken["env"] != 1 || !strings.Contains(calls[0].Prompt, `{"nonce": "<the word>", "gates": {"commit-before-verification": {`) {
		t.Errorf("taken %v, prompt:\n%s", taken, calls[0].Prompt)
	}
}

// The schema is closed and asks for all members, which strict modes want, and what
// it allows is what Parse reads.
func TestSchema(t *testing.T) {
	type node struct {
		Type       string
		Properties map[string]node
		Required   []string
		Additional *bool `json:"additionalProperties"`
	}
	var check func(path string, n node)
	check = func(path string, n node) {
		if n.Type != "object" {
			return
		}
		if n.Additional == nil || *n.Additional || len(n.Required) != len(n.Properties) {
			t.Errorf("%s is open: %+v", path, n)
		}
		for name, p := range n.Properties {
			check(path+"."+name, p)
		}
	}
	for _, q := range []struct {
		raw  json.RawMessage
		path []string
	}{{schema(one), nil}, {schema(two), []string{"gates", "commit-before-verification"}}} {
		var n node
		if err := json.Unmarshal(q.raw, &n); err != nil {
			t.Fatal(err)
		}
		check("$", n)
		if n.Properties["nonce"].Type != "string" {
			t.Errorf("%s", q.raw)
		}
		for _, p := range q.path {
			n = n.Properties[p]
		}
		if n.Properties["new_proposal"].Type != "boolean" || n.Properties["reason"].Type != "string" {
			t.Errorf("%s", q.raw)
		}
	}
}

// Words that are no verdict tell why, when they do; a verdict beside them counts.
func TestExcuse(t *testing.T) {
	for words, want := range map[string]Kind{
		"You've hit your usage limit. Upgrade to Pro": Quota, "5-hour limit reached ∙ resets 3pm": Quota, "Your credit balance is too low": Quota,
		"Error: 429 Too Many Requests": Rate, "rate_limit_error": Rate, "Invalid API key · Please run /login": Login, "Not logged in": Login,
		"The model `x` does not exist or you do not have access": NoModel, "model: x was retired": NoModel, "Overloaded": Overloaded,
		"error: unknown option '--tools'": Option, "error: unexpected argument '--ephemeral' found": Option,
		"getaddrinfo ENOTFOUND api": Unreachable, "Shall I commit?": "", "": "",
	} {
		f := Excuse(words)
		if f == nil && want != "" || f != nil && f.Kind != want {
			t.Errorf("%q: %+v, want %q", words, f, want)
		}
		if f != nil && (strings.ContainsAny(f.Error(), "\n'`") || f.Error() != string(f.Kind)) {
			t.Errorf("%q: worded %q", words, f)
		}
	}
	if f := Excuse("quota\n\x1b[31mDB_PASSWORD=hunter2"); f == nil || strings.ContainsAny(f.Detail, "\n\x1b") || strings.Contains(f.Detail, "hunter2") {
		t.Errorf("%+v", f)
	}
	c, _ := script(t, `cat >/dev/null; echo "You have used 90% of your usage limit."; echo '`+yes+`'`)
	if got := outcome(c.Ask(context.Background(), one)); got != "block" {
		t.Errorf("a verdict behind a warning: %s", got)
	}
	c, _ = script(t, `cat >/dev/null; echo "You've hit your usage limit."`)
	if _, err := c.Ask(context.Background(), one); err == nil || err.Error() != string(Quota) {
		t.Errorf("error %v", err)
	}
}

// What killed processes have left is removed, and nothing else.
func TestWorkDirIsSwept(t *testing.T) {
	c, _ := script(t, `cat >/dev/null; echo '`+yes+`'`)
	old := time.Now().Add(-2 * guard.MaxAge)
	for name, gone := range map[string]bool{workPrefix + "old": true, workPrefix + "new": false, "other": false} {
		dir := filepath.Join(c.Dir, name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if name != workPrefix+"new" {
			if err := os.Chtimes(dir, old, old); err != nil {
				t.Fatal(err)
			}
		}
		if got := outcome(c.Ask(context.Background(), one)); got != "block" {
			t.Error(got)
		}
		if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) != gone {
			t.Errorf("%s: %v", name, err)
		}
	}
}
