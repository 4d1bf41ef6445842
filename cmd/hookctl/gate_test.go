package main

import (
	"bytes"
	"strings"
	"testing"
)

// Where the fast path has not taken the event, run reads it itself; the answers
// are the same. How the hook is called must not decide the exit code.
func TestGateWithoutFastPath(t *testing.T) {
	const block = `{"text":"The parser is rewritten. Shall I commit this now?"}`
	for name, tt := range map[string]struct {
		args        []string
		stdin       string
		code        int
		out, errors string // what must stand there; "" = nothing
	}{
		"generic block": {[]string{"gate", "--host", "generic"}, block, 2, "", "[commit-before-verification]"},
		"generic pass":  {[]string{"gate", "--host=generic"}, `{"text":"Done."}`, 0, "", ""},
		"claude block":  {[]string{"gate"}, `{"hook_event_name":"Stop","last_assistant_message":"Shall I commit this now?"}`, 0, `"decision":"block"`, ""},
		"unknown flag":  {[]string{"gate", "--frobnicate"}, `{"hook_event_name":"Stop","last_assistant_message":"Done."}`, 0, "", ""},
		"empty":         {[]string{"gate"}, "", 0, "", "nothing on stdin"},
	} {
		e := testEnv(t)
		e.in = strings.NewReader(tt.stdin)
		code := run(tt.args, e)
		out, errs := e.out.(*bytes.Buffer).String(), e.err.(*bytes.Buffer).String()
		if code != tt.code || !strings.Contains(out, tt.out) || tt.out == "" && out != "" || !strings.Contains(errs, tt.errors) || tt.errors == "" && errs != "" {
			t.Errorf("%s: exit %d, want %d\nstdout %q, want %q\nstderr %q, want %q", name, code, tt.code, out, tt.out, errs, tt.errors)
		}
	}
}
