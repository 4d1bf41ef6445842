package doctor

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/agenthooks/hookctl/install/agent"
	"github.com/agenthooks/hookctl/install/settings"
)

// program looks at what a hook starts: the program, and the script that it is to
// run. Of a line that is more than one plain command only the first is looked at.
func (p *patient) program(h hook) {
	if h.Command == "" && h.PowerShell != "" && runtime.GOOS != "windows" && !h.Foreign {
		p.at(h, "program-missing", settings.Error, `write "bash": "…" beside it`, "has a line for PowerShell only; before a tool Copilot denies what it cannot ask about")
	}
	if h.Type != "command" || strings.TrimSpace(h.Command) == "" || h.Foreign {
		return
	}
	words := h.Args
	if h.Args == nil || h.Agent != agent.Claude {
		words = settings.Words(h.Command)
	} else {
		words = append([]string{h.Command}, words...)
	}
	words = p.plain(words)
	if len(words) == 0 {
		return
	}
	name, ok := p.expand(h, words[0])
	if !ok {
		return
	}
	path := p.find(h, name, words)
	if path == "" || !p.runnable(h, path) {
		return
	}
	if script := p.script(h, path, words); script != "" {
		p.readable(h, script)
	}
}

// plain is the first command of a line without what stands before its program;
// nothing when the shell itself does the work.
func (p *patient) plain(words []string) []string {
	for i, w := range words {
		if slices.Contains([]string{";", "&", "|", "<", ">", "(", ")", "\n"}, w) {
			words = words[:i]
			break
		}
	}
	for len(words) > 0 {
		w := words[0]
		name, _, assigned := strings.Cut(w, "=")
		switch {
		case assigned && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == "",
			slices.Contains([]string{"exec", "command", "nohup", "env", "time", "-"}, w):
			words = words[1:]
		case slices.Contains(shellWords(), w):
			return nil
		default:
			return words
		}
	}
	return nil
}

// shellWords are done by the shell, or begin more than a plain command.
func shellWords() []string {
	return []string{
		"if", "case", "for", "while", "until", "{", "!", "[", "[[", "test", "cd", "echo", "printf", "true", "false", ":", "exit",
		"return", ".", "source", "eval", "set", "export", "unset", "read", "trap", "wait", "type", "umask", "function", "&",
	}
}

// expand puts in what the agents and the shell put in; false = there is more to
// expand than is known here.
func (p *patient) expand(h hook, word string) (string, bool) {
	if rest, ok := strings.CutPrefix(word, "~/"); ok && h.Args == nil {
		word = filepath.Join(p.Home, rest)
	}
	for name, value := range map[string]string{
		"HOME": p.Home, "CLAUDE_PROJECT_DIR": p.Project, "GEMINI_PROJECT_DIR": p.Project, "QWEN_PROJECT_DIR": p.Project,
		"CURSOR_PROJECT_DIR": p.Project, "CLAUDE_PLUGIN_ROOT": h.Root, "PLUGIN_ROOT": h.Root, "extensionPath": h.Root,
	} {
		if value == "" {
			continue
		}
		word = strings.ReplaceAll(word, "${"+name+"}", value)
		if rest, ok := strings.CutPrefix(word, "$"+name); ok && (rest == "" || rest[0] == '/') {
			word = value + rest
		}
	}
	return word, !strings.ContainsAny(word, "$`*?")
}

// find is where the program lies, "" when that has been reported or cannot be told.
func (p *patient) find(h hook, name string, words []string) string {
	if !strings.ContainsRune(filepath.ToSlash(name), '/') {
		return p.onPath(h, name)
	}
	if !filepath.IsAbs(name) {
		if name = p.relative(h, name); name == "" {
			return ""
		}
	}
	if _, err := os.Stat(name); err == nil {
		return name
	}
	if whole := p.joined(h, name, words[1:]); whole != "" {
		p.at(h, "unquoted-space", settings.Error, "write "+quote(whole), "the shell starts %s: %s stands there without quotes", name, whole)
		return ""
	}
	p.at(h, "program-missing", settings.Error, "", "there is no %s", name)
	return ""
}

// relative finds a program that is named from a folder.
func (p *patient) relative(h hook, name string) string {
	root := p.Project
	switch h.Agent {
	case agent.Cursor:
		if root = filepath.Dir(h.File.Path); h.Scope == string(agent.Project) {
			root = filepath.Dir(root)
		}
	case agent.Claude:
		p.at(h, "relative-path", settings.Warning, "", "%s is looked for in the folder that the agent is in at that moment", name)
		return ""
	}
	if root == "" {
		return ""
	}
	return filepath.Join(root, name)
}

// joined is the file that a path names whose spaces are not quoted, "" = none.
func (p *patient) joined(h hook, name string, words []string) string {
	for _, w := range words {
		w, _ := p.expand(h, w)
		name += " " + w
		if fi, err := os.Stat(name); err == nil && fi.Mode().IsRegular() {
			return name
		}
	}
	return ""
}

