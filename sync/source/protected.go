package source

import (
	"fmt"
	"strings"
)

// protection is what a host said about a branch. nil is what it did not say.
type protection struct {
	claimed bool  // the host calls the branch protected
	rules   int   // of rulesets
	reviews *int  // that must approve a change
	pulls   bool  // changes come by pull request only
	few     bool  // not everybody who may write may push
	force   *bool // force pushes are allowed
	admins  *bool // administrators are held to it too
	hidden  bool  // there is more, and the token may not read it
}

// kind is a [BranchProtected] only where something is refused: a branch that its
// host calls protected, and that anyone may force-push to without a review, is not.
// Where nothing is said of force pushes, they are refused: hosts do so for each
// protected branch until an administrator allows them.
func (p protection) kind() string {
	if p.pulls || p.few || deref(p.reviews) > 0 || p.force != nil && !*p.force || p.force == nil && p.claimed {
		return BranchProtected
	}
	return BranchUnprotected
}

// String is one line for a person.
func (p protection) String() string {
	if !p.claimed && p.rules == 0 {
		return "the host has no protection and no rule for the branch"
	}
	var parts []string
	say := func(yes bool, format string, args ...any) {
		if yes {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	n := deref(p.reviews)
	say(n == 1, "1 review required")
	say(n > 1, "%d reviews required", n)
	say(n <= 0 && p.pulls, "pull requests required")
	say(n <= 0 && p.reviews != nil, "no review required")
	say(p.force != nil && *p.force, "force pushes allowed")
	say(p.force != nil && !*p.force, "force pushes refused")
	say(p.few, "pushes by a few only")
	say(p.admins != nil && *p.admins, "admins included")
	say(p.admins != nil && !*p.admins, "admins exempt")
	say(p.rules > 0 && p.admins == nil, "who may bypass the rules is not told")
	say(p.hidden, "more is shown to an administrator's token only")
	if len(parts) == 0 {
		return "the host calls the branch protected, and says no more"
	}
	return strings.Join(parts, ", ")
}
