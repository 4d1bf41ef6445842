package pull

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/source"
)

// UntrustedError says that a source is new to this machine and nobody has said
// whose keys may release.
type UntrustedError struct {
	Source string
	Offer  bundle.Offer
	Asked  bool // a person was shown the keys and said no
}

func (e *UntrustedError) Error() string {
	var prints []string
	for _, k := range e.Offer.Keys {
		prints = append(prints, k.Fingerprint())
	}
	what := "no keys are given that may release"
	if e.Asked {
		what = "its key was not accepted"
	}
	return fmt.Sprintf("%s: %s; release %d is signed by %s", e.Source, what, e.Offer.Release, strings.Join(prints, ", "))
}

// FollowsError says that an archive was given to a machine that follows a branch.
type FollowsError struct{ Source string }

func (e *FollowsError) Error() string {
	return fmt.Sprintf("this machine follows %s, and not archives", e.Source)
}

// first is the bundle to install, and what to follow: the newest release of the
// source, that of an archive, or the embedded bundle and nothing. An installation
// that follows something keeps it, and its keys.
func (m *Machine) first(ctx context.Context, o Options, in *Installation) (bundle.Verified, *Trust, error) {
	t, err := readTrust(m.Home)
	known := err == nil
	named := o.Source.URL != "" || o.Archive != ""
	bad, unusable := errors.AsType[*TrustError](err)
	switch {
	case known, unusable && !bad.Newer && named && o.Signers != "":
	case errors.Is(err, ErrNoSource) && named:
	case errors.Is(err, ErrNoSource):
		in.Embedded = true
		v, err := bundle.Embedded()
		in.To = Accepted{Digest: v.Digest(), At: m.Now}
		return v, nil, err
	default:
		return bundle.Verified{}, nil, err
	}
	if o.Signers != "" && named {
		signers, _, err := ReadSigners(o.Signers)
		if err != nil {
			return bundle.Verified{}, nil, err
		}
		t, known = t.pin(o.Source, signers), true
	}
	var v bundle.Verified
	switch {
	case o.Archive != "":
		v, err = m.fromArchive(&t, known, o, in)
	case !named && t.Source.URL == "":
		in.To, in.fromStore = t.runs(), true
		v, err = m.stored(t, t.runs())
	default:
		v, err = m.fromBranch(ctx, &t, known, o, in)
	}
	return v, &t, err
}

// fromBranch is the newest release of a branch: of the one that o names, or of
// the one that is followed.
func (m *Machine) fromBranch(ctx context.Context, t *Trust, known bool, o Options, in *Installation) (bundle.Verified, error) {
	if o.Source.URL != "" {
		now := t.pin(o.Source, []byte(t.Signers))
		known = known && now.Source == t.Source
		*t = now
	}
	in.Source, in.From = t.Source, t.runs()
	repo, err := m.fetch(ctx, t.Source)
	if err != nil {
		return bundle.Verified{}, err
	}
	defer repo.Close()
	in.Head = repo.Head().Hash
	if !known {
		offer, err := bundle.Offered(repo)
		if err != nil {
			return bundle.Verified{}, err
		}
		if err := m.ask(t, t.Source.Safe(), offer, o, in); err != nil {
			return bundle.Verified{}, err
		}
	}
	was := *t
	v, rep, err := m.pick(ctx, repo, was.settled(m.running().Digest))
	rep.From, rep.Notes = was.runs(), in.Notes
	in.Report = rep
	return v, err
}

// fromArchive is the release in a pack.
func (m *Machine) fromArchive(t *Trust, known bool, o Options, in *Installation) (bundle.Verified, error) {
	if known && t.Source.URL != "" {
		return bundle.Verified{}, &FollowsError{t.Source.Safe()}
	}
	in.Source, in.From = source.Remote{URL: absolute(o.Archive)}, t.runs()
	m.step("verify", "%s", o.Archive)
	f, err := os.Open(o.Archive)
	if err != nil {
		return bundle.Verified{}, err
	}
	defer f.Close()
	cand, err := bundle.ReadPack(f)
	if err != nil {
		return bundle.Verified{}, fmt.Errorf("%s: %w", o.Archive, err)
	}
	if !known {
		offer, err := cand.Offer()
		if err != nil {
			return bundle.Verified{}, err
		}
		*t = t.pin(source.Remote{}, nil)
		if err := m.ask(t, o.Archive, offer, o, in); err != nil {
			return bundle.Verified{}, err
		}
	}
	trust, _, err := t.settled(m.running().Digest).measure(m.Now)
	if err != nil {
		return bundle.Verified{}, err
	}
	v, err := bundle.Verify(cand, trust)
	if err != nil {
		return v, err
	}
	in.Signers = signers(v)
	in.To = Accepted{Release: v.Release(), Digest: v.Digest(), At: m.Now}
	if in.To.Digest == in.From.Digest {
		in.To = in.From
	}
	return v, nil
}

// ask lets a person decide whose keys may release from now on.
func (m *Machine) ask(t *Trust, from string, offer bundle.Offer, o Options, in *Installation) error {
	if o.Ask == nil {
		return &UntrustedError{Source: from, Offer: offer}
	}
	yes, err := o.Ask(from, offer)
	if err != nil {
		return err
	}
	if !yes {
		return &UntrustedError{Source: from, Offer: offer, Asked: true}
	}
	for _, k := range offer.Keys {
		in.Notes = append(in.Notes, "first trust was given at a terminal, to the key "+k.Fingerprint())
	}
	t.Signers = string(bundle.AllowedSigners(firstTrust, offer.Keys))
	return nil
}

// firstTrust names keys that a person has accepted at a terminal.
const firstTrust = "accepted-at-install"
