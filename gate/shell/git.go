package shell

import (
	"strings"
)

// Git is a git command taken apart.
type Git struct {
	Sub    string // the subcommand, with an alias from the line put in its place
	Config []Var  // keys in lower case, from -c, --config-env and the environment
	Dir    []Text // of -C, one after the other
	Flags  []Flag
	Args   []Text // operands; what follows "--" too
	Paths  []Text // what follows "--"
	Alias  Text   // the alias's own text, when it is a shell command ("!…")
}

// Flag is an option as it was meant: "-n" out of "-an", "--no-verify" out of
// "--no-verif".
type Flag struct {
	Name  string // with its dashes
	Value Text
}

// Has reports whether one of the flags was given.
func (g Git) Has(names ...string) bool {
	for _, f := range g.Flags {
		for _, n := range names {
			if f.Name == n {
				return true
			}
		}
	}
	return false
}

// ParseGit takes a command apart whose program is git. ok is false for others.
func ParseGit(c Command) (g Git, ok bool) {
	if len(c.Args) == 0 {
		return Git{}, false
	}
	args := c.Args[1:]
	switch name := program(c.Args[0]); {
	case name == "git" || name == "hub":
	case strings.HasPrefix(name, "git-"): // its subcommands are programs as well
		args = append([]Text{Text(name[4:])}, args...)
	default:
		return Git{}, false
	}
	g.Config = gitEnvironment(c.Env)
	args = g.global(args)
	if len(args) == 0 {
		return g, true
	}
	g.Sub = string(args[0])
	args = args[1:]
	for range 4 { // an alias can stand for another
		alias := g.alias(g.Sub)
		if alias == "" {
			break
		}
		if alias[0] == '!' {
			g.Alias = alias[1:] + " " + joined(args)
			break
		}
		words := split(alias)
		args = append(words[1:], args...)
		args = g.global(append([]Text{words[0]}, args...))
		if len(args) == 0 {
			break
		}
		g.Sub, args = string(args[0]), args[1:]
	}
	g.options(args)
	return g, true
}

// global reads the options before the subcommand.
func (g *Git) global(args []Text) []Text {
	for len(args) > 0 {
		a := string(args[0])
		value := Text("")
		name, attached, has := strings.Cut(a, "=")
		switch {
		case a == "-c" || a == "-C" || (name == "--git-dir" || name == "--work-tree" || name == "--namespace" || name == "--config-env" || name == "--super-prefix" || name == "--exec-path") && !has && name != "--exec-path":
			if len(args) < 2 {
				return nil
			}
			value, args = args[1], args[1:]
		case has && strings.HasPrefix(a, "--"):
			value = Text(attached)
		case strings.HasPrefix(a, "-"):
		default:
			return args
		}
		switch name {
		case "-c":
			g.set(string(value))
		case "--config-env":
			k, _, _ := strings.Cut(string(value), "=")
			g.Config = append(g.Config, Var{strings.ToLower(k), unknown})
		case "-C", "--work-tree":
			g.Dir = append(g.Dir, value)
		}
		args = args[1:]
	}
	return nil
}

func (g *Git) set(kv string) {
	k, v, ok := strings.Cut(kv, "=")
	if !ok {
		v = "true"
	}
	g.Config = append(g.Config, Var{strings.ToLower(k), Text(v)})
}

// gitEnvironment is the configuration that git takes from variables.
func gitEnvironment(env []Var) (config []Var) {
	values := map[string]Text{}
	for _, v := range env {
		values[v.Name] = v.Value
	}
	for name, v := range values {
		if n, ok := strings.CutPrefix(name, "GIT_CONFIG_KEY_"); ok {
			config = append(config, Var{strings.ToLower(string(v)), values["GIT_CONFIG_VALUE_"+n]})
		}
		if name == "GIT_CONFIG_PARAMETERS" {
			for _, kv := range split(v) {
				k, val, _ := strings.Cut(strings.Trim(string(kv), "'"), "=")
				config = append(config, Var{strings.ToLower(strings.Trim(k, "'")), Text(val)})
			}
		}
	}
	return config
}

// alias is what an alias of the line stands for, "" when it is none.
func (g *Git) alias(name string) Text {
	for _, c := range g.Config {
		if c.Name == "alias."+strings.ToLower(name) && len(split(c.Value)) > 0 {
			return Text(strings.TrimSpace(string(c.Value)))
		}
	}
	return ""
}

