// Package settings edits an agent's settings file as text: bytes in, bytes out,
// no file is touched. It adds hookctl's hook entries, takes exactly them away
// again, and lists every hook it finds. Order, comments, indent, line ends,
// numbers and everyone else's entries stay byte for byte; a file that it does
// not understand in full is refused, never repaired.
package settings

import (
	"bytes"
	"fmt"

	"github.com/tailscale/hujson"
)

// Entry is one registration that hookctl wants to have.
type Entry struct {
	Event   string // the agent's own name of it
	Command string // a shell command line, see [CommandLine]; for a plugin the program alone
	// PowerShell is the same for PowerShell, where a file holds a line for each
	// shell; "" = it does not.
	PowerShell string
	Timeout    int    // in the agent's unit
	Matcher    string // "" = every occurrence
	Name       string // by which the agent lets the hook be switched off; "" = it has none
}

// Ours reports whether a registration belongs to hookctl; see [Own]. args are
// nil unless the entry is in exec form.
type Ours func(command string, args []string) bool

// Result is an edited file.
type Result struct {
	Out   []byte
	BOM   bool     // the input began with a byte order mark, which Out has not
	Loose bool     // comments or trailing commas, which not every agent reads
	Notes []string // what a person should know about the edit, one line each
}

// Register brings every entry into the file. An entry that is there as wanted
// stays as it is, one of ours that differs is changed in place, surplus copies
// of ours go, a missing one is appended last to its event. No bytes, or only
// white space, count as an empty object. Own entries on other events stay.
//
// Errors are [*SyntaxError], [*TypeError], [*DuplicateError] and [*DepthError].
func Register(src []byte, ours Ours, entries []Entry) (Result, error) {
	return edited(src, "{}", func(d *doc) (notes []string, err error) {
		for _, e := range entries {
			if err := recognised(e.Command, ours); err != nil {
				return nil, err
			}
			note, err := d.register(e, ours)
			if err != nil {
				return nil, err
			}
			if note != "" {
				notes = append(notes, note)
			}
		}
		return append(notes, d.switchedOff(entries)...), nil
	})
}

// recognised refuses to write what could not be taken away again.
func recognised(command string, ours Ours) error {
	if !ours(command, nil) {
		return fmt.Errorf("register %q: the command would not be recognised as hookctl's", command)
	}
	return nil
}

func wrote(err error) error { return fmt.Errorf("edited settings: %w", err) }

func isSpace(src []byte) bool { return len(bytes.TrimSpace(src)) == 0 }

// Remove takes away exactly the entries that are ours, on every event. A group,
// an event's list and the hooks object go as well when that left them empty. A
// byte order mark stays. Errors are those of [Register].
func Remove(src []byte, ours Ours) ([]byte, error) {
	return reduced(src, func(d *doc) (bool, error) { return d.remove(ours) })
}

// BOM is UTF-8's byte order mark.
const BOM = "\xef\xbb\xbf"

func cutBOM(src []byte) ([]byte, bool) { return bytes.CutPrefix(src, []byte(BOM)) }

// doc is a parsed file. Every edit splices the text and parses it again: files
// are small, and offsets are then never stale.
type doc struct {
	src  []byte
	top  hujson.Value   // the whole file
	root *hujson.Object // its value
	st   style
}

func parse(src []byte) (*doc, error) {
	d := &doc{}
	if err := d.load(src); err != nil {
		return nil, err
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	d.st = styleOf(d.src, &d.top)
	return d, nil
}

func (d *doc) load(src []byte) error {
	v, err := parseValue(src)
	if err != nil {
		return err
	}
	obj, ok := v.Value.(*hujson.Object)
	if !ok {
		return typeError(src, v.StartOffset, "", "object", v.Value)
	}
	d.src, d.top, d.root = src, v, obj
	return nil
}

// splice replaces src[from:to] by text and parses anew.
func (d *doc) splice(from, to int, text string) error {
	out := make([]byte, 0, len(d.src)+len(text)-(to-from))
	out = append(append(append(out, d.src[:from]...), text...), d.src[to:]...)
	return d.load(out)
}

// member finds a member by its decoded name. [doc.check] has made sure that
// there is at most one.
func member(obj *hujson.Object, name string) (int, *hujson.Value) {
	for i := range obj.Members {
		if lit, ok := obj.Members[i].Name.Value.(hujson.Literal); ok && lit.String() == name {
			return i, &obj.Members[i].Value
		}
	}
	return -1, nil
}

func isNull(v *hujson.Value) bool { return v.Value.Kind() == 'n' }

// check refuses a name that stands twice where the agent and we might read
// different ones: at the top, and anywhere in the hooks.
func (d *doc) check() error {
	if err := unique(d.src, "", d.root); err != nil {
		return err
	}
	if _, hooks := member(d.root, "hooks"); hooks != nil {
		return uniqueBelow(d.src, "hooks", hooks)
	}
	return nil
}
