package home

import "strings"

// System is the home of an installation for every user of the machine.
const System Dir = "C:/Program Files/hookctl"

const (
	exe     = ".exe"
	userVar = "USERPROFILE"
)

func slashed(p string) string { return strings.ReplaceAll(p, `\`, "/") }
