package doctor

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agenthooks/hookctl/install/agent"
	"github.com/agenthooks/hookctl/install/settings"
)

func (h hook) line() string { return strings.TrimSpace(h.Command + " " + strings.Join(h.Args, " ")) }

// once reports that the agent runs a handler that stands in several settings files
// only once. Copies of plugins always run beside it; Codex drops none, wherever
// they stand. All others than these were not seen to.
func once(a, b hook) bool {
	return a.line() == b.line() && a.Scope != "plugin" && b.Scope != "plugin" && slices.Contains([]string{agent.Claude, agent.Gemini, agent.Qwen}, a.Agent)
}

// doubled finds a hook that is registered for one event in several places, so that
// it runs more than once. hookctl is the same hook however its line is written.
func (p *patient) doubled() {
	for i, b := range p.hooks {
		j := slices.IndexFunc(p.hooks[:i], func(a hook) bool { return same(a, b) && !once(a, b) })
		if j < 0 {
			continue
		}
		a := p.hooks[j]
		if a.File.Path == b.File.Path && b.Own {
			continue // the file alone has it already
		}
		who, mend := "this hook", ""
		if b.Own {
			who = "hookctl"
		}
		p.at(b, "registered-twice", settings.Warning, mend, "%s runs twice on %s: it is registered as %q in %s, line %d as well", who, b.Event, a.line(), a.File.Path, a.Line)
	}
	p.homeAsProject()
}

func same(a, b hook) bool {
	if a.Agent != b.Agent || a.Event != b.Event && (a.kind() == "" || a.kind() != b.kind()) {
		return false
	}
	if a.Own || b.Own {
		return a.Own && b.Own
	}
	return a.line() != "" && a.line() == b.line() && a.Matcher == b.Matcher && !a.Foreign && !b.Foreign
}

// homeAsProject notes an agent that would read its user settings as the project's.
func (p *patient) homeAsProject() {
	if p.Project == "" || p.Home == "" || filepath.Clean(p.Project) != filepath.Clean(p.Home) || len(p.hooks) == 0 {
		return
	}
	p.add(File{Path: p.Home}, settings.Problem{Code: "home-as-project", Severity: settings.Note, Text: "is the home folder and the project at once"})
}

// belowRoot finds a project's hooks that Claude Code does not read, since it is
// started below the root of the repository: of the root it reads the local settings
// only (2.1.332). How the others look for a project's file was not seen to.
func (p *patient) belowRoot() {
	if p.Root == "" || filepath.Clean(p.Root) == filepath.Clean(p.Project) {
		return
	}
	for _, f := range p.Files {
		if f.Agent != agent.Claude || f.Scope != string(agent.Project) || f.Foreign {
			continue
		}
		rel, err := filepath.Rel(p.Project, f.Path)
		if err != nil {
			continue
		}
		f.Path = filepath.Join(p.Root, rel)
		src, err := readFile(f.Path, maxFile)
		if err != nil || slices.ContainsFunc(p.Files, func(o File) bool { return o.Agent == f.Agent && o.Path == f.Path }) {
			continue // there is none, or it is the user's file and read as that
		}
		found, _, err := settings.ReaderOf(f.Agent, f.Format).Inspect(src, settings.Own, false)
		if err == nil && len(found) > 0 {
			p.add(f, settings.Problem{
				Code: "not-read", Severity: settings.Warning, Line: found[0].Line, Path: found[0].Path, Mend: "cd " + quote(p.Root) + " before you start claude",
				Text: fmt.Sprintf("Claude Code does not read it when it is started in %s", p.Project),
			})
		}
	}
}

