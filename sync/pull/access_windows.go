package pull

// mayWrite is not asked: the modes of Windows do not tell it.
func mayWrite(string) bool { return true }
