package shell

import "strings"

// patch reads the names out of a diff that stands in the line; those of another
// are not known.
func (c *call) patch() {
	p := parse(c.args, spec{
		short: "p:i:d:o:r:B:D:F:g:V:x:Y:z:",
		long:  "strip= input= directory= output= reject-file= prefix= suffix= dry-run reverse",
	})
	if p.has("dry-run", "C") {
		return
	}
	diff := c.input()
	if f := p.value("i", "input"); f != "" && f != "-" {
		diff = c.w.contents(c.st, f)
	}
	if o := p.value("o", "output"); o != "" {
		c.change(o, Write, File)
		c.change(o+".rej", Write, File)
		return
	}
	c.changes(p.values("r", "reject-file"), Write, File)
	if len(p.operands) > 0 {
		for _, left := range []Text{"", ".rej", ".orig"} {
			c.change(p.operands[0]+left, Write, File)
		}
		return
	}
	strip := -1
	if s := p.value("p", "strip"); len(s) == 1 && s[0] >= '0' && s[0] <= '9' {
		strip = int(s[0] - '0')
	}
	c.diffed(diff, strip, p.value("d", "directory"))
}

// diffed are the files that a diff changes. strip is how many folders are cut off
// each name; negative: all.
func (c *call) diffed(diff Text, strip int, dir Text) {
	if dir == "" {
		dir = "."
	}
	names := DiffNames(string(diff))
	if diff.Unknown() {
		c.change(dir, Write, Below)
	}
	for _, n := range names {
		for range strip {
			if _, rest, ok := strings.Cut(n, "/"); ok {
				n = rest
			}
		}
		t := Text(n)
		if strip < 0 {
			c.change(join(dir, t.Base()), Write, File)
		}
		c.change(t.in(dir), Write, File)
		for _, left := range []Text{".rej", ".orig"} { // what patch leaves where a piece does not fit
			c.change(t.in(dir)+left, Write, File)
		}
	}
}

// DiffNames are the files that a unified diff names, without those that are not.
func DiffNames(diff string) (names []string) {
	for l := range strings.SplitSeq(diff, "\n") {
		for _, mark := range []string{"--- ", "+++ ", "rename from ", "rename to ", "copy to ", "Index: ", "*** "} {
			name, ok := strings.CutPrefix(strings.TrimRight(l, "\r"), mark)
			if !ok {
				continue
			}
			name, _, _ = strings.Cut(name, "\t")
			name = strings.Trim(name, `"`)
			if strings.HasPrefix(mark, "re") || strings.HasPrefix(mark, "co") {
				name = "x/" + name // these have no folder to cut off
			}
			if name != "" && name != "/dev/null" && len(names) < maxFields {
				names = append(names, name)
			}
		}
	}
	return names
}

// applyPatch is the patch language of Codex: names stand behind "*** … File:".
func (c *call) applyPatch(patch Text) {
	if patch.Unknown() {
		c.opaque()
	}
	for _, e := range PatchNames(string(patch)) {
		c.change(e.Path, e.Kind, File)
	}
}

// PatchNames are the changes that a patch in Codex's language makes to files.
func PatchNames(patch string) (effects []Effect) {
	for l := range strings.SplitSeq(patch, "\n") {
		l = strings.TrimSpace(l)
		for _, m := range []struct {
			mark string
			kind Kind
		}{{"*** Add File:", Write}, {"*** Update File:", Write}, {"*** Delete File:", Delete}, {"*** Move to:", Write}, {"*** Move File:", Move}} {
			if name, ok := strings.CutPrefix(l, m.mark); ok && strings.TrimSpace(name) != "" {
				effects = append(effects, Effect{Path: Text(strings.TrimSpace(name)), Kind: m.kind, Reach: File, By: "apply_patch"})
			}
		}
	}
	return effects
}