// protection finds what denies only after the tool has run, waits for nobody's
// answer, or blocks in a way that the agent does not heed on that event.
func (p *patient) protection() {
	for _, h := range p.hooks {
		if h.Foreign {
			continue
		}
		text := p.says(h)
		switch {
		case h.kind() == "post-tool" && !p.alsoBefore(h) && (h.Own || denies(text)):
			s := settings.Warning
			if h.Own {
				s = settings.Error
			}
			a, _ := agent.Lookup(h.Agent)
			p.at(h, "gate-after-tool", s, "register it on "+cmp.Or(a.Event("pre-tool"), "the event before the tool"), "denies, but is registered after the tool only")
		case h.Async && !h.Own && (denies(text) || exits2(text)):
			p.at(h, "async", settings.Error, "", "wants to block, but is async: the agent does not wait for it")
		case h.kind() == "stop" && (h.Agent == agent.Copilot || h.Agent == agent.Cursor) && exits2(text) && !decides(text):
			p.at(h, "exit-2-ignored", settings.Error, "", "blocks with exit code 2, which %s does not heed on %s", titleOf(h.Agent), h.Event)
		}
	}
}

// alsoBefore reports whether the same hook is registered before the tool as well.
func (p *patient) alsoBefore(h hook) bool {
	return slices.ContainsFunc(p.hooks, func(o hook) bool {
		return o.Agent == h.Agent && o.kind() == "pre-tool" && (h.Own && o.Own || !h.Own && o.line() == h.line())
	})
}

func titleOf(name string) string {
	a, _ := agent.Lookup(name)
	return a.Title
}

func denies(text string) bool {
	return strings.Contains(text, "permissionDecision") && strings.Contains(text, "deny")
}

func exits2(text string) bool {
	for _, s := range []string{"exit 2", "exit(2)", "process.exitCode = 2"} {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}

func decides(text string) bool {
	return strings.Contains(text, "decision") || strings.Contains(text, "followup_message")
}

// around looks for switches in the environment that an agent started from here
// hands to its hooks.
func (p *patient) around() {
	for name, what := range map[string]string{
		"STOP_HOOK_LLM_JUDGE_ACTIVE": "marks every hook as a judge's own: stop gates stay silent",
		"HOOKCTL_JUDGE_ACTIVE":       "marks every hook as a judge's own: stop gates stay silent",
		"CLAUDE_CODE_SIMPLE":         "Claude Code runs only hooks of the session and of managed plugins",
	} {
		if p.env(name) != "" && len(p.hooks) > 0 {
			p.add(File{}, settings.Problem{
				Code: "environment", Severity: settings.Warning, Path: name, Mend: "unset " + name,
				Text: "is set here, and so in every agent that is started from here: " + what,
			})
		}
	}
}

// switches heeds what one file says of the hooks of the others.
func (p *patient) switches() {
	p.overruled()
	p.around()
	for _, f := range p.Files {
		names, _ := p.trees[f.Path].At("hooksConfig", "disabled").Strings()
		if f.Agent != agent.Gemini || len(names) == 0 {
			continue
		}
		list := p.trees[f.Path].At("hooksConfig", "disabled")
		for _, h := range p.of(agent.Gemini) {
			if name := cmp.Or(h.Name, h.Command); slices.Contains(names, name) {
				p.add(f, settings.Problem{
					Code: "hook-disabled", Severity: settings.Error, Path: "hooksConfig.disabled", Line: list.Line,
					Text: fmt.Sprintf("names %q: the hook on %s in %s, line %d never runs", name, h.Event, h.File.Path, h.Line),
				})
			}
		}
	}
}

// overruled takes back what was said of a switch that a stronger file turns on
// again: files come the strongest first.
func (p *patient) overruled() {
	on := map[string]bool{}
	for _, f := range p.Files {
		v := p.trees[f.Path].Member("disableAllHooks")
		switch {
		case f.Foreign || v == nil:
		case v.False():
			on[f.Agent] = true
		case v.True() && on[f.Agent]:
			p.findings = slices.DeleteFunc(p.findings, func(x Finding) bool {
				return x.Code == "disable-all-hooks" && x.File == f.Path && x.Agent == f.Agent
			})
		}
	}
}
