package transcript

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/agenthooks/hookctl/gate"
)

// ended is a context that allows no wait.
func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// The lines of Claude's format.
func user(uuid, text string) string {
	return fmt.Sprintf(`{"type":"user","isSidechain":false,"uuid":%q,"message":{"role":"user","content":%s}}`, uuid, quote(text))
}

func says(id, text string) string {
	return fmt.Sprintf(`{"type":"assistant","isSidechain":false,"message":{"id":%q,"role":"assistant","content":[{"type":"text","text":%s}]}}`, id, quote(text))
}

func calls(id string) string {
	return fmt.Sprintf(`{"type":"assistant","message":{"id":%q,"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{}}]}}`, id)
}

func thinks(id string) string {
	return fmt.Sprintf(`{"type":"assistant","message":{"id":%q,"role":"assistant","content":[{"type":"thinking","thinking":"x"}]}}`, id)
}

const answered = `{"type":"user","uuid":"r","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"ok"}]},"toolUseResult":{"stdout":"ok"}}`

func lines(l ...string) string { return strings.Join(l, "\n") + "\n" }

func side(line string) string {
	return strings.Replace(strings.Replace(line, `"isSidechain":false`, `"isSidechain":true`, 1), `{"type"`, `{"agentId":"a","type"`, 1)
}

