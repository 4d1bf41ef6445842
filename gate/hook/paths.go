package hook

import (
	"errors"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"

	"github.com/agenthooks/hookctl/gate/decide"
	"github.com/agenthooks/hookctl/gate/shell"
)

// paths tells the tool gates about this machine. "~" is also the home of the user
// that hookctl is installed for and the one that the system's accounts name, not
// $HOME alone: a repository's settings can set the variable, and must not move
// the protection with it.
func (r *run) paths() decide.Paths {
	p := decide.Paths{
		Project:  remembered(projectRoot),
		Resolve:  (&links{}).resolve,
		FoldCase: runtime.GOOS == "darwin" || runtime.GOOS == "windows",
		Protect:  slices.Clone(r.cfg.Protect),
		Commands: r.cfg.Commands,
	}
	if !r.in.Event.Contract { // a case is decided as if everything were there
		p.Stat = stat
	}
	if r.in.Home != "" {
		p.Folders = []string{string(r.in.Home)}
	}
	// Claude Code keeps its settings there when it is set; what a repository makes
	// of it is protected beside the rest.
	if d := r.in.Getenv("CLAUDE_CONFIG_DIR"); d != "" {
		p.Folders = append(p.Folders, filepath.Join(d, "settings.json"), filepath.Join(d, "settings.local.json"))
	}
	if r.rules != nil {
		p.Protect = append(p.Protect, r.rules.Floor.Protect...)
	}
	for _, h := range []string{r.in.Home.User(), r.in.Getenv("HOME"), r.in.Getenv("USERPROFILE"), accountHome()} {
		if h != "" && !slices.Contains(p.Homes, h) {
			p.Homes = append(p.Homes, h)
		}
	}
	return p
}

// stat is what lies at a path.
func stat(path string) shell.Stat {
	switch i, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		return shell.Missing
	case err != nil:
		return shell.Unknown
	case i.IsDir():
		return shell.Folder
	}
	return shell.Other
}

// accountHome is the user's home folder by the system's accounts, "" where it
// cannot be told.
func accountHome() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return u.HomeDir
}

// projectRoot is the folder around dir that holds .git, "" when none does.
func projectRoot(dir string) string {
	for dir != "" {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
	return ""
}

// remembered asks f once for each path: every rule asks again.
func remembered(f func(string) string) func(string) string {
	known := map[string]string{}
	return func(path string) string {
		to, ok := known[path]
		if !ok {
			to = f(path)
			known[path] = to
		}
		return to
	}
}
