package settings

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// plugin is OpenCode's plugin as it is written, less the path of the program. It
// names no version, so that an update changes nothing in it.
//
//go:embed opencode.js
var plugin string

// programLine is how the plugin names the program: a JSON string follows, which
// JavaScript takes as well.
const programLine = "const program = "

// ErrForeignPlugin says that a file in the place of the plugin is not hookctl's.
var ErrForeignPlugin = errors.New("is not hookctl's: its first line is another")

// registerPlugin writes the whole file. The entries all name the program itself,
// which the plugin starts without a shell.
func registerPlugin(src []byte, ours Ours, entries []Entry) (Result, error) {
	if !isSpace(src) && !isPlugin(src) {
		return Result{}, ErrForeignPlugin
	}
	if len(entries) == 0 {
		return Result{Out: src}, nil
	}
	program := entries[0].Command
	if !ours(program, []string{"gate"}) {
		return Result{}, fmt.Errorf("register %q: the program would not be recognised as hookctl", program)
	}
	quoted, err := json.Marshal(program)
	if err != nil {
		return Result{}, err
	}
	return Result{Out: []byte(strings.Replace(plugin, programLine+`""`, programLine+string(quoted), 1))}, nil
}

// isPlugin knows the plugin by its first line.
func isPlugin(src []byte) bool {
	first, _, _ := strings.Cut(plugin, "\n")
	line, _, _ := bytes.Cut(src, []byte("\n"))
	return strings.TrimSuffix(string(line), "\r") == first
}

func removePlugin(src []byte, _ Ours) ([]byte, error) {
	if isPlugin(src) {
		return nil, nil
	}
	return src, nil
}

// listPlugin finds the one program that the plugin starts.
func listPlugin(src []byte, ours Ours) ([]Registration, error) {
	if !isPlugin(src) {
		return nil, nil
	}
	for line := 1; len(src) > 0; line++ {
		var text []byte
		text, src, _ = bytes.Cut(src, []byte("\n"))
		quoted, ok := bytes.CutPrefix(bytes.TrimSpace(text), []byte(programLine))
		if !ok {
			continue
		}
		r := Registration{Path: "program", Line: line, Type: "plugin", Args: []string{"gate"}}
		if err := json.Unmarshal(quoted, &r.Command); err != nil {
			return nil, &SyntaxError{Line: line, Column: len(programLine) + 1, What: "no string: " + err.Error()}
		}
		r.Own = ours(r.Command, r.Args)
		return []Registration{r}, nil
	}
	return nil, nil
}

func blankPlugin(src []byte) bool { return isSpace(src) }
