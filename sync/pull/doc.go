// Package pull is the sequence that brings a bundle onto a machine: fetch,
// verify, stage, prove, activate, prove again, record. It alone hands bundles to
// install, and nothing but a bundle.Verified. On any failure the generation that
// ran before runs on.
package pull
