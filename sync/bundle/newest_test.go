package bundle

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/agenthooks/hookctl/sync/source"
)

// team is a real repository with a bundle in it.
type team struct {
	t      *testing.T
	dir, q string
	n      int
}

func newTeam(t *testing.T) *team {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git program to make a repository with")
	}
	r := &team{t: t, dir: filepath.Join(t.TempDir(), "src"), q: filepath.Join(t.TempDir(), "q")}
	must(t, os.MkdirAll(r.dir, 0o755))
	r.git("init", "-q", "-b", "main")
	for p, f := range bundleFS() {
		r.write(p, string(f.Data))
	}
	must(t, os.Chmod(filepath.Join(r.dir, "hooks/fmt.sh"), 0o755))
	return r
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (r *team) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	r.n++
	date := now.Add(-24*time.Hour + time.Duration(r.n)*time.Second).Format(time.RFC3339)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.test", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.test",
		"GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r *team) write(name, content string) {
	r.t.Helper()
	p := filepath.Join(r.dir, filepath.FromSlash(name))
	must(r.t, os.MkdirAll(filepath.Dir(p), 0o755))
	must(r.t, os.WriteFile(p, []byte(content), 0o644))
}

func (r *team) commit(message string) string {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "--allow-empty", "-m", message)
	return r.git("rev-parse", "HEAD")
}

// change edits a gate; each n is another content.
func (r *team) change(n int) { r.write("gates/talk.yaml", fmt.Sprintf("%s# %d\n", gateYAML, n)) }

// lock writes lock and signature without committing.
func (r *team) lock(release int, by ...string) {
	r.t.Helper()
	_, b, err := MakeLock(os.DirFS(r.dir), LockOptions{Release: release})
	must(r.t, err)
	var sig []byte
	for _, name := range by {
		sig, err = AddSignature(sig, b, signer(r.t, name))
		must(r.t, err)
	}
	r.write(LockName, string(b))
	r.write(SigName, string(sig))
}

func (r *team) release(n int, by ...string) string {
	r.t.Helper()
	r.lock(n, by...)
	return r.commit(fmt.Sprintf("release %d", n))
}

func (r *team) newest(a Accepted) (Verified, *Selection, error) {
	r.t.Helper()
	repo, err := source.Fetch(r.t.Context(), r.q, source.Remote{URL: r.dir, Branch: "main"})
	must(r.t, err)
	return Newest(repo, trust(r.t), a)
}

// take wants release n at commit, and gives back what was accepted.
func (r *team) take(a Accepted, n int, commit string) Accepted {
	r.t.Helper()
	v, sel, err := r.newest(a)
	must(r.t, err)
	if v.Release() != n || v.Commit() != commit || sel.Commit != commit {
		r.t.Fatalf("took %v at %.7s, want release %d at %.7s", v, v.Commit(), n, commit)
	}
	return Accepted{Commit: v.Commit(), Release: v.Release(), LockDigest: v.Digest()}
}

func (r *team) nothing(a Accepted, pending int) {
	r.t.Helper()
	v, _, err := r.newest(a)
	e, ok := errors.AsType[*NothingNewError](err)
	if !ok || !errors.Is(err, ErrNothingNew) || e.Pending != pending || v.Digest() != "" {
		r.t.Errorf("%v, error %v, want nothing new with %d pending", v, err, pending)
	}
}

func (r *team) refuses(a Accepted, want error) {
	r.t.Helper()
	v, sel, err := r.newest(a)
	wants(r.t, err, want)
	if v.Digest() != "" || sel == nil || sel.Head == "" {
		r.t.Errorf("%v, %+v", v, sel)
	}
}

func TestNewest(t *testing.T) {
	r := newTeam(t)
	r.commit("before any release")
	_, _, err := r.newest(Accepted{})
	wants(t, err, &NoReleaseError{})

	one := r.release(1, "alice")
	a := r.take(Accepted{}, 1, one)
	r.nothing(a, 0)

	// Changes of the bundle wait, changes beside it do not count.
	r.change(2)
	r.commit("change")
	r.write("README.md", "more")
	r.commit("words")
	r.nothing(a, 2) // both stand on a tree that is in no release
	r.take(Accepted{}, 1, one)

	two := r.release(2, "bob")
	r.change(3)
	r.commit("change")
	v, sel, err := r.newest(a)
	must(t, err)
	if v.Commit() != two || sel.Pending != 1 {
		t.Errorf("took %.7s, %+v", v.Commit(), sel)
	}
	a = r.take(a, 2, two)
	r.nothing(a, 1)
}

