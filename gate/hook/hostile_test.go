//go:build !windows

package hook_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/early"
	"github.com/agenthooks/hookctl/gate/hook"
	"github.com/agenthooks/hookctl/home"
)

// unreadable are bytes that are no event. Those with the name of one in them are
// answered as that event.
var unreadable = map[string]string{
	"nothing":                   "",
	"a newline":                 "\n",
	"words":                     "Shall I commit and push this?",
	"a list":                    `["Stop"]`,
	"null":                      "null",
	"a number":                  "5",
	"NUL bytes":                 strings.Repeat("\x00", 4096),
	"UTF-16":                    "\xff\xfe{\x00}\x00",
	"a stop, cut off":           `{"hook_event_name":"Stop","session_id":"s","last_assistant_message":"Shall I commit and push`,
	"a stop, name last":         `{"last_assistant_message":"Shall I commit?","hook_event_name":"Stop","session_id":`,
	"a stop with a NUL byte":    "{\"hook_event_name\":\"Stop\",\x00\"last_assistant_message\":\"Shall I commit?\"}",
	"a stop and more":           `{"hook_event_name":"Stop","last_assistant_message":"x"} trailing`,
	"a raw line feed in string": "{\"hook_event_name\":\"Stop\",\"last_assistant_message\":\"Shall I\ncommit and push?\"}",
	"lists in lists":            strings.Repeat("[", 500_000),
	"objects in objects":        strings.Repeat(`{"a":`, 1_000_000),
	"a stop, nested deeply":     `{"hook_event_name":"Stop","last_assistant_message":` + strings.Repeat("[", 500_000),
}

func TestUnreadableEvents(t *testing.T) {
	m := newMachine(t)
	for name, bytes := range unreadable {
		t.Run(name, func(t *testing.T) { noted(t, m.fire(t, bytes)) })
	}
	for _, args := range [][]string{{"--host", "generic"}, {"--host"}, {"--hots", "x"}, {"-z"}, {"more", "words"}, {"--host=nobody"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) { noted(t, m.fire(t, "no JSON", args...)) })
	}
}

// Events that are odd and yet whole pass in silence where there is nothing to
// judge.
func TestOddEvents(t *testing.T) {
	m := newMachine(t)
	for name, more := range map[string]fields{
		"an unknown event":          {"hook_event_name": "TaskCompleted"},
		"the name is a number":      {"hook_event_name": 5},
		"the name is null":          {"hook_event_name": json.RawMessage("null")},
		"the message is a number":   {"last_assistant_message": 5},
		"the message is a list":     {"last_assistant_message": []string{offer}},
		"the session is an object":  {"session_id": fields{}, "last_assistant_message": report},
		"the folder is a number":    {"cwd": 7, "last_assistant_message": report},
		"the transcript is a list":  {"transcript_path": []int{1}, "last_assistant_message": report},
		"the tasks are a word":      {"background_tasks": "x", "last_assistant_message": report},
		"the flag is a word":        {"stop_hook_active": "yes", "last_assistant_message": report},
		"a lone surrogate":          {"last_assistant_message": json.RawMessage(`"done \ud800 \udc00"`)},
		"a NUL in the message":      {"last_assistant_message": "do\x00ne"},
		"no UTF-8":                  {"last_assistant_message": json.RawMessage("\"done \xff\xfe\"")},
		"a prompt":                  {"hook_event_name": "UserPromptSubmit", "prompt": offer},
		"the start of a session":    {"hook_event_name": "SessionStart", "source": "startup"},
		"no message, no transcript": {"last_assistant_message": nil},
	} {
		t.Run(name, func(t *testing.T) { silent(t, m.fire(t, m.stop(offer, more))) })
	}
	// The same oddities do not hide a real offer.
	for name, more := range map[string]fields{
		"a lone surrogate": {"last_assistant_message": json.RawMessage(`"Done \ud800.\n\nShall I commit and push this?"`)},
		"no UTF-8":         {"last_assistant_message": json.RawMessage("\"Done \xff.\\n\\nShall I commit and push this?\"")},
		"a NUL":            {"last_assistant_message": "Done\x00.\n\nShall I commit and push this?"},
		"a broken folder":  {"cwd": []int{}},
	} {
		t.Run("offer, "+name, func(t *testing.T) {
			more["prompt_id"] = name
			blocked(t, m.fire(t, m.stop(offer, more)))
		})
	}
}

