package contract

// shell is the sh of Git for Windows, which Claude Code runs hooks by there.
const shell = "sh"
