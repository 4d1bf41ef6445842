package external

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agenthooks/hookctl/gate/child"
	"github.com/agenthooks/hookctl/gate/judge/guard"
)

// taken are the variables that hooks do not get: the recursion guard of a judge,
// which is not theirs; hookctl's credential; and those by which a repository's
// settings could put code of their own into an interpreter or a program, and so
// switch off a tool gate.
var taken = []string{
	guard.Mark, guard.Flag, "HOOKCTL_GIT_TOKEN",
	"BASH_ENV", "ENV", "BASH_FUNC_*", "SHELLOPTS", "BASHOPTS", "NODE_OPTIONS", "NODE_PATH", "PYTHON*",
	"PERL5OPT", "PERL5LIB", "PERL5DB", "RUBYOPT", "RUBYLIB", "LD_*", "DYLD_*", "GLIBC_TUNABLES",
	"PATH", "PWD", Mark,
}

// environ is the environment of a hook that starts in dir, and the folders of PATH
// in it.
func (b Bundle) environ(id, dir string) (env, path []string) {
	for _, entry := range b.Environ {
		name, value, _ := strings.Cut(entry, "=")
		if child.Named(name, []string{"PATH"}) {
			path = b.folders(value)
		}
		if name != "" && !child.Named(name, taken) {
			env = append(env, entry)
		}
	}
	return append(env,
		"PATH="+strings.Join(path, string(filepath.ListSeparator)),
		"PWD="+dir,
		Mark+"="+id,
		"NO_COLOR=1",                // a reason is plain text
		"PYTHONDONTWRITEBYTECODE=1", // a cache beside the file would be no file of the release
	), path
}

// folders are the entries of PATH that a repository cannot fill: absolute, and
// outside the project. Who works in a home folder has the programs there.
func (b Bundle) folders(value string) (path []string) {
	project := b.Project
	if slices.ContainsFunc(b.Homes, func(h string) bool { return within(project, h) }) {
		project = ""
	}
	for _, dir := range filepath.SplitList(value) {
		if filepath.IsAbs(dir) && !within(project, dir) {
			path = append(path, dir)
		}
	}
	return path
}

// within reports whether dir lies in the folder outer, with links followed.
func within(outer, dir string) bool {
	if outer == "" {
		return false
	}
	rel, err := filepath.Rel(real(outer), real(dir))
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func real(path string) string {
	if r, err := filepath.EvalSymlinks(path); err == nil {
		return r
	}
	return path
}

// lookPath finds an interpreter by its absolute path or by its name in path.
func lookPath(name string, path []string) (string, error) {
	if filepath.IsAbs(name) {
		return name, nil
	}
	if filepath.Base(name) == name {
		for _, dir := range path {
			if p, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
				return p, nil
			}
		}
	}
	return "", fmt.Errorf("%s is not found in PATH", name)
}
