package prose

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// check tests what holds for every text: order, bounds, rune borders, and that
// folded text holds no white space but single blanks and nothing hidden.
func check(t *testing.T, d *Doc) {
	t.Helper()
	end, sentence := 0, 0
	for i, b := range d.Blocks {
		if b.Start < end || b.End < b.Start || b.End > len(d.Text) {
			t.Fatalf("block %d stands at [%d:%d] after %d of %d\ntext %q", i, b.Start, b.End, end, len(d.Text), d.Text)
		}
		if !onBorder(d.Text, b.Start) || !onBorder(d.Text, b.End) {
			t.Fatalf("block %d [%d:%d] cuts a rune\ntext %q", i, b.Start, b.End, d.Text)
		}
		end = b.End
		if b.First != sentence {
			t.Fatalf("block %d begins with sentence %d, want %d\ntext %q", i, b.First, sentence, d.Text)
		}
		sentence += b.N
		at := b.Start
		for k, s := range d.Sentences[b.First : b.First+b.N] {
			if s.Block != i || s.Start < at || s.End <= s.Start || s.End > b.End {
				t.Fatalf("sentence %d of block %d stands at [%d:%d], the block at [%d:%d]\ntext %q", k, i, s.Start, s.End, b.Start, b.End, d.Text)
			}
			at = s.End
			checkSentence(t, d, b, s)
		}
	}
	if sentence != len(d.Sentences) {
		t.Fatalf("%d sentences, %d in blocks", len(d.Sentences), sentence)
	}
}

func checkSentence(t *testing.T, d *Doc, b Block, s Sentence) {
	t.Helper()
	if !onBorder(d.Text, s.Start) || !onBorder(d.Text, s.End) {
		t.Fatalf("sentence [%d:%d] cuts a rune\ntext %q", s.Start, s.End, d.Text)
	}
	if shown := d.Text[s.Start:s.End]; strings.Trim(shown, " \t\r\n") != shown {
		t.Fatalf("sentence %q is not trimmed", shown)
	}
	switch s.Lang {
	case "ja", "zh", "ko", "en", "de":
	default:
		t.Fatalf("language %q of %q", s.Lang, s.Own)
	}
	if !b.Kind.Own() && s.Own != "" || b.Kind.mute() && s.Plain != "" {
		t.Fatalf("a %v speaks: own %q plain %q", b.Kind, s.Own, s.Plain)
	}
	if b.Kind.Own() && s.Own == "" && s.Plain == "" {
		t.Fatalf("an empty sentence at [%d:%d] of %q", s.Start, s.End, d.Text)
	}
	for _, f := range []string{s.Own, s.Plain} {
		if !utf8.ValidString(f) || strings.ContainsAny(f, "\n\r\t\u3000\u00A0") || strings.Contains(f, "  ") || strings.TrimSpace(f) != f {
			t.Fatalf("folded text %q of %q", f, d.Text[s.Start:s.End])
		}
		for _, r := range f {
			if isHidden(r) {
				t.Fatalf("folded text %q holds %U", f, r)
			}
		}
	}
	if strings.ContainsRune(s.Plain, CodeMark) {
		t.Fatalf("plain text %q has code masked", s.Plain)
	}
}

// onBorder reports whether at lies between two runes; in text that is not UTF-8
// every byte that is no part of a rune stands alone.
func onBorder(text string, at int) bool {
	if at == 0 || at == len(text) || utf8.RuneStart(text[at]) {
		return true
	}
	for k := at - 1; k >= 0 && k > at-4; k-- {
		if utf8.RuneStart(text[k]) {
			_, w := utf8.DecodeRuneInString(text[k:])
			return k+w <= at
		}
	}
	return true
}