func put(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, file string
		text, ctx  string // ctx "" = as text
		id, turn   string
		unsettled  bool
	}{
		{"one message", lines(user("u1", "go"), says("m1", "Done.")), "Done.", "", "m1", "u1", false},
		{"no end of line", user("u1", "go") + "\n" + says("m1", "Done."), "Done.", "", "m1", "u1", false},
		{"BOM", "\ufeff" + lines(says("m1", "Done.")), "Done.", "", "m1", "", false},
		{"BOM, two lines", "\ufeff" + lines(user("u1", "go"), says("m1", "Done.")), "Done.", "", "m1", "u1", false},
		{"parts of a message", lines(user("u1", "go"), thinks("m1"), says("m1", "A."), thinks("m1"), says("m1", "B."), calls("m0")+" "), "", "A.\n\nB.", "m0", "u1", true},
		{"parts joined", lines(user("u1", "go"), says("m1", "A."), thinks("m1"), says("m1", "B.")), "A.\n\nB.", "", "m1", "u1", false},
		{"parts around a result", lines(user("u1", "go"), says("m1", "A."), calls("m1"), answered, says("m1", "B.")), "A.\n\nB.", "", "m1", "u1", false},
		{"context of the turn", lines(user("u0", "x"), says("m0", "Old."), user("u1", "go"), says("m1", "Tests pass."), calls("m1"), answered, says("m2", "Done.")), "Done.", "Tests pass.\n\nDone.", "m2", "u1", false},
		{"no text in this turn", lines(user("u0", "x"), says("m0", "Old."), user("u1", "go"), calls("m1"), answered), "", "", "m1", "u1", true},
		{"only a prompt", lines(user("u1", "go")), "", "", "", "u1", true},
		{"empty", "", "", "", "", "", true},
		{"half a line", lines(user("u1", "go"), says("m1", "Done.")) + says("m2", "More")[:40], "", "", "", "u1", true},
		{"half a line in the middle", lines(user("u1", "go"), says("m0", "x")[:50], says("m1", "Done.")), "Done.", "", "m1", "u1", false},
		{"no objects", lines(user("u1", "go"), "null", "42", `"x"`, "[]", "{}", says("m1", "Done."), "null") + "7", "Done.", "", "m1", "u1", false},
		{"line separator in a text", lines(user("u1", "go"), strings.ReplaceAll(says("m1", "A.@B."), "@", "\u2028")), "A.\u2028B.", "", "m1", "u1", false},
		{"CRLF", "" + user("u1", "go") + "\r\n" + says("m1", "Done.") + "\r\n", "Done.", "", "m1", "u1", false},
		{"metadata after", lines(user("u1", "go"), says("m1", "Done."), `{"type":"progress","data":{"type":"hook_progress"}}`, `{"type":"last-prompt","lastPrompt":"x"}`), "Done.", "", "m1", "u1", false},
		{"side chain after", lines(user("u1", "go"), says("m1", "Done."), side(user("s", "sub")), side(says("m2", "Sub."))), "Done.", "", "m1", "u1", false},
		{"a subagent's own file", lines(side(user("s", "sub")), side(says("m2", "Sub."))), "Sub.", "", "m2", "s", false},
		{"error of the service", lines(user("u1", "go"), says("m1", "Done."), `{"type":"assistant","isApiErrorMessage":true,"message":{"id":"e","model":"<synthetic>","content":[{"type":"text","text":"API Error"}]}}`), "Done.", "", "m1", "u1", false},
		{"compact summary", lines(user("u1", "go"), `{"type":"system","subtype":"compact_boundary","content":"Conversation compacted"}`, strings.Replace(user("c", "This session is being continued"), `{"type"`, `{"isCompactSummary":true,"type"`, 1), says("m1", "Done.")), "Done.", "", "m1", "u1", false},
		{"sent back, not answered yet", lines(user("u1", "go"), says("m1", "Shall I?"), strings.Replace(user("f", "Stop hook feedback:\nno"), `{"type"`, `{"isMeta":true,"type"`, 1)), "", "Shall I?", "", "u1", true},
		{"sent back and answered", lines(user("u1", "go"), says("m1", "Shall I?"), strings.Replace(user("f", "Stop hook feedback:\nno"), `{"type"`, `{"isMeta":true,"type"`, 1), says("m2", "Tested.")), "Tested.", "Shall I?\n\nTested.", "m2", "u1", false},
		{"commands are no prompt", lines(user("u1", "go"), says("m1", "A."), user("u2", "<command-name>/x</command-name>"), user("u3", "<local-command-stdout>"), says("m2", "B.")), "B.", "A.\n\nB.", "m2", "u1", false},
		{"a message from a program", lines(user("u1", "go"), says("m1", "A."), `{"type":"user","uuid":"u2","origin":{"kind":"task-notification"},"message":{"content":"x"}}`, says("m2", "B.")), "B.", "A.\n\nB.", "m2", "u1", false},
		{"a message from a person", lines(user("u1", "go"), says("m1", "A."), `{"type":"user","uuid":"u2","origin":{"kind":"human"},"message":{"content":[{"type":"text","text":"x"}]}}`, says("m2", "B.")), "B.", "", "m2", "u2", false},
		{"string content", lines(user("u1", "go"), `{"type":"assistant","message":{"id":"m1","content":"Done."}}`), "Done.", "", "m1", "u1", false},
		{"role at the top", lines(`{"role":"user","message":{"content":[{"type":"text","text":"go"}]}}`, `{"role":"assistant","message":{"content":[{"type":"text","text":"Done."}]}}`), "Done.", "", "", "", false},
		{"content at the top", lines(`{"role":"user","content":"go"}`, `{"role":"assistant","content":"Done."}`), "Done.", "", "", "", false},
		{"members of wrong types", lines(user("u1", "go"), `{"type":"assistant","isSidechain":"no","uuid":7,"origin":3,"message":{"id":"m1","model":[],"content":[{"type":"text","text":5},{"type":"text","text":"Done."},8]}}`), "Done.", "", "m1", "u1", false},
		{"stream json", lines(`{"type":"system","subtype":"init"}`, `{"type":"user","parent_tool_use_id":null,"message":{"role":"user","content":"go"}}`, `{"type":"assistant","parent_tool_use_id":"t","message":{"id":"s","content":[{"type":"text","text":"Sub."}]}}`, says("m1", "Done."), `{"type":"result","result":"Done."}`), "Done.", "", "m1", "", false},
		{"codex", lines(
			`{"type":"response_item","payload":{"type":"message","id":"a","role":"user","content":[{"type":"input_text","text":"go"}],"internal_chat_message_metadata_passthrough":{"turn_id":"T"}}}`,
			`{"type":"response_item","payload":{"type":"message","id":"b","role":"user","content":[{"type":"input_text","text":"<environment_context>"}]}}`,
			`{"type":"response_item","payload":{"type":"message","id":"c","role":"assistant","content":[{"type":"output_text","text":"A."}]}}`,
			`{"type":"response_item","payload":{"type":"function_call","id":"f"}}`,
			`{"type":"response_item","payload":{"type":"function_call_output","output":"x"}}`,
			`{"type":"response_item","payload":{"type":"message","id":"d","role":"user","content":[{"type":"input_text","text":"<hook_prompt hook_run_id=\"x\">no</hook_prompt>"}]}}`,
			`{"type":"event_msg","payload":{"type":"agent_message","message":"Done."}}`,
			`{"type":"response_item","payload":{"type":"message","id":"e","role":"assistant","content":[{"type":"output_text","text":"Done."}]}}`,
			`{"type":"event_msg","payload":{"type":"task_complete","last_agent_message":"Done."}}`), "Done.", "A.\n\nDone.", "e", "T", false},
		{"codex, text to come", lines(
			`{"type":"response_item","payload":{"type":"message","id":"a","role":"user","content":[{"type":"input_text","text":"go"}]}}`,
			`{"type":"response_item","payload":{"type":"message","id":"c","role":"assistant","content":[{"type":"output_text","text":"A."}]}}`,
			`{"type":"response_item","payload":{"type":"function_call","id":"f"}}`,
			`{"type":"response_item","payload":{"type":"function_call_output","output":"x"}}`), "", "A.", "", "a", true},
		{"gemini", lines(`{"sessionId":"s","kind":"main"}`, `{"id":"u1","type":"user","content":[{"text":"go"}]}`, `{"id":"g1","type":"gemini","content":""}`, `{"id":"g1","type":"gemini","content":"A.","toolCalls":[{}]}`, `{"id":"u2","type":"user","content":[{"functionResponse":{"id":"x"}}]}`, `{"id":"g2","type":"gemini","content":"Do"}`, `{"id":"g2","type":"gemini","content":"Done."}`, `{"type":"info","content":"x"}`), "Done.", "A.\n\nDone.", "g2", "u1", false},
		{"qwen", lines(`{"uuid":"u1","type":"user","provenance":"real_user","message":{"role":"user","parts":[{"text":"go"}]}}`, `{"type":"tool_result","message":{"role":"user","parts":[{"functionResponse":{}}]}}`, `{"type":"assistant","message":{"role":"model","parts":[{"text":"hm","thought":true},{"text":"Done."}]}}`, `{"type":"system","subtype":"ui_telemetry"}`), "Done.", "", "", "u1", false},
		{"copilot", lines(`{"type":"user.message","id":"u1","data":{"content":"go","parentAgentTaskId":"x"}}`, `{"type":"assistant.message","data":{"messageId":"m1","content":"","toolRequests":[{}]}}`, `{"type":"tool.execution_complete","data":{"result":{"content":"x"}}}`, `{"type":"assistant.message","agentId":"a","data":{"messageId":"s","content":"Sub."}}`, `{"type":"user.message","id":"u2","data":{"content":"c","source":"hook"}}`, `{"type":"assistant.message","data":{"messageId":"m2","content":"Done."}}`, `{"type":"assistant.turn_end","data":{"turnId":"1"}}`), "Done.", "", "m2", "u1", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Read(ended(), File{Path: put(t, c.file)})
			if err != nil {
				t.Fatal(err)
			}
			if c.ctx == "" {
				c.ctx = c.text
			}
			want := Tail{Text: c.text, Context: c.ctx, Message: c.id, Turn: c.turn, Size: int64(len(c.file)), Settled: !c.unsettled}
			if got != want {
				t.Errorf("\n got %+v\nwant %+v", got, want)
			}
			last, err := Last(ended(), File{Path: put(t, c.file)})
			if err != nil || last.Text != got.Text || last.Message != got.Message || last.Settled != got.Settled {
				t.Errorf("Last %+v, %v", last, err)
			}
		})
	}
}

