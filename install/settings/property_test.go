package settings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
	"pgregory.net/rapid"
)

// writer draws a settings file as people and programs write them.
type writer struct {
	*rapid.T
	unit, eol            string
	comments, commas     bool
	oneLine, tight, mess bool
}

func (w writer) flip(name string, percent int) bool {
	return rapid.IntRange(0, 99).Draw(w.T, name) < percent
}

// gap draws what stands between two tokens at a depth; lines says whether the
// box is written on lines.
func (w writer) gap(depth int, lines bool) string {
	s := ""
	if w.comments && w.flip("comment", 15) {
		s = rapid.SampledFrom([]string{" /* [x, */", " /* \"q */ ", "/**/"}).Draw(w.T, "block")
	}
	if lines {
		if w.comments && w.flip("line comment", 15) {
			s += " // it's, } ] \"x" + w.eol + strings.Repeat(w.unit, depth)
			if w.flip("second", 30) {
				s += "// more" + w.eol
			}
		}
		return s + w.eol + strings.Repeat(w.unit, depth)
	}
	if w.tight {
		return s
	}
	return s + " "
}

func (w writer) box(open, closing string, depth int, items []string) string {
	lines := !w.oneLine && (!w.mess || w.flip("lines", 70))
	var b strings.Builder
	b.WriteString(open)
	for i, it := range items {
		b.WriteString(w.gap(depth+1, lines) + it)
		if i < len(items)-1 || w.commas && w.flip("trailing", 50) {
			if w.comments && w.flip("before comma", 10) {
				b.WriteString(" /* c */ ")
			}
			b.WriteString(",")
		}
	}
	if len(items) > 0 || w.flip("gap in empty", 10) && open == "[" {
		b.WriteString(w.gap(depth, lines))
	}
	return b.String() + closing
}

func (w writer) member(name, value string) string {
	if w.tight {
		return `"` + name + `":` + value
	}
	return `"` + name + `": ` + value
}

func (w writer) hook(depth int) string {
	command := rapid.SampledFrom([]string{"say done", "echo ,}", "it's // no comment", "hookctl sync", "表は「’é—」"}).Draw(w.T, "command")
	m := []string{w.member("type", `"command"`), w.member("command", string(hujson.String(command)))}
	if w.flip("timeout", 30) {
		m = append(m, w.member("timeout", "1e1"))
	}
	return w.box("{", "}", depth, m)
}

func (w writer) list(depth, atLeast int, one func(int) string) string {
	var items []string
	for range rapid.IntRange(atLeast, 2).Draw(w.T, "n") {
		items = append(items, one(depth+1))
	}
	return w.box("[", "]", depth, items)
}

func (w writer) group(depth int) string {
	var m []string
	if w.flip("matcher", 40) {
		m = append(m, w.member("matcher", `"Edit|Write"`))
	}
	return w.box("{", "}", depth, append(m, w.member("hooks", w.list(depth+1, 1, w.hook))))
}

// file draws a whole file. Empty lists that Register would fill are not drawn:
// filled, they cannot be told from lists that were not there.
func (w writer) file() string {
	var top []string
	if w.flip("model", 60) {
		top = append(top, w.member("model", `"opus, [x] {y}"`))
	}
	if w.flip("big", 30) {
		top = append(top, w.member("n", "12345678901234567890"))
	}
	if w.flip("hooks", 70) {
		var events []string
		for _, e := range []string{"Stop", "Notification", "PreToolUse"} {
			if w.flip(e, 50) {
				events = append(events, w.member(e, w.list(2, 1, w.group)))
			}
		}
		if len(events) > 0 {
			top = append(top, w.member("hooks", w.box("{", "}", 1, events)))
		}
	}
	if w.flip("env", 40) {
		top = append(top, w.member("env", w.box("{", "}", 1, []string{w.member("A", `"\u0041 \" ,}"`)})))
	}
	s := w.box("{", "}", 0, top)
	if w.comments && w.flip("head", 20) {
		s = "// head" + w.eol + s
	}
	if w.flip("final newline", 70) {
		s += w.eol
	}
	return s
}

func drawFile(t *rapid.T) (string, bool) { return drawWith(t, writer.file) }

// drawWith draws a file of some form; jsonc says that it may hold comments.
func drawWith(t *rapid.T, file func(writer) string) (src string, jsonc bool) {
	w := writer{
		T:    t,
		unit: rapid.SampledFrom([]string{"  ", "    ", "\t", " ", "   ", ""}).Draw(t, "unit"),
		eol:  rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol"),
	}
	switch rapid.IntRange(0, 4).Draw(t, "style") {
	case 0:
		w.oneLine, w.tight = true, true
	case 1:
		w.oneLine = true
	case 2:
		w.mess = true
	}
	w.comments = w.flip("jsonc", 40)
	w.commas = w.comments && w.flip("commas", 50)
	return file(w), w.comments
}

