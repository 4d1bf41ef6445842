package decide

import (
	"fmt"
	"path"
	"strings"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/shell"
)

// area is one protected pattern, as it is written and as absolute patterns.
type area struct {
	written string
	globs   []string
}

// protected holds the files that a call would change against the protected ones.
func (e *Engine) protected(rule *gate.Rule, a *acts) (hits []hit) {
	if len(rule.Protect) == 0 || len(a.effects) == 0 {
		return nil
	}
	areas := e.areas(rule, a.base)
	if a.cwd != a.base {
		areas = append(areas, e.areas(rule, a.cwd)...)
	}
	for _, f := range a.effects {
		at := e.places(a.cwd, f.Path)
		for _, ar := range areas {
			verdict := e.meets(a, f, at, ar)
			if verdict == apart {
				continue
			}
			h := hit{Hit: gate.Hit{Kind: string(f.Kind), Pattern: ar.written, Sentence: f.Path.String(), Start: f.Start, Line: 1}}
			h.said = fmt.Sprintf("%s (%s)", f.Path, ar.written)
			if f.By != "" && a.line != "" && strings.Trim(f.By, "<>&|") != "" {
				h.said = fmt.Sprintf("%s: %s (%s)", f.By, f.Path, ar.written)
			}
			if verdict == perhaps {
				h.ask = true
				h.said = fmt.Sprintf("%s: it cannot be told whether this changes %s", f.By, ar.written)
			}
			hits = append(hits, h)
			break
		}
	}
	return hits
}

// meeting is how an effect and a protected area stand to each other.
type meeting int

const (
	apart   meeting = iota
	perhaps         // it cannot be told
	inside
)

// areas are all protected patterns in one folder.
func (e *Engine) areas(rule *gate.Rule, cwd string) (all []area) {
	key := rule.ID + "\x00" + cwd
	if known, ok := e.known[key]; ok {
		return known
	}
	defer func() {
		if e.known == nil {
			e.known = map[string][]area{}
		}
		e.known[key] = all
	}()
	all = e.patterns(cwd, append(rule.Protect[:len(rule.Protect):len(rule.Protect)], e.Paths.Protect...))
	for _, f := range e.Paths.Folders {
		var globs []string
		for _, g := range e.under(f, "**") {
			globs = append(globs, e.fold(g))
		}
		all = append(all, area{f, globs})
	}
	return all
}

// meets tells whether an effect, at its places, changes what an area protects.
func (e *Engine) meets(a *acts, f shell.Effect, at []shell.Text, ar area) meeting {
	if f.Path.Unknown() && !speaks(f.Path) {
		if e.named(a.words, ar) {
			return perhaps
		}
		return apart
	}
	best := apart
	for _, t := range at {
		for _, g := range ar.globs {
			m := e.meet(a, f, t, g)
			if m != apart && f.Kind == shell.Code {
				m = perhaps
			}
			best = max(best, m)
		}
	}
	return best
}

func (e *Engine) meet(a *acts, f shell.Effect, t shell.Text, glob string) meeting {
	switch {
	case f.Path.Unknown():
		if shell.Meet(t, glob) && e.meant(a.cwd, t, glob) {
			return perhaps
		}
		_, dir := ownName(glob) // "$X/.claude" as a whole
		if f.Reach != shell.File && string(t.Base()) == path.Base(dir) && strings.HasPrefix(path.Base(dir), ".") && shell.Meet(t+"/"+anyText, glob) {
			return perhaps
		}
		return apart
	case t.Plain():
		if globMatch(glob, string(t)) {
			return inside
		}
	case shell.Meet(t, glob) && e.finds(a.cwd, t, glob):
		return inside
	}
	switch {
	case strings.HasPrefix(glob, "**/") && f.Reach == shell.Tree:
		// A name that is protected wherever it is may be below any folder: only the
		// folder's own files are looked for.
		rest := glob[len("**/"):]
		if e.Paths.Stat != nil && t.Plain() && !strings.ContainsAny(rest, wildcards) && e.Paths.Stat(string(t)+"/"+rest) != shell.Missing {
			return inside
		}
	case strings.HasPrefix(glob, "**/"):
	case f.Kind == shell.Mode && t.Plain() && e.broad(a.cwd, string(t)): // as below: told after the fact
	case f.Reach == shell.Tree || f.Kind == shell.Link:
		below := shell.Text(strings.TrimSuffix(string(t), "/") + "/")
		if !(below.Plain() && parted(string(below), glob)) && shell.Meet(below+anyText, glob) && e.finds(a.cwd, t, glob) && (f.Kind == shell.Link && !e.broad(a.cwd, strings.TrimSuffix(string(t), "/")) || e.there(glob)) {
			return inside
		}
	case f.Reach == shell.Below && t.Plain():
		return e.below(a.cwd, string(t), glob)
	case f.Kind == shell.Mode && t.Plain(): // who closes the folder takes the file away
		if _, dir := ownName(glob); string(t) == dir && !e.broad(a.cwd, dir) {
			return inside
		}
	}
	return apart
}

// parted reports that nothing below a folder, whose name ends in a slash, can fit a
// pattern: they differ before the pattern's first wildcard.
func parted(folder, glob string) bool {
	fixed := fixedPart(glob)
	return !strings.HasPrefix(fixed, folder) && !strings.HasPrefix(folder, fixed)
}