func TestNewestMerges(t *testing.T) {
	r := newTeam(t)
	one := r.release(1, "alice")
	a := r.take(Accepted{}, 1, one)
	// Two pull requests, merged without a lock, then one release.
	for i := range 2 {
		r.git("checkout", "-q", "-b", fmt.Sprint("side", i), one)
		r.write(fmt.Sprintf("cases/talk/allow/%d.md", i), "x")
		r.commit("case")
		r.git("checkout", "-q", "main")
		r.git("merge", "-q", "--no-ff", "-m", "merge", fmt.Sprint("side", i))
	}
	r.nothing(a, 2)
	two := r.release(2, "alice")
	a = r.take(a, 2, two)

	// A merge that takes the accepted commit in by its second parent.
	r.git("checkout", "-q", "-b", "foxtrot", one)
	r.write("README.md", "side")
	r.commit("words")
	r.git("merge", "-q", "--no-ff", "-m", "merge", "main")
	r.git("checkout", "-q", "main")
	r.git("merge", "-q", "--ff-only", "foxtrot")
	r.nothing(a, 0)
	if _, sel, _ := r.newest(a); sel.Walked != 2 {
		t.Errorf("walked %d commits, want the 2 that are new", sel.Walked)
	}
	r.change(3)
	three := r.release(3, "bob")
	r.take(a, 3, three)
}

func TestNewestRefuses(t *testing.T) {
	tests := map[string]struct {
		do   func(r *team)
		want error
	}{
		"unsigned":             {func(r *team) { r.change(2); r.release(2) }, &UnsignedError{}},
		"signed by a stranger": {func(r *team) { r.change(2); r.release(2, "mallory") }, &SignatureError{}},
		"signature removed":    {func(r *team) { must(r.t, os.Remove(filepath.Join(r.dir, SigName))); r.commit("x") }, &UnsignedError{}},
		"lock removed":         {func(r *team) { must(r.t, os.Remove(filepath.Join(r.dir, LockName))); r.commit("x") }, &MissingLockError{}},
		"both removed": {func(r *team) {
			must(r.t, os.Remove(filepath.Join(r.dir, LockName)))
			must(r.t, os.Remove(filepath.Join(r.dir, SigName)))
			r.commit("x")
			r.commit("and one more")
		}, &MissingLockError{}},
		"lock of another tree":   {func(r *team) { r.change(2); r.lock(2, "alice"); r.change(3); r.commit("x") }, &DigestError{}},
		"under pending commits":  {func(r *team) { r.change(2); r.release(2, "mallory"); r.change(3); r.commit("x") }, &SignatureError{}},
		"rollback":               {func(r *team) { r.change(2); r.release(1, "alice"); r.change(3); r.commit("x") }, &SameReleaseError{}},
		"lower after higher":     {func(r *team) { r.change(2); r.release(9, "alice"); r.change(3); r.release(8, "alice") }, &RollbackError{}},
		"same number twice":      {func(r *team) { r.change(2); r.release(9, "alice"); r.change(3); r.release(9, "alice") }, &SameReleaseError{}},
		"back to the accepted":   {func(r *team) { r.change(2); r.release(9, "alice"); r.git("revert", "--no-edit", "HEAD") }, &RollbackError{}},
		"link as lock":           {func(r *team) { link(r, LockName); r.commit("x") }, &KindError{}},
		"link as hook":           {func(r *team) { r.change(2); r.lock(2, "alice"); link(r, "hooks/fmt.sh"); r.commit("x") }, &KindError{}},
		"extra hook in release":  {func(r *team) { r.change(2); r.lock(2, "alice"); r.write("hooks/x.sh", ""); r.commit("x") }, &ExtraFileError{}},
		"force push":             {func(r *team) { r.git("commit", "-q", "--amend", "-m", "other") }, &RewrittenError{}},
		"force push, new number": {func(r *team) { r.git("reset", "-q", "--hard", "HEAD~1"); r.change(2); r.release(2, "alice") }, &RewrittenError{}},
		"rewound":                {func(r *team) { r.git("reset", "-q", "--hard", "HEAD~1") }, &RewrittenError{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := newTeam(t)
			r.commit("start")
			a := r.take(Accepted{}, 1, r.release(1, "alice"))
			tt.do(r)
			r.refuses(a, tt.want)
		})
	}
}

