// Package home owns where things lie on a machine: the one folder that hookctl
// keeps ($HOOKCTL_HOME or ~/.hookctl) and the names inside it. It computes paths
// and touches nothing.
package home

import (
	"os"
	"path"
)

// This package and the others of the hook's fast path join paths with slashes,
// which every system takes: path/filepath would be initialised so late that the
// fast path were none.

// Dir is hookctl's folder on this machine.
type Dir string

// The names inside. bin, store, current, trust and record are written by
// install and sync alone; journal and cache by the gate as well.
func (d Dir) Path(elem ...string) string {
	return path.Join(append([]string{slashed(string(d))}, elem...)...)
}
func (d Dir) Binary() string { return d.Path("bin", "hookctl"+exe) }

// OldBinary is the program that Binary took the place of.
func (d Dir) OldBinary() string { return d.Path("bin", "hookctl.old"+exe) }

func (d Dir) Current() string { return d.Path("current") }
func (d Dir) Store() string   { return d.Path("store") }
func (d Dir) Config() string  { return d.Path("config.yaml") }
func (d Dir) Trust() string   { return d.Path("trust.json") }

// Record is what install wrote down to be able to take everything back.
func (d Dir) Record() string  { return d.Path("install.json") }
func (d Dir) Journal() string { return d.Path("journal") }
func (d Dir) Cache() string   { return d.Path("cache") }

// Shared is the file that marks a home which root has installed for every user of
// the machine: none of them may write there.
func (d Dir) Shared() string { return d.Path("shared") }

// State is where the hook keeps what it writes for the user it runs as: the
// journal, counters and caches. That is d, but of a shared home the user's own
// ~/.hookctl. An environment that says another home folder moves only these; the
// rules and the program stay where they are.
func (d Dir) State(getenv func(string) string) Dir {
	user := getenv(userVar)
	if d == "" || user == "" {
		return d
	}
	if _, err := os.Lstat(d.Shared()); err != nil {
		return d
	}
	return Dir(path.Join(slashed(user), ".hookctl"))
}

// User is the user's home folder that d belongs to: the folder that "~" in a
// protected path means, whatever $HOME a repository's settings have set.
func (d Dir) User() string {
	if p := slashed(string(d)); path.Base(p) == ".hookctl" {
		return path.Dir(p)
	}
	return ""
}

// Find tells the home of the running program. An installed binary takes the
// home it lies in, so that no environment can move it; any other takes
// $HOOKCTL_HOME or ~/.hookctl.
func Find(executable string, getenv func(string) string) Dir {
	if bin := path.Dir(follow(executable)); path.Base(bin) == "bin" {
		if d := Dir(path.Dir(bin)); d.installed() {
			return d
		}
	}
	if h := getenv("HOOKCTL_HOME"); h != "" {
		return Dir(h)
	}
	return Dir(path.Join(slashed(getenv(userVar)), ".hookctl"))
}

// installed tells a home from any other folder that holds a bin, such as
// /usr/local. An installation that has lost a file is still one: the environment
// must not move it because it is broken.
func (d Dir) installed() bool {
	if path.Base(string(d)) == ".hookctl" {
		return true
	}
	for _, file := range []string{d.Current(), d.Record()} {
		if _, err := os.Lstat(file); err == nil {
			return true
		}
	}
	return false
}

// maxLinks bounds a chain of links.
const maxLinks = 16

// follow resolves a program that is a link. A linked folder on the way is no
// matter: what lies beside the program is looked for through the same path.
func follow(file string) string {
	p := slashed(file)
	for range maxLinks {
		to, err := os.Readlink(p)
		if err != nil {
			break
		}
		if to = slashed(to); !path.IsAbs(to) && !(len(to) > 1 && to[1] == ':') {
			to = path.Join(path.Dir(p), to)
		}
		p = to
	}
	return p
}