// finds reports whether a pattern that fits a protected one means it. What find
// looks for anywhere below a folder may be in a protected folder, or not: only a
// search for everything does mean what is in it.
func (e *Engine) finds(cwd string, t shell.Text, glob string) bool {
	if strings.HasPrefix(glob, "**/") && t.Base() == shell.Text([]byte{shell.Star}) {
		// All files of a folder: of a name that is protected wherever it is nobody knows
		// whether one is there, unless the folder is protected.
		dir := strings.TrimSuffix(string(t), string([]byte{'/', shell.Star}))
		return shell.Text(dir).Plain() && globMatch(glob, dir)
	}
	if strings.IndexByte(string(t), shell.DeepDot) < 0 {
		// A file of unknown name that arrives in a home or a project is none of them.
		dir, any := strings.CutSuffix(string(t), string([]byte{'/', shell.StarDot}))
		return !any || !e.broad(cwd, dir)
	}
	own, _ := ownName(glob)
	last := t.Base()
	return e.there(glob) && (!strings.HasSuffix(glob, "**") || last == shell.Text([]byte{shell.StarDot}) || strings.Contains("/"+string(t)+"/", "/"+own+"/"))
}

const anyText = shell.Text("\xff")

// there reports whether what a pattern protects is there; without a way to look, it
// is taken to be.
func (e *Engine) there(glob string) bool {
	if e.Paths.Stat == nil {
		return true
	}
	if strings.ContainsAny(glob, wildcards) {
		glob, _ = globBase(glob)
	}
	return glob == "" || e.Paths.Stat(unquoted(glob)) != shell.Missing
}

func unquoted(glob string) string {
	if !strings.Contains(glob, `\`) {
		return glob
	}
	return strings.NewReplacer(`\*`, "*", `\?`, "?", `\[`, "[").Replace(glob)
}

// below tells what something of unknown name in a folder may be. In the wide
// folders, a home and the root of a project, anything happens all day; what
// happens to a protected file there is told after the fact.
func (e *Engine) below(cwd, dir, glob string) meeting {
	base, rest := globBase(glob)
	base = unquoted(base)
	switch {
	case globMatch(glob, dir): // inside a protected folder
		return inside
	case e.broad(cwd, dir):
		return apart
	case base == dir:
		return inside
	case rest == "**" && path.Dir(base) == dir:
		return perhaps
	case strings.HasPrefix(base+"/", dir+"/"):
		return perhaps
	}
	return apart
}

// broad reports whether a folder is a home, a project, or above one.
func (e *Engine) broad(cwd, dir string) bool {
	wide := append([]string{slashed(cwd)}, e.Paths.Homes...)
	if e.Paths.Project != nil {
		if root := e.Paths.Project(cwd); root != "" {
			wide = append(wide, root)
		}
	}
	for _, w := range wide {
		w = e.fold(slashed(w))
		if dir == "" || dir == w || strings.HasPrefix(w, strings.TrimSuffix(dir, "/")+"/") {
			return true
		}
		if e.Paths.Resolve != nil && dir == e.fold(slashed(e.Paths.Resolve(w))) {
			return true
		}
	}
	return false
}

// speaks reports whether a path of which a part is unknown says anything: one
// name of it at least is written out.
func speaks(t shell.Text) bool {
	for name := range strings.SplitSeq(string(t), "/") {
		if name != "" && name != "." && name != ".." && shell.Text(name).Plain() {
			return true
		}
	}
	return false
}

// meant reports whether a path of which a part is unknown is close enough to a
// pattern that the user is to be asked: its last name is the one that is protected,
// or what is known of it leads to the protected file's own folder.
func (e *Engine) meant(cwd string, t shell.Text, glob string) bool {
	own, dir := ownName(glob)
	names := strings.Split(string(t), "/")
	for i, n := range names {
		if n == own && (i == len(names)-1 || strings.HasSuffix(glob, "**")) {
			return true
		}
	}
	known := string(t)
	if i := strings.IndexByte(known, shell.Any); i >= 0 {
		known = known[:i]
	}
	if i := strings.LastIndexByte(known, '/'); i >= 0 {
		known = known[:i]
	}
	return known == dir && !e.broad(cwd, known) || strings.HasSuffix(glob, "**") && (known == dir || strings.HasPrefix(known, dir+"/"))
}

// ownName is the name by which a pattern is spoken of, and the folder that it
// leads to: of "/a/b/**" b and /a/b, of "/a/b" b and /a.
func ownName(glob string) (own, dir string) {
	base, rest := globBase(glob)
	if rest == "**" {
		return path.Base(unquoted(base)), unquoted(base)
	}
	return unquoted(path.Base(glob)), unquoted(base)
}

// named reports whether a line speaks of a protected area: of a file with its
// folder, of a protected folder by its name.
func (e *Engine) named(words []shell.Text, ar area) bool {
	name := strings.TrimSuffix(slashed(ar.written), "/**")
	parts := strings.Split(name, "/")
	n := len(parts)
	switch {
	case n == 1 || strings.ContainsAny(parts[n-2], "~$*") || strings.HasSuffix(ar.written, "/**") && parts[n-1][:min(1, len(parts[n-1]))] == ".":
		name = parts[n-1]
	default:
		name = parts[n-2] + "/" + parts[n-1]
	}
	if strings.ContainsAny(name, wildcards) || len(name) < 4 {
		return false
	}
	name = e.fold(name)
	for _, w := range words {
		if s := e.fold(strings.ReplaceAll(string(w), `\`, "")); strings.Contains(s, name) || strings.Contains(e.fold(slashed(string(w))), name) {
			return true
		}
	}
	return false
}