func link(r *team, name string) {
	p := filepath.Join(r.dir, name)
	must(r.t, os.Remove(p))
	if err := os.Symlink("../../../etc/passwd", p); err != nil {
		r.t.Skip(err)
	}
}

// A bad release that was reverted must not hold the machines up.
func TestNewestAfterARevert(t *testing.T) {
	r := newTeam(t)
	a := r.take(Accepted{}, 1, r.release(1, "alice"))
	r.change(2)
	r.release(2, "mallory")
	r.git("revert", "--no-edit", "HEAD")
	r.nothing(a, 0) // what was taken back waits for no release
	r.change(3)
	r.take(a, 2, r.release(2, "bob"))
}

func TestFirstInstallIsNotLedBack(t *testing.T) {
	r := newTeam(t)
	r.release(1, "alice")
	r.change(2)
	r.release(2, "alice")
	r.git("revert", "--no-edit", "HEAD")
	r.refuses(Accepted{}, &RollbackError{})
}

func TestInteropWithSSHKeygen(t *testing.T) {
	keygen, err := exec.LookPath("ssh-keygen")
	if err != nil {
		t.Skip("no ssh-keygen")
	}
	for _, kind := range [][]string{{"ed25519"}, {"ecdsa", "-b", "256"}, {"rsa", "-b", "2048"}} {
		t.Run(kind[0], func(t *testing.T) {
			dir := t.TempDir()
			run := func(stdin string, args ...string) {
				t.Helper()
				cmd := exec.Command(keygen, args...)
				cmd.Dir = dir
				cmd.Stdin = strings.NewReader(stdin)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("ssh-keygen %v: %v\n%s", args, err, out)
				}
			}
			read := func(name string) []byte {
				t.Helper()
				b, err := os.ReadFile(filepath.Join(dir, name))
				must(t, err)
				return b
			}
			run("", append([]string{"-q", "-N", "", "-C", "test", "-f", "key", "-t"}, kind...)...)
			s, err := ParsePrivateKey(read("key"))
			must(t, err)
			list := "alice@example.test namespaces=\"hookctl\" " + string(read("key.pub"))
			must(t, os.WriteFile(filepath.Join(dir, "signers"), []byte(list), 0o644))
			signers, err := ParseSigners([]byte(list))
			must(t, err)

			fsys := bundleFS()
			_, lock, err := MakeLock(fsys, LockOptions{Release: 1})
			must(t, err)
			sig, err := Sign(lock, s)
			must(t, err)
			must(t, os.WriteFile(filepath.Join(dir, "ours.sig"), sig, 0o644))
			run(string(lock), "-Y", "verify", "-f", "signers", "-I", "alice@example.test", "-n", "hookctl", "-s", "ours.sig")

			must(t, os.WriteFile(filepath.Join(dir, "lock"), lock, 0o644))
			run("", "-Y", "sign", "-f", "key", "-n", "hookctl", "lock")
			c := signLock(t, fsys, lock)
			c.Sig = read("lock.sig")
			if _, err := Verify(c, Trust{Signers: signers, Now: now}); err != nil {
				t.Error(err)
			}
			run("", "-Y", "sign", "-f", "key", "-n", "git", "lock")

			run("", "-q", "-p", "-P", "", "-N", "secret", "-f", "key")
			_, err = ParsePrivateKey(read("key"))
			wants(t, err, &PassphraseError{})
			if locked, ok := errors.AsType[*PassphraseError](err); ok && locked.Fingerprint != ssh.FingerprintSHA256(s.PublicKey()) {
				t.Errorf("the locked key is %q", locked.Fingerprint)
			}
			if u, err := UnlockPrivateKey(read("key"), []byte("secret")); err != nil || !sameKey(u.PublicKey(), s.PublicKey()) {
				t.Errorf("unlock: %v", err)
			}
			_, err = UnlockPrivateKey(read("key"), []byte("wrong"))
			wants(t, err, &PassphraseError{})
		})
	}
}
