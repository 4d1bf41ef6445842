package bundle

import (
	"cmp"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/agenthooks/hookctl/manifests"
)

// Finding is something that [Lint] found in a bundle's files.
type Finding struct {
	File    string `json:"file"`           // slash path in the bundle; "" = the bundle as a whole
	Line    int    `json:"line,omitempty"` // 1-based; 0 = the whole file
	Rule    string `json:"rule"`
	Message string `json:"message"`
}

// Sentences cuts a message up: the assistant's own speech, where signals look,
// and all that evidence looks at, both folded as the gate does it.
type Sentences func(message string) (own, plain []string)

// Lint looks for what locking and compiling would refuse and, when they would
// not, for what they let pass and a reviewer would not: a gate that nothing
// proves, a pattern that never matches or always does, words that an agent
// cannot follow. Of a bundle that extends, it looks at the bundle's own part. It
// runs no case.
func Lint(fsys fs.FS, cut Sentences) []Finding {
	l := &linter{fsys: fsys, raw: map[string][]byte{}}
	if l.refused(); len(l.found) > 0 {
		return l.found
	}
	allow, block := l.sides()
	l.hooks(allow, block)
	own, patches, err := manifests.OwnGates(fsys)
	if err != nil {
		l.add("", 0, "refused", "%v", err)
		return l.found
	}
	l.message(cut)
	l.binaries()
	for _, g := range own {
		l.gate(gateFile{file: "gates/" + g.ID + ".yaml", at: "$.", signals: g.Signals, evidence: g.Evidence, feedback: g.Feedback, whole: g})
		l.judge(g)
		l.words("gates/"+g.ID+".yaml", "$.title", "", g.Title)
	}
	for _, p := range patches {
		i := slices.IndexFunc(l.gates, func(g manifests.Gate) bool { return g.ID == p.ID })
		l.gate(gateFile{
			file: "gates/" + p.ID + ".yaml", at: "$.add.", signals: p.Add.Signals, evidence: p.Add.Evidence, feedback: p.Add.Feedback, whole: l.gates[i],
		})
		l.counter("gates/"+p.ID+".yaml", "$.add", p.Add.Counter)
	}
	Sort(l.found)
	return l.found
}

// Sort orders findings by file, line and rule.
func Sort(f []Finding) {
	slices.SortStableFunc(f, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, strings.Compare(a.Rule, b.Rule), strings.Compare(a.Message, b.Message))
	})
}

type linter struct {
	fsys  fs.FS
	gates []manifests.Gate // as they are in force
	execs []manifests.Hook // the bundle's executables
	cases []manifests.Case
	raw   map[string][]byte
	found []Finding

	own, plain [][]string // the sentences of each text case
}

// gateFile is what one file of gates/ says itself.
type gateFile struct {
	file, at string // at: where the fields hang in the file
	signals  map[string][]string
	evidence []manifests.Evidence
	feedback map[string]string
	whole    manifests.Gate // in force
}

func (l *linter) add(file string, line int, rule, format string, args ...any) {
	l.found = append(l.found, Finding{File: file, Line: line, Rule: rule, Message: fmt.Sprintf(format, args...)})
}

// addAt adds a finding about a value of a YAML file.
func (l *linter) addAt(file, path, rule, format string, args ...any) {
	if l.raw[file] == nil {
		l.raw[file], _ = fs.ReadFile(l.fsys, file) // it was read before
	}
	l.add(file, manifests.Line(l.raw[file], path), rule, format, args...)
}

// refused gathers the errors that keep a bundle from being released, those of the
// gate files also where hookctl.yaml is broken.
func (l *linter) refused() {
	if _, _, err := manifests.OwnGates(l.fsys); err != nil {
		l.errors(err)
	}
	if _, err := Compile(l.fsys, "", "", 0); err != nil {
		l.errors(err)
	}
	var err error
	if l.cases, err = manifests.AllCases(l.fsys); err != nil {
		l.errors(err)
	}
	if _, _, err = MakeLock(l.fsys, LockOptions{Release: 1}); err != nil {
		l.errors(err)
	}
	if l.gates, err = manifests.Gates(l.fsys); err != nil {
		l.errors(err)
	}
	if raw, err := fs.ReadFile(l.fsys, Manifest); err == nil {
		b, _ := manifests.ParseBundle(raw) // Compile has told what is wrong with it
		l.execs = b.Hooks
	}
	slices.SortFunc(l.found, func(a, b Finding) int { return strings.Compare(a.File+a.Message, b.File+b.Message) })
	l.found = slices.CompactFunc(l.found, func(a, b Finding) bool { return a == b })
}

