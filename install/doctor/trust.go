package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agenthooks/hookctl/install/agent"
	"github.com/agenthooks/hookctl/install/settings"
)

// codex asks which hooks Codex has been told to run. It keeps that in config.toml
// under the hook's place, and a hash of what stood there when it was approved; the
// hash is Codex's own affair and is not computed here.
func (p *patient) codex() {
	hooks := p.of(agent.Codex)
	dir := p.userDir(agent.Codex)
	if len(hooks) == 0 || dir == "" {
		return
	}
	config := filepath.Join(dir, "config.toml")
	state := p.trees[config].At("hooks", "state")
	wait := map[string][]hook{}
	var order []string
	for _, h := range hooks {
		if h.Scope == string(agent.Managed) || h.Scope == "plugin" {
			continue
		}
		entry := stateOf(state, h)
		switch {
		case entry.Member("enabled").False():
			p.at(h, "codex-disabled", settings.Error, "", "is switched off: hooks.state in %s, line %d, enabled = false", config, entry.Line)
		case entry.Member("trusted_hash") == nil:
			if wait[h.File.Path] == nil {
				order = append(order, h.File.Path)
			}
			wait[h.File.Path] = append(wait[h.File.Path], h)
		}
	}
	for _, path := range order {
		first := wait[path][0]
		p.at(first, "codex-untrusted", settings.Error, "", "not approved, so that Codex does not run them: %d of this file's hooks", len(wait[path]))
	}
	p.codexProject(config)
}

// stateOf is what Codex keeps of a hook: under the file's path, the event in its
// spelling with underscores, and two numbers.
func stateOf(state *settings.Node, h hook) *settings.Node {
	_, rest, _ := strings.Cut(h.Registration.Path, "[")
	group, rest, _ := strings.Cut(rest, "]")
	_, rest, _ = strings.Cut(rest, "[")
	index, _, _ := strings.Cut(rest, "]")
	paths := []string{h.File.Path}
	if real, err := filepath.EvalSymlinks(h.File.Path); err == nil {
		paths = append(paths, real)
	}
	for _, path := range paths {
		if e := state.Member(fmt.Sprintf("%s:%s:%s:%s", path, snake(h.Event), group, index)); e != nil {
			return e
		}
	}
	return nil
}

// snake writes PreToolUse as pre_tool_use.
func snake(event string) string {
	var b strings.Builder
	for i, r := range event {
		if r >= 'A' && r <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// codexProject asks whether Codex reads the hooks of the project at all.
func (p *patient) codexProject(config string) {
	for _, h := range p.of(agent.Codex) {
		if h.Scope != string(agent.Project) {
			continue
		}
		projects := p.trees[config].Member("projects")
		if level := projects.At(p.Project, "trust_level"); level != nil && level.Text == "trusted" {
			return
		}
		p.at(h, "untrusted-folder", settings.Error, "start codex in the folder and trust it", "Codex does not trust %s: it reads none of the project's hooks", p.Project)
		return
	}
}

// folders asks which folders Gemini CLI and Qwen Code have been told to trust. In
// others Gemini CLI runs no hook at all, Qwen Code none of the project's.
func (p *patient) folders() {
	if p.Project == "" {
		return
	}
	for _, name := range []string{agent.Gemini, agent.Qwen} {
		dir := p.userDir(name)
		h, found := p.bound(name)
		if !found || dir == "" || !p.asksTrust(name) {
			continue
		}
		file := filepath.Join(dir, "trustedFolders.json")
		if name == agent.Gemini && p.env("GEMINI_CLI_TRUSTED_FOLDERS_PATH") != "" {
			file = p.env("GEMINI_CLI_TRUSTED_FOLDERS_PATH")
		}
		a, _ := agent.Lookup(name)
		which := map[string]string{agent.Gemini: "no hook at all, your own neither", agent.Qwen: "none of the project's hooks"}[name]
		switch level := trusted(file, p.Project); level {
		case "TRUST_FOLDER", "TRUST_PARENT":
		case "DO_NOT_TRUST":
			p.at(h, "untrusted-folder", settings.Error, "start "+a.Program+" in the folder and change it with /permissions", "%s is marked as not trusted in %s: %s runs %s", p.Project, file, a.Title, which)
		default:
			p.at(h, "untrusted-folder", settings.Warning, "start "+a.Program+" in the folder and trust it", "%s is not among the trusted folders in %s: until it is, %s runs %s there", p.Project, file, a.Title, which)
		}
	}
}

// bound is the first hook that hangs on the folder's trust.
func (p *patient) bound(name string) (h hook, found bool) {
	for _, h := range p.of(name) {
		if name == agent.Gemini || h.Scope == string(agent.Project) {
			return h, true
		}
	}
	return h, false
}

// asksTrust reports whether the agent asks for trust: Gemini CLI unless it is told
// not to, Qwen Code only when it is told to. A project cannot tell it.
func (p *patient) asksTrust(name string) bool {
	if name == agent.Gemini && p.env("GEMINI_CLI_TRUST_WORKSPACE") == "true" {
		return false
	}
	for _, f := range p.Files {
		if f.Agent != name || f.Foreign || f.Scope == string(agent.Project) {
			continue
		}
		if v := p.trees[f.Path].At("security", "folderTrust", "enabled"); v.True() || v.False() {
			return v.True()
		}
	}
	return name == agent.Gemini
}

// trusted is what the longest rule that covers a folder says of it, "" = nothing.
func trusted(file, folder string) (level string) {
	src, err := readFile(file, maxFile)
	if err != nil {
		return ""
	}
	t, err := settings.ParseJSON(src)
	if err != nil || !t.Is(settings.Object) {
		return ""
	}
	longest := -1
	for i, rule := range t.Names {
		root := filepath.Clean(rule.Text)
		if t.Kids[i].Text == "TRUST_PARENT" {
			root = filepath.Dir(root)
		}
		if root = realPath(root); within(realPath(folder), root) && len(root) > longest {
			longest, level = len(root), t.Kids[i].Text
		}
	}
	return level
}

func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return filepath.Clean(path)
}

func within(path, root string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(os.PathSeparator))
}
