package simulate

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	wired "github.com/agenthooks/hookctl/install/agent"
	"github.com/agenthooks/hookctl/install/settings"
)

// Wiring is what a settings file says about tool calls.
type Wiring struct {
	Registrations []Registration
	// Env are variables that the file sets for hooks, as NAME=value.
	Env []string
	// Notes are what keeps hooks of the file from being asked, and what takes no part.
	Notes []string
}

// Wire reads the hooks on tool events of an agent's settings file. It fails on a file
// that cannot be read; of such a file the agent runs no hook at all.
func Wire(name, file string, src []byte) (Wiring, error) {
	a, reader := agentOf(name), settings.ReaderOf(name, format(name, file))
	found, problems, err := reader.Inspect(src, settings.Own, false)
	if err != nil {
		return Wiring{}, unreadable(file, err)
	}
	tree, err := settings.Parse(src, reader.Format)
	if err != nil {
		return Wiring{}, unreadable(file, err)
	}
	w := Wiring{Env: variables(tree), Notes: slices.Clone(trust[name])}
	dead := false
	for _, p := range problems {
		if p.Severity == settings.Error {
			w.Notes = append(w.Notes, fmt.Sprintf("%s: %s", filepath.Base(file), p))
		}
		dead = dead || slices.Contains([]string{"disable-all-hooks", "not-strict-json"}, p.Code)
	}
	others := 0
	for _, r := range found {
		if !slices.Contains(a.toolEvents(), r.Event) {
			others++
			continue
		}
		if !dead {
			w.Registrations = append(w.Registrations, registration(reader, r, at(tree, r.Path)))
		}
	}
	switch {
	case others == 1:
		w.Notes = append(w.Notes, filepath.Base(file)+": a hook on an event that is not played takes no part")
	case others > 1:
		w.Notes = append(w.Notes, fmt.Sprintf("%s: %d hooks on events that are not played take no part", filepath.Base(file), others))
	}
	return w, nil
}

// trust is what an agent asks for before it runs a hook, and what is taken as given.
var trust = map[string][]string{
	wired.Codex:  {"Codex runs a hook once it is trusted in /hooks; here all are taken as trusted"},
	wired.Gemini: {"Gemini runs hooks in trusted folders; the folder is taken as trusted"},
}

// unreadable keeps the words of an error and not its type, which is advised on as that
// of a file to be changed.
func unreadable(file string, err error) error {
	return fmt.Errorf("%s cannot be read: %s", file, err.Error())
}

// format is how hooks are written in a file of an agent.
func format(name, file string) wired.Format {
	slashed := filepath.ToSlash(file)
	switch {
	case strings.HasSuffix(slashed, ".toml"):
		return wired.TOML
	case name == wired.Cursor, name == wired.Copilot:
		if strings.HasSuffix(path.Dir(slashed), ".claude") {
			return wired.Nested
		}
		return wired.Flat
	}
	return wired.Nested
}

func registration(reader settings.Reader, r settings.Registration, n *settings.Node) Registration {
	cb := Callback{Command: r.Command, Args: r.Args, own: r.Own, late: r.Async}
	if r.Own {
		cb.Name = "hookctl gate"
	}
	switch {
	case r.Type != "command":
		cb.Name = "(" + r.Type + ")"
		cb.skip = "a hook of the type " + strconv.Quote(r.Type)
	case r.Command == "":
		cb.skip = "it has no command for this system"
	}
	if rule := n.Member("if"); rule.Is(settings.String) && reader.Agent == wired.Claude {
		cb.only, _, _ = strings.Cut(rule.Text, "(")
	}
	if f := n.Member("onFailure"); f.Is(settings.String) && f.Text == "block" && reader.Agent == wired.Claude {
		cb.failClosed = true
	}
	if n.Member("failClosed").True() && reader.Agent == wired.Cursor {
		cb.failClosed = true
	}
	return Registration{Event: r.Event, Matcher: r.Matcher, Timeout: reader.Waits(r).Seconds(), Callback: cb}
}

// at follows a path as Inspect writes it, such as hooks.Stop[0].hooks[1]; nil where it
// leads nowhere.
func at(t settings.Tree, where string) *settings.Node {
	n := t.Node
	for step := range strings.SplitSeq(where, ".") {
		name, index, ok := strings.Cut(step, "[")
		n = n.Member(name)
		if !ok {
			continue
		}
		i, err := strconv.Atoi(strings.TrimSuffix(index, "]"))
		if err != nil || n == nil || i >= len(n.Kids) {
			return nil
		}
		n = n.Kids[i]
	}
	return n
}

func variables(t settings.Tree) (env []string) {
	v := t.Node.Member("env")
	if !v.Is(settings.Object) {
		return nil
	}
	for i, k := range v.Kids {
		if k.Is(settings.String) {
			env = append(env, v.Names[i].Text+"="+k.Text)
		}
	}
	return env
}

// Mentions are the files of the project that the commands name by a path: from the
// project's folder, or by a variable for it.
func (w Wiring) Mentions() (list []string) {
	for _, r := range w.Registrations {
		for _, word := range append(settings.Words(r.Callback.Command), r.Callback.Args...) {
			for _, v := range projectVars {
				word = strings.TrimPrefix(strings.TrimPrefix(word, "${"+v+"}/"), "$"+v+"/")
			}
			word = path.Clean(filepath.ToSlash(word))
			if inside(word) && strings.Contains(word, "/") && !strings.HasPrefix(word, "~") && !slices.Contains(list, word) {
				list = append(list, word)
			}
		}
	}
	return list
}
