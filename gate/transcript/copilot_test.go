package transcript

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// The lines of Copilot's events.
func event(kind, id, data string) string {
	return fmt.Sprintf(`{"type":%q,"id":%q,"data":{%s}}`, kind, id, data)
}

func copilotSays(id, text string) string {
	return event("assistant.message", "e"+id, fmt.Sprintf(`"messageId":%q,"content":%s`, id, quote(text)))
}

func copilotUser(id, text, delivery string) string {
	return event("user.message", id, fmt.Sprintf(`"content":%s,"delivery":%q`, quote(text), delivery))
}

func copilotAsked(at int64) string {
	return event("hook.start", "h", fmt.Sprintf(`"hookType":"agentStop","input":{"timestamp":%d}`, at))
}

func copilotBlocked(reason string) string {
	return event("hook.end", "h", fmt.Sprintf(`"hookType":"agentStop","output":{"decision":"block","reason":%s}`, quote(reason)))
}

func TestCopilot(t *testing.T) {
	first := lines(copilotUser("u1", "go", "idle"), copilotSays("m1", "A."), copilotAsked(100))
	second := lines(copilotBlocked("no"), copilotUser("b1", "no", "queued"), copilotSays("m2", "B."), copilotAsked(200))
	typed := lines(event("hook.end", "h", `"hookType":"agentStop","success":true`), copilotUser("u2", "no", "queued"), copilotSays("m3", "C."), copilotAsked(300))
	for _, c := range []struct {
		name, file      string
		stop            int64
		text, ctx, turn string
		err             error
	}{
		{"the first stop", first, 100, "A.", "A.", "u1", nil},
		{"a later stop of the same file", first, 101, "", "", "", ErrBehind},
		{"the agent tells no time", first, 0, "A.", "A.", "u1", nil},
		{"a block is no turn of the user", first + second, 200, "B.", "A.\n\nB.", "u1", nil},
		{"a prompt that waited is one", first + second + typed, 300, "C.", "C.", "u2", nil},
		{"a queued line stands first", lines(copilotUser("u1", "go", "queued"), copilotSays("m1", "A."), copilotAsked(100)), 100, "A.", "A.", "u1", nil},
		{"another reason", first + lines(copilotBlocked("other"), copilotUser("u3", "no", "queued"), copilotSays("m2", "B."), copilotAsked(200)), 200, "B.", "B.", "u3", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Read(ended(), File{Path: put(t, c.file), Stop: c.stop})
			if !errors.Is(err, c.err) || got.Text != c.text || got.Context != c.ctx || got.Turn != c.turn {
				t.Errorf("%+v %v", got, err)
			}
			if last, err := Last(ended(), File{Path: put(t, c.file), Stop: c.stop}); !errors.Is(err, c.err) || last.Text != c.text {
				t.Errorf("the final message alone: %+v %v", last, err)
			}
		})
	}
	if m, ok, err := Find(put(t, first+second+typed), "", func(m Message) bool { return m.ID == "m2" }); err != nil || !ok || m.Turn != "u1" {
		t.Errorf("found %+v %v %v", m, ok, err)
	}
}

// The file is not there yet when the hook starts, or ends with the stop before.
func TestCopilotLags(t *testing.T) {
	first := lines(copilotUser("u1", "go", "idle"), copilotSays("m1", "A."), copilotAsked(100))
	for name, there := range map[string]string{"absent": "", "behind": first} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "events.jsonl")
			if there != "" {
				if err := os.WriteFile(path, []byte(there), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			done := make(chan error, 1)
			go func() {
				time.Sleep(2 * firstPause)
				done <- os.WriteFile(path, []byte(first+lines(copilotBlocked("no"), copilotUser("b", "no", "queued"), copilotSays("m2", "B."), copilotAsked(200))), 0o600)
			}()
			got, err := Last(context.Background(), File{Path: path, Stop: 200})
			if werr := <-done; werr != nil || err != nil || got.Text != "B." || !got.Settled {
				t.Errorf("%+v %v %v", got, err, werr)
			}
		})
	}
	if _, err := Last(ended(), File{Path: filepath.Join(t.TempDir(), "none"), Stop: 1}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}