func TestTranscriptsThatAreNone(t *testing.T) {
	m := newMachine(t)
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	mkdir(t, in("folder.jsonl"))
	for _, err := range []error{
		os.Symlink("loop.jsonl", in("loop.jsonl")), os.Symlink("/nowhere/at/all", in("dangling.jsonl")), os.WriteFile(in("secret.jsonl"), nil, 0),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if l, err := net.Listen("unix", in("s")); err == nil {
		defer l.Close()
	}
	for _, path := range []string{
		in("folder.jsonl"), in("missing.jsonl"), in("loop.jsonl"), in("dangling.jsonl"), in("s"), "/dev/zero", "/dev/tty",
		"\x00", strings.Repeat("x", 70_000), "~nobody/x", "relative/missing.jsonl",
	} {
		t.Run(fmt.Sprintf("%.20q", strings.TrimPrefix(path, dir)), func(t *testing.T) {
			r := m.fire(t, m.stop("", fields{"last_assistant_message": nil, "transcript_path": path, "prompt_id": "p-" + path}))
			noted(t, r, "transcript could not be read")
			if r.took > 3*time.Second {
				t.Errorf("took %v", r.took)
			}
			// With the message at hand the transcript only completes it.
			blocked(t, m.fire(t, m.stop(offer, fields{"transcript_path": path, "prompt_id": path})))
		})
	}
}

// endless is an event with a string that does not end before n bytes.
func endless(head string, n int64) io.Reader {
	return io.MultiReader(strings.NewReader(head), io.LimitReader(letters{}, n), strings.NewReader(`"}}`))
}

type letters struct{}

func (letters) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'a'
	}
	return len(b), nil
}

func TestHugeEvents(t *testing.T) {
	m := newMachine(t)
	const size = 200_000_000
	r := m.fireFrom(t, endless(`{"hook_event_name":"Stop","last_assistant_message":"`, size))
	noted(t, r, "32 MiB")
	r.within(t, 200) // the event is thrown away
	r = m.fireFrom(t, endless(`{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"x","content":"`, size))
	if d, reason := r.decision(t); r.exit != 0 || d != "ask" || !strings.Contains(reason, "32 MiB") {
		t.Errorf("exit %d, %s %q, want ask", r.exit, d, reason)
	}
}

// What a hook may take is far below what an agent grants it, whatever the text.
func TestLongMessages(t *testing.T) {
	m := newMachine(t)
	for name, text := range map[string]string{
		"one paragraph of offers": strings.Repeat("Shall I commit and push? ", 40_000),
		"paragraphs of offers":    strings.Repeat("Shall I commit and push?\n\n", 40_000),
		"one line":                strings.Repeat("commit ", 150_000) + "?",
		"quotes in quotes":        strings.Repeat("> ", 500_000) + "commit?",
		"brackets":                "Shall I commit " + strings.Repeat("[", 500_000),
		"lists in lists":          strings.Repeat("- ", 500_000) + "Shall I commit?",
	} {
		t.Run(name, func(t *testing.T) {
			r := m.fire(t, m.stop(text, fields{"prompt_id": name}))
			t.Logf("%v, %d MB", r.took.Round(time.Millisecond), r.rssMB)
			if r.exit != 0 || r.stderr != "" || r.took > 8*time.Second {
				t.Errorf("exit %d after %v: %.300s", r.exit, r.took, r.said())
			}
		})
	}
}

