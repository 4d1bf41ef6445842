// Package judge asks layer 2 about a message: it frames the text as data, runs
// the backend and accepts nothing but a verdict in the agreed form. Whatever a
// judge prints is hostile until parsed. No secret that [redact] knows leaves in
// a prompt.
//
// What a judge is reached by is a [Send]: package api speaks to services, package
// cli runs the programs of coding agents, and [Command] runs any other. Which of
// them are asked, and in which order, is package panel's.
package judge
