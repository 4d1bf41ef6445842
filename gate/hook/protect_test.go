//go:build !windows

package hook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// guarded is a machine whose project and home have links in them.
func guarded(t *testing.T) *machine {
	t.Helper()
	m := newMachine(t)
	m.direct = true
	mkdir(t, m.user+"/.claude/projects/x", m.project+"/.git", m.project+"/sub", m.user+"/dotfiles", m.user+"/.codex", m.project+"/.claude")
	write(t, m.user+"/dotfiles/claude.json", "{}")
	must(t, os.Symlink(m.user+"/dotfiles/claude.json", m.user+"/.claude/settings.json"))
	must(t, os.Symlink(m.user+"/.claude", m.project+"/linked"))
	must(t, os.Symlink(m.user+"/.claude/projects", m.project+"/deep"))
	must(t, os.Symlink(m.user+"/.claude/settings.local.json", m.project+"/dangling"))
	must(t, os.Symlink("dangling", m.project+"/twice"))
	must(t, os.Symlink(m.user+"/.hookctl", m.project+"/nothing-yet"))
	must(t, os.Symlink("round", m.project+"/round"))
	return m
}

// protectedSpellings name one protected file or another.
func (m *machine) protectedSpellings() []string {
	up := "../user/.claude/settings.json"
	return []string{
		m.user + "/.claude/settings.json",
		m.user + "//.claude/./settings.json",
		m.user + "/x/../.claude/settings.json",
		up, "./" + up, "sub/../" + up,
		"linked/settings.json", "linked/settings.local.json", m.project + "/linked/./settings.json",
		"deep/../settings.json", "deep/../settings.local.json", // ".." leads up from where the link has led
		"dangling", "twice", "./sub/../dangling",
		"nothing-yet/config.yaml", "nothing-yet",
		m.user + "/dotfiles/claude.json", // what the settings are a link to
		".claude/settings.json", m.project + "/.claude/settings.local.json", ".codex/hooks.json", ".codex",
		m.user + "/.hookctl", m.user + "/.hookctl/config.yaml", m.user + "/.hookctl/store/x/rules",
		m.user + "/.codex/config.toml", m.user + "/.gemini/settings.json",
	}
}

func (m *machine) openSpellings() []string {
	return []string{
		"main.go", "settings.json", "sub/.claude.json", m.user + "/.claude/projects/x/notes.md", "linked/projects/x/a", "round", "round/x",
		m.user + "/.hookctl.md", m.user + "/.claude/settings.json.md", "/dev/null", "..", "../user/.bashrc", m.user + "/dotfiles/vimrc",
	}
}

func TestProtectedFiles(t *testing.T) {
	m := guarded(t)
	for _, f := range m.protectedSpellings() {
		reason := denied(t, m.fire(t, m.tool("Write", fields{"file_path": f, "content": "{}"}, nil)))
		if t.Failed() {
			t.Fatalf("%s: %q", f, reason)
		}
	}
	for _, f := range m.openSpellings() {
		silent(t, m.fire(t, m.tool("Write", fields{"file_path": f}, nil)))
		if t.Failed() {
			t.Fatal(f)
		}
	}
	const file = "~/.claude/settings.json"
	for tool, input := range map[string]fields{
		"Edit": {"file_path": file, "old_string": "a", "new_string": "b"}, "MultiEdit": {"file_path": file, "edits": []fields{}},
		"NotebookEdit": {"notebook_path": file}, "Write": {"file_path": file}, "write_file": {"file_path": file}, "replace": {"file_path": file},
	} {
		denied(t, m.fire(t, m.tool(tool, input, nil)))
	}
	for _, tool := range []string{"Read", "Grep", "Glob", "mcp__files__read", "Agent"} {
		silent(t, m.fire(t, m.tool(tool, fields{"file_path": file, "prompt": "write " + file}, nil)))
	}
	// In a folder of the project the project's own files are still meant.
	denied(t, m.fire(t, m.tool("Write", fields{"file_path": m.project + "/.claude/settings.json"}, fields{"cwd": m.project + "/sub"})))
	// Without a folder in the event it is the one in which the hook runs.
	if wd, err := os.Getwd(); err == nil {
		denied(t, m.fire(t, m.tool("Write", fields{"file_path": ".claude/settings.json"}, fields{"cwd": nil})))
		denied(t, m.fire(t, m.tool("Write", fields{"file_path": wd + "/.codex/x"}, fields{"cwd": nil})))
	}
}

