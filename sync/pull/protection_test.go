package pull

import (
	"context"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/sync/receipt"
	"github.com/agenthooks/hookctl/sync/source"
)

// gitea is a server that keeps the team's repository and answers as Gitea does.
type gitea struct {
	*httptest.Server
	team   *team
	branch string // what it says of the branch, "" for nothing
	asked  int
}

func newGitea(t *testing.T, r *team) *gitea {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git program to serve with")
	}
	g := &gitea{team: r}
	backend := &cgi.Handler{
		Path: git, Args: []string{"http-backend"}, Stderr: io.Discard, Logger: log.New(io.Discard, "", 0),
		Env: []string{"GIT_PROJECT_ROOT=" + filepath.Dir(filepath.Dir(r.dir)), "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1"},
	}
	g.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		switch {
		case req.URL.Path == "/api/v1/version":
			fmt.Fprint(w, `{"version":"1.22.3"}`)
		case strings.HasPrefix(req.URL.Path, "/api/") && g.branch == "":
			http.NotFound(w, req)
		case strings.HasPrefix(req.URL.Path, "/api/"):
			g.asked++
			fmt.Fprint(w, g.branch)
		default:
			backend.ServeHTTP(w, req)
		}
	}))
	t.Cleanup(g.Close)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	must(t, os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: g.Certificate().Raw}), 0o644))
	t.Setenv("HOOKCTL_CA_FILE", ca)
	return g
}

func (g *gitea) url() string {
	dir, name := filepath.Split(g.team.dir)
	return g.URL + "/" + filepath.Base(dir) + "/" + name
}

// demanding is the tiny bundle of that number, which wants a protected branch.
func (r *team) demanding(n int) {
	r.Helper()
	r.put(tiny(n))
	r.write("hookctl.yaml", tiny(n)["hookctl.yaml"]+"require_protection: true\n")
	r.sign(n)
	r.commit(fmt.Sprintf("Release %d", n))
}

func TestProtectionIsRecordedAndRequired(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	g := newGitea(t, r)
	b.Getenv = os.Getenv
	r.release(1)
	g.branch = `{"protected":false}`
	o := r.options()
	o.Source.URL = g.url()
	in := b.install(o)
	if in.Protection.Kind != source.BranchUnprotected || in.Protection.Host != "127.0.0.1" {
		t.Errorf("install: %+v", in.Protection)
	}
	last, err := receipt.Last(b.Home)
	if err != nil || last.Protection != in.Protection {
		t.Errorf("the receipt says %+v, %v", last.Protection, err)
	}
	asked := g.asked
	if rep := b.sync(); rep.Protection.Kind != receipt.NoneAsked || g.asked != asked {
		t.Errorf("nothing new: %+v, asked %d times", rep.Protection, g.asked-asked)
	}

	r.demanding(2)
	before := tree(t, b.User)
	for _, branch := range []string{`{"protected":false}`, "", "<html>"} {
		g.branch = branch
		rep, err := b.Sync(context.Background())
		if !isError[*ProtectionError](err) || rep.Changed {
			t.Fatalf("%q: %+v, %v", branch, rep, err)
		}
		if _, err := b.Check(context.Background()); !isError[*ProtectionError](err) {
			t.Errorf("check, %q: %v", branch, err)
		}
		same(t, "refused", before, tree(t, b.User))
		last, err := receipt.Last(b.Home)
		if err != nil || last.Outcome != receipt.Refused || last.Protection != rep.Protection {
			t.Errorf("%q: the receipt says %s, %+v, %v", branch, last.Outcome, last.Protection, err)
		}
	}

	g.branch = `{"protected":true,"required_approvals":2}`
	rep := b.sync()
	if !rep.Changed || rep.Protection.Kind != source.BranchProtected || !strings.HasPrefix(rep.Protection.Text, "2 reviews required") {
		t.Errorf("protected: %+v", rep)
	}
	b.good(2)

	// What runs is healed whatever the host says today.
	g.branch = `{"protected":false}`
	must(t, os.Chmod(filepath.Join(b.Home.Generation(b.trust().Accepted.Digest), "gates"), 0o755))
	if rep := b.sync(); len(rep.Healed) != 1 {
		t.Errorf("heal: %+v", rep)
	}
}

// A folder has no host that could vouch for it.
func TestProtectionOfAFolder(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.release(1)
	if in := b.install(r.options()); in.Protection.Kind != receipt.NoneAsked {
		t.Errorf("install: %+v", in.Protection)
	}
	r.demanding(2)
	before := tree(t, b.User)
	_, err := b.Sync(context.Background())
	if !isError[*ProtectionError](err) || !strings.Contains(err.Error(), "none asked (the source is a folder") {
		t.Errorf("sync: %v", err)
	}
	same(t, "refused", before, tree(t, b.User))
}

// One word for it in both packages.
func TestNoneAsked(t *testing.T) {
	if source.NoneAsked != receipt.NoneAsked {
		t.Errorf("%q and %q", source.NoneAsked, receipt.NoneAsked)
	}
}
