package pull

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// BenchmarkSync times the program's sync as a process against what git does for
// the same, in turn, so that the ratios hold on a busy machine:
//
//	go test ./sync/pull -run '^$' -bench Sync -benchtime 20x
func BenchmarkSync(b *testing.B) {
	git, err := exec.LookPath("git")
	if err != nil {
		b.Skip("no git program to compare with")
	}
	b.Run("nothing new", func(b *testing.B) {
		r, m := newTeam(b), newBox(b)
		r.release(1)
		m.Program = built
		m.install(r.options())
		m.sync()
		sync := m.command("sync")
		ratio(b, func() time.Duration { return timed(b, sync()) }, func() time.Duration { return timed(b, exec.Command(git, "ls-remote", r.dir)) })
	})
	b.Run("1000 changed files", func(b *testing.B) {
		r, m := newTeam(b), newBox(b)
		r.few(1)
		m.Program = built
		m.install(r.options())
		for i := range 1000 {
			r.write(fmt.Sprintf("hooks/data/%d.txt", i), fmt.Sprintf("line %d\n", i))
		}
		r.few(2)
		clone := filepath.Join(b.TempDir(), "clone")
		must(b, exec.Command(git, "clone", "-q", r.dir, clone).Run())
		must(b, exec.Command(git, "-C", clone, "reset", "-q", "--hard", "HEAD~1").Run())
		for _, args := range [][]string{{"update-ref", "refs/remotes/origin/main", "HEAD"}, {"reflog", "expire", "--expire=now", "--all"}, {"gc", "-q", "--prune=now"}} {
			must(b, exec.Command(git, append([]string{"-C", clone}, args...)...).Run())
		}
		machine, tree := m.snapshot(), snapshot{clone, filepath.Join(b.TempDir(), "copy")}
		copyTree(b, tree.user, tree.copy)
		sync := m.command("sync")
		ratio(b, func() time.Duration {
			machine.back(b)
			return timed(b, sync())
		}, func() time.Duration {
			tree.back(b)
			cmd := exec.Command("sh", "-c", "git fetch -q origin main && git checkout -q FETCH_HEAD && sha256sum hooks/data/*")
			cmd.Dir = clone
			return timed(b, cmd)
		})
	})
}

// command starts the program on this machine.
func (b box) command(args ...string) func() *exec.Cmd {
	return func() *exec.Cmd {
		cmd := exec.Command(built, args...)
		cmd.Env = []string{"HOME=" + b.User, "PATH=" + os.Getenv("PATH")}
		return cmd
	}
}

func timed(b *testing.B, cmd *exec.Cmd) time.Duration {
	b.Helper()
	start := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return time.Since(start)
}

// ratio reports the median of ours/theirs over all rounds.
func ratio(b *testing.B, ours, theirs func() time.Duration) {
	b.Helper()
	var all []float64
	for b.Loop() {
		all = append(all, float64(ours())/float64(theirs()))
	}
	slices.Sort(all)
	b.ReportMetric(all[len(all)/2], "x-git")
}
