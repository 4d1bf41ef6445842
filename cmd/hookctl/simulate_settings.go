package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/agenthooks/hookctl/simulate"
)

// wiring puts the hooks of the settings files in place of the scenario's, and names
// what the sandbox needs for them. Without requests it makes the tour of all tools.
func (e *env) wiring(s *simulate.Scenario, o simulation, opt *simulate.Options) error {
	if len(o.settings) == 0 {
		return nil
	}
	if s.Agent == "" {
		if s.Agent = simulate.AgentOf(e.abs(o.settings[0])); s.Agent == "" {
			return &usageError{fmt.Errorf("which agent reads %s? Say so with --agent", o.settings[0])}
		}
	}
	s.Registrations = nil
	var own []string
	for _, file := range o.settings {
		src, err := readSettings(file)
		if err != nil {
			return err
		}
		w, err := simulate.Wire(s.Agent, file, src)
		if err != nil {
			return err
		}
		s.Registrations = append(s.Registrations, w.Registrations...)
		opt.Set, opt.Notes = append(opt.Set, w.Env...), append(opt.Notes, w.Notes...)
		brought, missing, err := e.bring(file, w.Mentions())
		if err != nil {
			return err
		}
		for _, m := range missing {
			opt.Notes = append(opt.Notes, fmt.Sprintf("%s: a command names %s, which is not there", filepath.Base(file), m))
		}
		opt.Bring, own = append(opt.Bring, brought...), append(own, brought[0].Name)
	}
	with, err := simulate.Bring(simulate.Root(e.abs(o.settings[0])), "", true, o.with...)
	if err != nil {
		return err
	}
	opt.Bring = append(opt.Bring, with...)
	if len(s.Requests) == 0 {
		*s = e.tour(*s, o, own, opt.Bring)
	}
	return nil
}

// bring is the settings file itself, first, the hooks folder beside it and the files
// that commands name. Those that are missing are told.
func (e *env) bring(file string, mentions []string) (list []simulate.File, missing []string, err error) {
	abs := e.abs(file)
	root, prefix := simulate.Root(abs), ""
	if root == filepath.Clean(e.user) {
		prefix = "~/"
	}
	rel, err := filepath.Rel(root, abs)
	if err != nil {
		return nil, nil, err
	}
	paths := []string{rel, filepath.Join(filepath.Dir(rel), "hooks")}
	for _, m := range mentions {
		if fi, err := os.Stat(filepath.Join(root, m)); err == nil && fi.Mode().IsRegular() {
			paths = append(paths, m)
		} else if err != nil {
			missing = append(missing, m)
		}
	}
	list, err = simulate.Bring(root, prefix, false, paths...)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s is no regular file", file)
	}
	return list, missing, err
}

// tour tries every tool on the files that were named, else on a few that show much:
// an ordinary one, a secret, and the settings themselves.
func (e *env) tour(s simulate.Scenario, o simulation, own []string, brought []simulate.File) simulate.Scenario {
	var files []string
	for _, f := range o.files {
		files = append(files, e.sandboxed(f, simulate.Root(e.abs(o.settings[0]))))
	}
	if len(files) == 0 {
		files = append([]string{"notes.txt", ".env"}, own...)
	}
	contents := map[string]string{}
	for _, f := range brought {
		contents[f.Name] = f.Text
	}
	t := simulate.Tour("What "+strings.Join(o.settings, " and ")+" keeps out", s.Agent, files, contents)
	t.Policy, t.Registrations = s.Policy, s.Registrations
	return t
}

// sandboxed is the sandbox's name of a file that was named by its place on this
// machine: below the project, or below the home folder.
func (e *env) sandboxed(file, root string) string {
	if !filepath.IsAbs(file) {
		return filepath.ToSlash(file)
	}
	if rel, err := filepath.Rel(root, file); err == nil && root != filepath.Clean(e.user) && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	if rel, err := filepath.Rel(e.user, file); err == nil && filepath.IsLocal(rel) {
		return "~/" + filepath.ToSlash(rel)
	}
	return file // which lies in no sandbox, and that is told
}

func (e *env) abs(file string) string {
	if filepath.IsAbs(file) {
		return filepath.Clean(file)
	}
	return filepath.Join(e.dir, file)
}

// maxSettings bounds a settings file, in bytes.
const maxSettings = 4 << 20

func readSettings(file string) ([]byte, error) {
	fi, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if !fi.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", file) // a pipe would be waited for
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, maxSettings+1))
	if err == nil && len(src) > maxSettings {
		err = fmt.Errorf("%s has more than %d bytes", file, maxSettings)
	}
	return src, err
}
