package builtin

import (
	"slices"
	"strings"
)

// frame is a phrase that makes a proposal of the verb after it.
type frame struct {
	text string
	mood Mood
	ing  bool // the verb after it is a gerund: "okay with me committing"
}

// The phrases stand with their spaces, as norm writes them.
var framesEN = []frame{
	{text: " want me to ", mood: Offer},
	{text: " like me to ", mood: Offer},
	{text: " shall i ", mood: Offer},
	{text: " shall we ", mood: Offer},
	{text: " should i ", mood: Offer},
	{text: " should we ", mood: Offer},
	{text: " may i ", mood: Offer},
	{text: " can i ", mood: Offer},
	{text: " could i ", mood: Offer},
	{text: " do you want to ", mood: Offer},
	{text: " would you like to ", mood: Offer},
	{text: " mind if i ", mood: Offer},
	{text: " okay if i ", mood: Offer},
	{text: " ok if i ", mood: Offer},
	{text: " alright if i ", mood: Offer},
	{text: " okay to ", mood: Offer},
	{text: " ok to ", mood: Offer},
	{text: " alright to ", mood: Offer},
	{text: " all right to ", mood: Offer},
	{text: " fine to ", mood: Offer},
	{text: " okay for me to ", mood: Offer},
	{text: " ok for me to ", mood: Offer},
	{text: " have me ", mood: Offer},
	{text: " i'd say we ", mood: Offer},
	{text: " suggest i ", mood: Offer},
	{text: " suggest we ", mood: Offer},
	{text: " propose we ", mood: Offer},
	{text: " i would say we ", mood: Offer},
	{text: " know if i should ", mood: Offer},
	{text: " know whether i should ", mood: Offer},
	{text: " happy to ", mood: Offer},
	{text: " glad to ", mood: Offer},
	{text: " i'll ", mood: Announce},
	{text: " i will ", mood: Announce},
	{text: " i'm going to ", mood: Announce},
	{text: " i am going to ", mood: Announce},
	{text: " i'm about to ", mood: Announce},
	{text: " i am about to ", mood: Announce},
	{text: " let me ", mood: Announce},
	{text: " let's ", mood: Announce},
	{text: " let us ", mood: Announce},
	{text: " we'll ", mood: Announce},
	{text: " we will ", mood: Announce},
	{text: " i'm ", mood: Announce},
	{text: " i am ", mood: Announce},
	{text: " we should ", mood: Announce},
	{text: " i can ", mood: Announce},
	{text: " we can ", mood: Announce},
	{text: " i would ", mood: Announce},
	{text: " i'd ", mood: Announce},
	{text: " going ahead and ", mood: Announce},
	{text: " going ahead with ", mood: Announce},
	{text: " go ahead and ", mood: Announce},
	{text: " proceed to ", mood: Announce},
	{text: " proceeding to ", mood: Announce},
	{text: " proceed with ", mood: Announce},
	{text: " time to ", mood: Announce},
	{text: " next step is to ", mood: Announce},
	{text: " next task is to ", mood: Announce},
	{text: " next step : ", mood: Announce},
	{text: " next task : ", mood: Announce},
	{text: " next : ", mood: Announce},
	{text: " next up : ", mood: Announce},
	{text: " next , i ", mood: Announce},
	{text: " next i ", mood: Announce},
	{text: " about to ", mood: Announce},
	{text: " i could ", mood: Announce},
	{text: " permission to ", mood: Offer},
	{text: " ok with me ", mood: Offer, ing: true},
	{text: " okay with me ", mood: Offer, ing: true},
	{text: " objection to me ", mood: Offer, ing: true},
	{text: " objections to me ", mood: Offer, ing: true},
	{text: " objection to ", mood: Offer, ing: true},
	{text: " objections to ", mood: Offer, ing: true},
	{text: " mind me ", mood: Offer, ing: true},
	{text: " suggest ", mood: Announce, ing: true},
	{text: " recommend ", mood: Announce, ing: true},
	{text: " next steps : ", mood: Announce},
	{text: " next step is ", mood: Announce, ing: true},
	{text: " proceeding with ", mood: Announce},
	{text: " please ", mood: Ready},
	{text: " you should ", mood: Ready},
	{text: " you should now ", mood: Ready},
	{text: " you may want to ", mood: Ready},
	{text: " you might want to ", mood: Ready},
	{text: " don't forget to ", mood: Ready},
	{text: " remember to ", mood: Ready},
	{text: " all set to ", mood: Ready},
	{text: " we're set to ", mood: Ready},
	{text: " feel free to ", mood: Ready},
	{text: " ready to ", mood: Ready},
	{text: " good to ", mood: Ready},
	{text: " safe to ", mood: Ready},
	{text: " you can ", mood: Ready},
	{text: " you can now ", mood: Ready},
	{text: " ready for ", mood: Ready},
	{text: " can be ", mood: Ready},
	{text: " can now be ", mood: Ready},
	{text: " ready to be ", mood: Ready},
	{text: " could be ", mood: Ready},
}

// proposalEN reads a normalised English sentence.
func proposalEN(s string) (proposal, bool) {
	best, at := proposal{}, -1
	for _, f := range framesEN {
		for from := 0; ; {
			i := strings.Index(s[from:], f.text)
			if i < 0 {
				break
			}
			i += from
			from = i + len(f.text) - 1
			act, pos := actionEN(cutAt(s[from:], breaksEN), f)
			if act == "" || at >= 0 && best.mood == Offer && f.mood != Offer {
				continue
			}
			if p, ok := completeEN(s, i, from+pos, f, act); ok && (at < 0 || best.negated || f.mood == Offer) {
				best, at = p, i
			}
		}
	}
	if at < 0 {
		return gerundEN(s)
	}
	return best, true
}

// breaksEN end the reach of a frame: what comes after has a subject or a purpose
// of its own.
var breaksEN = []string{
	" because ", " so that ", " which ", " that is ", " before ", " until ", " unless ", " instead of ", " rather than ", " ; ", " — ", " – ", " if ", " when ",
	" once ", " after ", " but ", " so you ", " so i ", " without ", " while ", " where ", " ( ", " you can ", " you ", " as soon as ",
}

// completeEN adds what the rest of the sentence says about the action at pos.
func completeEN(s string, start, pos int, f frame, act string) (proposal, bool) {
	p := proposal{action: act, mood: f.mood}
	left := lastClause(s[:start+1], clauseMarksEN)
	mid := s[start:pos]
	switch {
	case f.mood == Announce && has(s, hypotheticalEN):
		return p, false
	case f.mood == Ready && hasAnySuffix(s[:start+1], relativesEN):
		return p, false // "the PRs that are ready to merge": which ones, not that it is
	case slices.Contains(advicesEN, f.text):
		// The immediate step counts, and nothing that hangs on another.
		if at := strings.Fields(s[start+len(f.text)-1 : pos]); len(at) > 1 || len(at) == 1 && at[0] != "now" && at[0] != "also" || has(s, notNowEN) {
			return p, false
		}
	case f.text == " permission to ":
		if !strings.Contains(s, " ? ") {
			return p, false
		}
	case f.text == " suggest " || f.text == " recommend ":
		if !has(s, []string{" now ", " right away ", " as is ", " as-is ", " immediately ", " at this point "}) {
			return p, false
		}
	case f.text == " i could " || strings.Contains(f.text, " i can ") || strings.Contains(f.text, " we can ") || strings.Contains(f.text, " i'd ") || strings.Contains(f.text, " i would "):
		if !has(s, permissionEN) && !strings.Contains(s, " now ") && !strings.Contains(s, " ? ") {
			return p, false
		}
		p.mood = Offer
	case f.text == " you can " || f.text == " can be " || f.text == " could be ":
		if has(s, []string{" later ", " also ", " manually ", " with ", " by ", " using ", " whenever ", " : ", " via ", " anytime ", " then ", " either ", " any ", " anywhere ", " as a ", " as an ", " host ", " or ", " on your own "}) {
			return p, false
		}
	}
	p.negated = has(left, negativesEN) && f.text != " don't forget to " || has(without(mid, []string{" don't forget to "}), negativesEN) || strings.Contains(s[pos:], " nothing ")
	// The condition counts in its own part of the sentence only.
	part := without(part(s, pos), permissionEN)
	switch {
	case has(part, eventsEN):
		p.condition = Event
	case has(s, permissionEN):
		p.condition = Permission
	}
	if has(left, questionsEN) {
		p.choice = true // "which branch should I push to"
	}
	if f.mood == Offer && strings.Contains(s, " ? ") && !p.choice {
		p.choice = has(s, whichEN) || strings.Contains(without(s[start:], []string{" or not ", " or so "}), " or ")
	}
	return p, true
}

// part is the piece of a sentence around pos that no dash, semicolon or "but"
// crosses.
func part(s string, pos int) string {
	from, to := 0, len(s)
	for _, w := range []string{" — ", " – ", " ; ", " but ", " : "} {
		if i := strings.LastIndex(s[:pos], w); i >= 0 && i+len(w)-1 > from {
			from = i + len(w) - 1
		}
		if i := strings.Index(s[pos:], w); i >= 0 && pos+i+1 < to {
			to = pos + i + 1
		}
	}
	return s[from:to]
}

// lastClause is what stands after the last of the marks.
func lastClause(s string, marks []string) string {
	for _, w := range marks {
		if i := strings.LastIndex(s, w); i >= 0 {
			s = s[i+len(w)-1:]
		}
	}
	return s
}

var (
	// advicesEN put the step to the user; notNowEN make it another step than the
	// next one.
	advicesEN     = []string{" please ", " you should ", " you should now ", " you may want to ", " you might want to ", " don't forget to ", " remember to ", " feel free to "}
	notNowEN      = []string{" before ", " or ", " first ", " later ", " when ", " if ", " after ", " once ", " otherwise ", " with ", " using ", " by ", " via ", " : ", " every ", " each ", " always ", " only ", " until ", " whenever ", " from ", " carefully ", " to apply ", " so that ", " to trigger ", " not ", " in general ", " generally ", " any "}
	relativesEN   = []string{" that are ", " that is ", " which are ", " which is ", " that aren't ", " if it's ", " if it is ", " when it's ", " when it is ", " whether it is ", " until it is "}
	questionsEN   = []string{" which ", " what ", " where ", " how ", " who ", " whose ", " why "}
	clauseMarksEN = []string{" , ", " ; ", " — ", " – ", " : ", " but ", " and ", " . ", " so ", " ( "}
	negativesEN   = []string{
		" not ", " n't ", " don't ", " won't ", " never ", " no need ", " without ", " can't ", " cannot ", " isn't ", " haven't ", " doesn't ", " couldn't ",
		" wouldn't ", " shouldn't ", " wasn't ", " aren't ", " nothing ", " rather than ", " instead of ", " hold off ", " nor ", " neither ", " avoid ", " refrain ",
	}
	eventsEN = []string{
		" once ", " after ", " when ", " whenever ", " as soon as ", " until ", " unless ", " if ", " assuming ", " provided ", " waiting for ", " pending ", " later ",
		" before i ", " before we ", " upon ", " next time ", " eventually ", " in case ", " by the time ",
	}
	permissionEN = []string{
		" if you like ", " if you'd like ", " if you want ", " if you would like ", " if you wish ", " if you prefer ", " if you agree ", " if you approve ", " if that's ok ",
		" if that's okay ", " if that works ", " if that looks ", " if this looks ", " if it looks ", " if you're happy ", " if you're ok ", " if you're okay ", " if you're good ",
		" if all looks ", " if everything looks ", " if that's alright ", " if that's fine ", " if no objections ", " unless you object ", " if you don't mind ", " if you say so ", " if that helps ", " if useful ", " if that's useful ", " if you need ", " if you say yes ", " if you are happy ", " if you're fine ", " if you give me ", " if needed ", " ok if i ", " okay if i ", " alright if i ", " mind if i ", " let me know if ", " if you want me ", " whenever . ", " whenever you are . ", " whenever you like ", " whenever you want ", " when you are . ", " whenever you say ", " when you say ", " when you want . ", " when you like . ", " when you give ", " whenever you give ", " on your word ", " when you're ready . ", " when you are ready . ", " whenever you're ready . ", " when you say so ", " if that works for you ",
	}
	hypotheticalEN = []string{" would have ", " could have ", " i'll need ", " let me know how ", " i'll wait ", " i'll leave ", " i'll hold ", " i'll never ", " for example "}
)

// gerundEN reads what has no frame: "Pushing now.", "Commit and push?",
// "I'll take it all the way to production", in each part of the sentence.
func gerundEN(s string) (proposal, bool) {
	for _, part := range splitAt(s, []string{" ; ", " so ", " . "}) {
		if p, ok := bareEN(part); ok {
			return p, true
		}
	}
	for _, part := range splitAt(s, []string{" — ", " – ", " - "})[1:] { // "good to go — merging"
		if f := strings.Fields(part); len(f) <= 2 || len(f) <= 4 && strings.Contains(part, " now ") {
			if p, ok := bareEN(part); ok {
				return p, true
			}
		}
	}
	return proposal{}, false
}

func bareEN(s string) (proposal, bool) {
	first, rest, _ := strings.Cut(strings.TrimSpace(s), " ")
	if after, ok := strings.CutPrefix(s, " going to "); ok && !has(s, negativesEN) && !has(s, eventsEN) {
		if act, _ := actionEN(cutAt(" "+after, breaksEN), frame{text: " going to ", mood: Announce}); act != "" {
			return proposal{action: act, mood: Announce}, true
		}
	}
	if first == "now" || first == "ok" || first == "okay" || first == "so" || first == "then" || first == "alright" || first == "right" || first == "great" || first == "good" || first == "done" {
		first, rest, _ = strings.Cut(strings.TrimPrefix(rest, ", "), " ")
	}
	switch first {
	case "committing", "pushing", "merging", "deploying", "shipping", "redeploying":
		if goesOn(strings.TrimSuffix(first, "ing"), rest) && (strings.Contains(s, " now ") || strings.Contains(s, " next ") || strings.Contains(s, " and push") || strings.Contains(s, " and opening ") || strings.Contains(s, " and creating ") || len(strings.Fields(s)) <= 5) &&
			!has(s, eventsEN) && !has(s, []string{" is ", " was ", " requires ", " will ", " would ", " failed "}) {
			return proposal{action: first, mood: Announce}, true
		}
	case "creating", "opening", "raising", "submitting":
		if has(s, []string{" pr ", " pull request "}) && (strings.Contains(s, " now ") || len(strings.Fields(s)) <= 6) && !has(s, eventsEN) && !has(s, []string{" is ", " was ", " requires ", " will ", " would ", " failed "}) {
			return proposal{action: "open a PR", mood: Announce}, true
		}
	case "commit", "push", "merge", "deploy":
		if strings.HasSuffix(s, " ? ") && goesOn(first, rest) && len(strings.Fields(s)) <= 9 {
			return proposal{action: first, mood: Offer, choice: strings.Contains(s, " or ")}, true
		}
	case "ship", "land":
		if strings.HasSuffix(s, " it ? ") || strings.HasSuffix(s, " this ? ") {
			return proposal{action: first, mood: Offer}, true
		}
	case "proceed", "proceeding":
		if act, _ := actionEN(cutAt(" "+rest+" ", breaksEN), frame{text: " proceed ", mood: Announce, ing: true}); act != "" && !has(s, negativesEN) && !has(s, eventsEN) {
			return proposal{action: act, mood: Announce}, true
		}
	case "want", "wanna":
		if after, ok := strings.CutPrefix(rest, "to "); ok && strings.HasSuffix(s, " ? ") {
			if act, _ := actionEN(cutAt(" "+after+" ", breaksEN), frame{text: " want to ", mood: Offer}); act != "" {
				return proposal{action: act, mood: Offer, choice: strings.Contains(s, " or ")}, true
			}
		}
	case "pr":
		if strings.HasSuffix(s, " now ? ") {
			return proposal{action: first, mood: Offer}, true
		}
	}
	if has(s, []string{" is good to go ", " are good to go "}) && has(s, []string{" pr ", " prs ", " branch ", " pull request "}) && !has(s, negativesEN) && !has(s, eventsEN) {
		return proposal{action: "merge", mood: Ready}, true
	}
	if w := which(s, []string{" moving on to the pr ", " on to the pr ", " moving on to the merge ", " moving on to the commit ", " moving on to the deployment "}); w != "" && !has(s, negativesEN) && !has(s, eventsEN) {
		return proposal{action: strings.TrimSpace(w), mood: Announce}, true
	}
	if w := which(s, []string{" want a pr ", " want a pull request ", " want a commit ", " want this committed ", " want it committed ", " want them committed ", " want this merged ", " want it merged ", " want this pushed ", " want it pushed ", " want this deployed ", " like this committed ", " like it merged ", " want that committed "}); w != "" && strings.HasSuffix(s, " ? ") && !strings.Contains(s, " or ") {
		return proposal{action: strings.TrimSpace(w), mood: Offer}, true
	}
	if has(s, []string{" i'll ", " i will ", " i'm going to "}) && !has(s, negativesEN) && !has(without(s, permissionEN), eventsEN) {
		if w := which(s, []string{" all the way to production ", " through to production ", " all the way to release ", " through to the release ", " all the way to prod ", " all the way through deployment ", " see it through to deployment ", " all the way to deployment ", " all the way to live ", " take it live ", " all the way to the deployment ", " through to deployment "}); w != "" {
			return proposal{action: strings.TrimSpace(w), mood: Announce}, true
		}
	}
	return proposal{}, false
}
