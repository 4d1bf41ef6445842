package install

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agenthooks/hookctl/install/agent"
)

// Where says where the agents keep their files, as told by whoever calls.
type Where struct {
	Home    string              // the user's home folder
	Getenv  func(string) string // nil = no variable is set
	Project string              // the project's folder; "" = none
	// ManagedDir holds every agent's managed settings; "" = where the agent looks.
	ManagedDir string
}

// errNoHome says that the user's files cannot be told.
var errNoHome = errors.New("the user's home folder is not known")

// userDir is the folder of an agent's user settings.
func (w Where) userDir(a agent.Agent) (string, error) {
	if a.Env != "" && w.Getenv != nil {
		if dir := w.Getenv(a.Env); dir != "" {
			return filepath.Abs(filepath.Join(dir, filepath.FromSlash(a.Below)))
		}
	}
	if w.Home == "" {
		return "", errNoHome
	}
	return filepath.Abs(filepath.Join(w.Home, filepath.FromSlash(a.Folder)))
}

// managedDir is the folder of an agent's managed settings, "" = it has none.
func (w Where) managedDir(a agent.Agent) string {
	if w.ManagedDir != "" && len(a.System) > 0 {
		return w.ManagedDir
	}
	return a.SystemDir()
}

// path is where a file of an agent lies, "" when its folder is not known or is
// one that another scope has already: in the home folder the project's settings
// are the user's.
func (w Where) path(a agent.Agent, f agent.File) (string, error) {
	var dir string
	switch f.Scope {
	case agent.Managed:
		dir = w.managedDir(a)
	case agent.User:
		d, err := w.userDir(a)
		if err != nil {
			return "", err
		}
		dir = d
	default:
		dir = w.Project
		if f.Root {
			dir = mainRoot(w.Project)
		}
	}
	if dir == "" {
		return "", nil
	}
	return filepath.Join(dir, filepath.FromSlash(f.Path)), nil
}

// Present are the agents that this machine shows signs of: a folder of the user's
// settings, or the program on the PATH.
func Present(at Where) []string {
	var names []string
	for _, a := range agent.All() {
		dir, err := at.userDir(a)
		if err == nil && isDir(dir) || OnPath(a.Program, at.Getenv) {
			names = append(names, a.Name)
		}
	}
	return names
}

func isDir(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}

// OnPath reports whether a program lies in a folder of the PATH.
func OnPath(program string, getenv func(string) string) bool {
	if getenv == nil {
		return false
	}
	for _, dir := range filepath.SplitList(getenv("PATH")) {
		for _, ext := range programEndings {
			if fi, err := os.Stat(filepath.Join(dir, program+ext)); err == nil && fi.Mode().IsRegular() && (!modesCount || fi.Mode()&0o111 != 0) {
				return true
			}
		}
	}
	return false
}

// Scope is one settings file that an agent reads.
type Scope struct {
	Agent   string
	Name    string // managed, user, project, local
	Path    string
	Managed bool
	Format  agent.Format
	Foreign bool // it is another agent's file
}

// Scopes are the settings files that an agent reads in a project folder ("" =
// none), the strongest first, whether they exist or not. Settings that a server
// or a device management sends are not among them. It fails with [*AgentError].
func Scopes(name string, at Where, project string) ([]Scope, error) {
	a, ok := agent.Lookup(name)
	if !ok {
		return nil, &AgentError{Agent: name}
	}
	at.Project = project
	var scopes []Scope
	users := map[string]bool{}
	for _, f := range a.Files {
		if path, err := at.path(a, f); err == nil && f.Scope == agent.User {
			users[path] = true
		}
	}
	for _, f := range a.Files {
		path, err := at.path(a, f)
		if err != nil {
			return nil, err
		}
		if path == "" || f.Scope != agent.User && users[path] {
			continue
		}
		paths := []string{path}
		if strings.HasSuffix(f.Path, "*.json") {
			// Glob fails only on a malformed pattern, and a folder named like one holds
			// no settings that the agent would read.
			paths, _ = filepath.Glob(path)
			slices.Sort(paths)
		}
		for _, p := range paths {
			if !slices.ContainsFunc(scopes, func(s Scope) bool { return s.Path == p }) {
				scopes = append(scopes, Scope{name, string(f.Scope), p, f.Scope == agent.Managed, f.Format, f.Foreign})
			}
		}
	}
	return scopes, nil
}
