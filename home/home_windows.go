package home

import "strings"

const (
	exe     = ".exe"
	userVar = "USERPROFILE"
)

func slashed(p string) string { return strings.ReplaceAll(p, `\`, "/") }
