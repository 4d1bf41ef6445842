//go:build !windows

package home

const (
	exe     = ""
	userVar = "HOME"
)

func slashed(p string) string { return p }