func TestPaths(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "real.jsonl")
	if err := os.WriteFile(file, []byte(lines(says("m", "Done."))), 0o600); err != nil {
		t.Fatal(err)
	}
	if tail, err := Read(ended(), File{Path: "~/real.jsonl", User: dir}); err != nil || tail.Text != "Done." {
		t.Errorf("~: %+v %v", tail, err)
	}
	link := filepath.Join(dir, "link.jsonl")
	if err := os.Symlink(file, link); err != nil {
		t.Skip(err)
	}
	if tail, err := Read(ended(), File{Path: link}); err != nil || tail.Text != "Done." {
		t.Errorf("link: %+v %v", tail, err)
	}
	if _, err := Read(ended(), File{Path: dir}); !errors.Is(err, ErrNotRegular) {
		t.Errorf("folder: %v", err)
	}
	for _, p := range []string{"", "~/real.jsonl", filepath.Join(dir, "none"), "a\x00b"} {
		if _, err := Read(ended(), File{Path: p}); err == nil {
			t.Errorf("%q: no error", p)
		}
	}
	if _, err := Read(ended(), File{Path: filepath.Join(dir, "none")}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
}

// TestSubagentPath: in a folder of subagents the side chain is the text even
// where the file does not reach back to its beginning.
func TestSubagentPath(t *testing.T) {
	for path, want := range map[string]bool{"/x/subagents/a.jsonl": true, "/x/agent-1.jsonl": true, "/x/s.jsonl": false, "/agent-x/s.jsonl": false} {
		if subagentFile(path) != want {
			t.Errorf("%s: %v", path, !want)
		}
	}
}

