//go:build unix

package shell

import (
	"bytes"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

var (
	bashLines = flag.Int("lines", 150, "how many generated lines TestAgainstBash gives to a real bash")
	bashSeed  = flag.Uint64("seed", 1, "where TestAgainstBash begins")
)

// TestAgainstBash lets a real bash run generated lines in a folder of their own and
// looks at what has changed: each change must have been told before, exactly, as a
// pattern, or as something that cannot be told. The many run as
//
//	go test ./gate/shell -run TestAgainstBash -lines 20000 -v -timeout 60m
func TestAgainstBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	have := map[string]bool{}
	for _, p := range []string{"git", "perl", "python3", "awk", "tar", "patch", "gzip", "node", "ruby", "rsync", "ed", "zip", "unzip", "xxd"} {
		_, err := exec.LookPath(p)
		have[p] = err == nil
	}
	box := &sandbox{t: t, bash: bash}
	var exact, pattern, open, none, missed int
	for i := range *bashLines {
		seed := *bashSeed + uint64(i)
		g := &generator{rand.New(rand.NewPCG(seed, 7)), have}
		line := g.line()
		box.reset()
		a, err := Analyze(line, Options{Stat: box.stat})
		if err != nil {
			t.Errorf("%d %q: %v", seed, line, err)
			continue
		}
		before, told := box.look(), box.places(a)
		out := box.run(line)
		changed := differ(before, box.look())
		worst := 0
		for _, path := range changed {
			how := tells(told, path)
			worst = max(worst, how)
			if how == 3 {
				missed++
				t.Errorf("seed %d: %q changes %s, which was not told\n  told: %q\n  bash: %s", seed, line, path, toldOf(a), out)
				break
			}
		}
		switch {
		case len(changed) == 0:
			none++
		case worst == 0:
			exact++
		case worst == 1:
			pattern++
		case worst == 2:
			open++
		}
	}
	t.Logf("%d lines: %d changed nothing, all changes told exactly %d, by a pattern or a folder %d, as not to be told %d; missed %d", *bashLines, none, exact, pattern, open, missed)
	if none > *bashLines*2/3 {
		t.Errorf("%d of %d lines changed nothing: they test nothing", none, *bashLines)
	}
}

// sandbox is the folder that the lines run in.
type sandbox struct {
	t         *testing.T
	bash, dir string
}

const nobody = 65534

func (b *sandbox) reset() {
	if b.dir == "" {
		dir, err := os.MkdirTemp("", "hookctl-bash-")
		if err != nil {
			b.t.Fatal(err)
		}
		b.t.Cleanup(func() { _ = os.RemoveAll(dir) })
		if b.dir, err = filepath.EvalSymlinks(dir); err != nil {
			b.t.Fatal(err)
		}
		_ = os.Chmod(dir, 0o755)
	}
	_ = filepath.WalkDir(b.dir, func(p string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(p, 0o755)
		}
		return nil
	})
	old, _ := os.ReadDir(b.dir)
	for _, e := range old {
		_ = os.RemoveAll(filepath.Join(b.dir, e.Name()))
	}
	for name, text := range map[string]string{
		"w/a": "one\ntwo\n", "w/b.txt": "b\n", "w/c.json": "{}\n", "w/.dot": "d\n", "w/d/x": "x\n", "w/d/y.json": "[]\n", "w/d/e/z": "z\n", "w/sp ace": "s\n",
		"w/f.diff": "--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-b\n+B\n", "home/h": "h\n", "home/.rc": "r\n", "w/list": "a\nb.txt\n",
	} {
		p := filepath.Join(b.dir, name)
		_ = os.MkdirAll(filepath.Dir(p), 0o755)
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			b.t.Fatal(err)
		}
	}
	_ = os.Symlink("a", filepath.Join(b.dir, "w/ln"))
	_ = os.Symlink("d", filepath.Join(b.dir, "w/dln"))
	if os.Getuid() == 0 {
		_ = filepath.WalkDir(b.dir, func(p string, _ fs.DirEntry, _ error) error { return os.Lchown(p, nobody, nobody) })
	}
}

