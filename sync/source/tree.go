package source

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/storer"
)

// Kind is what an entry of a tree is. The zero value is nothing that exists.
type Kind int

const (
	Unknown Kind = iota
	File
	Exec // a file that may be run
	Symlink
	Submodule
)

func (k Kind) String() string {
	return [...]string{"unknown", "file", "executable file", "symbolic link", "submodule"}[k]
}

// Entry is one file, link or submodule of a commit. Folders are not listed.
type Entry struct {
	Path string // as it stands in the commit, with slashes; not checked
	Kind Kind
	Size int64  // bytes; 0 for a submodule
	Hash string // Git's, of the content
}

// Tree is the files of one commit.
type Tree struct {
	r       *Repo
	entries []Entry
	index   map[string]int
}

// Tree reads the listing of a commit.
func (r *Repo) Tree(commit string) (*Tree, error) {
	h, err := parseHash(commit)
	if err != nil {
		return nil, err
	}
	c, err := r.commit(h)
	if err != nil {
		return nil, err
	}
	return r.tree(c)
}

func (r *Repo) tree(c Commit) (*Tree, error) {
	t := &Tree{r: r, index: map[string]int{}}
	if err := t.add("", c.tree, 0); err != nil {
		return nil, fmt.Errorf("tree of %s: %w", c.Hash, r.spoil(err))
	}
	return t, nil
}

func (t *Tree) add(prefix string, tree plumbing.Hash, depth int) error {
	if depth > MaxDepth {
		return &LimitError{What: "folders inside folders", Limit: MaxDepth, Got: int64(depth)}
	}
	rows, err := readTree(t.r.s, tree)
	if err != nil {
		return err
	}
	for _, row := range rows {
		path := prefix + row.name
		if row.dir {
			if err := t.add(path+"/", row.hash, depth+1); err != nil {
				return err
			}
			continue
		}
		if len(t.entries) >= MaxEntries {
			return &LimitError{What: "files", Limit: MaxEntries, Got: MaxEntries + 1}
		}
		e := Entry{Path: path, Kind: row.kind, Hash: row.hash.String()}
		if row.kind != Submodule {
			if e.Size, err = t.r.s.EncodedObjectSize(row.hash); err != nil {
				return &IncompleteError{Hash: e.Hash, Err: err}
			}
		}
		t.index[path] = len(t.entries)
		t.entries = append(t.entries, e)
	}
	return nil
}

// Entries lists everything, in Git's order. The caller must not change it.
func (t *Tree) Entries() []Entry { return t.entries }

// Entry finds one entry by its path.
func (t *Tree) Entry(path string) (Entry, bool) {
	i, ok := t.index[path]
	if !ok {
		return Entry{}, false
	}
	return t.entries[i], true
}

// ReadFile returns the bytes of a file exactly as they are in the commit: no
// line end is changed and no filter is run. A link gives its target's text. More
// than [MaxObject] bytes are a [LimitError].
func (t *Tree) ReadFile(path string) ([]byte, error) {
	e, ok := t.Entry(path)
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	if e.Kind == Submodule {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("is a submodule")}
	}
	b, err := read(t.r.s, plumbing.BlobObject, plumbing.NewHash(e.Hash))
	return b, t.r.spoil(err)
}

// row is one line of a tree object.
type row struct {
	name string
	hash plumbing.Hash
	kind Kind
	dir  bool
}

// readTree reads a tree object. It is stricter than go-git's own reader, which
// folds unknown modes into known ones and lets a name stand twice.
func readTree(s storer.EncodedObjectStorer, h plumbing.Hash) ([]row, error) {
	b, err := read(s, plumbing.TreeObject, h)
	if err != nil {
		return nil, err
	}
	rows, err := parseTree(b)
	if err != nil {
		return nil, &CorruptError{What: "tree " + h.String(), Err: err}
	}
	return rows, nil
}

func parseTree(b []byte) ([]row, error) {
	var rows []row
	seen := map[string]bool{}
	for len(b) > 0 {
		mode, rest, ok := bytes.Cut(b, []byte(" "))
		name, rest, ok2 := bytes.Cut(rest, []byte{0})
		if !ok || !ok2 || len(rest) < 20 {
			return nil, errors.New("it is cut off")
		}
		r := row{name: string(name), hash: plumbing.Hash(rest[:20])}
		b = rest[20:]
		switch string(mode) {
		case "100644", "100664": // the second is what very old Git wrote
			r.kind = File
		case "100755":
			r.kind = Exec
		case "120000":
			r.kind = Symlink
		case "160000":
			r.kind = Submodule
		case "40000", "040000":
			r.dir = true
		default:
			return nil, fmt.Errorf("mode %q of %q", mode, name)
		}
		switch {
		case r.name == "" || r.name == "." || r.name == ".." || strings.Contains(r.name, "/"):
			return nil, fmt.Errorf("the name %q", r.name)
		case seen[r.name]:
			return nil, fmt.Errorf("the name %q twice", r.name)
		}
		seen[r.name] = true
		rows = append(rows, r)
	}
	return rows, nil
}

// Roots tells, for each of names in a commit's topmost folder, which content it
// has: equal words mean equal mode and bytes, all the way down; "" means that it
// is not there. It reads one tree object, so that a long walk can skip commits
// that change nothing of interest.
func (r *Repo) Roots(c Commit, names ...string) ([]string, error) {
	rows, err := readTree(r.s, c.tree)
	if err != nil {
		return nil, fmt.Errorf("tree of %s: %w", c.Hash, r.spoil(err))
	}
	list := make([]string, len(names))
	for _, row := range rows {
		for i, name := range names {
			if row.name == name {
				list[i] = fmt.Sprintf("%d %t %s", row.kind, row.dir, row.hash)
			}
		}
	}
	return list, nil
}

// Commit reads one commit of the quarantine.
func (r *Repo) Commit(hash string) (Commit, error) {
	h, err := parseHash(hash)
	if err != nil {
		return Commit{}, err
	}
	return r.commit(h)
}