func TestSettle(t *testing.T) {
	for _, c := range []struct {
		name, before string
		writes       []string
	}{
		{"text comes later", lines(user("u1", "go")), []string{says("m1", "Done.") + "\n"}},
		{"a line in two writes", lines(user("u1", "go"), says("m0", "Old.")) + says("m1", "Done.")[:30], []string{says("m1", "Done.")[30:90], says("m1", "Done.")[90:] + "\n"}},
		{"an empty file", "", []string{lines(user("u1", "go"), says("m1", "Done."))}},
		{"call, result, text", lines(user("u1", "go"), says("m0", "First."), calls("m0")), []string{answered + "\n", says("m1", "Done.") + "\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := put(t, c.before)
			go func() {
				for _, w := range c.writes {
					time.Sleep(60 * time.Millisecond)
					f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
					if err == nil {
						_, err = f.WriteString(w)
						f.Close()
					}
					if err != nil {
						t.Error(err)
					}
				}
			}()
			got, err := Read(context.Background(), File{Path: path})
			if err != nil || got.Text != "Done." || !got.Settled || got.Turn != "u1" {
				t.Errorf("%+v %v", got, err)
			}
		})
	}
	// A loaded machine can be late with a write or a look: one good try proves it.
	t.Run("a file that grows has to stand still", func(t *testing.T) {
		anyOf(t, func() (string, bool) {
			path := put(t, lines(user("u1", "go")))
			go func() {
				for i, part := range []string{"A.", "B."} { // looks are at 25, 75 and 175 ms
					time.Sleep(time.Duration(55-25*i) * time.Millisecond)
					f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
					if err == nil {
						_, err = f.WriteString(says("m1", part) + "\n")
						f.Close()
					}
					if err != nil {
						t.Error(err)
					}
				}
			}()
			got, err := Read(context.Background(), File{Path: path})
			time.Sleep(100 * time.Millisecond) // the writer is done
			return fmt.Sprintf("%+v %v", got, err), err == nil && got.Text == "A.\n\nB."
		})
	})
	t.Run("the wait ends", func(t *testing.T) {
		start := time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), 150*time.Millisecond)
		defer cancel()
		got, err := Read(ctx, File{Path: put(t, lines(user("u1", "go")))})
		if took := time.Since(start); err != nil || got.Text != "" || got.Settled || took < 140*time.Millisecond {
			t.Errorf("%+v %v after %v", got, err, took)
		}
	})
	t.Run("nothing to wait for", func(t *testing.T) {
		path := put(t, lines(user("u1", "go"), says("m1", "Done.")))
		anyOf(t, func() (string, bool) {
			start := time.Now()
			got, err := Read(context.Background(), File{Path: path})
			took := time.Since(start)
			return fmt.Sprintf("%+v %v after %v", got, err, took), err == nil && got.Settled && took <= firstPause
		})
	})
}

