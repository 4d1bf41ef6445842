package gate

// Grams holds which triples of bytes stand in a text, so that most literals are
// ruled out without a search. Triples are hashed: it errs only towards "may".
type Grams struct {
	bits [gramWords]uint64
	any  bool // holds anything at all
}

const gramWords = 1 << 10 // 64 Ki bits: a message of 4 KB sets one in sixteen

func gram(a, b, c byte) uint32 {
	return (uint32(a)*0x9E3779B1 ^ uint32(b)*0x85EBCA77 ^ uint32(c)*0xC2B2AE3D) >> 16
}

// Set takes the triples of text in the place of what was there.
func (g *Grams) Set(text string) {
	if g.any {
		clear(g.bits[:])
	}
	g.any = true
	for i := 2; i < len(text); i++ {
		h := gram(text[i-2], text[i-1], text[i])
		g.bits[h/64] |= 1 << (h % 64)
	}
}

// May reports false when literal does not stand in the text.
func (g *Grams) May(literal string) bool {
	for i := 2; i < len(literal); i++ {
		h := gram(literal[i-2], literal[i-1], literal[i])
		if g.bits[h/64]&(1<<(h%64)) == 0 {
			return false
		}
	}
	return true
}
