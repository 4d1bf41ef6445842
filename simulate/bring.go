package simulate

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Limits of what is brought into a sandbox.
const (
	maxBrought      = 2000
	maxBroughtBytes = 32 << 20
)

// folders are where agents keep settings and hooks, in a project or in a home.
var folders = []string{".claude", ".codex", ".gemini", ".qwen", ".copilot", ".cursor", ".github"}

// Root is the folder that a settings file speaks for: the one that holds the agent's
// folder, or its own where it lies in none.
func Root(file string) string {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		for _, f := range folders {
			if filepath.Base(dir) == f {
				return filepath.Dir(dir)
			}
		}
		if dir == filepath.Dir(dir) {
			return filepath.Dir(file)
		}
	}
}

// AgentOf guesses the agent by the folder that a settings file lies in, "" = none.
func AgentOf(file string) string {
	for dir := filepath.Dir(file); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		switch name := strings.TrimPrefix(filepath.Base(dir), "."); name {
		case "github":
			return "copilot"
		case "claude", "codex", "gemini", "qwen", "copilot", "cursor":
			if filepath.Base(dir) != name {
				return name
			}
		}
	}
	return ""
}

// Bring reads files of a folder for a sandbox: each of the paths, with all below it.
// They get their names below prefix, "" or "~/". What is no regular file, and .git,
// stays out; a path that is not there is an error only when it must be.
func Bring(root, prefix string, must bool, paths ...string) (list []File, err error) {
	total := int64(0)
	for _, p := range paths {
		from := filepath.Join(root, p)
		if _, err := os.Stat(from); err != nil && !must {
			continue
		}
		err := filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == ".git":
				return fs.SkipDir
			case !d.Type().IsRegular():
				return nil
			}
			fi, err := d.Info()
			if err != nil {
				return err
			}
			if total += fi.Size(); total > maxBroughtBytes || len(list) >= maxBrought {
				return fmt.Errorf("%s holds more than a sandbox takes: %d files, %d bytes", from, maxBrought, maxBroughtBytes)
			}
			f, err := broughtFile(root, prefix, name, fi)
			if !slices.ContainsFunc(list, func(o File) bool { return o.Name == f.Name }) {
				list = append(list, f)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

func broughtFile(root, prefix, name string, fi fs.FileInfo) (File, error) {
	rel, err := filepath.Rel(root, name)
	if err != nil {
		return File{}, err
	}
	to := prefix + path.Clean(filepath.ToSlash(rel))
	if !inside(to) {
		return File{}, fmt.Errorf("%s does not lie below %s", name, root)
	}
	text, err := os.ReadFile(name)
	return File{Name: to, Text: string(text), Exec: fi.Mode()&0o100 != 0}, err
}