// anyOf wants one of a few tries to be good.
func anyOf(t *testing.T, try func() (what string, good bool)) {
	t.Helper()
	var what string
	for range 8 {
		var good bool
		if what, good = try(); good {
			return
		}
	}
	t.Error(what)
}

func TestContextCut(t *testing.T) {
	long := strings.Repeat("表", gate.ContextBytes) + "x"
	got, err := Read(ended(), File{Path: put(t, lines(user("u1", "go"), says("m1", "A."), says("m2", long)))})
	if err != nil || got.Text != long || len(got.Context) > gate.ContextBytes || len(got.Context) < gate.ContextBytes-3 || !utf8.ValidString(got.Context) || !strings.HasSuffix(long, got.Context) {
		t.Errorf("%d bytes of context, %v", len(got.Context), err)
	}
	var rows []string
	rows = append(rows, user("u1", "go"))
	for i := range 100 {
		rows = append(rows, says(fmt.Sprint("m", i), strings.Repeat("word ", 40)+fmt.Sprint(i)))
	}
	got, err = Read(ended(), File{Path: put(t, lines(rows...))})
	if err != nil || got.Turn != "u1" || !strings.HasSuffix(got.Context, got.Text) || len(got.Context) > gate.ContextBytes || len(got.Context) < gate.ContextBytes*9/10 {
		t.Errorf("%d bytes of context, turn %q, %v", len(got.Context), got.Turn, err)
	}
}

// counter counts the bytes read from it.
type counter struct {
	r interface {
		ReadAt([]byte, int64) (int, error)
	}
	n int64
}

func (c *counter) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.r.ReadAt(p, off)
	c.n += int64(n)
	return n, err
}

// TestBounded holds the reads to their bounds in a file of 300 MB.
func TestBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "big.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const size = 300 << 20
	write := func(off int64, s string) int64 {
		if _, err := f.WriteAt([]byte(s), off); err != nil {
			t.Fatal(err)
		}
		return off + int64(len(s))
	}
	tailAt := func(s string) int64 { return write(size, s) }
	look := func(d depth) (Tail, int64) {
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		c := &counter{r: f}
		tail, err := tailOf(c, info.Size(), d, false)
		if err != nil {
			t.Fatal(err)
		}
		return tail, c.n
	}

	// A hole of 300 MB is one endless line before the tail.
	end := tailAt("\n" + lines(user("u1", "go"), says("m1", "Done.")))
	if tail, n := look(wholeTurn); tail.Text != "Done." || tail.Turn != "u1" || n > firstBlock {
		t.Errorf("short turn: %+v, %d bytes", tail, n)
	}
	// A turn without end: the final message alone costs one block.
	var many strings.Builder
	for many.Len() < 10<<20 {
		many.WriteString(lines(calls("m"), answered))
	}
	end = write(end, many.String()+says("m9", "End.")+"\n")
	if tail, n := look(finalMessage); tail.Text != "End." || !tail.Settled || n > firstBlock {
		t.Errorf("final message: %+v, %d bytes", tail, n)
	}
	if tail, n := look(wholeTurn); tail.Text != "End." || tail.Turn != "" || n > maxScan+longBlock {
		t.Errorf("long turn: %+v, %d bytes", tail, n)
	}
	// A line of 20 MB within the turn is passed over.
	end = write(end, lines(user("u2", "go"), says("m1", "Before."))+strings.Replace(answered, "ok", strings.Repeat("A", 20<<20), 1)+"\n"+says("m2", "After.")+"\n")
	if tail, n := look(wholeTurn); tail.Text != "After." || tail.Context != "Before.\n\nAfter." || tail.Turn != "u2" || n > 32<<20 {
		t.Errorf("long line: %+v, %d bytes", tail, n)
	}
	if tail, n := look(finalMessage); tail.Text != "After." || !tail.Settled || n > 4*maxParts {
		t.Errorf("long line, final message: %+v, %d bytes", tail, n)
	}
	// An endless last line gives up at the bound.
	if err := f.Truncate(end + 200<<20); err != nil {
		t.Fatal(err)
	}
	if tail, n := look(wholeTurn); tail.Text != "" || tail.Settled || n > maxLine+maxSkip+8*longBlock {
		t.Errorf("endless line: %+v, %d bytes", tail, n)
	}
}

