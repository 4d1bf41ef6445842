package child

import "strings"

// Named reports whether the name of an environment variable is in a list. An
// entry that ends in "*" is a prefix; Windows does not tell letter case apart.
func Named(name string, list []string) bool {
	for _, want := range list {
		if prefix, ok := strings.CutSuffix(want, "*"); ok {
			if len(name) >= len(prefix) && sameName(name[:len(prefix)], prefix) {
				return true
			}
		} else if sameName(name, want) {
			return true
		}
	}
	return false
}
