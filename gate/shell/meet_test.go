package shell

import "testing"

func TestMeet(t *testing.T) {
	for _, tt := range []struct {
		line, pattern string // the first is written as a shell's pattern
		want          bool
	}{
		{"/a/b", "/a/b", true},
		{"/a/b", "/a/bc", false},
		{"/a/*", "/a/b", true},
		{"/a/*", "/a/.b", false},
		{"/a/.*", "/a/.b", true},
		{"/a/x*y", "/a/x.y", true},
		{"/a/?b", "/a/.b", false},
		{"/a/?b", "/a/cb", true},
		{"/a/[a-c]b", "/a/bb", true},
		{"/a/[!a-c]b", "/a/bb", false},
		{"/a/[^x]b", "/a/bb", true},
		{"/a/*", "/a/b/c", false},
		{"/a/**/c", "/a/b/d/c", true},
		{"/a/**/c", "/a/.b/c", false},
		{"/a/**/c", "/a/c", true},
		{"/a/x*", "/a/**", true},
		{"/a", "/a/**", true},
		{"/ab", "/a/**", false},
		{"/a/b/c", "/a/**", true},
		{"/x/a/b", "**/a/b", true},
		{"/xa/b", "**/a/b", false},
		{"/a/b*", "/a/*c", true},
		{"/a/b*", "/a/c*", false},
		{"/a/\xff", "/a/b/c", true},
		{"/a/\xff/c", "/a/b/c", true},
		{"/a/\xff/c", "/a/c", false},
		{"\xff.json", "/a/.b/c.json", true},
		{"/a/\xf8/c", "/a/.b/c", true},
		{"/a/\xf8/\xf7.json", "/a/.b/.json", true},
		{"/a/b", "/a/[b]", true},
		{"/a/[b", `/a/\[b`, true},
		{"/a/b*", `/a/\*b`, false},
		{"/a/*", `/a/[!b]`, true},
		{"/a/\xff", "/b/\xff", false},
	} {
		if got := Meet(Text(globs(tt.line)), tt.pattern); got != tt.want {
			t.Errorf("Meet(%q, %q) = %v", tt.line, tt.pattern, got)
		}
	}
}