func quote(path string) string { return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'" }

// onPath finds a bare name. What lies below the home folder is on the PATH of the
// user's shells, and of nothing that a desktop or a timer has started.
func (p *patient) onPath(h hook, name string) string {
	for _, dir := range filepath.SplitList(p.env("PATH")) {
		path := filepath.Join(dir, name)
		for _, ext := range extensions() {
			fi, err := os.Stat(path + ext)
			if err != nil || !fi.Mode().IsRegular() || runtime.GOOS != "windows" && fi.Mode()&0o111 == 0 {
				continue
			}
			if p.Home != "" && within(dir, p.Home) {
				s := settings.Warning
				if h.Own {
					s = settings.Note // the shared form, which each machine looks up for itself
				}
				p.at(h, "program-path", s, "write "+path, "%s is found in %s only, which is on the PATH of your shells", name, dir)
			}
			return path + ext
		}
	}
	p.at(h, "program-missing", settings.Error, "", "there is no program %s on the PATH", name)
	return ""
}

func extensions() []string {
	if runtime.GOOS == "windows" {
		return []string{".exe", ".cmd", ".bat", ""}
	}
	return []string{""}
}

// runnable reports what keeps the system from starting a file.
func (p *patient) runnable(h hook, path string) bool {
	fi, err := os.Stat(path)
	if err != nil {
		return false
	}
	if fi.IsDir() {
		p.at(h, "program-missing", settings.Error, "", "%s is a folder", path)
		return false
	}
	if runtime.GOOS == "windows" {
		return true
	}
	if fi.Mode()&0o111 == 0 {
		p.at(h, "not-executable", settings.Error, "chmod +x "+quote(path), "%s has mode %04o", path, fi.Mode().Perm())
		return false
	}
	return p.readable(h, path)
}

// maxScript bounds a script that is read, in bytes.
const maxScript = 256 << 10

// readable looks into a program or a script; true = it can be started.
func (p *patient) readable(h hook, path string) bool {
	p.writable(h, path)
	src, err := readFile(path, maxScript)
	if err != nil {
		return true // a large program is no script
	}
	first, _, _ := bytes.Cut(src, []byte("\n"))
	shebang, ok := bytes.CutPrefix(first, []byte("#!"))
	if !ok {
		return true
	}
	if bytes.HasSuffix(first, []byte("\r")) {
		p.at(h, "carriage-return", settings.Error, "sed -i 's/\\r$//' "+quote(path), "the first line of %s ends in a carriage return", path)
		return false
	}
	p.tools(h, path, src)
	words := strings.Fields(string(shebang))
	if len(words) == 0 || !filepath.IsAbs(words[0]) {
		return true
	}
	if _, err := os.Stat(words[0]); err != nil {
		p.at(h, "program-missing", settings.Error, "", "%s wants %s, which is not there", path, words[0])
		return false
	}
	return true
}

// tools reports a script that parses its input with a program that is not there:
// such a script goes on with nothing, and lets everything pass.
func (p *patient) tools(h hook, path string, src []byte) {
	for _, call := range []string{"\njq ", "| jq ", "$(jq ", "`jq "} {
		if !bytes.Contains(src, []byte(call)) {
			continue
		}
		for _, dir := range filepath.SplitList(p.env("PATH")) {
			if _, err := os.Stat(filepath.Join(dir, "jq")); err == nil {
				return
			}
		}
		p.at(h, "program-missing", settings.Error, "install jq", "%s calls jq, which is not on the PATH", path)
		return
	}
}

// writable reports a file that others can change.
func (p *patient) writable(h hook, path string) {
	if runtime.GOOS == "windows" {
		return
	}
	fi, err := os.Stat(path)
	if err != nil {
		return
	}
	if fi.Mode()&0o002 != 0 {
		p.at(h, "world-writable", settings.Warning, "chmod o-w "+quote(path), "everybody may write %s, mode %04o", path, fi.Mode().Perm())
		return
	}
	dir := filepath.Dir(path)
	if di, err := os.Stat(dir); err == nil && di.Mode()&0o002 != 0 && di.Mode()&fs.ModeSticky == 0 {
		p.at(h, "world-writable", settings.Warning, "chmod o-w "+quote(dir), "everybody may replace %s: its folder has mode %04o", path, di.Mode().Perm())
	}
}

// script is the file that an interpreter is to run, "" = none that is named.
func (p *patient) script(h hook, program string, words []string) string {
	name := strings.TrimSuffix(filepath.Base(program), ".exe")
	if !slices.ContainsFunc([]string{"sh", "bash", "zsh", "dash", "python", "node", "deno", "bun", "ruby", "perl", "tsx", "pwsh"}, func(i string) bool {
		return name == i || i == "python" && strings.HasPrefix(name, i)
	}) {
		return ""
	}
	for i, w := range words[1:] {
		if slices.Contains([]string{"-c", "-e", "-m", "-p", "--eval", "-Command", "-"}, w) || strings.HasPrefix(w, "-lc") {
			return ""
		}
		if strings.HasPrefix(w, "-") || w == "run" && (name == "deno" || name == "bun") {
			continue
		}
		path, ok := p.expand(h, w)
		if !ok || !strings.Contains(path, "/") && filepath.Ext(path) == "" {
			return ""
		}
		if !filepath.IsAbs(path) {
			if path = p.relative(h, path); path == "" {
				return ""
			}
		}
		if _, err := os.Stat(path); err == nil {
			return path
		}
		if whole := p.joined(h, path, words[i+2:]); whole != "" {
			p.at(h, "unquoted-space", settings.Error, "write "+quote(whole), "%s is given %s: %s stands there without quotes", name, path, whole)
			return ""
		}
		text := "there is no %s"
		if strings.HasPrefix(name, "python") {
			text += "; Python ends with 2 then, which agents take for a block"
		}
		p.at(h, "program-missing", settings.Error, "", text, path)
		return ""
	}
	return ""
}

// says is the text of a hook as far as it can be read: its line, and the script
// that it runs.
func (p *patient) says(h hook) string {
	text := h.line()
	words := p.plain(settings.Words(h.Command))
	if h.Args != nil {
		words = append([]string{h.Command}, h.Args...)
	}
	for _, w := range words {
		path, ok := p.expand(h, w)
		if !ok || !strings.Contains(path, "/") {
			continue
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(p.Project, path)
		}
		if src, err := readFile(path, maxScript); err == nil && bytes.IndexByte(src, 0) < 0 {
			text += "\n" + string(src)
		}
	}
	return text
}
