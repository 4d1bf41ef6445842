package shell

import (
	"slices"
	"strings"
)

// git follows what a git command does to the files of its work tree.
func (c *call) git() {
	g, _ := ParseGit(Command{Args: append([]Text{Text(c.name)}, c.args...), Env: c.st.environment(c.env)})
	out := *c
	for _, v := range c.st.environment(c.env) {
		if v.Name == "GIT_WORK_TREE" && g.Sub != "config" {
			g.Dir = append(g.Dir, v.Value)
		}
	}
	if len(g.Dir) > 0 {
		out.st = c.st.fork()
		for _, d := range g.Dir {
			(&call{w: c.w, st: out.st, name: "cd", span: c.span}).enter(d)
		}
		out.st.out = c.st.out
	}
	out.name = "git " + g.Sub
	if g.Alias != "" {
		out.shell(g.Alias, nil)
		return
	}
	for _, v := range g.Config {
		if code := string(v.Value); strings.HasPrefix(code, "!") { // an alias or a helper that another alias may call
			out.shell(Text(code[1:]), nil)
		} else if gitRunsValue(v.Name) && v.Value.Plain() && c.w.depth < maxDepth {
			out.shell(v.Value, nil)
		}
	}
	out.subcommand(g)
}

// gitRunsValue reports whether git runs what a setting says.
func gitRunsValue(key string) bool {
	switch key {
	case "core.editor", "core.pager", "core.sshcommand", "core.fsmonitor", "sequence.editor", "diff.external", "gpg.program":
		return true
	}
	return strings.HasSuffix(key, ".textconv") || strings.HasPrefix(key, "pager.") || strings.HasPrefix(key, "filter.") || strings.HasSuffix(key, ".cmd")
}

// tree is the root of the work tree, where git's own paths begin.
const tree = Text("\xf6")

func (c *call) subcommand(g Git) {
	switch g.Sub {
	case "checkout", "restore", "switch", "reset", "stash", "checkout-index":
		c.restores(g)
	case "rm":
		if g.Has("--cached") || g.Has("-n", "--dry-run") {
			return
		}
		reach := File
		if g.Has("-r") {
			reach = Tree
		}
		c.changes(pathspecs(g.Args), Delete, reach)
	case "mv":
		if n := len(g.Args); n > 1 {
			c.changes(g.Args[:n-1], Move, Tree)
			for _, f := range g.Args[:n-1] {
				c.arrive(f, g.Args[n-1], arrival{deep: true, many: n > 2})
			}
		}
	case "clean":
		if g.Has("-n", "--dry-run") || !g.Has("-f", "--force") {
			return
		}
		for _, p := range orHere(pathspecs(g.Args)) {
			c.change(p, Delete, Below)
		}
	case "apply", "am":
		c.gitApply(g)
	case "config":
		c.gitConfig(g)
	case "pull", "merge", "rebase", "cherry-pick", "revert", "submodule", "bisect", "read-tree", "sparse-checkout", "lfs", "filter-branch", "worktree":
		c.change(tree, Write, Below)
		c.gitRuns(g)
	case "clone", "init":
		if n := len(g.Args); n > 1 || n == 1 && g.Sub == "init" {
			c.change(g.Args[n-1], Write, Below)
		}
	case "rev-parse":
		if g.Has("--show-toplevel") {
			c.st.puts(tree + "\n")
			return
		}
	}
	c.changes(valuesOf(g), Write, File)
	c.st.puts(unknown)
}

// valuesOf are the files that options of some subcommands write.
func valuesOf(g Git) (files []Text) {
	switch g.Sub {
	case "archive", "diff", "log", "show":
		if v := g.value("-o", "--output"); v != "" {
			return []Text{v}
		}
	case "format-patch":
		if v := g.value("-o", "--output-directory"); v != "" {
			return []Text{join(v, Text([]byte{Star}))}
		}
	case "bundle":
		if len(g.Args) > 1 && g.Args[0] == "create" {
			return g.Args[1:2]
		}
	}
	return nil
}

func orHere(paths []Text) []Text {
	if len(paths) == 0 {
		return []Text{"."}
	}
	return paths
}

// pathspecs are git's own patterns of paths: a star spans folders, ":/" begins at
// the root of the work tree.
func pathspecs(args []Text) (out []Text) {
	for _, a := range args {
		s := string(a)
		if magic, rest, ok := strings.Cut(s, ")"); ok && strings.HasPrefix(magic, ":(") {
			if strings.Contains(magic, "exclude") {
				continue
			}
			s = rest
			if strings.Contains(magic, "top") {
				s = ":/" + rest
			}
		}
		if strings.HasPrefix(s, ":!") || strings.HasPrefix(s, ":^") {
			continue
		}
		if rest, ok := strings.CutPrefix(s, ":/"); ok {
			s = string(tree) + "/" + rest
		}
		if strings.ContainsAny(s, "*?[") {
			s = strings.NewReplacer(string([]byte{Star}), "\xf8\xf7", string([]byte{Deep}), string([]byte{DeepDot})).Replace(globs(s))
		}
		out = append(out, Text(strings.TrimSuffix(s, "/")))
	}
	return out
}

