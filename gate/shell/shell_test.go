package shell

import (
	"slices"
	"strings"
	"testing"
)

func TestRedirections(t *testing.T) {
	for _, tt := range []struct {
		line string
		want []string
	}{
		{"echo x", nil},
		{"echo x > a", []string{"a"}},
		{"echo x >a >> b >| c &> d &>> e 2> f <> g >& h", []string{"a", "b", "c", "d", "e", "f", "g", "h"}},
		{"ls >&2 2>&1 2>&- < in", nil},
		{"ls >&10", nil},
		{"exec 3> a {fd}> b", []string{"a", "b"}},
		{`echo > a'b c'"d e"\ f`, []string{"ab cd e f"}},
		{`echo > ~/a; echo > $HOME/b; echo > "${HOME}/c"`, []string{"~/a", "~/b", "~/c"}},
		{`echo > $X/a; echo > ${HOME:-/x}/b; echo > $(pwd)/c; echo > x$HOME`, nil}, // only a shell can tell
		{"(echo > a); { echo; } > b; f() { echo > c; }; a | b > d && c > e &", []string{"a", "b", "c", "d", "e"}},
		{"for i in 1; do echo > a; done > b", []string{"b", "a"}},
		{"echo $(echo > a) `echo > b` <(echo > c)", []string{"a", "b", "c"}},
		{"cat <<EOF > a\necho > b\nEOF", []string{"a"}},
		{"cat <<EOF\n$(echo > a)\nEOF", []string{"a"}},
		{"cat <<'EOF'\n$(echo > a)\nEOF", nil},
		{"echo 'x > a' \"x > b\" \\> c # > d", nil},
		{"[[ a > b ]]; (( 1 > 2 ))", nil},
		{"echo > a\nif", []string{"a"}}, // bash runs the first line
		{"echo > a\necho > b )", []string{"a"}},
		{"if", nil},
		{"echo >", nil},
		{">", nil},
		{"echo > ''", nil},
		{"echo > a\x00b", []string{"ab"}}, // bash drops it as well
		{"", nil},
	} {
		got := Redirections(tt.line)
		slices.Sort(got)
		slices.Sort(tt.want)
		if !slices.Equal(got, tt.want) {
			t.Errorf("Redirections(%q) = %q, want %q", tt.line, got, tt.want)
		}
	}
}

func TestReadable(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		want       bool
	}{
		{"words", "echo x > a # " + strings.Repeat("y ", 1<<20), true},
		{"text", "cat > a <<'EOF'\n" + strings.Repeat("A sentence of some words, and a point.\n", 4000) + "EOF", true},
		{"short", strings.Repeat("(", maxMarks), true},
		{"brackets", strings.Repeat("(", maxMarks+1), false},
		{"spaced", strings.Repeat("( ", maxMarks+1), false},
		{"words of the grammar", strings.Repeat("if ", maxMarks+1), false},
		{"ands", strings.Repeat("a && ", maxMarks), false},
		{"expansions", strings.Repeat("${a:-", maxMarks), false},
	} {
		if got := Readable(tt.line); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
		if files := Redirections("echo > a; " + tt.line); !tt.want && files != nil {
			t.Errorf("%s: %q was read out of a line that is not to be parsed", tt.name, files)
		}
	}
}

// No line panics, and what is told is not empty.
func FuzzRedirections(f *testing.F) {
	f.Add("cat <<EOF > a\n$(echo > b)\nEOF")
	f.Add("echo > \"$HOME/a\" 2>&1 &> b")
	f.Add("case 0 in 0)0>00&esac&0\xa0") // an error, and more after it
	f.Add("case a in a) > b;; esac; [[ a > b ]]; (( 1 > 2 )); coproc x > y")
	f.Fuzz(func(t *testing.T, line string) {
		for _, name := range Redirections(line) {
			if name == "" {
				t.Errorf("a file without a name in %q", line)
			}
		}
	})
}
