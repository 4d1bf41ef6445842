package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/source"
)

func packCmd(e *env) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "pack [DIR] -o FILE",
		Short: "Write a signed release as one archive, for machines without a network",
		Long: `pack writes lock, signature and files of the release in DIR (default: this folder) into
one archive (tar.gz). The same release gives the same bytes.

The programs that lie in the repository are in it, so that a machine without a network
gets hookctl too. Those that hookctl.yaml names by an address are not.

It refuses a tree that is not locked, not signed, or not as the lock says. Who may sign
is not asked here: the machine that installs the archive asks it.`,
		Example: `  hookctl bundle pack -o release-7.tar.gz
  hookctl bundle pack policies --output /media/usb/hooks.tar.gz`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return e.pack(dirArg(args), out) },
	}
	c.Flags().StringVarP(&out, "output", "o", "", "the archive to write; one that is there is replaced")
	_ = c.MarkFlagRequired("output")
	return c
}

func (e *env) pack(dir, out string) error {
	c, err := bundle.FromFS(os.DirFS(dir))
	if err != nil {
		return fmt.Errorf("nothing was packed: %w", err)
	}
	if exec := executable(dir); exec != nil {
		for i, f := range c.Entries {
			if f.Kind == source.File && exec(f.Path) {
				c.Entries[i].Kind = source.Exec
			}
		}
	}
	lock, err := writePack(out, c)
	if err != nil {
		return fmt.Errorf("nothing was packed: %w", err)
	}
	fi, err := os.Stat(out)
	if err != nil {
		return err
	}
	e.printf("release %d: %d files, %s\n  %s, %d bytes\n", lock.Release, len(lock.Files), bundle.Digest(c.Lock), out, fi.Size())
	return nil
}

// writePack writes beside the archive and renames, so that there is never half
// of one.
func writePack(out string, c bundle.Candidate) (bundle.Lock, error) {
	f, err := os.CreateTemp(filepath.Dir(out), ".hookctl-pack-*")
	if err != nil {
		return bundle.Lock{}, err
	}
	defer os.Remove(f.Name()) // gone after the rename
	lock, err := bundle.Pack(f, c)
	if err := errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return lock, err
	}
	return lock, os.Rename(f.Name(), out)
}