var (
	fileAt = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?s)^((?:gates|cases|hooks)/[^:]+?|hookctl\.yaml)(?:, line (\d+))?: (?:\[(\d+):\d+\] )?(.*)$`)
	})
	gateAt = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)^gate ([a-z0-9-]+): (.*)$`) })
)

// errors turns an error that joins several into findings, each with the file
// and the line that it names.
func (l *linter) errors(err error) {
	file := ""
	for line := range strings.Lines(err.Error()) {
		line = strings.TrimSuffix(line, "\n")
		at := 0
		if m := gateAt().FindStringSubmatch(line); m != nil {
			line = "gates/" + m[1] + ".yaml: " + m[2]
		}
		if m := fileAt().FindStringSubmatch(line); m != nil {
			file, line = m[1], m[4]
			at, _ = strconv.Atoi(m[2] + m[3])
		}
		l.add(file, at, "refused", "%s", line)
	}
}

// sides asks for a false block and a missed block of each gate that a bundle
// wrote or changed, and for what no gate may block. It counts the cases.
func (l *linter) sides() (allow, block map[string]int) {
	allow, block = map[string]int{}, map[string]int{}
	all := 0
	for _, c := range l.cases {
		switch {
		case c.Gate == "all":
			all++
		case c.Block:
			block[c.Gate]++
		default:
			allow[c.Gate]++
		}
	}
	for _, g := range l.gates {
		file := "gates/" + g.ID + ".yaml"
		if _, err := fs.Stat(l.fsys, file); err != nil || g.Mode == "off" {
			continue
		}
		if allow[g.ID] == 0 {
			l.add(file, 0, "one-side", "no case in cases/%s/allow: nothing shows what the gate must let through", g.ID)
		}
		if block[g.ID] == 0 {
			l.add(file, 0, "one-side", "no case in cases/%s/block: nothing shows that the gate blocks at all", g.ID)
		}
	}
	if all == 0 {
		l.add("", 0, "no-all-case", "no case in cases/all/allow: write there what your other rules ask of an agent")
	}
	for _, c := range l.cases {
		if c.Gate != "all" && !slices.ContainsFunc(l.gates, func(g manifests.Gate) bool { return g.ID == c.Gate }) && l.hook(c.Gate) == nil {
			l.add(c.Path(), 0, "no-such-gate", "there is no gate or hook %q", c.Gate)
		}
	}
	return allow, block
}

// message cuts the text cases up once for all patterns.
func (l *linter) message(cut Sentences) {
	for _, c := range l.cases {
		if !c.IsEvent {
			own, plain := cut(string(c.Body))
			l.own, l.plain = append(l.own, own), append(l.plain, plain)
		}
	}
}

