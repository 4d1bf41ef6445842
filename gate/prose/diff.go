package prose

import "strings"

// diff follows a unified diff that stands outside a fence. Its hunks' line
// counts are believed as long as the lines fit them, but are not needed: agents
// write "@@ ... @@" and count wrongly.
type diff struct {
	hunk     bool
	old, new int // lines the hunk still wants
}

// diffHeads are lines that may stand between two hunks.
var diffHeads = [...]string{
	"diff --git ", "index ", "--- ", "+++ ", "@@", "new file mode ", "deleted file mode ", "old mode ", "new mode ",
	"similarity index ", "dissimilarity index ", "rename from ", "rename to ", "copy from ", "copy to ",
	"Binary files ", "GIT binary patch", `\ No newline`,
}

// diffStart reports whether a line begins a diff; next is where the line after
// it starts.
func (s *scanner) diffStart(rest string, next int) bool {
	switch {
	case strings.HasPrefix(rest, "diff --git "):
		return true
	case strings.HasPrefix(rest, "@@ "):
		return strings.Contains(rest[3:], "@@")
	case strings.HasPrefix(rest, "--- "):
		return strings.HasPrefix(strings.TrimLeft(s.peek(next), " "), "+++ ")
	}
	return false
}

// peek gives the first few bytes of the line that starts at next.
func (s *scanner) peek(next int) string {
	end := min(next+64, len(s.text))
	if i := strings.IndexAny(s.text[next:end], "\r\n"); i >= 0 {
		end = next + i
	}
	return s.text[next:end]
}

// line reports whether a line still belongs to the diff; after is the one that
// follows it.
func (d *diff) line(line, after string) bool {
	if strings.HasPrefix(line, "@@") {
		d.old, d.new = hunkSize(line)
		d.hunk = true
		return true
	}
	if d.hunk {
		switch {
		case line == "":
			in := after != "" && strings.IndexByte("+- @", after[0]) >= 0 && (d.old > 0 || d.new > 0)
			d.old--
			d.new--
			return in || isDiffHead(after)
		case line[0] == '+' && !strings.HasPrefix(line, "+++ "):
			d.new--
			return true
		case line[0] == '-' && !strings.HasPrefix(line, "--- "):
			d.old--
			return true
		case line[0] == ' ':
			d.old--
			d.new--
			return true
		}
	}
	if isDiffHead(line) {
		d.hunk = false
		return true
	}
	return false
}

func isDiffHead(line string) bool {
	for _, h := range diffHeads {
		if strings.HasPrefix(line, h) {
			return true
		}
	}
	return false
}

// hunkSize reads "@@ -1,2 +3,4 @@"; a length left out is 1.
func hunkSize(line string) (before, after int) {
	f := strings.Fields(line[:min(len(line), 80)])
	if len(f) < 3 {
		return 0, 0
	}
	return sizeOf(f[1], '-'), sizeOf(f[2], '+')
}

func sizeOf(s string, sign byte) int {
	if s == "" || s[0] != sign {
		return 0
	}
	_, n, ok := strings.Cut(s, ",")
	if !ok {
		return 1
	}
	v := 0
	for i := 0; i < len(n) && i < 6 && '0' <= n[i] && n[i] <= '9'; i++ {
		v = v*10 + int(n[i]-'0')
	}
	return v
}
