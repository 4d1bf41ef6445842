package bundle

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"time"
)

// viewFile is one file of a [view].
type viewFile struct {
	Mode fs.FileMode
	Size int64
	Read func() ([]byte, error)
}

// viewOf shows files, keyed by slash path, as an fs.FS. Folders are made up from
// the paths; paths that fs.ValidPath refuses are not shown.
func viewOf(files map[string]viewFile) fs.FS {
	v := view{files: map[string]viewFile{}, dirs: map[string][]string{".": nil}}
	for name, f := range files {
		if !fs.ValidPath(name) || name == "." {
			continue
		}
		v.files[name] = f
		for child := name; child != "."; {
			dir := path.Dir(child)
			known := v.dirs[dir] != nil
			v.dirs[dir] = append(v.dirs[dir], path.Base(child))
			if known {
				break
			}
			child = dir
		}
	}
	for dir := range v.dirs {
		slices.Sort(v.dirs[dir])
	}
	return v
}

type view struct {
	files map[string]viewFile
	dirs  map[string][]string // folder -> names in it
}

func (v view) info(name string) (info, bool) {
	if f, ok := v.files[name]; ok {
		return info{path.Base(name), f.Mode, f.Size}, true
	}
	if _, ok := v.dirs[name]; ok {
		return info{path.Base(name), fs.ModeDir | 0o755, 0}, true
	}
	return info{}, false
}

func (v view) Open(name string) (fs.File, error) {
	i, ok := v.info(name)
	switch {
	case !fs.ValidPath(name):
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	case !ok:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	case i.IsDir():
		return &folder{info: i, v: v, name: name}, nil
	}
	b, err := v.files[name].Read()
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	i.size = int64(len(b))
	return opened{Reader: bytes.NewReader(b), info: i}, nil
}

type opened struct {
	*bytes.Reader
	info info
}

func (f opened) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f opened) Close() error               { return nil }

type folder struct {
	info info
	v    view
	name string
	at   int
}

func (d *folder) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *folder) Close() error               { return nil }
func (d *folder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.name, Err: fs.ErrInvalid}
}

func (d *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	rest := d.v.dirs[d.name][d.at:]
	if n > 0 && len(rest) == 0 {
		return nil, io.EOF
	}
	if n > 0 && n < len(rest) {
		rest = rest[:n]
	}
	d.at += len(rest)
	list := make([]fs.DirEntry, len(rest))
	for i, name := range rest {
		in, _ := d.v.info(path.Join(d.name, name))
		list[i] = fs.FileInfoToDirEntry(in)
	}
	return list, nil
}

type info struct {
	name string
	mode fs.FileMode
	size int64
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }
