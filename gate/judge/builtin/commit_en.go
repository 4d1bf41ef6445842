package builtin

import "strings"

// frame is a phrase that makes a proposal of the verb after it.
type frame struct {
	text string
	mood Mood
}

// The phrases stand with their spaces, as norm writes them.
var framesEN = []frame{
	{" want me to ", Offer},
	{" like me to ", Offer},
	{" shall i ", Offer},
	{" shall we ", Offer},
	{" should i ", Offer},
	{" should we ", Offer},
	{" may i ", Offer},
	{" can i ", Offer},
	{" could i ", Offer},
	{" do you want to ", Offer},
	{" would you like to ", Offer},
	{" mind if i ", Offer},
	{" okay if i ", Offer},
	{" ok if i ", Offer},
	{" alright if i ", Offer},
	{" okay to ", Offer},
	{" ok to ", Offer},
	{" alright to ", Offer},
	{" all right to ", Offer},
	{" fine to ", Offer},
	{" okay for me to ", Offer},
	{" ok for me to ", Offer},
	{" okay with me ", Offer},
	{" have me ", Offer},
	{" i'd say we ", Offer},
	{" suggest i ", Offer},
	{" suggest we ", Offer},
	{" propose we ", Offer},
	{" i would say we ", Offer},
	{" know if i should ", Offer},
	{" know whether i should ", Offer},
	{" happy to ", Offer},
	{" glad to ", Offer},
	{" i'll ", Announce},
	{" i will ", Announce},
	{" i'm going to ", Announce},
	{" i am going to ", Announce},
	{" i'm about to ", Announce},
	{" i am about to ", Announce},
	{" let me ", Announce},
	{" let's ", Announce},
	{" let us ", Announce},
	{" we'll ", Announce},
	{" we will ", Announce},
	{" i'm ", Announce},
	{" i am ", Announce},
	{" we should ", Announce},
	{" i can ", Announce},
	{" we can ", Announce},
	{" i would ", Announce},
	{" i'd ", Announce},
	{" going ahead and ", Announce},
	{" going ahead with ", Announce},
	{" go ahead and ", Announce},
	{" proceed to ", Announce},
	{" proceeding to ", Announce},
	{" proceed with ", Announce},
	{" time to ", Announce},
	{" next step is to ", Announce},
	{" next task is to ", Announce},
	{" next step : ", Announce},
	{" next task : ", Announce},
	{" next : ", Announce},
	{" next up : ", Announce},
	{" next , i ", Announce},
	{" next i ", Announce},
	{" about to ", Announce},
	{" ready to ", Ready},
	{" good to ", Ready},
	{" safe to ", Ready},
	{" you can ", Ready},
	{" you can now ", Ready},
	{" ready for ", Ready},
	{" can be ", Ready},
	{" can now be ", Ready},
	{" ready to be ", Ready},
	{" could be ", Ready},
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
	case strings.Contains(f.text, " i can ") || strings.Contains(f.text, " we can ") || strings.Contains(f.text, " i'd ") || strings.Contains(f.text, " i would "):
		if !has(s, permissionEN) && !strings.Contains(s, " now ") && !strings.Contains(s, " ? ") {
			return p, false
		}
		p.mood = Offer
	case f.text == " you can " || f.text == " can be " || f.text == " could be ":
		if has(s, []string{" later ", " also ", " manually ", " with ", " by ", " using ", " whenever ", " : ", " via ", " anytime ", " then ", " either "}) {
			return p, false
		}
	}
	p.negated = has(left, negativesEN) || has(mid, negativesEN) || strings.Contains(s[pos:], " nothing ")
	// The condition counts in its own part of the sentence only.
	part := without(part(s, pos), permissionEN)
	switch {
	case has(part, eventsEN):
		p.condition = Event
	case has(s, permissionEN):
		p.condition = Permission
	}
	if f.mood == Offer && strings.Contains(s, " ? ") {
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
		" if all looks ", " if everything looks ", " if that's alright ", " if that's fine ", " if no objections ", " unless you object ", " if you don't mind ", " if you say so ", " if that helps ", " if useful ", " if that's useful ", " if you need ", " if you say yes ", " if you are happy ", " if you're fine ", " if you give me ", " if needed ", " ok if i ", " okay if i ", " alright if i ", " mind if i ", " let me know if ", " if you want me ", " whenever . ", " whenever you are . ", " whenever you like ", " whenever you want ",
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
	return proposal{}, false
}

func bareEN(s string) (proposal, bool) {
	first, rest, _ := strings.Cut(strings.TrimSpace(s), " ")
	if after, ok := strings.CutPrefix(s, " going to "); ok && !has(s, negativesEN) && !has(s, eventsEN) {
		if act, _ := actionEN(cutAt(" "+after, breaksEN), frame{" going to ", Announce}); act != "" {
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
	case "pr":
		if strings.HasSuffix(s, " now ? ") {
			return proposal{action: first, mood: Offer}, true
		}
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
