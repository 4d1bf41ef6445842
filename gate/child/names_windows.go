package child

import "strings"

// sameName compares the names of two environment variables.
func sameName(a, b string) bool { return strings.EqualFold(a, b) }
