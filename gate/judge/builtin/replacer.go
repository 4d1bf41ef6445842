package builtin

import (
	"strings"
	"sync"
)

// replacer is a strings.Replacer that is made when it is first used. Made as a
// variable, it would have this package initialised before every answer of the hook,
// also of those that need no judge.
type replacer struct {
	pairs []string // old, new, old, new …
	once  sync.Once
	made  *strings.Replacer
}

func (r *replacer) Replace(s string) string {
	r.once.Do(func() { r.made = strings.NewReplacer(r.pairs...) })
	return r.made.Replace(s)
}
