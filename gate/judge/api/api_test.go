package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agenthooks/hookctl/gate/judge"
	"github.com/agenthooks/hookctl/gate/redact"
)

var both = []string{"anthropic", "openai"}

// ask puts one question about text to s.
func ask(s Service, text string) string {
	return outcome(judge.Asker(s.Send, nil)(context.Background(), question(text)))
}

func TestAnswers(t *testing.T) {
	for _, d := range both {
		for name, tt := range map[string]struct {
			words func(nonce string) string
			want  string
		}{
			"a violation":                 {yes, "block"},
			"none":                        {func(n string) string { return strings.Replace(yes(n), "true", "false", 1) }, "allow"},
			"in a fence":                  {func(n string) string { return "```json\n" + yes(n) + "\n```" }, "block"},
			"after prose":                 {func(n string) string { return "I looked at it.\n\n" + yes(n) }, "block"},
			"in a sentence":               {func(n string) string { return "My verdict is " + yes(n) }, "no verdict"},
			"without the nonce":           {func(string) string { return `{"new_proposal":true,"verification_reported":false}` }, "not of this call"},
			"with another nonce":          {func(string) string { return yes("0123456789abcdef0123456789abcdef") }, "not of this call"},
			"a foreign one, then its own": {func(n string) string { return yes("x") + "\n" + strings.Replace(yes(n), "true", "false", 1) }, "allow"},
			"two that contradict":         {func(n string) string { return yes(n) + "\n" + strings.Replace(yes(n), "true", "false", 1) }, "contradict"},
			"a limit":                     {func(string) string { return "You've hit your usage limit. Try again at 3pm." }, "quota or credit"},
			"a retired model":             {func(string) string { return "The model m was retired on 1 May." }, "does not have the model"},
			"nothing":                     {func(string) string { return "" }, "no verdict"},
			"the prompt again":            {func(n string) string { return "--- text-begin " + n + " ---\n" + yes(n) }, "no verdict"},
		} {
			t.Run(d+" "+name, func(t *testing.T) {
				s := serve(t, func(w http.ResponseWriter, _ *http.Request, a asked) { write(w, said(d, tt.words(a.nonce))) })
				if got := ask(s.service(t, d), "Shall I commit?"); !strings.Contains(got, tt.want) {
					t.Errorf("got %q, want %q", got, tt.want)
				}
			})
		}
	}
}

// The envelopes of the two APIs, as far as an answer can be in them.
func TestWords(t *testing.T) {
	for _, tt := range []struct{ dialect, answer, want string }{
		{"anthropic", `{"type":"message","content":[{"type":"thinking","thinking":"t"},{"type":"tool_use","id":"1","name":"verdict","input":{"a":true}}],"stop_reason":"tool_use"}`, `{"a":true}`},
		{"anthropic", `{"type":"message","content":[{"type":"text","text":"t"},{"type":"tool_use","name":"verdict","input":{}}],"stop_reason":"tool_use"}`, "{}"},
		{"anthropic", `{"type":"message","content":[{"type":"tool_use","name":"other","input":{"a":true}}]}`, ""},
		{"anthropic", `{"type":"message","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`, "a\nb"},
		{"anthropic", `{"type":"message","content":[{"type":"text","text":"{"}],"stop_reason":"max_tokens"}`, "!cut off"},
		{"anthropic", `{"type":"message","content":[],"stop_reason":"refusal"}`, "!declined"},
		{"anthropic", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, "!overloaded"},
		{"anthropic", `<html>hello</html>`, "!not in the form"},
		{"anthropic", `[]`, "!not in the form"},
		{"anthropic", `null`, ""},
		{"openai", `{"choices":[{"message":{"content":"a"}},{"message":{"content":"b"}}]}`, "a"},
		{"openai", `{"choices":[{"message":{"content":"<think>{\"draft\":1}</think>\n{\"a\":true}"}}]}`, `{"a":true}`},
		{"openai", `{"choices":[{"message":{"content":"<think>{\"draft\":1}"}}]}`, ""},
		{"openai", `{"choices":[{"message":{"content":null}}]}`, "!no text"},
		{"openai", `{"choices":[{"message":{"content":"a","refusal":"I cannot"}}]}`, "!declined"},
		{"openai", `{"choices":[{"message":{"content":"a"},"finish_reason":"length"}]}`, "!cut off"},
		{"openai", `{"choices":[{"message":{"content":"a"},"finish_reason":"content_filter"}]}`, "!declined"},
		{"openai", `{"choices":[]}`, "!no choice"},
		{"openai", `{"error":{"message":"You exceeded your current quota"}}`, "!quota"},
		{"openai", `{"error":"x"}`, "!refused"},
		{"openai", `{"choices":{}}`, "!not in the form"},
		{"openai", ``, "!not in the form"},
	} {
		got, err := dialects[tt.dialect].words([]byte(tt.answer))
		if err != nil {
			got = "!" + err.Error()
		}
		if want, failed := strings.CutPrefix(tt.want, "!"); failed != (err != nil) || !strings.Contains(got, want) || !failed && strings.TrimSpace(got) != want {
			t.Errorf("%s %s: %q, want %q", tt.dialect, tt.answer, got, tt.want)
		}
	}
}

