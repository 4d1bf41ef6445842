package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/schemas"
	"github.com/agenthooks/hookctl/sync/bundle"
)

// skeleton is what bundle init writes. Names that begin with a dot stand in it
// without the dot, so that neither Git nor a forge takes them for its own.
//
//go:embed skeleton
var skeleton embed.FS

var dotted = strings.NewReplacer("gitignore", ".gitignore", "github/", ".github/")

func initCmd(e *env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Begin a repository of your own rules on top of the embedded ones",
		Long: `init writes a bundle that extends the embedded one: one gate as a small patch, cases on
both sides, a GitHub workflow that lints and tests each pull request and locks and
signs what is merged, and schemas/ for your editor. A file that is there already stays
as it is; a folder that is a bundle already is refused.`,
		Example: `  hookctl bundle init our-hooks
  hookctl bundle init our-hooks --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return e.initBundle(dirArg(args), asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print what was written as JSON")
	return c
}

// initReport is the JSON report of bundle init.
type initReport struct {
	Schema  int      `json:"schema"`
	Dir     string   `json:"dir"`
	Written []string `json:"written"`
	Kept    []string `json:"kept"` // they were there
	Next    []string `json:"next"`
}

func (e *env) initBundle(dir string, asJSON bool) error {
	if _, err := os.Lstat(filepath.Join(dir, bundle.Manifest)); err == nil {
		return &usageError{err: fmt.Errorf("%s is a bundle already; nothing was written", dir)}
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	rep := initReport{Schema: schema, Dir: dir, Written: []string{}, Kept: []string{}, Next: nextSteps(dir)}
	fill := strings.NewReplacer("@NAME@", plainName(filepath.Base(abs)), "@VERSION@", releaseOrLatest(version()))
	write := func(name string, text []byte) error {
		err := writeAbsent(filepath.Join(dir, filepath.FromSlash(name)), text)
		if errors.Is(err, fs.ErrExist) {
			rep.Kept = append(rep.Kept, name)
			return nil
		}
		rep.Written = append(rep.Written, name)
		return err
	}
	err = fs.WalkDir(skeleton, "skeleton", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := skeleton.ReadFile(p)
		if err != nil {
			return err
		}
		name := dotted.Replace(strings.TrimPrefix(p, "skeleton/"))
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) // of a checkout on Windows
		return write(name, []byte(fill.Replace(string(text))))
	})
	for _, sc := range schemas.All() {
		if err == nil {
			err = write(path.Join(schemaDir, sc.File()), schemas.Text(sc.Name))
		}
	}
	if err != nil {
		return err
	}
	if asJSON {
		return e.json(rep)
	}
	for _, name := range rep.Written {
		e.printf("wrote  %s\n", path.Join(filepath.ToSlash(dir), name))
	}
	for _, name := range rep.Kept {
		e.printf("kept   %s\n", path.Join(filepath.ToSlash(dir), name))
	}
	e.printf("\nnext:\n  %s\n", strings.Join(rep.Next, "\n  "))
	return nil
}

func nextSteps(dir string) []string {
	return []string{
		"hookctl bundle lint " + dir,
		"hookctl test " + dir,
		"hookctl bundle diff embedded " + dir,
		"make a key, give it to the workflow, and commit: see README.md",
		"hookctl install --source URL --branch main --signers allowed_signers",
	}
}

// writeAbsent writes a file that must not be there, with the folders above it.
func writeAbsent(path string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Close())
}

// plainName makes a folder's name fit for YAML and Markdown.
func plainName(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune("\"\\`<>|", r) {
			return '-'
		}
		return r
	}, s)
}

// releaseOrLatest is what "go install" shall take: this very release, if this
// program is one.
func releaseOrLatest(v string) string {
	if ok, err := regexp.MatchString(`^v[0-9]+\.[0-9]+\.[0-9]+$`, v); ok && err == nil {
		return v
	}
	return "latest"
}
