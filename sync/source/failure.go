package source

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"unicode"

	"github.com/go-git/go-git/v5/plumbing/transport"
)

// The errors below speak of a server. Their URL is [Remote.Safe], and nothing in
// their texts comes from the server but one tidied line.

// UnreachableError: no connection to the server, or one that broke off. A
// machine that is offline gets this one.
type UnreachableError struct {
	URL string
	Err error
}

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("%s cannot be reached: %v", e.URL, e.Err)
}
func (e *UnreachableError) Unwrap() error { return e.Err }

// TimeoutError: the fetch took longer than its context allows, or the server
// stood still. errors.Is knows it as context.DeadlineExceeded.
type TimeoutError struct {
	URL string
	Err error
}

func (e *TimeoutError) Error() string        { return fmt.Sprintf("%s took too long: %v", e.URL, e.Err) }
func (e *TimeoutError) Unwrap() error        { return e.Err }
func (e *TimeoutError) Is(target error) bool { return target == context.DeadlineExceeded }

// AuthError: the server wants to know who asks, and was not told or not
// satisfied. errors.Is knows transport.ErrAuthenticationRequired (who?) and
// transport.ErrAuthorizationFailed (not you) in it.
type AuthError struct {
	URL  string
	Sent bool // a password, token or key was offered
	Err  error
}

func (e *AuthError) Error() string {
	if !e.Sent {
		return fmt.Sprintf("%s wants a credential, and there is none: %v", e.URL, e.Err)
	}
	return fmt.Sprintf("%s refuses the credential: %v", e.URL, e.Err)
}
func (e *AuthError) Unwrap() error { return e.Err }

// TLSError: the server cannot show that it is the one that the URL names.
type TLSError struct {
	URL string
	Err error
}

func (e *TLSError) Error() string { return fmt.Sprintf("no safe connection to %s: %v", e.URL, e.Err) }
func (e *TLSError) Unwrap() error { return e.Err }

// RedirectError: the server sends on to where the credential must not go. To is
// a scheme and a host. No request went there.
type RedirectError struct{ URL, To string }

func (e *RedirectError) Error() string {
	return fmt.Sprintf("%s redirects to %s, which is not followed", e.URL, e.To)
}

// ServerError: the server answers, but not as a Git server that has what was
// asked for. Status is HTTP's, or 0.
type ServerError struct {
	URL    string
	Status int
	Err    error
}

func (e *ServerError) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("%s answers %d %s", e.URL, e.Status, http.StatusText(e.Status))
	}
	return fmt.Sprintf("%s answers what is not understood: %v", e.URL, e.Err)
}
func (e *ServerError) Unwrap() error { return e.Err }

// HostKeyError: an ssh server's key is not the one in known_hosts, or there is
// none. Nothing was sent to it.
type HostKeyError struct {
	URL         string
	Host        string // as in known_hosts: "host" or "[host]:port"
	Type        string // "ssh-ed25519", …; empty when the server has no key of a kind that is known for it
	Fingerprint string // of the key that the server has: "SHA256:…"
	Known       []KnownKey
	Revoked     bool
}

// KnownKey is a key that known_hosts has for the host instead.
type KnownKey struct {
	Type, Fingerprint string
	File              string
	Line              int
}

// Changed tells a key that differs from the known one from a host that is new.
func (e *HostKeyError) Changed() bool { return len(e.Known) > 0 }

func (e *HostKeyError) Error() string {
	has := fmt.Sprintf("its %s key is %s", e.Type, e.Fingerprint)
	if e.Fingerprint == "" {
		has = "it has no key of that kind"
	}
	switch {
	case e.Revoked:
		return fmt.Sprintf("the host key of %s is revoked in known_hosts; %s", e.Host, has)
	case e.Changed():
		k := e.Known[0]
		return fmt.Sprintf("the host key of %s is not the one in %s:%d (%s %s); %s", e.Host, k.File, k.Line, k.Type, k.Fingerprint, has)
	}
	return fmt.Sprintf("the host key of %s is not in known_hosts; %s", e.Host, has)
}

