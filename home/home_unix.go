//go:build !windows

package home

const (
	exe     = ""
	userVar = "HOME"
)
