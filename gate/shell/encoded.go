package shell

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode/utf16"
)

// base64 can be read when it is written out in the line.
func (c *call) base64() {
	p := parse(c.args, spec{short: "w:i:o:", long: "wrap= decode ignore-garbage"})
	in := c.input()
	if len(p.operands) > 0 {
		in = c.w.contents(c.st, p.operands[0])
	}
	t := unknown
	if p.has("d", "D", "decode") && in.Plain() {
		if b, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(string(in)), "")); err == nil {
			t = Text(b)
		}
	}
	c.st.puts(t)
}

// hexadecimal can be read when it is written out in the line.
func (c *call) hexadecimal() {
	p := parse(c.args, spec{short: "c:g:l:o:s:n:"})
	if len(p.operands) > 1 {
		c.changes(p.operands[1:], Write, File)
	}
	t, in := unknown, c.input()
	if len(p.operands) > 0 && p.operands[0] != "-" {
		in = c.w.contents(c.st, p.operands[0])
	}
	if p.has("r") && p.has("p", "ps", "plain") && in.Plain() {
		if b, err := hex.DecodeString(strings.Join(strings.Fields(string(in)), "")); err == nil {
			t = Text(b)
		}
	}
	c.st.puts(t)
}

// utf16Of is the text of -EncodedCommand: UTF-16 in base64.
func utf16Of(s string) (string, bool) {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil || len(b)%2 != 0 {
		return "", false
	}
	var units []uint16
	for i := 0; i < len(b); i += 2 {
		units = append(units, uint16(b[i])|uint16(b[i+1])<<8)
	}
	return string(utf16.Decode(units)), true
}
