// Package judge asks layer 2 about a message: it frames the text as data, runs
// the backend and accepts nothing but a verdict in the agreed form. Whatever a
// judge prints is hostile until parsed. No secret that [redact] knows leaves in
// a prompt.
package judge
