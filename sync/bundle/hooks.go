package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/sync/source"
)

// compileHooks adds the bundle's executables to the rules, with the digest of
// every file below hooks/. Without a declared hook nothing of hooks/ is in the
// rules.
func compileHooks(fsys fs.FS, b manifests.Bundle, r *gate.Rules) error {
	if len(b.Hooks) == 0 {
		return nil
	}
	files, err := hookFiles(fsys)
	if err != nil {
		return err
	}
	r.Schema, r.Files = gate.HooksSchema, map[string]string{}
	for name, f := range files {
		r.Files[name] = sum(f.data)
	}
	var errs []error
	for i, h := range b.Hooks {
		bad := func(field, format string, args ...any) {
			errs = append(errs, fmt.Errorf("%s: hooks[%d].%s: %s", Manifest, i, field, fmt.Sprintf(format, args...)))
		}
		if slices.ContainsFunc(r.Gates, func(g gate.Rule) bool { return g.ID == h.ID }) {
			bad("id", "there is a gate %q", h.ID)
		}
		switch f, ok := files[h.File]; {
		case !ok:
			bad("file", "there is no file %s", h.File)
		case len(h.Run) == 0 && !f.starts(h.File):
			bad("file", "%s is not executable; commit it with mode 0755 (git update-index --chmod=+x), or name its interpreter in run", h.File)
		}
		r.Hooks = append(r.Hooks, compileHook(h))
	}
	return errors.Join(errs...)
}

// compileHook fills in what the bundle left to the defaults, so that the gate
// knows none.
func compileHook(h manifests.Hook) gate.Hook {
	out := gate.Hook{
		ID: h.ID, File: h.File, Run: h.Run, Tools: h.Tools, Mode: gate.Mode(h.Mode),
		Timeout: h.Timeout, Failure: gate.Direction(h.Failure), Exit: h.Exit,
	}
	for _, e := range h.Events {
		out.Events = append(out.Events, gate.Kind(e))
	}
	if out.Timeout == 0 {
		out.Timeout = gate.HookTimeout
	}
	if out.Failure == "" {
		out.Failure = gate.FailAsk
	}
	if len(out.Exit) == 0 {
		out.Exit = map[int]string{0: "allow", 2: "block"} // as agents read a hook
	}
	return out
}

type hookFile struct {
	data []byte
	exec bool
}

// hookFiles are the files below hooks/, none of them a link.
func hookFiles(fsys fs.FS) (map[string]hookFile, error) {
	entries, err := walk(fsys)
	if err != nil {
		return nil, err
	}
	files := map[string]hookFile{}
	for _, e := range entries {
		if !strings.HasPrefix(e.Path, "hooks/") {
			continue
		}
		b, err := load(e, MaxFile)
		if err != nil {
			return nil, err
		}
		files[e.Path] = hookFile{b, e.Kind == source.Exec}
	}
	return files, nil
}

// starts reports that the system can start a file by itself: by its mode, or by
// its extension on Windows.
func (f hookFile) starts(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".exe", ".com", ".bat", ".cmd":
		return true
	}
	return f.exec || modeless && bytes.HasPrefix(f.data, []byte("#!"))
}