func TestFind(t *testing.T) {
	path := put(t, "\ufeff"+lines(user("u1", "go"), says("m1", "A."), calls("m1"), answered, says("m1", "B."), side(says("s1", "Sub.")),
		`{"id":"g","type":"gemini","content":"Dra"}`, `{"id":"g","type":"gemini","content":"Draft."}`, strings.Repeat("x", 300<<10), user("u2", "on"))+says("m2", "End."))
	var all []string
	_, ok, err := Find(path, "", func(m Message) bool {
		all = append(all, fmt.Sprintf("%d %s %q %d %s %v", m.Index, m.ID, m.Text, len(m.Parts), m.Turn, m.Side))
		return false
	})
	want := []string{`0 m1 "A.\n\nB." 2 u1 false`, `1 s1 "Sub." 1 u1 true`, `2 g "Draft." 1 u1 false`, `3 m2 "End." 1 u2 false`}
	if err != nil || ok || strings.Join(all, "|") != strings.Join(want, "|") {
		t.Errorf("%v %v\n got %q\nwant %q", ok, err, all, want)
	}
	if m, ok, err := Find(path, "", func(m Message) bool { return m.ID == "s1" }); err != nil || !ok || m.Text != "Sub." {
		t.Errorf("%+v %v %v", m, ok, err)
	}
	if _, _, err := Find(t.TempDir(), "", nil); !errors.Is(err, ErrNotRegular) {
		t.Error(err)
	}
}

// FuzzTail: any bytes give an answer within the contract; the same file read
// through small blocks gives the same.
func FuzzTail(f *testing.F) {
	for _, s := range []string{
		lines(user("u", "a"), says("m", "b")), lines(says("m", "b"), calls("n")) + "{", "\ufeff{}\n", "\n\n\n", lines(side(says("m", "x"))),
		lines(`{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"text":"x"}]}}`), lines(`{"id":"g","type":"gemini","content":["x"]}`),
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, d := range []depth{wholeTurn, finalMessage} {
			got, err := tailOf(bytes.NewReader(raw), int64(len(raw)), d, false)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Context) > gate.ContextBytes || !utf8.ValidString(got.Text) || !utf8.ValidString(got.Context) {
				t.Errorf("%+v", got)
			}
			if got.Text != "" && !strings.HasSuffix(got.Context, cut(got.Text, gate.ContextBytes)) {
				t.Errorf("context %q does not end with %q", got.Context, got.Text)
			}
			if got.Settled && got.Text == "" {
				t.Error("settled without text")
			}
		}
		b := newBackward(bytes.NewReader(raw), int64(len(raw)))
		b.block = 1
		var back []string
		for line, _, ok := b.next(); ok; line, _, ok = b.next() {
			back = append(back, string(line))
		}
		want := strings.Split(string(bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))), "\n")
		for i := range want {
			if len(back) != len(want) || back[len(back)-1-i] != want[i] {
				t.Fatalf("lines %q, want %q", back, want)
			}
		}
	})
}
