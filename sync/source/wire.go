package source

import (
	"context"
	"errors"
	"io"
	"net/url"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/sideband"
	"github.com/go-git/go-git/v5/plumbing/transport"
)

// wire is a way to a remote: a folder on this machine, or a Git server.
type wire interface {
	// head asks where the branch is.
	head(context.Context) (plumbing.Hash, error)
	// pack asks for all that want needs and haves do not. An empty stream
	// means that nothing is missing.
	pack(ctx context.Context, want plumbing.Hash, haves []plumbing.Hash) (io.ReadCloser, error)
	close()
}

// runsProgram matches what makes Git run a program of that name: "ext::sh -c …".
var runsProgram = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9_+-]+::`)
})

func dial(r Remote, o Options) (wire, error) {
	branch := plumbing.NewBranchReferenceName(r.Branch)
	if r.Branch == "" || branch.Validate() != nil {
		return nil, &BranchError{URL: r.Safe(), Branch: r.Branch}
	}
	path, local, err := localPath(r)
	switch {
	case err != nil:
		return nil, err
	case local:
		return &localWire{url: r.URL, path: path, branch: branch}, nil
	case runsProgram().MatchString(r.URL):
		return nil, &URLError{URL: r.Safe(), Why: "want a path, file://, https:// or ssh://"}
	}
	at, err := parseAddress(r)
	if err != nil {
		return nil, err
	}
	return &remoteWire{url: r.Safe(), branch: branch, at: at, o: o, secrets: secretsOf(r, o)}, nil
}

// localPath tells the folder that a remote names, if it names one.
func localPath(r Remote) (path string, local bool, err error) {
	raw := r.URL
	switch {
	case raw == "" || strings.HasPrefix(raw, "-") || strings.ContainsRune(raw, 0):
		return "", false, &URLError{URL: r.Safe(), Why: "no address"}
	case strings.HasPrefix(raw, "file://"):
		u, err := url.Parse(raw)
		if err != nil || (u.Host != "" && u.Host != "localhost") || u.Path == "" {
			return "", false, &URLError{URL: r.Safe(), Why: "want file:///folder"}
		}
		path = u.Path
		if runtime.GOOS == "windows" && len(path) > 2 && path[2] == ':' {
			path = path[1:] // file:///C:/folder
		}
	case strings.Contains(raw, "://") || strings.Contains(raw, "::"):
		return "", false, nil
	case scpLike().MatchString(raw):
		return "", false, nil
	case schemeForgotten().MatchString(raw):
		return "", false, &URLError{URL: r.Safe(), Why: "has a user in it but no https:// in front"}
	default:
		path = raw
	}
	path, err = filepath.Abs(filepath.FromSlash(path))
	return path, true, err
}

// session is one conversation with a Git server: go-git's over https, our own
// over ssh.
type session interface {
	AdvertisedReferencesContext(context.Context) (*packp.AdvRefs, error)
	UploadPack(context.Context, *packp.UploadPackRequest) (*packp.UploadPackResponse, error)
	// failure is what broke below the protocol, which libraries hide.
	failure() error
	Close() error
}

// remoteWire speaks Git's protocol. One session asks and fetches, as a server
// may have several machines behind its name.
type remoteWire struct {
	url     string // to show
	branch  plumbing.ReferenceName
	at      address
	o       Options
	secrets secrets
	sent    bool // a credential was offered

	s     session
	ar    *packp.AdvRefs
	spent bool // the session has sent a pack
}

// start opens a session and reads what the server has.
func (w *remoteWire) start(ctx context.Context) (err error) {
	if w.s != nil {
		w.s.Close() //nolint:errcheck // it is over
		w.s = nil
	}
	if w.at.scheme == "ssh" {
		w.s, err = startSSH(ctx, w)
	} else {
		w.s, err = startHTTPS(w)
	}
	if err != nil {
		return w.report(err)
	}
	w.spent = false
	if w.ar, err = w.s.AdvertisedReferencesContext(ctx); err != nil {
		return w.named(ctx, err)
	}
	return nil
}

func (w *remoteWire) head(ctx context.Context) (plumbing.Hash, error) {
	err := w.start(ctx)
	if errors.Is(err, transport.ErrEmptyRemoteRepository) {
		return plumbing.ZeroHash, &BranchError{URL: w.url, Branch: w.branch.Short()}
	}
	if err != nil {
		return plumbing.ZeroHash, err
	}
	h, ok := w.ar.References[w.branch.String()]
	if !ok {
		return plumbing.ZeroHash, &BranchError{URL: w.url, Branch: w.branch.Short()}
	}
	return h, nil
}

func (w *remoteWire) pack(ctx context.Context, want plumbing.Hash, haves []plumbing.Hash) (io.ReadCloser, error) {
	if w.spent {
		if err := w.start(ctx); err != nil {
			return nil, err
		}
	}
	w.spent = true
	req := packp.NewUploadPackRequestFromCapabilities(w.ar.Capabilities)
	// The index of a thin pack cannot be built without its bases.
	req.Capabilities.Delete(capability.ThinPack)
	if w.ar.Capabilities.Supports(capability.NoProgress) {
		if err := req.Capabilities.Set(capability.NoProgress); err != nil {
			return nil, w.report(err)
		}
	}
	req.Wants, req.Haves = []plumbing.Hash{want}, haves
	res, err := w.s.UploadPack(ctx, req)
	if errors.Is(err, transport.ErrEmptyUploadPackRequest) && w.s.failure() == nil {
		return io.NopCloser(strings.NewReader("")), nil
	}
	if err != nil {
		return nil, w.named(ctx, err)
	}
	var r io.Reader = res
	switch {
	case req.Capabilities.Supports(capability.Sideband64k):
		r = sideband.NewDemuxer(sideband.Sideband64k, res)
	case req.Capabilities.Supports(capability.Sideband):
		r = sideband.NewDemuxer(sideband.Sideband, res)
	}
	return &packStream{ctx: ctx, w: w, r: r, Closer: res}, nil
}

// packStream tells the end of a pack from the end of a connection.
type packStream struct {
	io.Closer
	ctx context.Context
	w   *remoteWire
	r   io.Reader
}

func (p *packStream) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	switch {
	case err == nil:
		return n, nil
	case errors.Is(err, io.EOF) && p.w.s.failure() == nil && p.ctx.Err() == nil:
		return n, io.EOF
	}
	return n, p.w.named(p.ctx, err)
}

func (w *remoteWire) close() {
	if w.s != nil {
		w.s.Close() //nolint:errcheck // nothing is written any more
	}
}

// named words an error of a session by what is behind it: the context, the
// connection, then what the protocol made of that.
func (w *remoteWire) named(ctx context.Context, err error) error {
	if cause := ctx.Err(); cause != nil {
		err = cause
	} else if cause := w.s.failure(); cause != nil {
		err = cause
	}
	return w.report(err)
}
