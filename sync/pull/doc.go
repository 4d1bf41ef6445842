// Package pull is the sequence that brings a bundle onto a machine: fetch,
// verify, stage, prove, activate, prove again, record. It alone hands bundles to
// install, and nothing but a bundle.Verified. On any failure what ran before runs
// on: every step from the first change on is taken back. A process that was
// killed leaves the old generation or the new one, and the next run finishes.
package pull
