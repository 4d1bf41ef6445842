package home

const (
	exe     = ".exe"
	userVar = "USERPROFILE"
)