// PassphraseError: a private key is protected, and no agent holds it. Nothing
// asks for the passphrase.
type PassphraseError struct{ URL, Path string }

func (e *PassphraseError) Error() string {
	return fmt.Sprintf("%s wants a passphrase, and no ssh-agent holds the key", e.Path)
}

// OptionError: a file of this machine that is needed to reach the server cannot
// be used.
type OptionError struct {
	What, Path string // "CA file", "known_hosts", "private key"
	Err        error
}

func (e *OptionError) Error() string { return fmt.Sprintf("%s %s: %v", e.What, e.Path, e.Err) }
func (e *OptionError) Unwrap() error { return e.Err }

// leaf is an error of a library without what it may hold: secrets, control
// characters, a server's long story. Only errors.Is sees what it was made of.
type leaf struct {
	text string
	err  error
}

func (e *leaf) Error() string        { return e.text }
func (e *leaf) Is(target error) bool { return errors.Is(e.err, target) }

// tidy is one short line that a terminal can be shown.
func tidy(text string) string {
	text = strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), "?")
	text = strings.Map(func(c rune) rune {
		if unicode.IsPrint(c) {
			return c
		}
		return -1
	}, text)
	if len(text) > 300 {
		text = strings.ToValidUTF8(text[:300], "") + "…"
	}
	return text
}

// report says of an error of a library what it means, and takes secrets out.
func (w *remoteWire) report(err error) error {
	if err == nil || isOurs(err) || errors.Is(err, context.Canceled) {
		return err
	}
	l := &leaf{tidy(w.secrets.out(err.Error())), err}
	var timeout net.Error
	switch {
	case errors.Is(err, transport.ErrRepositoryNotFound):
		return &NotFoundError{URL: w.url}
	case errors.Is(err, transport.ErrAuthenticationRequired), errors.Is(err, transport.ErrAuthorizationFailed):
		return &AuthError{URL: w.url, Sent: w.sent, Err: l}
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, errStalled):
		return &TimeoutError{URL: w.url, Err: l}
	case isTLS(err):
		return &TLSError{URL: w.url, Err: l}
	case isDial(err):
		return &UnreachableError{URL: w.url, Err: l}
	case errors.As(err, &timeout) && timeout.Timeout():
		return &TimeoutError{URL: w.url, Err: l}
	case isBroken(err):
		return &UnreachableError{URL: w.url, Err: l}
	}
	if w.sent && w.at.scheme == "https" {
		// It may quote the server, which knows the token and may have cut it up.
		l.text = "it reports an error, or does not speak Git's protocol"
	}
	return &ServerError{URL: w.url, Err: l}
}

// isOurs knows what this package has worded already.
func isOurs(err error) bool {
	return is[*NotFoundError](err) || is[*BranchError](err) || is[*URLError](err) || is[*LimitError](err) ||
		is[*UnreachableError](err) || is[*TimeoutError](err) || is[*AuthError](err) || is[*TLSError](err) ||
		is[*RedirectError](err) || is[*ServerError](err) || is[*HostKeyError](err) || is[*PassphraseError](err) || is[*OptionError](err)
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func isTLS(err error) bool {
	return is[*tls.CertificateVerificationError](err) || is[tls.RecordHeaderError](err) || is[tls.AlertError](err) ||
		is[x509.UnknownAuthorityError](err) || is[x509.HostnameError](err) || is[x509.CertificateInvalidError](err) ||
		errors.Is(err, http.ErrSchemeMismatch)
}

func isDial(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	return is[*net.DNSError](err) || ok && (op.Op == "dial" || op.Op == "proxyconnect")
}

func isBroken(err error) bool {
	return is[*net.OpError](err) || is[*net.DNSError](err) || is[syscall.Errno](err) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}

// Refused reports whether err says that what answered is not the source that the
// address names, rather than that it could not be reached.
func Refused(err error) bool {
	return is[*TLSError](err) || is[*RedirectError](err) || is[*HostKeyError](err)
}