// TestRegisterAndRemove is the promise to the user: what Register did, Remove
// undoes to the byte; Register keeps every byte that was there, in order; a
// second Register does nothing; JSON stays JSON.
func TestRegisterAndRemove(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src, jsonc := drawFile(t)
		res, err := Register([]byte(src), Own, entries)
		if err != nil {
			t.Fatalf("Register: %v\n%s", err, src)
		}
		out := string(res.Out)
		if !jsonc && !json.Valid(res.Out) {
			t.Fatalf("no standard JSON any more\n%s\n->\n%s", src, out)
		}
		if !keeps(src, out) {
			t.Fatalf("bytes lost\n%s\n->\n%s", src, out)
		}
		if err := registered(res.Out); err != nil {
			t.Fatalf("%v\n%s\n->\n%s", err, src, out)
		}
		if strings.Contains(src, "\r\n") && strings.Contains(strings.ReplaceAll(out, "\r\n", ""), "\n") {
			t.Fatalf("line ends mixed\n%q", out)
		}
		again, err := Register(res.Out, Own, entries)
		if err != nil || !bytes.Equal(again.Out, res.Out) {
			t.Fatalf("second Register: %v\n%s\n->\n%s", err, out, again.Out)
		}
		back, err := Remove(res.Out, Own)
		if err != nil {
			t.Fatalf("Remove: %v\n%s", err, out)
		}
		if string(back) != src && strings.Trim(src, " \r\n") != "{}" {
			t.Fatalf("Remove(Register(x)) is not x\n%q\nvia\n%s\n%q", src, out, back)
		}
	})
}

// keeps reports whether part is a subsequence of whole, byte by byte.
func keeps(part, whole string) bool {
	i := 0
	for j := 0; i < len(part) && j < len(whole); j++ {
		if part[i] == whole[j] {
			i++
		}
	}
	return i == len(part)
}

// registered reads the file as the agent would and looks for our entries.
func registered(out []byte) error {
	std, err := hujson.Standardize(append(bytes.Clone(out), '\n'))
	if err != nil {
		return err
	}
	var f struct {
		Hooks map[string][]struct {
			Matcher string
			Hooks   []struct {
				Type, Command string
				Timeout       float64
			}
		}
	}
	if err := json.Unmarshal(std, &f); err != nil {
		return err
	}
	for _, e := range entries {
		n := 0
		for i, g := range f.Hooks[e.Event] {
			for _, h := range g.Hooks {
				if h.Command != e.Command {
					continue
				}
				n++
				if h.Type != "command" || h.Timeout != 30 || g.Matcher != "" || i != len(f.Hooks[e.Event])-1 {
					return fmt.Errorf("%s: entry is %+v in group %d", e.Event, h, i)
				}
			}
		}
		if n != 1 {
			return fmt.Errorf("%s: %d entries of ours", e.Event, n)
		}
	}
	return nil
}

// TestRemoveAnywhere puts an own hook at a random place among others and wants
// what is left to parse, with every foreign command.
func TestRemoveAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src, _ := drawFile(t)
		sites := strings.Count(src, `"hookctl sync"`)
		if sites == 0 {
			t.Skip("no place for it")
		}
		mixed := strings.ReplaceAll(src, `"hookctl sync"`, `"hookctl gate"`)
		out, err := Remove([]byte(mixed), Own)
		if err != nil {
			t.Fatalf("Remove: %v\n%s", err, mixed)
		}
		if _, err := parseValue(out); err != nil {
			t.Fatalf("does not parse: %v\n%s\n->\n%s", err, mixed, out)
		}
		for _, c := range []string{"say done", "echo ,}", "// no comment", "表は「’é—」"} {
			if strings.Count(mixed, c) != strings.Count(string(out), c) {
				t.Fatalf("lost %q\n%s\n->\n%s", c, mixed, out)
			}
		}
		if strings.Contains(string(out), "hookctl gate") || !keeps(string(out), mixed) {
			t.Fatalf("%s\n->\n%s", mixed, out)
		}
		// And from there Register must go on.
		if _, err := Register(out, Own, entries); err != nil {
			t.Fatalf("Register: %v\n%s", err, out)
		}
	})
}

func FuzzRegister(f *testing.F) {
	for _, s := range []string{"", "{}", `{"hooks":null}`, "{\"a\":1 // c\n}", `{"hooks":{"Stop":[{"hooks":[{"command":"hookctl gate","args":[]}]},],},}`, "{\"hooks\":{\"Stop\":[/*x*/]}} //", BOM + "{ }"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		before := bytes.Clone(src)
		res, err := Register(src, Own, entries)
		if !bytes.Equal(before, src) {
			t.Fatal("the input was changed")
		}
		if err != nil {
			return
		}
		again, err := Register(res.Out, Own, entries)
		if err != nil || !bytes.Equal(again.Out, res.Out) {
			t.Fatalf("second Register: %v\n%s\n->\n%s", err, res.Out, again.Out)
		}
		out, err := Remove(res.Out, Own)
		if err != nil {
			t.Fatalf("Remove: %v\n%s", err, res.Out)
		}
		if d, err := parse(out); err != nil || len(d.own("", Own)) > 0 {
			t.Fatalf("after Remove: %v\n%s", err, out)
		}
	})
}

func FuzzOwn(f *testing.F) {
	f.Add(`'/a b/hookctl' gate`)
	f.Fuzz(func(t *testing.T, s string) {
		Own(s, nil)
		if !strings.ContainsAny(s, "\x00\\") && !Own(CommandLine(s+"/hookctl"), nil) {
			t.Errorf("Own(%q) = false", CommandLine(s+"/hookctl"))
		}
	})
}
