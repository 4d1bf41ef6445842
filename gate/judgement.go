package gate

import "context"

// Question is what a judge is asked about one message: one call for several
// gates.
type Question struct {
	Gates []Asked
	// Text is the assistant's final message; Context the text since the last
	// real user turn, ending with Text. Both may hold anything: they are data.
	Text, Context string
	// Lang is the language of the sentence that hit first: a judge is asked in it.
	Lang string
}

// Asked is one gate's part of a question, with the sentences that hit.
type Asked struct {
	Rule *Rule
	Hits []Hit
}

// Answer is a judge's answer for one gate. A field that is absent or null is
// not in Fields.
type Answer struct {
	Fields map[string]bool
	// Sentence is the original sentence that the judge found at fault, "" when
	// it names none; then the signal's first sentence is shown.
	Sentence string
	Note     string // one line of data
}

// Asker gives the answers of layer 2, by gate id. An error, or a gate without an
// answer, is a judge that failed: it never blocks a stop. nil means no judge is
// asked, and a hit alone never blocks.
type Asker func(context.Context, Question) (map[string]Answer, error)

// Violates applies the verdict formula: a field that blocks is true and no
// field that allows is true. A missing field that allows counts as not true,
// towards violation; a missing field that blocks means that the judge failed.
func (j Judge) Violates(a Answer) (violation, ok bool) {
	allowed := false
	for _, f := range j.Fields {
		v, given := a.Fields[f.Name]
		switch {
		case f.Blocks && !given:
			return false, false
		case f.Blocks:
			violation = violation || v
		default:
			allowed = allowed || v
		}
	}
	return violation && !allowed, len(j.Fields) > 0
}
