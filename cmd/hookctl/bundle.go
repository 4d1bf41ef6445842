package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/install/files"
	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/sync/bundle"
)

func bundleCmd(e *env) *cobra.Command {
	c := &cobra.Command{
		Use:   "bundle",
		Short: "Make a release of the repository that holds the canonical hooks",
		Long: `A bundle is a folder with hookctl.yaml, gates/ and cases/. A release is a commit of it
whose hookctl.lock matches every file and carries the signature of an allowed key.
Change files by pull request as usual; then lock, sign and commit the result.`,
		Example: `  hookctl bundle lock . && hookctl bundle sign . --key ~/.ssh/release_ed25519
  git add hookctl.lock hookctl.lock.sig && git commit -m "Release 7"`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	c.AddCommand(initCmd(e), lintCmd(e), lockCmd(e), signCmd(e), bundleDiffCmd(e), packCmd(e), bundleSchemaCmd(e), compileCmd())
	return c
}

// authorError says why no release was made. The same error on a machine that
// reads a release would be a refusal; here somebody is still writing it.
type authorError struct {
	nothing string // what was not done
	err     error
}

func (a *authorError) Error() string { return a.nothing + ": " + a.err.Error() }
func (a *authorError) Unwrap() error { return a.err }

func lockCmd(e *env) *cobra.Command {
	var release int
	var expires string
	c := &cobra.Command{
		Use:   "lock [DIR]",
		Short: "Write hookctl.lock: the digest, size and mode of every file of the bundle",
		Long: `lock describes the bundle in DIR (default: this folder) and gives it a release number,
by default one above the last lock's. A signature of the lock before is no longer
valid; sign again.`,
		Example: `  hookctl bundle lock
  hookctl bundle lock policies --release 12 --expires 2027-01-31`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return e.lock(dirArg(args), release, expires) },
	}
	c.Flags().IntVar(&release, "release", 0, "release number (default: last release + 1)")
	c.Flags().StringVar(&expires, "expires", "", "day (2027-01-31) or time (RFC 3339) after which no machine takes it")
	return c
}

func dirArg(args []string) string {
	if len(args) == 1 {
		return args[0]
	}
	return "."
}

func (e *env) lock(dir string, release int, expires string) error {
	last, err := lastRelease(dir)
	if err != nil {
		return &authorError{"nothing was locked", err}
	}
	switch {
	case release == 0:
		release = last + 1
	case release <= last:
		e.note("warning: release %d is not above the last lock's %d; machines that have %d will refuse it", release, last, last)
	}
	o := bundle.LockOptions{Release: release, Exec: executable(dir)}
	if expires != "" {
		if o.Expires, err = parseDay(expires); err != nil {
			return &usageError{err: err}
		}
	}
	fsys := os.DirFS(dir)
	if _, err := compileDir(dir); err != nil {
		return &authorError{"nothing was locked", err}
	}
	if _, err := manifests.Cases(fsys); err != nil {
		return &authorError{"nothing was locked", err}
	}
	l, raw, err := bundle.MakeLock(fsys, o)
	if err != nil {
		return &authorError{"nothing was locked", err}
	}
	if err := (&files.Layer{}).WriteFile(filepath.Join(dir, bundle.LockName), raw, 0o644); err != nil {
		return err
	}
	e.printf("release %d: %d files, %s\n", l.Release, len(l.Files), bundle.Digest(raw))
	for _, platform := range sortedKeys(l.Binaries) {
		b := l.Binaries[platform]
		e.printf("  hookctl for %s: %s, %d bytes\n    %s\n", platform, b.Where(), b.Size, b.SHA256)
	}
	for _, misfit := range bundle.Misfits(fsys) {
		e.note("warning: %v; machines of that platform will refuse the release", misfit)
	}
	return nil
}

// lastRelease is the release of the lock in dir, 0 when there is none.
func lastRelease(dir string) (int, error) {
	raw, err := os.ReadFile(filepath.Join(dir, bundle.LockName))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	l, err := bundle.ParseLock(raw)
	return l.Release, err
}

func parseDay(s string) (time.Time, error) {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t, nil
	}
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return t, fmt.Errorf("--expires %q: want a day such as 2027-01-31 or a time in RFC 3339", s)
	}
	return t.Add(24*time.Hour - time.Second), nil
}

// executable tells which files are programs where the file system has no such
// mode: those that begin with "#!".
func executable(dir string) func(string) bool {
	if runtime.GOOS != "windows" {
		return nil
	}
	return func(p string) bool {
		b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p)))
		return err == nil && strings.HasPrefix(string(b), "#!")
	}
}

// compileCmd is how a sync that runs another hookctl has this one compile a
// release: the form of the command line is an agreement between versions.
func compileCmd() *cobra.Command {
	var embedded bool
	var digest string
	var release int
	c := &cobra.Command{
		Use:    "compile [DIR] FILE",
		Short:  "Write the compiled rules of a bundle, as the hook loads them",
		Hidden: true, // sync does it; go generate needs it for the embedded bundle
		Args:   cobra.RangeArgs(1, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			rules, err := compileEmbedded()
			if !embedded {
				rules, err = compileAs(dirArg(args[:len(args)-1]), digest, release)
			}
			if err != nil {
				return err
			}
			return os.WriteFile(args[len(args)-1], rules, 0o644)
		},
	}
	c.Flags().BoolVar(&embedded, "embedded", false, "the bundle that this program carries")
	c.Flags().StringVar(&digest, "digest", "", "digest of the release, to stand in the rules")
	c.Flags().IntVar(&release, "release", 0, "number of the release, to stand in the rules")
	return c
}

// compileDir compiles the bundle in a folder, unsigned as it is: for working on
// gates, never for a machine.
func compileDir(dir string) ([]byte, error) { return compileAs(dir, "", 0) }

func compileAs(dir, digest string, release int) ([]byte, error) {
	r, err := bundle.Compile(os.DirFS(dir), "", digest, release)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is no bundle: %w", dir, err)
	}
	if err != nil {
		return nil, err
	}
	return r.Encode()
}

func compileEmbedded() ([]byte, error) {
	v, err := bundle.Embedded()
	if err != nil {
		return nil, err
	}
	r, err := v.Compile()
	if err != nil {
		return nil, err
	}
	return r.Encode()
}