func (l *linter) gate(g gateFile) {
	seen := map[string]string{}
	for lang, exprs := range byLanguage(g.signals) {
		for i, expr := range exprs {
			path := fmt.Sprintf("%ssignals.%s[%d]", g.at, lang, i)
			l.pattern(g.file, path, expr, l.own)
			l.twice(g.file, path, "signal "+expr, seen)
			l.words(g.file, path, lang, expr)
		}
		if g.whole.Feedback[lang] == "" {
			l.addAt(g.file, fmt.Sprintf("%ssignals.%s", g.at, lang), "feedback-missing", "signals in %s and no feedback in %s", lang, lang)
		}
	}
	for n, e := range g.evidence {
		at := fmt.Sprintf("%sevidence[%d]", g.at, n)
		if e.Scope == "anywhere" && e.Kind != "verification" {
			l.addAt(g.file, at+".scope", "evidence-anywhere", "evidence of kind %q anywhere: only a verification frees a whole turn", e.Kind)
		}
		for lang, exprs := range byLanguage(e.Patterns) {
			for i, expr := range exprs {
				path := fmt.Sprintf("%s.patterns.%s[%d]", at, lang, i)
				l.pattern(g.file, path, expr, l.plain)
				l.twice(g.file, path, "evidence "+expr, seen)
				l.words(g.file, path, lang, expr)
			}
		}
	}
	for lang, text := range byLanguage(g.feedback) {
		path := g.at + "feedback." + lang
		if n := len([]rune(text)); n > maxFeedback {
			l.addAt(g.file, path, "feedback-long", "%d characters of feedback, want at most %d: all gates share 600", n, maxFeedback)
		}
		l.words(g.file, path, lang, text)
	}
}

// maxFeedback is how many characters leave room for the sentence that was hit.
const maxFeedback = 200

// pattern looks at one pattern by itself and against every message of the cases.
func (l *linter) pattern(file, path, expr string, messages [][]string) {
	re, err := regexp.Compile("(?i)" + expr)
	if err != nil {
		return // Compile has refused it
	}
	if re.MatchString("") {
		l.addAt(file, path, "pattern-empty", "the pattern matches the empty string, and so everything: %s", expr)
		return
	}
	n := 0
	for _, sentences := range messages {
		if slices.ContainsFunc(sentences, re.MatchString) {
			n++
		}
	}
	switch {
	case n == 0:
		l.addAt(file, path, "pattern-unproven", "the pattern matches in no case: %s", expr)
	case n == len(messages) && n > 4:
		l.addAt(file, path, "pattern-everything", "the pattern matches in every case: %s", expr)
	}
}

func (l *linter) twice(file, path, what string, seen map[string]string) {
	if before := seen[what]; before != "" {
		l.addAt(file, path, "pattern-twice", "the same pattern stands at %s: %s", strings.TrimPrefix(before, "$."), what)
		return
	}
	seen[what] = path
}

// judge looks at what layer 2 is told of a gate: its prompt, followed by each
// field with its condition.
func (l *linter) judge(g manifests.Gate) {
	if g.Judge == nil {
		return
	}
	file := "gates/" + g.ID + ".yaml"
	if strings.TrimSpace(g.Judge.Prompt["en"]) == "" {
		l.addAt(file, "$.judge", "judge-prompt", "the judge has no prompt in en, which every other language falls back to")
	}
	for lang, text := range byLanguage(g.Judge.Prompt) {
		l.words(file, "$.judge.prompt."+lang, lang, text)
		l.fieldNames(file, "$.judge.prompt."+lang, text, g.Judge.Fields)
	}
	l.counter(file, "$.judge", g.Judge.Counter)
	for i, f := range g.Judge.Fields {
		if strings.TrimSpace(f.When) == "" {
			l.addAt(file, fmt.Sprintf("$.judge.fields[%d]", i), "judge-field", "the judge is not told when %s is true", f.Name)
		}
		l.words(file, fmt.Sprintf("$.judge.fields[%d].when", i), "", f.When)
	}
}

// fieldNames looks at the fields that a prompt names. They follow the prompt by
// themselves; a prompt that goes through them by name must go through all.
func (l *linter) fieldNames(file, path, prompt string, fields []manifests.Field) {
	var named, missing []string
	for _, f := range fields {
		if strings.Contains(prompt, f.Name) {
			named = append(named, f.Name)
		} else {
			missing = append(missing, f.Name)
		}
	}
	if len(named) > 0 && len(missing) > 0 {
		l.addAt(file, path, "judge-field", "the prompt names %s and not %s", strings.Join(named, ", "), strings.Join(missing, ", "))
	}
}

func (l *linter) counter(file, at string, examples map[string][]string) {
	for lang, list := range byLanguage(examples) {
		for i, text := range list {
			l.words(file, fmt.Sprintf("%s.counter_examples.%s[%d]", at, lang, i), lang, text)
		}
	}
}
