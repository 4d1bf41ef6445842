package bundle

import (
	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"

	"github.com/agenthooks/hookctl/sync/source"
)

// Offer is a release that nobody vouches for yet: whole in itself, signed by
// keys of which this machine knows nothing. A person compares their fingerprints
// with what the team publishes.
type Offer struct {
	Release int
	Commit  string // "" for an archive
	Keys    []Signer
}

// Offered is the newest commit of a branch, along first parents, that is a release
// in itself. Whether it may be installed says [Newest], once keys are chosen.
// Errors: [NoReleaseError], and what reading the quarantine gives.
func Offered(repo *source.Repo) (Offer, error) {
	chain, err := repo.FirstParents(repo.Head().Hash, "", MaxWalk)
	if err != nil {
		return Offer{}, err
	}
	s := &search{repo: repo, chain: chain}
	for i, c := range chain {
		content, changed, err := s.changed(i)
		if err != nil {
			return Offer{}, err
		}
		if i > 0 && !changed || content[0] == "" || content[1] == "" {
			continue
		}
		cand, err := FromCommit(repo, c)
		if isReadError(err) {
			return Offer{}, err
		}
		if err != nil {
			continue
		}
		if o, err := cand.Offer(); err == nil {
			return o, nil
		}
	}
	return Offer{}, &NoReleaseError{Pending: len(chain)}
}

// Offer is what the candidate offers; an error when it is no release in itself.
func (c Candidate) Offer() (Offer, error) {
	lock, _, err := c.released()
	if err != nil {
		return Offer{}, err
	}
	sigs, err := parseSignatures(c.Sig)
	if err != nil {
		return Offer{}, err
	}
	return Offer{Release: lock.Release, Commit: c.Commit, Keys: vouching(c.Lock, sigs)}, nil
}

// vouching are the keys, each once, whose signature of lock is good.
func vouching(lock []byte, sigs []*sshsig.Signature) []Signer {
	var keys []Signer
	seen := map[string]bool{}
	for _, s := range sigs {
		k := Signer{Key: s.PublicKey}
		if f := k.Fingerprint(); !seen[f] && good(lock, s) == "" {
			seen[f] = true
			keys = append(keys, k)
		}
	}
	return keys
}

// AllowedSigners is a list of keys in the form that [ParseSigners] reads, for
// locks only; name stands before each.
func AllowedSigners(name string, keys []Signer) []byte {
	var out []byte
	for _, k := range keys {
		out = append(out, name+` namespaces="`+Namespace+`" `...)
		out = append(out, ssh.MarshalAuthorizedKey(k.Key)...)
	}
	return out
}