// Folders have all kinds of names.
func TestProtectedFoldersAreTakenLiterally(t *testing.T) {
	for _, name := range []string{"app/[id]", "a*b", "what?", "a[", "ab ü 日本"} {
		m := newMachine(t)
		m.direct = true
		m.user = filepath.Join(m.user, name)
		m.home, m.project = m.user+"/.hookctl", m.user+"/p/"+name
		mkdir(t, m.project)
		for _, f := range []string{m.home + "/config.yaml", m.user + "/.claude/settings.json", ".claude/settings.json"} {
			denied(t, m.fire(t, m.tool("Write", fields{"file_path": f}, nil)))
		}
		silent(t, m.fire(t, m.tool("Write", fields{"file_path": m.project + "/main.go"}, nil)))
	}
}

func TestRedirections(t *testing.T) {
	m := guarded(t)
	s := m.user + "/.claude/settings.json"
	for _, line := range []string{
		"echo x > " + s, "echo x >" + s, "echo x>>" + s, "echo x >| " + s, "echo x &> " + s, "echo x &>> " + s, "ls 2> " + s, "ls 2>>" + s,
		"cat <> " + s, "echo x >& " + s, ": > " + s, "> " + s, "exec 3> " + s, "exec {fd}> " + s,
		"echo x > ~/.claude/settings.json", "echo x > $HOME/.claude/settings.json", "echo x > ${HOME}/.claude/settings.json",
		`echo x > "$HOME/.claude/settings.json"`, `echo x > "$HOME"/.claude/'settings'.json`, `echo x > ~/.cl"au"de/set\tings.json`,
		"echo x > ~" + filepath.Base(m.user) + "/.claude/settings.json",
		"echo x > ../user/.claude/settings.json", "echo x > linked/settings.json", "echo x > deep/../settings.json", "echo x > twice",
		"cat > " + s + " <<EOF\n{}\nEOF", "cat <<'EOF' > " + s + "\n{}\nEOF", "cat <<EOF | cat > " + s + "\n{}\nEOF",
		"(echo x > " + s + ")", "{ echo x; } > " + s, "f() { echo x > " + s + "; }; f", "true && echo x > " + s + " || false",
		"echo x | tee /dev/null > " + s, "if true; then echo x > " + s + "; fi", "for i in 1 2; do echo $i; done > " + s,
		"while read l; do echo $l > " + s + "; done < in", "echo $(echo x > " + s + ")", "echo `echo x > " + s + "`", "echo x > " + s + " &",
		"case a in a) echo x > " + s + ";; esac", "diff <(echo x > " + s + ") b", "echo x > a.txt > " + s, "[[ a > b ]] && echo x > " + s,
		"echo x > " + s + "\nif", // bash runs the lines before the one that is broken
		"echo x > .claude/settings.json", "echo x > " + m.home + "/config.yaml",
	} {
		r := m.fire(t, m.tool("Bash", fields{"command": line}, nil))
		if d, _ := r.decision(t); d != "deny" {
			t.Errorf("%q: %s, want deny", line, d)
		}
	}
	for _, line := range []string{
		"cat " + s, "cat < " + s, "grep hooks ~/.claude/settings.json > out.txt", "cat ~/.claude/settings.json 2>/dev/null", "ls 2>&1", "ls >&2", "ls 2>&-",
		"echo 'echo x > " + s + "' > doc.md", `git commit -m "do not > ` + s + `"`, "# > " + s, "cat <<'EOF' > doc.md\necho x > " + s + "\nEOF",
		"echo " + s, "echo \\> " + s, "[ a \\> " + s + " ]", "echo x > /dev/null", "(( 2 > 1 ))", "awk '$1 > 5' " + s,
	} {
		silent(t, m.fire(t, m.tool("Bash", fields{"command": line}, nil)))
		if t.Failed() {
			t.Fatalf("%q is not let through", line)
		}
	}
	for tool := range map[string]bool{"run_shell_command": true, "bash": true, "Shell": true} {
		denied(t, m.fire(t, m.tool(tool, fields{"command": "echo x > " + s}, nil)))
	}
	// The fast path lets no spelling of the sign pass.
	for _, sign := range []string{`\u003e`, `\u003E`} {
		m.direct = false
		denied(t, m.fire(t, strings.Replace(m.tool("Bash", fields{"command": "echo x @ " + s}, nil), "@", sign, 1)))
	}
}

// After the fact nothing can be undone: the agent is told.
func TestPostToolReports(t *testing.T) {
	m := guarded(t)
	post := fields{"hook_event_name": "PostToolUse"}
	for _, e := range []string{
		m.tool("Write", fields{"file_path": "~/.claude/settings.json"}, post),
		m.tool("Bash", fields{"command": "echo x > linked/settings.json"}, post),
	} {
		if reason := blocked(t, m.fire(t, e)); !strings.Contains(reason, "[protected-files]") {
			t.Errorf("reason %q", reason)
		}
	}
	silent(t, m.fire(t, m.tool("Write", fields{"file_path": "main.go"}, post)))
}
