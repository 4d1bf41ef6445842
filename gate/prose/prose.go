// Package prose reads an assistant's message as Markdown and tells its own
// speech from what it only shows: fences, code, quotes, tables, comments, diffs.
// It is a line scanner of its own, because it runs in a hook; it is pure, takes
// time in proportion to the text, and never fails.
//
// It follows CommonMark and GitHub's tables where a message is likely to use
// them, and departs where agents write otherwise than they mean:
//   - a table ends at the first line without a pipe;
//   - "---" under a line that ends a sentence is a rule, not a heading;
//   - a fence in a list item goes on over lines indented too little when its
//     closing line stands in the item, and a fence may be indented too far;
//   - text after "-->" on the same line is speech again;
//   - struck text (~~ ~~, <del>) is taken back and belongs to nobody's speech;
//   - a leading • or ・ makes a list item.
package prose

// Kind is the kind of a block.
type Kind int

const (
	Paragraph Kind = iota
	Heading
	ListItem
	Cell    // one cell of a table: mention, unless the message says otherwise
	Quote   // a block quote and all that stands in it
	Fence   // ``` or ~~~
	Code    // indented code, <pre>
	Comment // <!-- -->
	Diff    // lines of a unified diff
)

// Own reports whether a block of this kind is the assistant speaking.
func (k Kind) Own() bool { return k == Paragraph || k == Heading || k == ListItem }

// mute reports whether not even evidence may look into a block of this kind.
func (k Kind) mute() bool { return k == Quote || k == Comment }

// Placeholders stand in Sentence.Own for what was masked there. A message that
// holds these characters itself has them replaced by U+FFFD.
const (
	QuoteMark = '\uE000' // the inside of quotation marks; the marks themselves stay
	CodeMark  = '\uE001' // an inline code span with its backticks
)

// Doc is a message, cut up. Offsets are bytes in Text, the original. Blocks and
// sentences stand in the order of the text and do not overlap.
type Doc struct {
	Text      string
	Blocks    []Block
	Sentences []Sentence
}

// Block is a Markdown block; its sentences are Doc.Sentences[First:First+N].
type Block struct {
	Kind       Kind
	Start, End int
	Ordered    bool // an item of an ordered list
	Depth      int  // lists and quotes around it: 0 = top, 1 = item of a top list
	First, N   int

	Continues bool // a later paragraph of a list item
	Task      byte // ' ' or 'x' for an item with a check box, else 0
	Row, Col  int  // of a Cell; row 0 is the table's head
}

// Sentence is one sentence of a block (of a cell, of a code line).
type Sentence struct {
	Block      int // index in Doc.Blocks
	Start, End int // the original sentence, Doc.Text[Start:End], trimmed
	// Own is what the assistant itself says: folded (NFKC, no zero-width or bidi
	// characters, no marks of emphasis, links as their text, one space for white
	// space, none at the border of CJK and Latin letters), quotes and inline code
	// masked. "" when the block is not own speech.
	Own string
	// Plain is folded the same way, with code and cells kept and only quotes
	// masked: evidence looks here. A link is its text, a space and its address.
	// "" in block quotes and comments.
	Plain string
	Lang  string // ja, zh, ko, en, de: of the sentence, not of the message
}

// maxText bounds the offsets; what stands beyond it is not read.
const maxText = 1 << 30

// Parse cuts a message up. It accepts every string.
func Parse(text string) *Doc {
	s := newScanner(text)
	s.run()
	s.sent.languages()
	return s.doc
}

// newScanner makes room for what a text of this length mostly holds.
func newScanner(text string) *scanner {
	d := &Doc{
		Text:      text,
		Blocks:    make([]Block, 0, len(text)/96+4),
		Sentences: make([]Sentence, 0, len(text)/64+4),
	}
	s := &scanner{doc: d, text: text[:min(len(text), maxText)]}
	s.sent.doc = d
	s.sent.inline.items = make([]item, 0, min(len(text)+1, 1024))
	s.sent.scores = make([]score, 0, cap(d.Sentences))
	return s
}
