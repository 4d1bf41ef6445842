package transcript

import (
	"bytes"
	"errors"
	"io"
)

// Bounds of one look, in bytes.
const (
	firstBlock = 64 << 10
	longBlock  = 1 << 20
	maxLine    = 4 << 20   // a longer line is passed over, never held whole
	maxScan    = 8 << 20   // of lines that are looked at
	maxParts   = 512 << 10 // of them for earlier parts of a final message that has text
	maxSkip    = 64 << 20  // of lines that are passed over
)

// backward yields the lines of a file from its end. Only "\n" ends a line.
type backward struct {
	r     io.ReaderAt
	off   int64  // all from here on has been read
	base  []byte // the memory that buf lies at the start of
	buf   []byte // from off to the end of the line that is looked for
	block int
	scan  int64 // bytes read
	limit int64 // of scan
	skip  int64 // bytes passed over
	done  bool  // the first line of the file has been given
	err   error
}

func newBackward(r io.ReaderAt, size int64) *backward {
	return &backward{r: r, off: size, block: firstBlock, limit: maxScan}
}

// next gives the line before the one given last, without its end; it is valid
// until the next call. The first call gives what stands after the last "\n",
// which is empty in a file that ends well. long says that the line was passed
// over. ok is false at the beginning of the file, at a bound, or on an error.
func (b *backward) next() (line []byte, long, ok bool) {
	for {
		if i := bytes.LastIndexByte(b.buf, '\n'); i >= 0 {
			line, b.buf = b.buf[i+1:], b.buf[:i]
			return line, false, true
		}
		switch {
		case b.err != nil || b.done:
			return nil, false, false
		case b.off == 0:
			b.done = true
			return bytes.TrimPrefix(b.buf, []byte("\xef\xbb\xbf")), false, true
		case b.scan >= b.limit:
			return nil, false, false
		case len(b.buf) > maxLine:
			return nil, true, b.passOver()
		}
		b.more()
	}
}

// more reads one block ahead of buf.
func (b *backward) more() {
	n := int(min(int64(b.block), b.off))
	b.block = min(2*b.block, longBlock)
	if need := n + len(b.buf); cap(b.base) < need {
		b.base = make([]byte, max(need, 2*cap(b.base)))
	}
	whole := b.base[:n+len(b.buf)]
	copy(whole[n:], b.buf)
	if !b.fill(whole[:n]) {
		return
	}
	b.scan += int64(n)
	b.buf = whole
}

// passOver drops a line that is too long and stops before its first byte.
func (b *backward) passOver() bool {
	block := b.base[:longBlock] // base has grown past maxLine
	for b.off > 0 {
		if b.skip >= maxSkip {
			return false
		}
		n := int(min(int64(len(block)), b.off))
		if !b.fill(block[:n]) {
			return false
		}
		b.skip += int64(n)
		if i := bytes.LastIndexByte(block[:n], '\n'); i >= 0 {
			b.buf = block[:i]
			return true
		}
	}
	b.buf, b.done = nil, true
	return true
}

// fill reads the bytes that end at off into p.
func (b *backward) fill(p []byte) bool {
	b.off -= int64(len(p))
	n, err := b.r.ReadAt(p, b.off)
	if n == len(p) {
		return true
	}
	if err == nil || errors.Is(err, io.EOF) { // the file has shrunk
		err = io.ErrUnexpectedEOF
	}
	b.err, b.buf = err, nil
	return false
}
