package builtin

import "strings"

// actionEN finds the action that a frame governs in seg, the text right after
// it, and its place; "" when there is none.
func actionEN(seg string, f frame) (string, int) {
	pos, prev, prev2 := 1, "", "" // seg begins with a space
	create := -1
	for n, w := range strings.Fields(seg) {
		at := pos
		pos += len(w) + 1
		if n > 16 {
			break
		}
		rest := seg[min(pos, len(seg)):]
		if f.text == " can be " || f.text == " can now be " || f.text == " could be " || f.text == " ready to be " || prev == "be" {
			if act := passiveEN(w); act != "" && n < 3 && mayMerge(act, rest) {
				return act, at
			}
		} else if act := passiveEN(w); act != "" && n <= 8 && has(seg[:at], []string{" get ", " have ", " getting "}) && mayMerge(act, rest) {
			return act, at // "I'll get it merged"
		} else if f.text == " ready for " {
			if act := nounEN(w); act != "" && n < 2 {
				return act, at
			}
		} else if act := passiveEN(w); act != "" && n < 2 && strings.HasSuffix(f.text, " if i ") && mayMerge(act, rest) {
			return act, at // "would it be OK if I committed these"
		} else if act := verbEN(w, f); act != "" && verbPlace(prev, prev2, n) && goesOn(act, rest) {
			return act, at
		}
		switch w {
		case "create", "open", "raise", "submit", "make", "file", "put", "creating", "opening", "raising", "submitting", "mark", "publish", "send", "prepare", "cut", "draft":
			if verbPlace(prev, prev2, n) {
				create = n
			}
		case "release":
			if create >= 0 && n-create <= 3 && prev != "create" && (strings.HasPrefix(rest, "?") || strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "now")) {
				return "cut a release", at
			}
		case "pr", "prs", "pull", "commit", "commits":
			if create >= 0 && n-create <= 6 && (w != "pull" || strings.HasPrefix(rest, "request")) && notCompound(rest) {
				return "open a PR", at
			}
		}
		prev, prev2 = w, prev
	}
	if w, at := firstOf(seg, nominalEN); w != "" {
		return strings.TrimSpace(w), at
	}
	return "", 0
}

// nominalEN name the action as a thing that a frame goes on to.
var nominalEN = []string{
	" ahead with the deployment ", " ahead with the deploy ", " ahead with the merge ", " ahead with the commit ", " ahead with the push ", " ahead with the pr ", " ahead with a commit ", " ahead with a pr ", " proceed with the merge ", " proceed with the deployment ",
	" proceed with the commit ", " proceed with the push ", " proceed with the pr ", " with a commit . ", " up with a commit ", " up with a pr ", " on to the pr ", " on to the commit ", " on to the merge ", " on to the deployment ", " get this into main ", " get it into main ", " get this onto main ",
	" care of the merge ", " care of the commit ", " care of the push ", " care of the deployment ", " care of the release ", " care of the rollout ", " handle the merge ", " handle the deployment ", " handle the release ", " handle the rollout ", " do the commit ", " do the merge ", " do the deployment ", " do the deploy ", " do the push ", " start the deployment ", " kick off the deployment ", " kick off the deploy ", " get this in ", " land this ", " land it ", " with the merge ", " with the commit ", " with the deployment ", " with the push ", " check this in ", " check it in ", " check these in ", " check them in ", " check everything in ", " take it live ", " take this live ", " go live with ", " push it live ", " push this live ",
	" mark it ready for review ", " mark it as ready ", " mark this ready ", " mark this as ready ", " mark it ready ", " enable auto-merge ", " turn on auto-merge ",
}

func verbEN(w string, f frame) string {
	if f.ing && !strings.HasSuffix(w, "ing") {
		return ""
	}
	switch w {
	case "commit", "push", "merge", "deploy", "redeploy", "ship", "re-deploy", "force-push", "squash-merge", "roll", "publish", "release", "promote":
		return w
	case "committing", "pushing", "merging", "deploying", "redeploying", "rolling", "publishing", "releasing":
		if f.mood == Announce || f.ing {
			return w
		}
	case "upstream":
		return w
	}
	return ""
}

// livePlaces are where a release goes: without one of them "publish" and "roll
// out" may be what the product does.
var livePlaces = []string{" production ", " prod ", " live ", " npm ", " pypi ", " crates.io ", " registry ", " main ", " staging ", " everyone ", " customers ", " marketplace ", " store ", " users "}

func passiveEN(w string) string {
	switch w {
	case "committed", "pushed", "merged", "deployed", "shipped":
		return w
	}
	return ""
}

func nounEN(w string) string {
	switch w {
	case "commit", "push", "merge", "merging", "deploy", "deployment", "deploying", "committing", "pushing":
		return w
	}
	return ""
}

