// Package cli asks the programs of coding agents as judges: Claude Code, Codex and
// Gemini CLI, run once without a person. It switches off all that such a program
// would do beside answering: hooks, tools, MCP servers, plugins, the settings and
// instructions of a project and of the user. The login stays the program's own.
//
// The flags are those of Claude Code 2.1.332, Codex 0.171.0 and Gemini CLI 0.61.0, each seen
// to start nothing in a folder whose settings would. A version that does not know
// one of them ends with an error, and is a judge that failed.
package cli

import (
	"context"
	"errors"
	"os/exec"

	"github.com/agenthooks/hookctl/gate/judge"
)

// Agent is one program.
type Agent struct {
	judge.Program
	// Name is claude, codex or gemini.
	Name string
	// Path is the program; "" means the one of that name in PATH.
	Path string
	// Model is the model to ask; "" means Codex's own choice, and the small one of the
	// others.
	Model string
}

// agents are the programs that are known.
var agents = map[string]agent{
	"claude": {claudeKeys, claudeStart, claudeWords},
	"codex":  {codexKeys, codexStart, codexWords},
	"gemini": {geminiKeys, geminiStart, geminiWords},
}

type agent struct {
	// keys are the variables in which it may be given its login, and where to find
	// it. None of them names another server: a key goes to the agent's own.
	keys []string
	// start is how it is started in dir, its working directory.
	start func(a Agent, dir string, c judge.Call) judge.Start
	// words opens what it printed.
	words func(stdout []byte) (string, error)
}

// Names are the agents that can be asked.
func Names() []string { return []string{"claude", "codex", "gemini"} }

// system is what is said to a model in place of an agent's own instructions.
const system = "You judge a text, as the user asks. You use no tool and do nothing else.\n"

// Send is a [judge.Send].
func (a Agent) Send(ctx context.Context, c judge.Call) ([]byte, error) {
	kind, ok := agents[a.Name]
	if !ok {
		return nil, errors.New("unknown program " + a.Name)
	}
	if a.Path == "" {
		path, err := exec.LookPath(a.Name)
		if err != nil {
			return nil, err
		}
		a.Path = path
	}
	a.Env = append(append([]string{}, kind.keys...), a.Env...)
	out, err := a.Run(ctx, []byte(c.Prompt), func(dir string) judge.Start { return kind.start(a, dir, c) })
	_, ended := errors.AsType[*exec.ExitError](err)
	if err != nil && !ended {
		return nil, err
	}
	words, werr := kind.words(out.Stdout)
	if f, ok := errors.AsType[*judge.Failure](werr); ok {
		return nil, f
	}
	if ended {
		if f := judge.Excuse(string(out.Stderr)); f != nil {
			return nil, f
		}
		return nil, judge.Complaint(err, out.Stderr)
	}
	return []byte(words), werr
}
