package settings

// Words cuts a command line as sh does, as far as telling which program it starts
// needs it; see [Own]. What ends a command is a word of its own. A guard of ours at
// the end is left out.
func Words(line string) []string { return splitWords(unguarded(line)) }
