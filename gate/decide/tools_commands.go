package decide

import (
	"strings"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/shell"
)

// told is a command taken apart, as guards look at it.
type told struct {
	shell.Command
	program  string
	git      shell.Git
	isGit    bool
	flags    []shell.Flag
	operands []shell.Text
	branch   shell.Text // that a push without a name is of, when the line has gone to it
}

func tell(c shell.Command) told {
	t := told{Command: c, program: c.Program()}
	if len(c.Args) == 0 {
		return t
	}
	if t.git, t.isGit = shell.ParseGit(c); t.isGit {
		t.program, t.flags, t.operands = "git", t.git.Flags, t.git.Args
	} else {
		t.flags, t.operands = plainFlags(c.Args[1:]), plainOperands(c.Args[1:])
	}
	return t
}

// goesTo is the branch that a command makes the current one, "" for others.
func (t *told) goesTo() shell.Text {
	if !t.isGit || t.git.Sub != "checkout" && t.git.Sub != "switch" || len(t.git.Paths) > 0 {
		return ""
	}
	for _, f := range t.flags {
		switch f.Name {
		case "-b", "-B", "-c", "-C", "--orphan", "--create", "--force-create":
			return f.Value
		}
	}
	if len(t.operands) == 1 {
		return t.operands[0]
	}
	return ""
}

// guarded holds the commands of a call against the guards of a rule, each command
// by itself. What cannot be told of a command is held against nobody.
func (e *Engine) guarded(rule *gate.Rule, a *acts) (hits []hit) {
	if len(rule.Commands) == 0 || len(a.commands)+len(a.effects) == 0 {
		return nil
	}
	guards := e.guards(rule)
	all := make([]told, len(a.commands))
	branches := map[shell.Text]shell.Text{}
	for i, c := range a.commands {
		all[i] = tell(c)
		all[i].branch = branches[c.Dir]
		if b := all[i].goesTo(); b != "" {
			branches[c.Dir] = b
		}
	}
	if len(a.effects) > 0 {
		hits = e.changing(guards, a, all)
	}
	for i := range all {
		for j := range guards {
			if guards[j].Off || !all[i].is(guards[j].Any) {
				continue
			}
			text := oneLine(commandText(all[i].Command), 100)
			hits = append(hits, hit{
				Hit:  gate.Hit{Kind: "command", Pattern: guards[j].ID, Sentence: text, Start: all[i].Start, Line: 1},
				said: text + " (" + guards[j].ID + ": " + guards[j].Why + ")", ask: guards[j].Ask,
			})
		}
	}
	return hits
}

// is reports whether a command fits one of the forms that speak of commands alone.
func (t *told) is(any []gate.Form) bool {
	for i := range any {
		if len(any[i].Changes) == 0 && t.fits(&any[i]) {
			return true
		}
	}
	return false
}

// guards are the rule's, with what this machine asks for: an id makes a guard of
// the bundle deny, any other line is a command of its own.
func (e *Engine) guards(rule *gate.Rule) []gate.Guard {
	if len(e.Paths.Commands) == 0 {
		return rule.Commands
	}
	all := append([]gate.Guard(nil), rule.Commands...)
	for _, own := range e.Paths.Commands {
		known := false
		for i := range all {
			if all[i].ID == own {
				known = true
				all[i].Off, all[i].Ask = false, false
			}
		}
		if words := strings.Fields(own); !known && len(words) > 0 {
			f := gate.Form{Run: []string{strings.Join(words, " ")}}
			for i, w := range words {
				if strings.HasPrefix(w, "-") {
					f = gate.Form{Run: []string{strings.Join(words[:i], " ")}, Flags: words[i : i+1]}
					break
				}
			}
			all = append(all, gate.Guard{ID: own, Why: "this machine's config.yaml names it", Any: []gate.Form{f}})
		}
	}
	return all
}

// fits reports whether a command has everything that a form names of commands: of
// each list that is not empty, one.
func (t *told) fits(f *gate.Form) bool {
	switch {
	case len(t.Args) == 0:
	case len(f.Run) > 0 && !t.runs(f.Run):
	case len(f.Flags) > 0 && !hasFlag(t.flags, f.Flags):
	case len(f.None) > 0 && hasFlag(t.flags, f.None):
	case len(f.Args) > 0 && !anyMatches(t.operands, f.Args):
	case len(f.Env) > 0 && !setsEnv(t.Env, f.Env):
	case len(f.Config) > 0 && !(t.isGit && sets(t.git, f.Config)):
	case len(f.Branches) > 0 && !(t.isGit && t.pushes(f.Branches)):
	case len(f.Refspecs) > 0 && !(t.isGit && len(t.git.Args) > 1 && anyMatches(t.git.Args[1:], f.Refspecs)):
	default:
		return true
	}
	return false
}

// runs reports whether a command is one of "program", "program subcommand …".
func (t *told) runs(names []string) bool {
	for _, name := range names {
		if rest, ok := strings.CutPrefix(name, t.program); ok && (rest == "" || rest[0] == ' ') && t.goesOn(rest) {
			return true
		}
	}
	return false
}

// goesOn reports whether the words behind the program are the first operands.
func (t *told) goesOn(words string) bool {
	i := 0
	if t.isGit {
		i = -1 // the subcommand
	}
	for w := range strings.FieldsSeq(words) {
		switch {
		case i < 0 && !matches(w, t.git.Sub), i >= 0 && (i >= len(t.operands) || !matches(w, string(t.operands[i]))):
			return false
		}
		i++
	}
	return true
}

// hasFlag reports whether one of the flags is given.
func hasFlag(have []shell.Flag, want []string) bool {
	for _, h := range have {
		for _, w := range want {
			if h.Name == w || strings.Contains(w, "=") && h.Name+"="+string(h.Value) == w {
				return true
			}
		}
	}
	return false
}