// What goes out: the framed text without its secrets, a schema, and no more.
func TestRequest(t *testing.T) {
	for _, d := range both {
		s := serve(t, func(w http.ResponseWriter, _ *http.Request, a asked) { write(w, said(d, yes(a.nonce))) })
		svc := s.service(t, d)
		svc.Key = Key{Env: "K", Host: svc.Endpoint.Host, Getenv: func(string) string { return "secret-key\n" }}
		var taken redact.Counts
		got := outcome(judge.Asker(svc.Send, func(c redact.Counts) { taken = c })(context.Background(), question("Shall I commit?\nDB_PASSWORD=hunter2")))
		if got != "block" || taken["env"] != 1 {
			t.Errorf("%s: %s, %v", d, got, taken)
		}
		r := s.requests()
		if len(r) != 1 {
			t.Fatalf("%s: %d requests", d, len(r))
		}
		contains(t, d+": the prompt", r[0].prompt, "DB_PASSWORD=[redacted:env]", "--- text-begin "+r[0].nonce, `"nonce": "<the word>"`)
		if strings.Contains(r[0].prompt, "hunter2") {
			t.Error("a secret has left")
		}
		body, _ := json.Marshal(r[0].body)
		contains(t, d+": the body", string(body), `"model":"m"`, `"additionalProperties":false`, `"nonce":{"type":"string"}`, `"new_proposal":{"type":"boolean"}`)
		if strings.Contains(string(body[strings.Index(string(body), "properties"):]), r[0].nonce) && !strings.Contains(r[0].prompt, r[0].nonce) {
			t.Error("the schema is another one for each call")
		}
		want := map[string]string{"anthropic": "/v1/messages", "openai": "/chat/completions"}[d]
		if key := r[0].header.Get("X-Api-Key") + strings.TrimPrefix(r[0].header.Get("Authorization"), "Bearer "); r[0].path != want || key != "secret-key" {
			t.Errorf("%s: path %s, key %q", d, r[0].path, key)
		}
	}
}

// Statuses are failures with words of our own, whatever the body holds, also a
// verdict.
func TestStatus(t *testing.T) {
	for _, tt := range []struct {
		status int
		body   string
		want   judge.Kind
	}{
		{401, `{"error":"no"}`, judge.Login},
		{403, "forbidden", judge.Login},
		{404, `{"error":{"message":"model m not found"}}`, judge.NoModel},
		{404, "404 page not found", judge.NoPath},
		{402, "pay", judge.Quota},
		{429, "slow down", judge.Rate},
		{429, `{"error":{"code":"insufficient_quota"}}`, judge.Quota},
		{500, "boom", judge.Overloaded},
		{529, `{"type":"error","error":{"type":"overloaded_error"}}`, judge.Overloaded},
		{418, "teapot", judge.Refused},
		{400, `{"error":"Your credit balance is too low"}`, judge.Quota},
	} {
		for _, d := range both {
			s := serve(t, func(w http.ResponseWriter, _ *http.Request, a asked) {
				w.Header().Set("Retry-After", "7")
				w.WriteHeader(tt.status)
				write(w, tt.body+"\n"+said(d, yes(a.nonce)))
			})
			_, err := judge.Asker(s.service(t, d).Send, nil)(context.Background(), question("x"))
			f, ok := errors.AsType[*judge.Failure](err)
			if !ok || f.Kind != tt.want || f.Status != tt.status || f.After != 7*time.Second || strings.Contains(err.Error(), "\n") || len(err.Error()) > 120 {
				t.Errorf("%s %d %s: %v (%+v), want %q", d, tt.status, tt.body, err, f, tt.want)
			}
			if len(s.requests()) != 1 {
				t.Errorf("%s %d: %d requests", d, tt.status, len(s.requests()))
			}
		}
	}
}

// A server that takes no schema, or no temperature, is asked again without, and
// that is remembered.
func TestServerTakesLess(t *testing.T) {
	for name, tt := range map[string]struct {
		refuses, words string
		want           Shape
		requests       int
	}{
		"response_format":           {"response_format", `{"error":"response_format json_schema is not supported"}`, Shape{NoSchema: true}, 2},
		"temperature":               {"temperature", `{"error":{"message":"Unsupported value: 'temperature'"}}`, Shape{NoTemperature: true}, 2},
		"something unsaid":          {"response_format", "bad request", Shape{true, true}, 2},
		"first the wrong one named": {"temperature", "schema?", Shape{true, true}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, _ *http.Request, a asked) {
				if _, there := a.body[tt.refuses]; there {
					w.WriteHeader(400)
					write(w, tt.words)
					return
				}
				write(w, said("openai", yes(a.nonce)))
			})
			svc := s.service(t, "openai")
			var learned Shape
			svc.Learned = func(s Shape) { learned = s }
			if got := ask(svc, "x"); got != "block" || learned != tt.want || len(s.requests()) != tt.requests {
				t.Errorf("%s, learned %+v, %d requests", got, learned, len(s.requests()))
			}
			svc.Shape = func() Shape { return learned }
			if got := ask(svc, "x"); got != "block" || len(s.requests()) != tt.requests+1 {
				t.Errorf("again: %s, %d requests", got, len(s.requests()))
			}
		})
	}
	// One that refuses everything is asked three times at most.
	s := serve(t, func(w http.ResponseWriter, _ *http.Request, _ asked) { w.WriteHeader(400) })
	if got := ask(s.service(t, "openai"), "x"); !strings.Contains(got, "refused") || len(s.requests()) > 3 {
		t.Errorf("%s, %d requests", got, len(s.requests()))
	}
}