// verbPlace reports whether a word after prev can be the verb of the frame: at
// its start, after an adverb, or in a chain.
func verbPlace(prev, prev2 string, n int) bool {
	switch prev {
	case "", "and", "then", "now", "just", "also", ",", "&", "+", "/", "directly", "simply", "quickly", "finally", "first", "go", "please", "both", "already", "immediately", "again", "safely", "or", "git", "be":
		return true
	case "to":
		switch prev2 {
		case "ready", "proceed", "going", "about", "like", "want", "on", "time", "ok", "okay", "safe", "good", "is", "ahead", "free", "proceeding", "moving":
			return true
		}
		return n == 0
	}
	return false
}

// goesOn looks at what follows the verb: a compound noun or an object of the
// product is no action of ours.
func goesOn(act, rest string) bool {
	if !notCompound(rest) {
		return false
	}
	next, _, _ := strings.Cut(rest, " ")
	switch act {
	case "merge", "merging":
		return mayMerge(act, rest)
	case "push", "pushing":
		switch next {
		case "back", "for", "through", "further", "forward", "past", "on", "harder", "notifications", "events", "messages":
			return false
		}
		if has(cutAt(" "+rest, []string{" , ", " and "}), []string{" into ", " onto ", " queue ", " stack ", " array ", " notification", " values ", " items "}) {
			return false // into a list, not to a branch
		}
		if to := " " + cutAt(" "+rest, []string{" , ", " and "}); has(to, []string{" to the ", " to a ", " to its ", " to their "}) && !has(to, []string{" remote ", " branch ", " branches ", " main ", " repo ", " repository ", " fork ", " pr ", " origin ", " upstream ", " registry ", " server ", " github ", " gitlab ", " default ", " pull "}) {
			return false
		}
	case "commit", "committing":
		if next == "to" {
			return has(" "+rest, []string{" branch ", " main ", " repo ", " git ", " master ", " \uE001 "})
		}
	case "roll", "rolling":
		if after, ok := strings.CutPrefix(rest, "out "); ok {
			next, _, _ := strings.Cut(after, " ")
			switch next {
			case ".", "whenever", "now", "today", "tonight", "!", "?":
				return true
			}
		}
		if next != "it" && next != "this" && next != "them" && next != "out" || !has(" "+rest, []string{" out "}) {
			return false
		}
		return has(" "+rest, livePlaces) || has(" "+rest, []string{" out ? ", " out now "})
	case "publish", "publishing", "release", "releasing", "promote":
		return has(cutAt(" "+rest, []string{" , ", " . "}), livePlaces) || act != "promote" && (next == "it" || next == "this" || next == "now" || next == "the" && has(cutLong(" "+rest, 40), []string{" release ", " package ", " version ", " image ", " crate ", " gem "}))
	case "upstream":
		return next == "it" || next == "this" || next == "these" || next == "them"
	case "ship":
		return next == "it" || next == "this" || next == "." || next == "?" || next == ""
	}
	return true
}

func mayMerge(act, rest string) bool {
	if act != "merge" && act != "merging" && act != "merged" {
		return true
	}
	head := " " + cutAt(" "+rest, []string{" , ", " . ", " ? ", " and "})
	if len(strings.Fields(head)) <= 1 {
		return true
	}
	return has(head, []string{
		" pr ", " prs ", " # ", " branch ", " branches ", " main ", " master ", " it ", " this ", " that ", " them ", " changes ", " now ", " upstream ",
		" from my side ", " on my side ", " as is ", " as-is ", " anytime ", " whenever ", " on your ", " origin ", " develop ", " dev ", " request ", " fix ", " everything ", " all ", " \uE001 ", " right ", " immediately ",
	})
}

func notCompound(rest string) bool {
	next, _, _ := strings.Cut(rest, " ")
	switch next {
	case "message", "messages", "hash", "hashes", "history", "sha", "shas", "id", "ids", "log", "logs", "hook", "hooks", "range", "template", "gate", "queue", "strategy",
		"conflict", "conflicts", "script", "scripts", "workflow", "pipeline", "notification", "notifications", "button", "event", "events", "description", "descriptions", "title",
		"body", "comment", "comments", "review", "time", "key", "keys", "target", "base", "rights", "access", "step", "steps", "mode", "flag", "date", "author", "trailer", "trailers",
		"numbers", "number", "list", "template.md", "logic", "metadata", "link", "links", "information", "info", "count", "counts", "notes", "note", "process", "graph", "handler", "helper", "function", "policy", "rule", "rules", "wizard", "page", "job", "jobs", "config", "configuration", "settings", "failure", "failures", "error", "errors", "permission", "permissions", "request's":
		return false
	}
	return true
}
