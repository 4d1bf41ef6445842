package settings

import (
	"bytes"

	"github.com/tailscale/hujson"
)

// box is an object or an array as a sequence of items in the text.
type box struct {
	open, close int // offsets of the brackets
	items       []item
	tail        []byte // white space and comments before the closing bracket
	comma       bool   // a trailing comma stands before tail
}

// item is a member or an element. before and after are the white space and
// comments around it, up to the comma or bracket; the last one's after is the
// box's tail unless a trailing comma follows.
type item struct {
	start, end    int
	before, after []byte
}

// commaAt is the offset of the comma that follows.
func (it item) commaAt() int { return it.end + len(it.after) }

func boxOf(v *hujson.Value) box {
	b := box{open: v.StartOffset, close: v.EndOffset - 1}
	switch c := v.Value.(type) {
	case *hujson.Object:
		for i := range c.Members {
			m := &c.Members[i]
			b.items = append(b.items, item{m.Name.StartOffset, m.Value.EndOffset, m.Name.BeforeExtra, m.Value.AfterExtra})
			b.comma = m.Value.AfterExtra != nil // only the last one's counts
		}
		b.tail = c.AfterExtra
	case *hujson.Array:
		for i := range c.Elements {
			e := &c.Elements[i]
			b.items = append(b.items, item{e.StartOffset, e.EndOffset, e.BeforeExtra, e.AfterExtra})
			b.comma = e.AfterExtra != nil
		}
		b.tail = c.AfterExtra
	}
	return b
}

// hasComment reports whether a comment stands directly in the box.
func (b box) hasComment() bool {
	for _, it := range b.items {
		if bytes.IndexByte(it.before, '/') >= 0 || bytes.IndexByte(it.after, '/') >= 0 {
			return true
		}
	}
	return bytes.IndexByte(b.tail, '/') >= 0
}

// comments is the length of extra up to the end of its last comment (0 = none),
// not counting the line end of a line comment. With sameLine only comments that
// begin on the first line count. line says that the last one is a line comment.
func comments(extra []byte, sameLine bool) (n int, line bool) {
	for i := 0; i < len(extra); i++ {
		switch extra[i] {
		case '\n':
			if sameLine {
				return n, line
			}
		case '/':
			line = extra[i+1] == '/'
			i = skipComment(extra, i)
			n = i + 1
			if line {
				n = i // without "\n"
				if n > 0 && extra[n-1] == '\r' {
					n--
				}
				if sameLine {
					return n, line
				}
			}
		}
	}
	return n, line
}

// add puts a new item last into the box v. key is "" for an array.
func (d *doc) add(v *hujson.Value, key string, n node) error {
	b := boxOf(v)
	if key != "" {
		key = d.st.key(key)
	}
	outer := lineIndent(d.src, b.open)
	if len(b.items) == 0 {
		return d.addFirst(b, key, n, outer)
	}
	last := b.items[len(b.items)-1]
	keep, line := comments(b.tail, true)
	inline, indent := !hasEOL(last.before), lastIndent(last.before)
	if inline && line {
		inline, indent = false, outer+d.st.unit // nothing can follow a line comment on its line
	}
	sep := d.st.comma
	if !inline {
		sep = d.st.eol + indent
	} else if hasEOL(d.src[last.start:last.end]) { // [{ … lines … }, { … lines … }]
		inline, indent = false, lineIndent(d.src, last.start)
	}
	added := sep + key + d.st.render(n, indent, inline)
	if b.comma {
		at := last.commaAt() + 1 + keep
		return d.splice(at, at, added+",")
	}
	at := last.end + keep
	return d.splice(last.end, at, ","+string(d.src[last.end:at])+added)
}

func (d *doc) addFirst(b box, key string, n node, outer string) error {
	keep, line := comments(b.tail, false)
	inner := outer + d.st.unit
	if keep == 0 {
		if d.st.oneLine {
			pad := d.st.arrPad
			if key != "" {
				pad = d.st.objPad
			}
			return d.splice(b.open+1, b.close, pad+key+d.st.render(n, "", true)+pad)
		}
		return d.splice(b.open+1, b.close, d.st.eol+inner+key+d.st.render(n, inner, false)+d.st.eol+outer)
	}
	at := b.open + 1 + keep
	if d.st.oneLine && !line {
		return d.splice(at, at, " "+key+d.st.render(n, "", true))
	}
	end := ""
	if !hasEOL(b.tail[keep:]) {
		end = d.st.eol + outer
	}
	return d.splice(at, at, d.st.eol+inner+key+d.st.render(n, inner, false)+end)
}

// drop takes item i out of the box v, with the comma and white space that came
// with it. Comments stay.
func (d *doc) drop(v *hujson.Value, i int) error {
	b := boxOf(v)
	it := b.items[i]
	if i < len(b.items)-1 {
		next := b.items[i+1]
		space := len(next.before) - len(bytes.TrimLeft(next.before, " \t\r\n"))
		after := string(bytes.TrimSpace(it.after))
		if _, line := comments(it.after, false); line {
			after = string(it.after)
		}
		return d.splice(it.start, it.commaAt()+1+space, after)
	}
	keep, line := comments(it.before, false)
	from, to := it.start-len(it.before)+keep, it.end
	rest := d.src[it.end:b.close]
	kept := ""
	if b.comma {
		to, rest = it.commaAt()+1, b.tail
		kept = string(bytes.TrimRight(it.after, " \t"))
	}
	if line {
		// Whatever follows must not become part of the line comment.
		if first, _, ok := bytes.Cut([]byte(kept+string(rest)), []byte("\n")); !ok || len(bytes.TrimSpace(first)) > 0 {
			from += bytes.IndexByte(d.src[from:], '\n') + 1
		}
	}
	if i == 0 {
		inside := string(d.src[b.open+1:from]) + kept + string(d.src[to:b.close])
		if len(bytes.TrimSpace([]byte(inside))) == 0 {
			inside = ""
		}
		return d.splice(b.open+1, b.close, inside)
	}
	if b.comma {
		return d.splice(from, to, kept)
	}
	comma := b.items[i-1].commaAt()
	return d.splice(comma, to, string(d.src[comma+1:from]))
}