// A redirect takes neither the text nor the key anywhere.
func TestRedirectIsNotFollowed(t *testing.T) {
	for _, code := range []int{301, 302, 303, 307, 308} {
		for _, d := range both {
			other := serve(t, func(w http.ResponseWriter, _ *http.Request, a asked) { write(w, said(d, yes(a.nonce))) })
			s := serve(t, func(w http.ResponseWriter, r *http.Request, _ asked) { http.Redirect(w, r, other.URL+"/x", code) })
			svc := s.service(t, d)
			svc.Key = Key{Env: "K", Host: svc.Endpoint.Host, Getenv: func(string) string { return "secret-key" }}
			if got := ask(svc, "x"); !strings.Contains(got, fmt.Sprintf("refused (HTTP %d)", code)) || len(other.requests()) != 0 {
				t.Errorf("%d: %s, the other was asked %d times", code, got, len(other.requests()))
			}
		}
	}
}

func TestKey(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	env := func(v string) Key { return Key{Env: "K", Host: "h:1", Getenv: func(string) string { return v }} }
	for name, tt := range map[string]struct {
		key        Key
		host, want string
		fails      string
	}{
		"no key":               {Key{}, "h", "", ""},
		"of a variable":        {env(" k\n"), "h:1", "k", ""},
		"for another host":     {env("k"), "h:2", "", "the key is for h:1"},
		"for a host below":     {env("k"), "h:1.evil", "", "the key is for h:1"},
		"an empty variable":    {env(""), "h:1", "", "$K holds no key"},
		"two words":            {env("secret-a secret-b"), "h:1", "", "one word"},
		"a header":             {env("secret-a\r\nX: secret-b"), "h:1", "", "one word"},
		"of a file":            {Key{File: file("k", "k\n"), Host: "h:1"}, "h:1", "k", ""},
		"of a file, elsewhere": {Key{File: file("k", "k\n"), Host: "h:1"}, "h", "", "the key is for"},
		"a huge file":          {Key{File: file("huge", strings.Repeat("k", maxKey+1)), Host: "h"}, "h", "", "is no key"},
		"a missing file":       {Key{File: filepath.Join(dir, "gone"), Host: "h"}, "h", "", "no such file"},
		"a folder":             {Key{File: dir, Host: "h"}, "h", "", "no regular file"},
	} {
		got, err := tt.key.read(tt.host)
		if got != tt.want || (err != nil) != (tt.fails != "") || err != nil && (!strings.Contains(err.Error(), tt.fails) || strings.Contains(err.Error(), "secret")) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestPlainHTTPStaysHere(t *testing.T) {
	for _, host := range []string{"192.0.2.1", "localhost.example", "127.0.0.1.example", "example.com"} {
		s := Service{Dialect: "openai", Endpoint: at(t, "http://"+host+"/v1"), Model: "m"}
		if got := ask(s, "x"); !strings.Contains(got, "this machine only") {
			t.Errorf("%s: %s", host, got)
		}
	}
}

// A proxy of the environment is nobody to ask for this machine.
func TestNoProxyForThisMachine(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request, a asked) { write(w, said("openai", yes(a.nonce))) })
	dead, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	dead.Close()
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy"} {
		t.Setenv(name, "http://"+dead.Addr().String())
	}
	for _, host := range []string{"127.0.0.1", "localhost"} {
		svc := s.service(t, "openai")
		svc.Endpoint.Host = host + ":" + svc.Endpoint.Port()
		if got := ask(svc, "x"); got != "block" {
			t.Errorf("%s: %s", host, got)
		}
	}
}

func TestModels(t *testing.T) {
	for body, want := range map[string]string{
		`{"data":[{"id":"qwen3:8b"},{"id":"org/model.gguf"}]}`:      "qwen3:8b org/model.gguf",
		`{"data":[{"id":"a\u001b[2J"},{"id":"x, y: z"},{"id":""}]}`: "",
		`{"data":null}`: "", `[]`: "", `<html>`: "", ``: "",
	} {
		s := serve(t, nil)
		s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/v1/models" || len(r.Header["Authorization"]) > 0 {
				t.Errorf("asked for %s, %v", r.URL.Path, r.Header)
			}
			write(w, body)
		})
		if got := strings.Join(Models(context.Background(), at(t, s.URL+"/v1")), " "); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
	if got := Models(context.Background(), at(t, "http://192.0.2.1/v1")); got != nil {
		t.Error(got)
	}
}
