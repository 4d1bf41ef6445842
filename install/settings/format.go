package settings

import (
	"github.com/agenthooks/hookctl/install/agent"
)

// Editor edits the files of one format. What its functions promise is said at
// [Register] and [Remove], which are those of [agent.Nested].
type Editor struct {
	Register func(src []byte, ours Ours, entries []Entry) (Result, error)
	// Remove returns nil when the file as a whole was hookctl's.
	Remove func(src []byte, ours Ours) ([]byte, error)
	// List is every hook in the file. Those that a program starts without a command
	// line are not among them.
	List func(src []byte, ours Ours) ([]Registration, error)
	// Blank reports whether a file says nothing, so that one that hookctl has
	// created can go.
	Blank func(src []byte) bool
}

// For is the editor of a format.
func For(f agent.Format) Editor {
	switch f {
	case agent.Flat:
		return Editor{registerFlat, removeFlat, listFlat, blankFlat}
	case agent.TOML:
		return Editor{registerTOML, removeTOML, listTOML, blankTOML}
	case agent.Plugin:
		return Editor{registerPlugin, removePlugin, listPlugin, blankPlugin}
	default:
		return Editor{Register, Remove, listNested, blankNested}
	}
}

// edited runs one edit of a JSON file: the byte order mark goes, a blank file is
// taken for what blank says, and the outcome is read again.
func edited(src []byte, blank string, edit func(*doc) ([]string, error)) (Result, error) {
	res := Result{}
	src, res.BOM = cutBOM(src)
	if res.BOM {
		res.Notes = append(res.Notes, "dropped the byte order mark at the start: not every program reads a file with one")
	}
	if isSpace(src) {
		src = []byte(blank + eolOf(src))
	}
	d, err := parse(src)
	if err != nil {
		return Result{}, err
	}
	notes, err := edit(d)
	if err != nil {
		return Result{}, err
	}
	res.Notes = append(res.Notes, notes...)
	res.Loose = !d.top.IsStandard()
	if err := d.check(); err != nil { // what we wrote must be what we accept
		return Result{}, wrote(err)
	}
	res.Out = d.src
	return res, nil
}

// reduced runs one removal in a JSON file; what holds nothing of ours comes back
// as it was, and a byte order mark stays.
func reduced(src []byte, remove func(*doc) (bool, error)) ([]byte, error) {
	text, bom := cutBOM(src)
	if isSpace(text) {
		return src, nil
	}
	d, err := parse(text)
	if err != nil {
		return nil, err
	}
	found, err := remove(d)
	if err != nil {
		return nil, err
	}
	if !found {
		return src, nil
	}
	if err := d.check(); err != nil {
		return nil, wrote(err)
	}
	if bom {
		return append([]byte(BOM), d.src...), nil
	}
	return d.src, nil
}
