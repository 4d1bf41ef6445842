package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// Turn is one answer of the model: words, a tool call, or words and then a call.
type Turn struct {
	Text  string          `json:"text,omitempty"`
	Tool  string          `json:"tool,omitempty"`  // the tool's name, as the agent declares it
	Input json.RawMessage `json:"input,omitempty"` // the call's input, an object
}

// over is said when the script has ended. An agent that hears it was asked once
// more than the script's writer thought; the log shows it as kind "over".
var over = Turn{Text: "The script is over."}

// readScript reads a script and refuses what it does not know, so that a slip in
// a script is an error and not a silent model.
func readScript(path string) ([]Turn, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	turns, err := parseScript(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return turns, nil
}

func parseScript(b []byte) ([]Turn, error) {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	var turns []Turn
	if err := dec.Decode(&turns); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("text after the list of turns")
	}
	if len(turns) == 0 {
		return nil, errors.New("no turns")
	}
	for i, t := range turns {
		if err := t.check(); err != nil {
			return nil, fmt.Errorf("turn %d: %w", i+1, err)
		}
	}
	return turns, nil
}

func (t Turn) check() error {
	switch {
	case t.Text == "" && t.Tool == "":
		return errors.New("neither text nor tool")
	case t.Tool == "" && len(t.Input) > 0:
		return errors.New("input without a tool")
	case t.Tool != "" && !isObject(t.Input):
		return errors.New("the tool's input is not an object")
	}
	return nil
}

func isObject(b json.RawMessage) bool {
	var o map[string]json.RawMessage
	return json.Unmarshal(b, &o) == nil && o != nil
}