// plainFlags are the options of a program that is not known: as they are, and each
// letter of those that share a dash.
func plainFlags(args []shell.Text) (flags []shell.Flag) {
	for _, a := range args {
		s := string(a)
		if s == "--" {
			break
		}
		if len(s) < 2 || s[0] != '-' {
			continue
		}
		name, value, _ := strings.Cut(s, "=")
		flags = append(flags, shell.Flag{Name: name, Value: shell.Text(value)})
		if s[1] != '-' {
			for i := 1; i < len(name); i++ {
				flags = append(flags, shell.Flag{Name: "-" + name[i:i+1]})
			}
		}
	}
	return flags
}

func plainOperands(args []shell.Text) (out []shell.Text) {
	for _, a := range args {
		if !strings.HasPrefix(string(a), "-") {
			out = append(out, a)
		}
	}
	return out
}

func anyMatches(have []shell.Text, patterns []string) bool {
	for _, h := range have {
		for _, p := range patterns {
			if h.Plain() && matches(p, string(h)) {
				return true
			}
		}
	}
	return false
}

// setsEnv reports whether a variable is set to a value, as "NAME=pattern".
func setsEnv(env []shell.Var, patterns []string) bool {
	for _, v := range env {
		for _, p := range patterns {
			name, value, _ := strings.Cut(p, "=")
			if v.Name == name && (value == "*" || v.Value.Plain() && matches(value, string(v.Value))) {
				return true
			}
		}
	}
	return false
}

// sets reports whether a git command runs with a setting, or writes it. A pattern
// is "key" or "key=value".
func sets(g shell.Git, patterns []string) bool {
	all, section := settings(g)
	for _, p := range patterns {
		key, value, has := strings.Cut(p, "=")
		key = strings.ToLower(key)
		for _, v := range all {
			if matches(key, v.Name) && (!has || matches(value, string(v.Value))) {
				return true
			}
		}
		if section != "" && strings.HasPrefix(key, section+".") {
			return true
		}
	}
	return false
}

// settings are what a git command sets for itself or writes, with "" for what it
// takes away, and the section that it takes away whole.
func settings(g shell.Git) (all []shell.Var, section string) {
	all = g.Config[:len(g.Config):len(g.Config)]
	if g.Sub != "config" || g.Has("--get", "--get-all", "--get-regexp", "--list", "-l", "--get-urlmatch") || len(g.Args) == 0 || g.Args[0] == "get" {
		return all, ""
	}
	args := g.Settings()
	if args[0] == "unset" {
		args = append(args[1:len(args):len(args)], "")
	}
	switch {
	case g.Has("--remove-section", "--rename-section"):
		section = strings.ToLower(string(args[0]))
	case len(args) > 1 && (args[0] == "remove-section" || args[0] == "rename-section"):
		section = strings.ToLower(string(args[1]))
	case len(args) > 1:
		all = append(all, shell.Var{Name: strings.ToLower(string(args[0])), Value: args[1]})
	case g.Has("--unset", "--unset-all"):
		all = append(all, shell.Var{Name: strings.ToLower(string(args[0]))})
	}
	return all, section
}

// pushes reports whether a push names a branch as its target, or is of one that the
// line has gone to before. Any other push that names none goes to a branch that the
// line does not tell.
func (t *told) pushes(branches []string) bool {
	specs := t.git.Args
	switch {
	case len(specs) > 1:
		specs = specs[1:]
	case t.git.Has("--tags"):
		return false
	default:
		specs = []shell.Text{t.branch}
	}
	for _, spec := range specs {
		s := strings.TrimPrefix(string(spec), "+")
		if s == "HEAD" || s == "@" {
			s = string(t.branch)
		}
		if i := strings.LastIndexByte(s, ':'); i >= 0 {
			s = s[i+1:]
		}
		s = strings.TrimPrefix(strings.TrimPrefix(s, "refs/"), "heads/")
		for _, b := range branches {
			if shell.Text(s).Plain() && (matches(b, s) || strings.Contains(s, "*") && matches(s, b)) {
				return true
			}
		}
	}
	return false
}

// matches compares a text with a pattern in which * stands for anything.
func matches(pattern, s string) bool {
	head, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == s
	}
	if !strings.HasPrefix(s, head) {
		return false
	}
	for i := len(head); i <= len(s); i++ {
		if matches(rest, s[i:]) {
			return true
		}
	}
	return false
}

// commandText is a command as a person would type it.
func commandText(c shell.Command) string {
	words := make([]string, len(c.Args))
	for i, a := range c.Args {
		words[i] = a.String()
	}
	return strings.Join(words, " ")
}

// traced is what explain shows of a line.
func traced(a *acts) *gate.ShellTrace {
	t := &gate.ShellTrace{Line: a.line}
	for _, c := range a.commands {
		if len(t.Commands) == maxTraced {
			break
		}
		var env []string
		for _, v := range c.Env {
			env = append(env, v.Name+"="+v.Value.String())
		}
		t.Commands = append(t.Commands, gate.ShellCommand{Text: commandText(c), Env: strings.Join(env, " "), Dir: c.Dir.String(), Start: c.Start, End: c.End})
	}
	for _, f := range a.effects {
		if len(t.Effects) == maxTraced {
			break
		}
		t.Effects = append(t.Effects, gate.ShellEffect{Kind: string(f.Kind), Path: f.Path.String(), Reach: string(f.Reach), By: f.By, Start: f.Start, End: f.End})
	}
	return t
}

// maxTraced bounds what of a line is shown.
const maxTraced = 200