func TestUnreadableToolCallsAsk(t *testing.T) {
	m := newMachine(t)
	for name, e := range map[string]string{
		"cut off":                `{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"a`,
		"cut after the name":     `{"hook_event_name":"PreToolUse",`,
		"a NUL byte":             "{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\x00}",
		"nested deeply":          `{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":` + strings.Repeat("[", 200_000),
		"no input":               m.tool("Write", nil, nil),
		"input is a list":        m.tool("Write", []int{1}, nil),
		"input is a word":        m.tool("Edit", "x", nil),
		"the path is a number":   m.tool("Write", fields{"file_path": 5}, nil),
		"the path is a list":     m.tool("NotebookEdit", fields{"notebook_path": []string{"x"}}, nil),
		"the command is a list":  m.tool("Bash", fields{"command": []string{"echo > x"}}, nil),
		"the command is missing": m.tool("Bash", fields{"text": "echo > x"}, nil),
		"subshells in subshells": m.tool("Bash", fields{"command": "echo > x; " + strings.Repeat("(", 2_000_000)}, nil),
		"expansions":             m.tool("Bash", fields{"command": "echo > x; " + strings.Repeat("${a:-", 500_000)}, nil),
		"a chain of ands":        m.tool("Bash", fields{"command": "echo > x; " + strings.Repeat("a&&", 500_000) + "b"}, nil),
	} {
		t.Run(name, func(t *testing.T) {
			r := m.fire(t, e)
			if d, reason := r.decision(t); r.exit != 0 || d != "ask" || r.stderr != "" || !strings.Contains(reason, "could not check") || strings.Count(r.said(), "\n") != 1 {
				t.Errorf("exit %d, %s %q, stderr %.200q, want ask in one line", r.exit, d, reason, r.stderr)
			}
		})
	}
	// After the fact there is nothing to ask; the user is told.
	noted(t, m.fire(t, m.tool("Write", fields{"file_path": 5}, fields{"hook_event_name": "PostToolUse"})), "file_path")
	silent(t, m.fire(t, m.tool("mcp__x__y", []int{1}, nil)))
}

// As deep as a line may be, the parser lives.
func TestDeepCommandLines(t *testing.T) {
	m := newMachine(t)
	for _, unit := range []string{"(", "a["} {
		line := ("echo x > ~/.claude/settings.json\n" + strings.Repeat(unit, 16<<10))[:16<<10]
		r := m.fire(t, m.tool("Bash", fields{"command": line}, nil))
		t.Logf("%q: %v, %d MB", unit, r.took.Round(time.Millisecond), r.rssMB)
		if d, _ := r.decision(t); r.exit != 0 || d != "deny" || r.took > 10*time.Second {
			t.Errorf("%q: exit %d, %s after %v, want deny: %.200s", unit, r.exit, d, r.took, r.stderr)
		}
	}
}

// An agent that does not listen is no reason for another exit code.
func TestNobodyListens(t *testing.T) {
	m := newMachine(t)
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	for _, e := range []string{m.stop(offer, nil), "no JSON", m.tool("Write", 5, nil)} {
		if code := m.exitInto(t, e, full); code != 0 {
			t.Errorf("exit %d", code)
		}
	}
}

// FuzzRun hands any bytes to the hook. The answer is silence, one JSON object or
// one line, and never the exit code that blocks, but for the generic dialect,
// where it also stands for the ask of a tool call that could not be read.
func FuzzRun(f *testing.F) {
	for _, s := range unreadable {
		if len(s) < 5000 {
			f.Add([]byte(s), false)
		}
	}
	m := &machine{project: "/p"}
	f.Add([]byte(m.stop(offer, fields{"transcript_path": "x"})), false)
	f.Add([]byte(m.tool("Bash", fields{"command": "echo > ~/.claude/settings.json"}, nil)), false)
	f.Add([]byte(`{"text":"Shall I commit?"}`), true)
	f.Add([]byte(`"hook_event_name":"PreToolUse"`), true)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, raw []byte, generic bool) {
		as := ""
		if generic {
			as = "generic"
		}
		in := early.Start(home.Dir(dir), func(k string) string {
			if k == "HOME" {
				return dir
			}
			return ""
		}, time.Now())
		in.Read(bytes.NewReader(raw), as)
		if strings.HasPrefix(in.Event.Transcript, "/") {
			return // not this machine's files
		}
		var stdout, stderr bytes.Buffer
		code := hook.Run(context.Background(), in, hook.Config{}, &stdout, &stderr)
		switch {
		case code != 0 && !(generic && code == 2 && (in.Err == nil || in.Event.Kind == gate.PreTool)):
			t.Errorf("exit %d", code)
		case stdout.Len() > 0 && !json.Valid(stdout.Bytes()):
			t.Errorf("stdout %q", stdout.String())
		case bytes.Count(stderr.Bytes(), []byte("\n")) > 1 && code == 0:
			t.Errorf("stderr %q", stderr.String())
		case strings.Contains(stdout.String()+stderr.String(), "internal error"):
			t.Errorf("it panicked: %s%s", stdout.String(), stderr.String())
		}
	})
}
