package builtin

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/prose"
)

// message is a question's text, read once for all gates.
type message struct {
	doc *prose.Doc // the final message: claims and proposals
	ctx *prose.Doc // all since the user's turn: evidence

	// What holds for the whole message is found when it is first asked for.
	verified  func() string // the sentence that reports a check, "" = none
	isReview  func() bool
	asksWhich func() bool
	handsOver func() bool // something new, and no trouble before it
	listItems func() (all, fixes int)
}

// Bounds of what is looked at, so that a message of any size and shape is judged
// in milliseconds. What lies beyond them is no finding.
const (
	maxSentence = 2000 // bytes of one sentence
	maxJudged   = 300  // sentences for one gate
	maxBack     = 200  // blocks back to a heading
)

func newMessage(q gate.Question) *message {
	m := &message{doc: prose.Parse(q.Text)}
	m.ctx = m.doc
	if q.Context != "" && q.Context != q.Text {
		m.ctx = prose.Parse(q.Context)
	}
	m.verified = sync.OnceValue(m.findCheck)
	m.isReview = sync.OnceValue(m.findReview)
	m.asksWhich = sync.OnceValue(m.findWhich)
	m.handsOver = sync.OnceValue(func() bool { return m.isNew() && !m.hadTrouble() })
	m.listItems = sync.OnceValues(m.countItems)
	return m
}

// speech yields the sentences of the message that one gate is asked about: own
// speech that a signal hit, or all own speech when no hit is given.
func (m *message) speech(a gate.Asked) func(func(int, *prose.Sentence) bool) {
	return func(yield func(int, *prose.Sentence) bool) {
		hits := slices.SortedFunc(slices.Values(a.Hits), func(a, b gate.Hit) int { return a.Start - b.Start })
		judged := 0
		for i := range m.doc.Sentences {
			s := &m.doc.Sentences[i]
			if s.Own == "" {
				continue
			}
			if len(a.Hits) > 0 {
				for len(hits) > 0 && hits[0].Start < s.Start {
					hits = hits[1:]
				}
				if len(hits) == 0 || hits[0].Start >= s.End {
					continue
				}
			}
			if judged++; judged > maxJudged || !yield(i, s) {
				return
			}
		}
	}
}

// searchable is a sentence's own speech in the form in which its language's
// words are searched: with spaces around words, or plain lower case.
func searchable(s *prose.Sentence) string {
	switch s.Lang {
	case "ja", "zh", "ko":
		return strings.ToLower(cutLong(s.Own, maxSentence))
	}
	return norm(cutLong(s.Own, maxSentence))
}

// record begins the record of a sentence.
func (m *message) record(a gate.Asked, s *prose.Sentence) Record {
	b := m.doc.Blocks[s.Block]
	return Record{
		Gate: a.Rule.ID, Sentence: m.doc.Text[s.Start:s.End], Start: s.Start, Lang: s.Lang,
		Actor: "agent", Kind: b.Kind, Heading: b.Kind == prose.Heading,
	}
}

// heading returns the normalised text of the heading that the block stands under, ""
// when there is none. A short paragraph that ends in a colon heads the list
// after it.
func (m *message) heading(block int) string {
	inList := m.doc.Blocks[block].Kind == prose.ListItem
	for i := block - 1; i >= max(0, block-maxBack); i-- {
		b := m.doc.Blocks[i]
		switch {
		case b.Kind == prose.Heading:
			return norm(m.blockText(i))
		case b.Kind == prose.Paragraph && inList:
			if t := strings.TrimSpace(m.blockText(i)); strings.HasSuffix(t, ":") || len(t) < 60 {
				return norm(t)
			}
			inList = false
		}
	}
	return ""
}

// blockText is a block's own speech, folded, in lower case.
func (m *message) blockText(block int) string {
	b := m.doc.Blocks[block]
	var sb strings.Builder
	for _, s := range m.doc.Sentences[b.First : b.First+b.N] {
		sb.WriteString(strings.ToLower(s.Own))
		sb.WriteByte(' ')
	}
	return sb.String()
}

// says reports whether f is true of a sentence of own speech, searchable.
func (m *message) says(f func(text string) bool) bool {
	for i := range m.doc.Sentences {
		if s := &m.doc.Sentences[i]; s.Own != "" && f(searchable(s)) {
			return true
		}
	}
	return false
}

// next is the own sentence after sentence i, nil at the end.
func (m *message) next(i int) *prose.Sentence {
	for i++; i < len(m.doc.Sentences); i++ {
		if s := &m.doc.Sentences[i]; s.Own != "" {
			return s
		}
	}
	return nil
}

// norm turns a sentence in letters with spaces into " word word ? ": lower case,
// one space around every word and every mark, so that a phrase with its spaces
// is found by its bytes and never inside another word. Marks inside a word
// ("follow-up", "main.go", "don't") stay.
func norm(s string) string {
	var sb strings.Builder
	sb.Grow(len(s) + 16)
	sb.WriteByte(' ')
	rs := []rune(s)
	word := func(i int) bool {
		return i >= 0 && i < len(rs) && (unicode.IsLetter(rs[i]) || unicode.IsDigit(rs[i]) || rs[i] == '_')
	}
	space := true
	for i, r := range rs {
		switch {
		case r == '’':
			r = '\''
			fallthrough
		case r == '\'' || r == '-' || r == '.':
			if word(i-1) && word(i+1) {
				sb.WriteRune(r)
				space = false
				continue
			}
			fallthrough
		default:
			switch {
			case word(i):
				sb.WriteRune(unicode.ToLower(r))
				space = false
			case unicode.IsSpace(r):
				if !space {
					sb.WriteByte(' ')
				}
				space = true
			default:
				if !space {
					sb.WriteByte(' ')
				}
				sb.WriteRune(r)
				sb.WriteByte(' ')
				space = true
			}
		}
	}
	if !space {
		sb.WriteByte(' ')
	}
	return sb.String()
}

// has reports whether one of the words stands in s.
func has(s string, words []string) bool { return which(s, words) != "" }

// which returns the first of the words, in their order, that stands in s.
func which(s string, words []string) string {
	for _, w := range words {
		if strings.Contains(s, w) {
			return w
		}
	}
	return ""
}

// cutAt cuts s before the first of the words, but not at its very start.
func cutAt(s string, words []string) string {
	end := len(s)
	for _, w := range words {
		if i := strings.Index(s[:end], w); i > 0 {
			end = i
		}
	}
	if end < len(s) {
		end++ // the space that closes the last word
	}
	return s[:end]
}

// without removes the words from s, so that what is left can be searched for
// their opposites.
func without(s string, words []string) string {
	for _, w := range words {
		if strings.Contains(s, w) {
			s = strings.ReplaceAll(s, w, " ")
		}
	}
	return s
}
