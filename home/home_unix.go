//go:build !windows

package home

// System is the home of an installation for every user of the machine.
const System Dir = "/var/lib/hookctl"

const (
	exe     = ""
	userVar = "HOME"
)

func slashed(p string) string { return p }