// gitSpec says which options of a subcommand take a value, and the long names of
// those that matter, so that a name cut short is known.
func gitSpec(sub string) spec {
	switch sub {
	case "commit":
		return spec{short: "C:c:F:m:t:u::S::", long: "reuse-message= reedit-message= fixup= squash= file= message= author= date= template= cleanup= gpg-sign trailer= pathspec-from-file= untracked-files no-verify verify all amend no-edit edit verbose signoff quiet dry-run allow-empty no-gpg-sign interactive patch include only no-post-rewrite reset-author status no-status short branch porcelain long null"}
	case "push":
		return spec{short: "o:", long: "receive-pack= exec= repo= push-option= force force-with-lease force-if-includes no-force-with-lease no-force-if-includes mirror delete all branches tags follow-tags no-verify verify set-upstream prune dry-run porcelain atomic no-atomic thin no-thin progress quiet verbose ipv4 ipv6 signed recurse-submodules no-recurse-submodules"}
	case "merge":
		return spec{short: "m:F:s:X:S::", long: "strategy= strategy-option= file= cleanup= no-verify verify no-ff ff-only squash no-commit commit abort continue quit gpg-sign into-name= stat edit no-edit"}
	case "rebase":
		return spec{short: "s:X:x:C:S::", long: "onto= strategy= strategy-option= exec= whitespace= no-verify verify interactive autosquash autostash continue abort skip root keep-base rebase-merges update-refs gpg-sign quit edit-todo"}
	case "am":
		return spec{short: "C:p:S::", long: "directory= exclude= include= patch-format= no-verify verify 3way keep signoff continue abort skip quit resolved"}
	case "checkout", "switch":
		return spec{short: "b:B:c:C:", long: "orphan= conflict= pathspec-from-file= create= force-create= force discard-changes detach track no-track ours theirs merge patch quiet guess overlay"}
	case "restore":
		return spec{short: "s:", long: "source= conflict= pathspec-from-file= staged worktree ours theirs merge patch quiet"}
	case "reset":
		return spec{long: "pathspec-from-file= hard soft mixed merge keep quiet patch"}
	case "clean":
		return spec{short: "e:", long: "exclude= force dry-run interactive quiet"}
	case "apply":
		return spec{short: "C:p:", long: "directory= exclude= include= whitespace= build-fake-ancestor= check stat numstat summary cached index reject reverse 3way unidiff-zero recount"}
	case "config":
		return spec{short: "f:t:", long: "file= blob= type= default= value= comment= global system local worktree get get-all get-regexp unset unset-all add replace-all list edit remove-section rename-section show-origin show-scope name-only null bool int"}
	case "archive", "format-patch", "diff", "log", "show", "range-diff":
		return spec{short: "o:n:S:G:U:O:", long: "output= output-directory= format= remote= exec= prefix= pretty= grep= author= since= until= after= before= diff-filter= word-diff-regex="}
	case "stash":
		return spec{short: "m:", long: "message= pathspec-from-file= include-untracked keep-index patch all staged quiet index"}
	case "clone":
		return spec{short: "b:o:u:c:j:", long: "branch= origin= upload-pack= depth= config= jobs= separate-git-dir= reference= template= filter= shallow-since= server-option= bundle-uri= bare mirror"}
	case "tag":
		return spec{short: "m:F:u:n::", long: "message= file= local-user= cleanup= sort= format= contains= points-at= delete list force annotate sign verify"}
	case "branch":
		return spec{short: "u:", long: "set-upstream-to= contains= no-contains= merged no-merged points-at= sort= format= delete force move copy list all remotes"}
	case "worktree":
		return spec{short: "b:B:", long: "reason= orphan force detach"}
	case "update-ref":
		return spec{short: "m:", long: "stdin no-deref create-reflog"}
	case "bundle", "submodule", "rm", "mv", "pull", "fetch", "cherry-pick", "revert":
		return spec{short: "m:X:s:j:o:b:", long: "branch= depth= strategy= strategy-option= jobs= mainline= recursive cached force ignore-unmatch no-commit no-verify rebase"}
	}
	return spec{short: "m:", long: "message= no-verify"}
}

// Settings are a key and a value that "git config" is given, in its old form and in
// that with a verb of its own.
func (g Git) Settings() []Text {
	if g.Sub != "config" {
		return nil
	}
	if len(g.Args) > 0 && g.Args[0] == "set" {
		return g.Args[1:]
	}
	return g.Args
}

func (g *Git) options(args []Text) {
	s := gitSpec(g.Sub)
	for i, a := range args {
		if a == "--" {
			g.Paths = args[i+1:]
			break
		}
	}
	p := parse(args, s)
	g.Args = p.operands
	for _, o := range p.options {
		name := "-" + o.name
		if strings.HasPrefix(string(o.raw), "--") {
			name = "--" + o.name
		}
		g.Flags = append(g.Flags, Flag{name, o.value})
	}
}

func (g Git) value(names ...string) Text {
	for _, f := range g.Flags {
		for _, n := range names {
			if f.Name == n && f.Value != "" {
				return f.Value
			}
		}
	}
	return ""
}
