package source

import (
	"context"
	"errors"
	"fmt"
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
	"github.com/go-git/go-git/v5/plumbing/transport/client"
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

var scpLike = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9_.-]+@[A-Za-z0-9.-]+:`)
})

// runsProgram matches what makes Git run a program of that name: "ext::sh -c …".
var runsProgram = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9_+-]+::`)
})

func dial(r Remote) (wire, error) {
	branch := plumbing.NewBranchReferenceName(r.Branch)
	if r.Branch == "" || branch.Validate() != nil {
		return nil, &BranchError{URL: redacted(r.URL), Branch: r.Branch}
	}
	path, local, err := localPath(r.URL)
	switch {
	case err != nil:
		return nil, err
	case local:
		return &localWire{url: r.URL, path: path, branch: branch}, nil
	case runsProgram().MatchString(r.URL):
		return nil, &URLError{URL: redacted(r.URL), Why: "want a path, file://, https:// or ssh://"}
	}
	ep, err := transport.NewEndpoint(r.URL)
	if err != nil {
		return nil, &URLError{URL: redacted(r.URL), Why: "not understood"}
	}
	if ep.Protocol != "https" && ep.Protocol != "ssh" {
		return nil, &URLError{URL: redacted(r.URL), Why: "want a path, file://, https:// or ssh://"}
	}
	c, err := client.NewClient(ep)
	if err != nil {
		return nil, fmt.Errorf("source %s: %w", redacted(r.URL), err)
	}
	return &remoteWire{url: redacted(r.URL), branch: branch, c: c, ep: ep}, nil
}

// localPath tells the folder that raw names, if it names one.
func localPath(raw string) (path string, local bool, err error) {
	switch {
	case raw == "" || strings.HasPrefix(raw, "-") || strings.ContainsRune(raw, 0):
		return "", false, &URLError{URL: raw, Why: "no address"}
	case strings.HasPrefix(raw, "file://"):
		u, err := url.Parse(raw)
		if err != nil || (u.Host != "" && u.Host != "localhost") || u.Path == "" {
			return "", false, &URLError{URL: raw, Why: "want file:///folder"}
		}
		path = u.Path
		if runtime.GOOS == "windows" && len(path) > 2 && path[2] == ':' {
			path = path[1:] // file:///C:/folder
		}
	case strings.Contains(raw, "://") || strings.Contains(raw, "::"):
		return "", false, nil
	case scpLike().MatchString(raw):
		return "", false, nil
	default:
		path = raw
	}
	path, err = filepath.Abs(filepath.FromSlash(path))
	return path, true, err
}

// remoteWire speaks Git's protocol. One session asks and fetches, as a server
// may have several machines behind its name.
type remoteWire struct {
	url    string
	branch plumbing.ReferenceName
	c      transport.Transport
	ep     *transport.Endpoint
	s      transport.UploadPackSession
	ar     *packp.AdvRefs
}

func (w *remoteWire) head(ctx context.Context) (plumbing.Hash, error) {
	s, err := w.c.NewUploadPackSession(w.ep, nil)
	if err != nil {
		return plumbing.ZeroHash, w.named(err)
	}
	w.s = s
	w.ar, err = s.AdvertisedReferencesContext(ctx)
	if errors.Is(err, transport.ErrEmptyRemoteRepository) {
		return plumbing.ZeroHash, &BranchError{URL: w.url, Branch: w.branch.Short()}
	}
	if err != nil {
		return plumbing.ZeroHash, w.named(err)
	}
	h, ok := w.ar.References[w.branch.String()]
	if !ok {
		return plumbing.ZeroHash, &BranchError{URL: w.url, Branch: w.branch.Short()}
	}
	return h, nil
}

func (w *remoteWire) pack(ctx context.Context, want plumbing.Hash, haves []plumbing.Hash) (io.ReadCloser, error) {
	req := packp.NewUploadPackRequestFromCapabilities(w.ar.Capabilities)
	// The index of a thin pack cannot be built without its bases.
	req.Capabilities.Delete(capability.ThinPack)
	req.Wants, req.Haves = []plumbing.Hash{want}, haves
	res, err := w.s.UploadPack(ctx, req)
	if errors.Is(err, transport.ErrEmptyUploadPackRequest) {
		return io.NopCloser(strings.NewReader("")), nil
	}
	if err != nil {
		return nil, w.named(err)
	}
	var r io.Reader = res
	switch {
	case req.Capabilities.Supports(capability.Sideband64k):
		r = sideband.NewDemuxer(sideband.Sideband64k, res)
	case req.Capabilities.Supports(capability.Sideband):
		r = sideband.NewDemuxer(sideband.Sideband, res)
	}
	return struct {
		io.Reader
		io.Closer
	}{r, res}, nil
}

func (w *remoteWire) close() {
	if w.s != nil {
		w.s.Close()
	}
}

func (w *remoteWire) named(err error) error {
	if errors.Is(err, transport.ErrRepositoryNotFound) {
		return &NotFoundError{URL: w.url}
	}
	return fmt.Errorf("source %s: %w", w.url, err)
}
