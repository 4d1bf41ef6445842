package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/agenthooks/hookctl/sync/pull"
)

// Exit codes of every command but gate.
const (
	exitFinding = 1
	exitUsage   = 2
	exitRefused = 3
	exitHeld    = 4
)

// usageError is a command line that cannot be run.
type usageError struct{ err error }

func (u *usageError) Error() string { return u.err.Error() }
func (u *usageError) Unwrap() error { return u.err }

// codeError ends a command with a code after all has been said.
type codeError struct{ code int }

func (c *codeError) Error() string { return fmt.Sprintf("exit %d", c.code) }

// finding is the error of a command that reports something to be mended.
var finding = &codeError{code: exitFinding}

// report prints the error of a command with its hints and returns the exit code.
func (e *env) report(err error, cmd string) int {
	if err == nil {
		return 0
	}
	var done *codeError
	if errors.As(err, &done) {
		return done.code
	}
	var usage *usageError
	if errors.As(err, &usage) || isCobraUsage(err) {
		e.note("%v", err)
		e.note("see %s --help", cmd)
		return exitUsage
	}
	text := err.Error()
	if errors.Is(err, context.Canceled) { // by Ctrl-C
		text = strings.ReplaceAll(text, context.Canceled.Error(), "interrupted")
	}
	e.note("%s", text)
	code, hints := advice(err)
	for _, h := range hints {
		fmt.Fprintf(e.err, "  %s\n", h)
	}
	return code
}

// isCobraUsage knows the errors that cobra makes itself for a command line it
// cannot run; they carry no type.
func isCobraUsage(err error) bool {
	for _, s := range []string{"unknown command", "accepts ", "requires at least", "required flag", "at least one of the flags", "if any flags in the group"} {
		if strings.HasPrefix(err.Error(), s) {
			return true
		}
	}
	return false
}

// schema is the version of every JSON report.
const schema = 1

// json prints a report for a machine.
func (e *env) json(v any) error {
	enc := json.NewEncoder(e.out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// fileJSON is a changed file in a JSON report; "" means that it was not there.
type fileJSON struct {
	Path   string `json:"path"`
	Before string `json:"before"` // SHA-256, hex
	After  string `json:"after"`
}

func filesJSON(changes []pull.Change) []fileJSON {
	out := make([]fileJSON, 0, len(changes))
	for _, c := range changes {
		out = append(out, fileJSON{c.Path, c.Before, c.After})
	}
	return out
}

// programJSON is hookctl itself before and after, null when it was not looked at.
func programJSON(c pull.Change) *fileJSON {
	if c.Path == "" {
		return nil
	}
	return &fileJSON{c.Path, c.Before, c.After}
}

// orEmpty makes a list that is not there one without entries: [] and not null.
func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
