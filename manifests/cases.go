package manifests

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Case is a contract case: cases/<gate>/{allow,block}/<slug>.md or .json, with
// the optional <slug>.yaml beside it.
type Case struct {
	Name  string // "<gate>/<side>/<slug>"
	Gate  string // "all" for what no gate may ever block
	Block bool
	// Body is the message, verbatim, or an event in an agent's own bytes when
	// IsEvent is set.
	Body    []byte
	IsEvent bool
	Note    CaseNote
	// Inherited is set for a case of the embedded bundle that another bundle
	// extends.
	Inherited bool
}

// Path is where the case lies in its bundle.
func (c Case) Path() string {
	if c.IsEvent {
		return "cases/" + c.Name + ".json"
	}
	return "cases/" + c.Name + ".md"
}

// CaseNote is the file beside a case.
type CaseNote struct {
	Why    string         `yaml:"why"`
	Source string         `yaml:"source,omitempty"`
	Event  map[string]any `yaml:"event,omitempty"` // fields that the event gets or loses (null)
	Judge  map[string]any `yaml:"judge,omitempty"` // the judge's recorded answer
}

// Recorded is the judge's recorded answer as JSON, nil when there is none.
func (c Case) Recorded() (json.RawMessage, error) {
	if c.Note.Judge == nil {
		return nil, nil
	}
	b, err := json.Marshal(c.Note.Judge)
	if err != nil {
		return nil, fmt.Errorf("case %s: judge: %w", c.Name, err)
	}
	return b, nil
}

// Cases reads every contract case that a bundle must pass, sorted by name. In a
// bundle that extends the embedded one these are the embedded cases, but for
// those that it drops, and its own. A block case waits while its gate is in
// another mode than enforce: such a gate blocks nothing.
func Cases(bundle fs.FS) ([]Case, error) {
	cases, err := AllCases(bundle)
	if err != nil {
		return nil, err
	}
	blocks, err := enforced(bundle)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(cases, func(c Case) bool {
		does, known := blocks[c.Gate]
		return c.Block && known && !does
	}), nil
}

// AllCases is [Cases] with those that wait.
func AllCases(bundle fs.FS) ([]Case, error) {
	b, err := manifest(bundle)
	if err != nil {
		return nil, err
	}
	if b.Extends == "" {
		return readCases(bundle)
	}
	var own []Case // a bundle that only changes a mode needs none
	if _, err := fs.Stat(bundle, "cases"); !errors.Is(err, fs.ErrNotExist) {
		if own, err = readCases(bundle); err != nil {
			return nil, err
		}
	}
	base, err := readCases(Embedded())
	if err != nil {
		return nil, err
	}
	return inherit(b, base, own)
}

// inherit puts a bundle's own cases beside those of the base.
func inherit(b Bundle, base, own []Case) ([]Case, error) {
	f := faults{file: "hookctl.yaml"}
	left := map[string]Case{}
	for _, c := range base {
		c.Inherited = true
		left[c.Name] = c
	}
	for i, d := range b.DropCases {
		if _, ok := left[d.Case]; !ok {
			f.add(fmt.Sprintf("drop_cases[%d].case", i), "there is no embedded case %q", d.Case)
		}
		delete(left, d.Case)
	}
	errs := []error{f.err()}
	cases := slices.Clone(own)
	for _, c := range own {
		if _, ok := left[c.Name]; ok {
			errs = append(errs, fmt.Errorf("%s: the embedded bundle has a case of this name; take another one, or drop that one in hookctl.yaml", c.Path()))
		}
	}
	for _, c := range left {
		cases = append(cases, c)
	}
	slices.SortFunc(cases, func(a, b Case) int { return strings.Compare(a.Name, b.Name) })
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return cases, nil
}

// readCases reads the cases that lie in a bundle, sorted by name.
func readCases(bundle fs.FS) ([]Case, error) {
	var cases []Case
	err := fs.WalkDir(bundle, "cases", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		c, err := readCase(bundle, p)
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		if c != nil {
			cases = append(cases, *c)
		}
		return nil
	})
	slices.SortFunc(cases, func(a, b Case) int { return strings.Compare(a.Name, b.Name) })
	return cases, err
}

// readCase reads the case at p; nil for the notes beside cases.
func readCase(bundle fs.FS, p string) (*Case, error) {
	ext := path.Ext(p)
	base := strings.TrimSuffix(p, ext)
	switch ext {
	case ".md", ".json":
	case ".yaml":
		for _, e := range []string{".md", ".json"} {
			if _, err := fs.Stat(bundle, base+e); err == nil {
				return nil, nil
			}
		}
		return nil, fmt.Errorf("a note without its case")
	default:
		return nil, fmt.Errorf("not a case: want .md, .json or .yaml")
	}
	parts := strings.Split(base, "/")
	if len(parts) != 4 || parts[2] != "allow" && parts[2] != "block" {
		return nil, fmt.Errorf("want cases/<gate>/allow or block/<slug>%s", ext)
	}
	body, err := fs.ReadFile(bundle, p)
	if err != nil {
		return nil, err
	}
	c := &Case{Name: strings.Join(parts[1:], "/"), Gate: parts[1], Block: parts[2] == "block", Body: body, IsEvent: ext == ".json"}
	if c.Gate == "all" && c.Block {
		return nil, fmt.Errorf("cases/all holds only what no gate may block")
	}
	note, err := fs.ReadFile(bundle, base+".yaml")
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil // the note is optional
	}
	if err != nil {
		return nil, err
	}
	return c, decode(base+".yaml", note, &c.Note)
}
