package doctor

import (
	"bufio"
	"bytes"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agenthooks/hookctl/install/agent"
	"github.com/agenthooks/hookctl/install/settings"
)

// profile looks for what a login shell prints when it starts. Only plain lines are
// read: what stands in a condition or a function may never run.
func (p *patient) profile() {
	if len(p.of(agent.Codex)) == 0 || p.Home == "" {
		return
	}
	for _, file := range p.profiles() {
		src, err := readFile(file, maxScript)
		if err != nil {
			continue
		}
		if line, text := prints(src); line > 0 {
			p.add(File{Agent: agent.Codex, Path: file}, settings.Problem{
				Code: "profile-noise", Severity: settings.Warning, Line: line,
				Text: "prints when a login shell starts: " + text,
			})
		}
	}
}

// profiles are the files that a login shell of the user reads.
func (p *patient) profiles() []string {
	in := func(names ...string) (files []string) {
		for _, n := range names {
			files = append(files, filepath.Join(p.Home, n))
		}
		return files
	}
	switch path.Base(p.env("SHELL")) {
	case "zsh":
		return in(".zshenv", ".zprofile", ".zlogin")
	case "bash":
		for _, file := range in(".bash_profile", ".bash_login", ".profile") { // the first that is there
			if _, err := readFile(file, maxScript); err == nil {
				return []string{file}
			}
		}
		return nil
	}
	return in(".profile")
}

// prints is the first plain line that prints to standard output, 0 = none.
func prints(src []byte) (line int, text string) {
	depth := 0
	lines := bufio.NewScanner(bytes.NewReader(src))
	lines.Buffer(nil, maxScript)
	for n := 1; lines.Scan(); n++ {
		t := strings.TrimSpace(lines.Text())
		first, _, _ := strings.Cut(t, " ")
		switch {
		case slices.Contains([]string{"if", "case", "for", "while", "until", "{"}, first), strings.HasSuffix(t, "{"):
			if !strings.HasSuffix(t, "fi") && !strings.HasSuffix(t, "esac") && !strings.HasSuffix(t, "done") && !strings.HasSuffix(t, "}") {
				depth++
			}
		case slices.Contains([]string{"fi", "esac", "done", "}"}, strings.TrimRight(first, ";")):
			depth--
		case depth == 0 && slices.Contains([]string{"echo", "printf", "fortune", "neofetch", "fastfetch", "figlet", "cowsay", "date", "uptime"}, first) && !strings.Contains(t, ">"):
			return n, t
		}
	}
	return 0, ""
}
