package model

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
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
}

func start(t *testing.T, turns ...Turn) *Server {
	t.Helper()
	s, err := Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	s.Play(turns...)
	return s
}

func post(t *testing.T, address, body string) (status int, answer string) {
	t.Helper()
	res, err := http.Post(address, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(b)
}

var script = []Turn{{Text: "Hello."}, {Text: "I write.", Calls: []Call{{Name: "Write", Input: map[string]string{"path": "/x"}}}}}

func TestFourAPIs(t *testing.T) {
	for _, c := range []struct {
		name, path string
		stream     bool
		words      string // an answer with words holds this
		call       string // one with a call this
		last       string // of the stream's last line
	}{
		{"anthropic", "/v1/messages", false, `"text":"Hello."`, `"input":{"path":"/x"}`, ""},
		{"anthropic", "/v1/messages", true, `"text_delta"`, `"partial_json":"{\"path\":\"/x\"}"`, `"message_stop"`},
		{"responses", "/v1/responses", false, `"text":"Hello."`, `"arguments":"{\"path\":\"/x\"}"`, ""},
		{"responses", "/v1/responses", true, `"delta":"Hello."`, `"function_call"`, `"response.completed"`},
		{"chat", "/v1/chat/completions", false, `"content":"Hello."`, `"tool_calls"`, ""},
		{"chat", "/v1/chat/completions", true, `"content":"Hello."`, `"finish_reason":"tool_calls"`, "[DONE]"},
		{"gemini", "/v1beta/models/m:generateContent", false, `"text":"Hello."`, `"args":{"path":"/x"}`, ""},
		{"gemini", "/v1beta/models/m:streamGenerateContent", true, `"text":"Hello."`, `"args":{"path":"/x"}`, `"finishReason":"STOP"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := start(t, script...)
			body := `{"model":"m","tools":[{}],"stream":` + map[bool]string{true: "true", false: "false"}[c.stream] + `}`
			for _, want := range []string{c.words, c.call, over.Text} {
				status, got := post(t, s.URL()+c.path, body)
				if status != 200 || !strings.Contains(got, want) {
					t.Errorf("%d %s, want %s", status, got, want)
				}
				if !c.stream {
					if !json.Valid([]byte(got)) {
						t.Errorf("no JSON: %s", got)
					}
					continue
				}
				if last := stream(t, got); !strings.Contains(last, c.last) {
					t.Errorf("the stream ends with %s, want %s", last, c.last)
				}
			}
			kinds := ""
			for _, r := range s.Turns() {
				kinds += string(r.Kind) + " "
			}
			if kinds != "turn turn over " {
				t.Errorf("remembered %q", kinds)
			}
		})
	}
}

// stream checks that each line of data is JSON and gives the last one.
func stream(t *testing.T, text string) (last string) {
	t.Helper()
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		if last = data; data != "[DONE]" && !json.Valid([]byte(data)) {
			t.Errorf("no JSON: %s", data)
		}
	}
	return last
}

func TestWhatIsNoTurn(t *testing.T) {
	s := start(t, script...)
	for _, c := range []struct {
		path, body, want string
		status           int
	}{
		{"/v1/messages", `{"model":"m"}`, `"text":"ok"`, 200}, // an aside
		{"/v1/messages/count_tokens", `{"tools":[{}]}`, `"input_tokens"`, 200},
		{"/v1beta/models/m:countTokens", `{}`, `"totalTokens"`, 200},
		{"/v1/messages", `{`, "not JSON", 400},
		{"/api/telemetry", `{}`, "/api/telemetry", 404},
	} {
		if status, got := post(t, s.URL()+c.path, c.body); status != c.status || !strings.Contains(got, c.want) {
			t.Errorf("POST %s %s: %d %s", c.path, c.body, status, got)
		}
	}
	if got := s.Turns(); len(got) != 0 {
		t.Errorf("turns: %+v", got)
	}
}

// An agent that never ends is ended by an error.
func TestTheEndIsNotSaidForEver(t *testing.T) {
	s := start(t)
	for i := range maxOver + 2 {
		want := http.StatusOK
		if i >= maxOver {
			want = http.StatusBadRequest
		}
		if status, _ := post(t, s.URL()+"/v1/messages", `{"tools":[{}]}`); status != want {
			t.Errorf("request %d: %d, want %d", i, status, want)
		}
	}
}

// As a proxy it reaches no machine, and says so.
func TestProxyRefuses(t *testing.T) {
	s := start(t)
	proxy, err := url.Parse(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	c := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy)}}
	if res, err := c.Get("http://host.invalid/x"); err != nil || res.StatusCode != http.StatusForbidden {
		t.Errorf("http: %v %v", res, err)
	} else {
		res.Body.Close()
	}
	if res, err := c.Get("https://other.invalid/x"); err == nil {
		res.Body.Close()
		t.Errorf("https: %v", res.Status)
	}
	if got := strings.Join(s.Refused(), " "); got != "host.invalid other.invalid:443" {
		t.Errorf("refused %q", got)
	}
}

func TestNews(t *testing.T) {
	for name, bodies := range map[string][2]string{
		"anthropic": {
			`{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"text","text":"own"}]}]}`,
			`{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"text","text":"own"}]},{"role":"user","content":[{"type":"tool_result","content":"NEWS"}]}]}`,
		},
		"responses": {
			`{"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}]}`,
			`{"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]},{"type":"function_call","arguments":"own"},{"type":"function_call_output","output":"NEWS"}]}`,
		},
		"chat": {
			`{"messages":[{"role":"system","content":"s"},{"role":"user","content":"go"}]}`,
			`{"messages":[{"role":"system","content":"s"},{"role":"user","content":"go"},{"role":"assistant","content":"own"},{"role":"tool","content":"NEWS"}]}`,
		},
		"gemini": {
			`{"contents":[{"role":"user","parts":[{"text":"go"}]}]}`,
			`{"contents":[{"role":"user","parts":[{"text":"go"}]},{"role":"model","parts":[{"text":"own"}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"NEWS"}}}]}]}`,
		},
		"the same again": {`{"messages":[{"role":"user","content":"NEWS"}]}`, `{"messages":[{"role":"user","content":"NEWS"},{"role":"user","content":"NEWS"}]}`},
	} {
		if got := (Request{Body: []byte(bodies[1])}).News(Request{Body: []byte(bodies[0])}); got != "NEWS" {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := (Request{}).News(Request{}); got != "" {
		t.Errorf("no body: %q", got)
	}
}
