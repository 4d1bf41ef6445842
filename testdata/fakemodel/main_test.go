package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestListenRefusesAllButLoopback(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "localhost:0", "127.0.0.1"} {
		if l, err := listen(addr); err == nil {
			l.Close()
			t.Errorf("listen(%q) was not refused", addr)
		}
	}
	l, err := listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
}

func TestRunNamesWhatIsWrong(t *testing.T) {
	script := filepath.Join(t.TempDir(), "script.json")
	if err := os.WriteFile(script, []byte(`[{"text":"a"}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{nil, 2, "required"},
		{[]string{"-nonsense"}, 2, "nonsense"},
		{[]string{"-script", script + ".gone", "-log", script + ".log"}, 1, "script.json.gone"},
		{[]string{"-script", script, "-log", script + ".log", "-addr", "0.0.0.0:0"}, 1, "not a loopback address"},
	} {
		var stderr bytes.Buffer
		if code := run(tt.args, io.Discard, &stderr); code != tt.code || !strings.Contains(stderr.String(), tt.want) {
			t.Errorf("run(%q) = %d, %q; want %d and %q", tt.args, code, stderr.String(), tt.code, tt.want)
		}
	}
}

func TestParseScript(t *testing.T) {
	for script, want := range map[string]string{
		`[{"text":"a"},{"text":"b","tool":"Write","input":{"file_path":"/x"}}]`: "",
		`[]`:                              "no turns",
		`{"text":"a"}`:                    "cannot unmarshal",
		`[{"text":"a"}] x`:                "text after",
		`[{"txt":"a"}]`:                   "unknown field",
		`[{}]`:                            "turn 1: neither text nor tool",
		`[{"text":"a"},{"input":{}}]`:     "turn 2: neither",
		`[{"text":"a","input":{}}]`:       "input without a tool",
		`[{"tool":"Write"}]`:              "not an object",
		`[{"tool":"Write","input":null}]`: "not an object",
		`[{"tool":"Write","input":[]}]`:   "not an object",
	} {
		_, err := parseScript([]byte(script))
		if got := errText(err); (want == "") != (err == nil) || !strings.Contains(got, want) {
			t.Errorf("parseScript(%s): error %q, want %q", script, got, want)
		}
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// server runs a model with two turns and returns its log as well.
func server(t *testing.T) (url string, log *bytes.Buffer) {
	t.Helper()
	turns, err := parseScript([]byte(`[{"text":"Hello."},{"text":"I write.","tool":"Write","input":{"file_path":"/x"}}]`))
	if err != nil {
		t.Fatal(err)
	}
	log = new(bytes.Buffer)
	s := httptest.NewServer(&model{turns: turns, log: log})
	t.Cleanup(s.Close)
	return s.URL, log
}

func post(t *testing.T, url, body string) (status int, kind, answer string) {
	t.Helper()
	res, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, res.Header.Get("Content-Type"), string(b)
}

func TestTurnsComeInOrderAndAreLogged(t *testing.T) {
	url, log := server(t)
	const withTools = `{"model":"m","tools":[{"name":"Write"}],"messages":[]}`
	for _, tt := range []struct{ path, body, want string }{
		{"/v1/messages", `{"model":"m","messages":[]}`, `"text":"ok"`}, // an aside takes no turn
		{"/v1/messages", withTools, `"text":"Hello."`},
		{"/v1/messages/count_tokens", withTools, `"input_tokens":13`},
		{"/v1/messages", withTools, `"input":{"file_path":"/x"}`},
		{"/v1/messages", withTools, over.Text},
	} {
		if status, _, got := post(t, url+tt.path, tt.body); status != 200 || !strings.Contains(got, tt.want) {
			t.Errorf("POST %s %s: %d %s, want %s", tt.path, tt.body, status, got, tt.want)
		}
	}
	if status, _, _ := post(t, url+"/api/event_logging/batch", `{}`); status != 404 {
		t.Errorf("an unknown path got %d", status)
	}
	if status, _, _ := post(t, url+"/v1/messages", `{`); status != 400 {
		t.Errorf("half a body got %d", status)
	}

	var kinds []string
	for line := range strings.Lines(log.String()) {
		var r Record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		kinds = append(kinds, r.Kind)
	}
	if got, want := strings.Join(kinds, " "), "aside turn count turn over other aside"; got != want {
		t.Errorf("logged %q, want %q", got, want)
	}
	if strings.Contains(log.String(), "Content-Type") {
		t.Error("the log holds headers")
	}
}

func TestStream(t *testing.T) {
	url, _ := server(t)
	const body = `{"model":"m","stream":true,"tools":[{"name":"Write"}]}`
	_, kind, got := post(t, url+"/v1/messages", body)
	if kind != "text/event-stream" {
		t.Errorf("content type %q", kind)
	}
	if want := "message_start content_block_start content_block_delta content_block_stop message_delta message_stop"; events(got) != want {
		t.Errorf("events %q, want %q", events(got), want)
	}
	for _, want := range []string{`"text_delta"`, `"text":"Hello."`, `"stop_reason":"end_turn"`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	_, _, got = post(t, url+"/v1/messages", body)
	for _, want := range []string{`"partial_json":"{\"file_path\":\"/x\"}"`, `"name":"Write"`, `"stop_reason":"tool_use"`, `"index":1`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
}

// events gives the names of a stream's events, in order.
func events(stream string) string {
	var names []string
	for line := range strings.Lines(stream) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "event: "); ok {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

func FuzzParseScript(f *testing.F) {
	f.Add([]byte(`[{"text":"a","tool":"Write","input":{}}]`))
	f.Fuzz(func(t *testing.T, b []byte) {
		turns, err := parseScript(b)
		if err != nil {
			return
		}
		for _, turn := range turns {
			if turn.Text == "" && turn.Tool == "" {
				t.Errorf("an empty turn came through: %s", b)
			}
		}
	})
}
