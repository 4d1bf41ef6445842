// Package receipt owns the record of what install, sync and their like did to a
// machine: one signed JSON file each, linked to the one before by its SHA-256.
// Verify finds a changed, missing, moved or foreign receipt and names it.
//
// It promises that a receipt is whole or not there, that none is ever
// overwritten, and that what Write stores carries no user or password of a URL
// and no value of the user's own settings. It cannot keep out a process of the
// same user: that one may read the machine key, and sign what it likes. Against
// it helps only a sequence number or a key that is kept elsewhere ([Options]).
//
// It never decides anything, reads no clock, and takes no lock: the caller holds
// the lock of the home while it writes.
package receipt

import (
	"time"

	"github.com/agenthooks/hookctl/home"
)

// Schema is the version of the format. A new field raises it: an older hookctl
// then says that the receipt is newer, and not that it is damaged.
const Schema = 1

// Actions. A receipt may name others: lower-case letters and hyphens.
const (
	Install   = "install"
	Sync      = "sync"
	Rollback  = "rollback"
	Uninstall = "uninstall"
	// NewKey is the action of [Rekey].
	NewKey = "new-key"
)

// Outcome is how an action ended.
type Outcome string

// The outcomes. After Refused and Failed the generation before runs on.
const (
	OK      Outcome = "ok"
	Refused Outcome = "refused" // the release was not trusted
	Failed  Outcome = "failed"  // anything else
)

// NoneAsked is the kind of [Evidence] when no host was asked.
const NoneAsked = "none asked"

// Receipt is the record of one action. Sums are SHA-256 in lower-case hex, ""
// where there was no file. Write fills in Schema, Sequence, Previous and Machine.
type Receipt struct {
	Schema   int    `json:"schema"`
	Sequence int    `json:"sequence"` // grows by 1, from 1
	Previous string `json:"previous"` // sum of the receipt before, to the byte; "" for the first

	Time     time.Time `json:"time"`               // UTC
	Hookctl  string    `json:"hookctl"`            // version of the program that wrote it
	Machine  string    `json:"machine"`            // fingerprint of the machine key, "SHA256:…"
	Formerly string    `json:"formerly,omitempty"` // fingerprint of the key before, where the key is a new one

	Action  string  `json:"action"`
	Outcome Outcome `json:"outcome"`
	Error   string  `json:"error,omitempty"` // there exactly when the outcome is not ok

	// What the action was about; what ran before and after says Pointer.
	Source     Source   `json:"source,omitzero"`
	Head       string   `json:"head,omitempty"` // the branch's newest commit
	Commit     string   `json:"commit,omitempty"`
	Release    int      `json:"release,omitempty"`
	Bundle     string   `json:"bundle,omitempty"` // "sha256:…"
	Rules      string   `json:"rules,omitempty"`  // "sha256:…"
	Signers    []Signer `json:"signers,omitempty"`
	Trust      string   `json:"trust,omitempty"` // sum of trust.json
	Protection Evidence `json:"protection"`

	Pointer  Move      `json:"pointer"`
	Program  Change    `json:"program,omitzero"`
	Files    []Change  `json:"files,omitempty"`
	Settings []Setting `json:"settings,omitempty"`

	Cases     Cases    `json:"cases"`
	Durations []Step   `json:"durations,omitempty"`
	Notes     []string `json:"notes,omitempty"`
}

// Source is the branch that is followed. Write takes the URL's user, password,
// query and fragment away.
type Source struct {
	URL    string `json:"url"`
	Branch string `json:"branch"`
}

// Signer is a key that vouched for the release.
type Signer struct {
	Principal   string `json:"principal,omitempty"`
	Fingerprint string `json:"fingerprint"` // "SHA256:…"
}

// Evidence is what the source's host said about the branch's protection.
type Evidence struct {
	Host string `json:"host,omitempty"`
	Kind string `json:"kind"` // NoneAsked when it was not asked
	Text string `json:"text,omitempty"`
}

// Generation is what the file "current" named.
type Generation struct {
	Digest  string `json:"digest"`
	Rules   string `json:"rules"`
	Release int    `json:"release"`
	Commit  string `json:"commit,omitempty"` // "" for the embedded bundle
}

// GenerationOf is what p names, nil for a zero pointer: nothing is installed.
func GenerationOf(p home.Pointer) *Generation {
	if p.Digest == "" {
		return nil
	}
	return &Generation{Digest: p.Digest, Rules: p.Rules, Release: p.Release, Commit: p.Commit}
}

// Move is what ran before and after; nil means nothing.
type Move struct {
	Before *Generation `json:"before,omitempty"`
	After  *Generation `json:"after,omitempty"`
}

// Change is a file before and after.
type Change struct {
	Path   string `json:"path"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// Changed reports whether the sums differ.
func (c Change) Changed() bool { return c.Before != c.After }

// Setting is an agent's settings file before and after. Of the unified diff Write
// keeps the form, and hookctl's own values: see [CleanDiff].
type Setting struct {
	Path   string `json:"path"`
	Before string `json:"before"`
	After  string `json:"after"`
	Diff   string `json:"diff,omitempty"`
}

// Changed reports whether the sums differ.
func (s Setting) Changed() bool { return s.Before != s.After }

// Cases counts the contract cases by the way they ran.
type Cases struct {
	InProcess Count `json:"in_process"`
	Staged    Count `json:"staged"` // as processes, on the staged copy
	Wired     Count `json:"wired"`  // through the command in the settings
}

// Passed and Failed are the sums over all ways.
func (c Cases) Passed() int { return c.InProcess.Passed + c.Staged.Passed + c.Wired.Passed }
func (c Cases) Failed() int { return c.InProcess.Failed + c.Staged.Failed + c.Wired.Failed }

// Count is how many cases passed and failed.
type Count struct {
	Passed int `json:"passed"`
	Failed int `json:"failed"`
}

// Step is how long one step took.
type Step struct {
	Name string `json:"name"`
	MS   int64  `json:"ms"`
}