func (b *sandbox) abs(t Text) string {
	s := string(t)
	switch {
	case s == "":
		return b.dir + "/w"
	case s[0] == Home:
		return b.dir + "/home" + s[1:]
	case s[0] == Here, s[0] == Root:
		return b.dir + "/w" + s[1:]
	case s[0] == '/' || s[0] == Any:
		return s
	}
	return b.dir + "/w/" + s
}

func (b *sandbox) stat(t Text) Stat {
	i, err := os.Stat(b.abs(t))
	switch {
	case err != nil:
		return Missing
	case i.IsDir():
		return Folder
	}
	return Other
}

func (b *sandbox) run(line string) string {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, b.bash, "-c", line)
	c.Dir = b.dir + "/w"
	c.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + b.dir + "/home", "LANG=C.UTF-8", "GIT_CONFIG_NOSYSTEM=1"}
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if os.Getuid() == 0 {
		c.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = time.Second
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	_ = c.Run()
	return strings.ReplaceAll(out.String()[:min(out.Len(), 200)], "\n", " / ")
}

// look takes down what everything in the sandbox is.
func (b *sandbox) look() map[string]string {
	all := map[string]string{}
	_ = filepath.WalkDir(b.dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !strings.Contains(p+"/", "/.git/") {
			takeDown(all, p, d)
		}
		return nil
	})
	return all
}

func takeDown(all map[string]string, p string, d fs.DirEntry) {
	if i, err := d.Info(); err == nil {
		s := i.Mode().String()
		switch {
		case i.Mode().IsRegular():
			text, _ := os.ReadFile(p)
			s += fmt.Sprintf("%x", sha256.Sum256(text))
		case i.Mode()&fs.ModeSymlink != 0:
			to, _ := os.Readlink(p)
			s += to
		}
		all[p] = s
	}
}

func differ(before, after map[string]string) (changed []string) {
	for p, s := range before {
		if after[p] != s {
			changed = append(changed, p)
		}
	}
	for p := range after {
		if before[p] == "" {
			changed = append(changed, p)
		}
	}
	slices.Sort(changed)
	return changed
}

// place is an effect as absolute paths: as it is spelled, cleaned, and with links
// followed as they were before the line ran.
type place struct {
	Effect
	paths []string
}

func (b *sandbox) places(a *Analysis) (all []place) {
	for _, e := range a.Effects {
		p := b.abs(e.Path)
		all = append(all, place{e, []string{p, filepath.Clean(p), resolved(p)}})
	}
	return all
}

// inLinks are what the sandbox's links lead to.
var inLinks = strings.NewReplacer("/ln", "/a", "/dln", "/d")

// tells reports how a change was told: 0 exactly, 1 by a pattern or a folder, 2 as
// something that cannot be told, 3 not at all. A name in a folder that is not known
// also tells of what a link of that name leads to.
func tells(all []place, path string) int {
	best := 3
	for _, e := range all {
		for _, p := range e.paths {
			t := Text(p)
			switch {
			case e.Path == unknown, t.Unknown() && (Meet(t, path) || Meet(Text(inLinks.Replace(p)), path) || e.Reach != File && Meet(t+"/\xff", path)):
				best = min(best, 2)
			case t.Unknown():
			case !t.Plain():
				if Meet(t, path) || Meet(t+"/\xff", path) && e.Reach != File {
					best = min(best, 1)
				}
			case p == path:
				best = 0
			case strings.HasPrefix(path, p+"/") && e.Reach != File:
				best = min(best, 1)
			case strings.HasPrefix(p, path+"/"): // a folder on the way to it is made, or left empty
				best = min(best, 1)
			}
		}
	}
	return best
}

// resolved follows the links in what is there of a path.
func resolved(p string) string {
	if r, err := filepath.EvalSymlinks(p); err == nil {
		return r
	}
	if d, err := filepath.EvalSymlinks(filepath.Dir(p)); err == nil {
		return filepath.Join(d, filepath.Base(p))
	}
	return filepath.Clean(p)
}