// restores is what puts files of the work tree back. Which of them differ cannot
// be told; those that are named can.
func (c *call) restores(g Git) {
	paths := g.Paths
	switch {
	case g.Sub == "restore":
		if g.Has("--staged", "-S") && !g.Has("--worktree", "-W") {
			return
		}
		paths = g.Args
	case g.Sub == "reset" && !g.Has("--hard", "--merge", "--keep"):
		return
	case g.Sub == "stash":
		if len(g.Args) > 0 && (g.Args[0] == "list" || g.Args[0] == "show" || g.Args[0] == "drop" || g.Args[0] == "clear" || g.Args[0] == "create" || g.Args[0] == "branch") {
			return
		}
	case g.Sub == "checkout" && g.Has("-b", "-B", "--orphan") && len(g.Args) < 2 && len(paths) == 0:
		return
	case g.Sub == "checkout" && len(paths) == 0:
		paths = g.Args // a branch or a path, git looks
	case g.Sub == "checkout-index":
		paths = g.Args
	}
	if g.value("--pathspec-from-file") != "" {
		paths = append(slices.Clone(paths), unknown)
	}
	named := false
	for _, p := range pathspecs(paths) {
		c.change(p, Write, File)
		c.change(p, Write, Below)
		named = true
	}
	if !named || g.Sub == "checkout" && len(g.Paths) == 0 {
		c.change(tree, Write, Below)
	}
}

// gitRuns follows the commands that some subcommands are given.
func (c *call) gitRuns(g Git) {
	switch g.Sub {
	case "rebase":
		for _, f := range g.Flags {
			if f.Name == "-x" || f.Name == "--exec" {
				c.shell(f.Value, nil)
			}
		}
	case "bisect":
		if i := slices.Index(c.args, "run"); i >= 0 && len(g.Args) > 1 && g.Args[0] == "run" {
			c.again(c.st.fork(), c.args[i+1:], nil) // with its own options
		}
	case "submodule":
		if i := slices.Index(c.args, "foreach"); i >= 0 && len(g.Args) > 1 && g.Args[0] == "foreach" {
			c.shell(joined(parse(c.args[i+1:], spec{long: "recursive quiet", stop: true}).operands), nil)
		}
	case "filter-branch":
		for _, f := range g.Flags {
			if strings.HasSuffix(f.Name, "-filter") {
				c.shell(f.Value, nil)
			}
		}
	case "worktree":
		if len(g.Args) > 1 {
			c.change(g.Args[1], Write, Below)
		}
	}
}

func (c *call) gitApply(g Git) {
	if g.Has("--check", "--stat", "--numstat", "--summary", "--cached") && !g.Has("--index") {
		return
	}
	diff := c.input()
	if len(g.Args) > 0 {
		diff = ""
		for _, a := range g.Args {
			diff += c.w.contents(c.st, a) + "\n"
		}
	}
	dir := g.value("--directory")
	c.diffed(diff, 1, dir)
}

// gitConfig writes a file of configuration, unless it only reads.
func (c *call) gitConfig(g Git) {
	file := g.value("-f", "--file")
	switch {
	case g.Has("--get", "--get-all", "--get-regexp", "--list", "-l", "--get-urlmatch"):
		c.st.puts(unknown)
		return
	case len(g.Args) < 2 && !g.Has("--unset", "--unset-all", "-e", "--edit", "--remove-section") || len(g.Args) > 0 && (g.Args[0] == "get" || g.Args[0] == "list"):
		c.st.puts(unknown)
		return
	case file != "":
	case g.Has("--global"):
		file = Text("\xfa/.gitconfig")
	case g.Has("--system"):
		file = "/etc/gitconfig"
	default:
		file = tree + "/.git/config"
	}
	c.change(file, Write, File)
	if args := g.Settings(); len(args) == 2 && strings.HasPrefix(strings.ToLower(string(args[0])), "alias.") && c.w.depth < maxDepth {
		// What an alias stands for is judged when it is made: later it is only a name.
		if code, ok := strings.CutPrefix(string(args[1]), "!"); ok {
			c.shell(Text(code), nil)
		} else {
			c.again(c.st.fork(), append([]Text{"git"}, split(args[1])...), nil)
		}
	}
}
